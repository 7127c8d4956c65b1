/** Forms: parsed from their element in a builder document, with the validation of submitted values. */
import { ApiError, invalidArguments } from '../../../core/declare/errors.ts'
import type { Storage } from '../../../storage/contract.ts'
import { type BuilderElement, elementsKey, isObject, parseElements, walk } from '../../shared/elements/model.ts'
import { type FormField, lengths, maxValues } from './model.ts'

/** A form of a built document: its fields and what it does. */
export interface Form {
  readonly postId: number
  readonly elementId: string
  readonly name: string
  /** The fields whose values are stored. */
  readonly fields: readonly InputField[]
  /** Ids of fields that are hidden from people: only bots fill them. */
  readonly honeypots: readonly string[]
}

interface InputField extends FormField {
  readonly isRequired: boolean
  readonly minimum?: number
  readonly maximum?: number
}

/** Choice: a form accepts submissions only while its document is published. */
export async function readForm(storage: Storage, postId: number, elementId: string): Promise<Form | undefined> {
  const [post] = await storage.posts.read([postId])
  if (post?.status !== 'publish' || post.type === 'revision') return undefined
  const [entry] = await storage.meta.read('post', [postId], [elementsKey])
  for (const element of walk(parseElements(entry?.value))) {
    if (element['id'] === elementId) return toForm(element, postId, elementId)
  }
  return undefined
}

/** Undefined for an element other than a form. */
function toForm(element: BuilderElement, postId: number, elementId: string): Form | undefined {
  const { widgetType, settings } = element
  if (widgetType !== 'form' || !isObject(settings)) return undefined
  const fieldList = settings['form_fields']
  const fields = (Array.isArray(fieldList) ? fieldList : []).filter(isObject).slice(0, maxValues)
  const isHoneypot = (field: BuilderElement) => field['field_type'] === 'honeypot'
  return {
    postId,
    elementId,
    name: textOf(settings['form_name']).slice(0, lengths.formName),
    fields: fields
      .filter((field) => !isHoneypot(field))
      .map(toField)
      .filter(isStored),
    honeypots: fields.filter(isHoneypot).map(idOf),
  }
}

/** Choice: passwords are never stored, and files are not accepted. The other types have no value. */
const unstoredTypes: ReadonlySet<string> = new Set(['html', 'step', 'password', 'upload', 'recaptcha', 'recaptcha_v3'])
const isStored = ({ id, type }: InputField) => id !== '' && !unstoredTypes.has(type)

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
const idOf = (field: BuilderElement) => (textOf(field['custom_id']) || textOf(field['_id'])).slice(0, lengths.key)
const isOn = (value: unknown) => value === true || value === 'true' || value === 'yes'
function numberIn(value: unknown): number {
  if (typeof value === 'number') return value
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
}

function toField(field: BuilderElement): InputField {
  const type = textOf(field['field_type']) || 'text'
  const options = choiceTypes.has(type) ? optionsIn(textOf(field['field_options'])) : undefined
  const [minimum, maximum] = [numberIn(field['field_min']), numberIn(field['field_max'])]
  return {
    id: idOf(field),
    type,
    label: textOf(field['field_label']),
    isRequired: isOn(field['required']),
    ...(options ? { options, isMultiple: type === 'checkbox' || isOn(field['allow_multiple']) } : {}),
    ...(Number.isFinite(minimum) ? { minimum } : {}),
    ...(Number.isFinite(maximum) ? { maximum } : {}),
  }
}

const choiceTypes: ReadonlySet<string> = new Set(['select', 'radio', 'checkbox'])

/** One option a line: `label|value`, or a value that is also the label. */
const optionsIn = (text: string): string[] =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => line.slice(line.lastIndexOf('|') + 1).trim())
    .filter((option) => option !== '')

// ---------------------------------------------------------------- submitted values

export type SubmittedTexts = ReadonlyMap<string, readonly string[]>

export const noSuchForm = () => new ApiError('form_not_found', 'There is no such form.', 404)

/** The values in the order of the form. Throws 400 with the problem of each invalid field. */
export function validateValues({ fields }: Form, submitted: SubmittedTexts): { key: string; value: string }[] {
  const problems = new Map<string, string>()
  const values = fields.map((field) => {
    const texts = (submitted.get(field.id) ?? []).filter((text) => text.trim() !== '')
    const problem = problemOf(field, texts)
    if (problem !== undefined) problems.set(field.id, problem)
    return { key: field.id, value: texts.join(', ') }
  })
  if (problems.size > 0) throw invalidArguments(problems)
  return values
}

function problemOf(field: InputField, texts: readonly string[]): string | undefined {
  const [first] = texts
  if (first === undefined) return field.isRequired ? 'This field is required.' : undefined
  if (texts.length > 1 && !field.isMultiple) return 'This field takes one value.'
  if (field.options && !texts.every((text) => field.options?.includes(text))) return 'This is none of the choices.'
  const rule = rules[field.type]
  if (rule && !rule.test(first.trim())) return rule.problem
  return field.type === 'number' ? problemOfNumber(field, Number(first)) : undefined
}

function problemOfNumber({ minimum, maximum }: InputField, value: number): string | undefined {
  if (minimum !== undefined && value < minimum) return `The least is ${minimum}.`
  return maximum !== undefined && value > maximum ? `The most is ${maximum}.` : undefined
}

interface Rule {
  readonly test: (text: string) => boolean
  readonly problem: string
}

const numberPattern = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$/
export const isTypedNumber = (text: string) => numberPattern.test(text)

const rules: { readonly [type: string]: Rule | undefined } = {
  email: {
    test: (text) => text.length <= 254 && /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/.test(text),
    problem: 'This is no e-mail address.',
  },
  url: { test: (text) => isWebAddress(text), problem: 'This is no web address.' },
  tel: { test: (text) => /^[0-9()#&+*=. \-/]+$/.test(text), problem: 'This is no telephone number.' },
  number: { test: isTypedNumber, problem: 'This is no number.' },
  date: {
    test: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`)),
    problem: 'This is no date.',
  },
  time: { test: (text) => /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/.test(text), problem: 'This is no time.' },
}

export function isWebAddress(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol)
}
