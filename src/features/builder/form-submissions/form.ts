/**
 * A form as its element in a builder document describes it, and whether what somebody sent fits it. Only what the form
 * asks for is taken over.
 */
import { ApiError, invalidArguments } from '../../../core/declare/errors.ts'
import { andThen, type MaybePromise } from '../../../core/runtime/maybe-promise.ts'
import type { Storage } from '../../../storage/contract.ts'
import { type BuilderElement, elementsKey, isObject, parseElements, walk } from '../../shared/elements/model.ts'
import { type FormField, lengths, maxValues } from './model.ts'

export interface Form {
  readonly postId: number
  readonly elementId: string
  readonly name: string
  /** Those whose values are kept. */
  readonly fields: readonly AskedField[]
  /** Ids of fields that people do not see: who fills one is a machine. */
  readonly honeypots: readonly string[]
}

export interface AskedField extends FormField {
  readonly isRequired: boolean
  readonly minimum?: number
  readonly maximum?: number
}

/** Choice: a form takes submissions as long as its document is public, so that nothing is sent to a form nobody sees. */
export function readForm(storage: Storage, postId: number, elementId: string): MaybePromise<Form | undefined> {
  return andThen(storage.posts.read([postId]), ([post]) => {
    if (post?.status !== 'publish' || post.type === 'revision') return undefined
    return andThen(storage.meta.read('post', [postId], [elementsKey]), ([entry]) => {
      for (const element of walk(parseElements(entry?.value))) {
        if (element['id'] === elementId) return formOf(element, postId, elementId)
      }
      return undefined
    })
  })
}

/** Undefined for an element that is no form. */
export function formOf(element: BuilderElement, postId: number, elementId: string): Form | undefined {
  const { widgetType, settings } = element
  if (widgetType !== 'form' || !isObject(settings)) return undefined
  const listed = settings['form_fields']
  const fields = (Array.isArray(listed) ? listed : []).filter(isObject).slice(0, maxValues)
  const isHoneypot = (field: BuilderElement) => field['field_type'] === 'honeypot'
  return {
    postId,
    elementId,
    name: textOf(settings['form_name']).slice(0, lengths.formName),
    fields: fields
      .filter((field) => !isHoneypot(field))
      .map(toField)
      .filter(isKept),
    honeypots: fields.filter(isHoneypot).map(idOf),
  }
}

/** Choice: passwords are never kept, files are not taken, and the rest of these asks for nothing. */
const unkept: ReadonlySet<string> = new Set(['html', 'step', 'password', 'upload', 'recaptcha', 'recaptcha_v3'])
const isKept = ({ id, type }: AskedField) => id !== '' && !unkept.has(type)

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
const idOf = (field: BuilderElement) => (textOf(field['custom_id']) || textOf(field['_id'])).slice(0, lengths.key)
const isOn = (value: unknown) => value === true || value === 'true' || value === 'yes'
const numberIn = (value: unknown) =>
  typeof value === 'number' ? value : typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN

function toField(field: BuilderElement): AskedField {
  const type = textOf(field['field_type']) || 'text'
  const options = choices.has(type) ? optionsIn(textOf(field['field_options'])) : undefined
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

const choices: ReadonlySet<string> = new Set(['select', 'radio', 'checkbox'])

/** One a line; behind a bar stands what is sent in place of what is read. */
const optionsIn = (text: string): string[] =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => line.slice(line.lastIndexOf('|') + 1).trim())
    .filter((option) => option !== '')

// ---------------------------------------------------------------- what was sent

export type SentValues = ReadonlyMap<string, readonly string[]>

export const noSuchForm = () => new ApiError('form_not_found', 'There is no such form.', 404)

/** The values in the order of the form. Throws 400 that names each field with what is wrong. */
export function checkedValues({ fields }: Form, sent: SentValues): { key: string; value: string }[] {
  const problems = new Map<string, string>()
  const values = fields.map((field) => {
    const given = (sent.get(field.id) ?? []).filter((text) => text.trim() !== '')
    const problem = problemOf(field, given)
    if (problem !== undefined) problems.set(field.id, problem)
    return { key: field.id, value: given.join(', ') }
  })
  if (problems.size > 0) throw invalidArguments(problems)
  return values
}

function problemOf(field: AskedField, given: readonly string[]): string | undefined {
  const [first] = given
  if (first === undefined) return field.isRequired ? 'This field is required.' : undefined
  if (given.length > 1 && !field.isMultiple) return 'This field takes one value.'
  if (field.options && !given.every((one) => field.options?.includes(one))) return 'This is none of the choices.'
  const rule = rules[field.type]
  if (rule && !rule.test(first.trim())) return rule.problem
  return field.type === 'number' ? problemOfNumber(field, Number(first)) : undefined
}

function problemOfNumber({ minimum, maximum }: AskedField, value: number): string | undefined {
  if (minimum !== undefined && value < minimum) return `The least is ${minimum}.`
  return maximum !== undefined && value > maximum ? `The most is ${maximum}.` : undefined
}

interface Rule {
  readonly test: (text: string) => boolean
  readonly problem: string
}

const numberForm = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$/
export const isTypedNumber = (text: string) => numberForm.test(text)

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
