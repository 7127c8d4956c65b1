/** Forms: parsed from their element in a builder document. */
import type { Post, Storage } from '../../../../contract/storage.ts'
import { type BuilderElement, elementsKey, isObject, parseElements, walk } from '../../../shared/elements.ts'
import { type FormField, lengths, maxValues } from '../model.ts'
import { builtInCaptcha } from './challenge.ts'
import { type FormActions, toActions } from './settings.ts'
import { isOn, numberOf, textOf } from './values.ts'

/** A form of a built document: its fields and what it does. */
export interface Form {
  readonly postId: number
  readonly elementId: string
  readonly name: string
  /** That of the document; empty: none. */
  readonly password: string
  /** The fields that visitors fill. */
  readonly fields: readonly InputField[]
  /** Ids of fields that are hidden from people: only bots fill them. */
  readonly honeypots: readonly string[]
  /** The kinds of its captchas, such as `recaptcha_v3`. */
  readonly captchas: readonly string[]
  readonly actions: FormActions
}

/** A field that visitors fill, with what it demands. */
export interface InputField extends FormField {
  readonly isRequired: boolean
  readonly minimum?: number
  readonly maximum?: number
  /** The bounds of dates and times. */
  readonly earliest?: string
  readonly latest?: string
  readonly files?: FileRules
  /** How mails of a form that keeps its submissions have the files of an upload field. */
  readonly attachment?: AttachmentType
}

/** A mail has the addresses of files, the files, or both. */
type AttachmentType = 'link' | 'attach' | 'both'

/** The files that an upload field takes. */
interface FileRules {
  /** Endings in lower case; empty: whatever the site takes. */
  readonly endings: readonly string[]
  /** The bytes of one file. */
  readonly bytes: number
  readonly count: number
}

/** Choice: a form accepts submissions only while its document is published. */
export async function readForm(storage: Storage, postId: number, elementId: string): Promise<Form | undefined> {
  const [post] = await storage.posts.read([postId])
  if (post?.status !== 'publish' || post.type === 'revision') return undefined
  const [entry] = await storage.meta.read('post', [postId], [elementsKey])
  for (const element of walk(parseElements(entry?.value))) {
    if (element['id'] === elementId) return toForm(element, post, elementId)
  }
  return undefined
}

/** Undefined for an element other than a form. */
function toForm(element: BuilderElement, { id: postId, password }: Post, elementId: string): Form | undefined {
  const { widgetType, settings } = element
  if (widgetType !== 'form' || !isObject(settings)) return undefined
  const fieldList = settings['form_fields']
  const fields = (Array.isArray(fieldList) ? fieldList : []).filter(isObject).slice(0, maxValues)
  const typeOf = (field: BuilderElement) => textOf(field['field_type']) || 'text'
  const attachment = textOf(settings['attachment_type'])
  return {
    postId,
    elementId,
    password,
    name: textOf(settings['form_name']).slice(0, lengths.formName),
    fields: fields
      .filter((field) => !valueless.has(typeOf(field)))
      .map((field) => toField(field, attachment))
      .filter(({ id }) => id !== ''),
    honeypots: fields.filter((field) => typeOf(field) === 'honeypot').map(idOf),
    captchas: [...new Set(fields.map(typeOf).filter((type) => captchaTypes.has(type)))],
    actions: toActions(settings),
  }
}

const captchaTypes: ReadonlySet<string> = new Set([
  builtInCaptcha,
  'recaptcha',
  'recaptcha_v3',
  'hcaptcha',
  'turnstile',
  'captcha',
])
/** Fields that show something, or that people do not fill. */
const valueless: ReadonlySet<string> = new Set(['html', 'step', 'honeypot', ...captchaTypes])

const idOf = (field: BuilderElement) => (textOf(field['custom_id']) || textOf(field['_id'])).slice(0, lengths.key)

/** `attachment`: what the form says of all its fields. */
function toField(field: BuilderElement, attachment: string): InputField {
  const type = textOf(field['field_type']) || 'text'
  const options = choiceTypes.has(type) ? optionsIn(textOf(field['field_options'])) : undefined
  return {
    id: idOf(field),
    type,
    label: textOf(field['field_label']),
    isRequired: isOn(field['required']),
    ...(options ? { options, isMultiple: type === 'checkbox' || isOn(field['allow_multiple']) } : {}),
    ...numbersOf(field),
    ...(type === 'date' || type === 'time' ? daysOf(field, type) : {}),
    ...(type === 'upload'
      ? { files: filesOf(field), attachment: attachmentOf(textOf(field['attachment_type']) || attachment) }
      : {}),
  }
}

function attachmentOf(text: string): AttachmentType {
  if (text === 'both') return 'both'
  return /^attach(?:ments?)?$/.test(text) ? 'attach' : 'link'
}

const choiceTypes: ReadonlySet<string> = new Set(['select', 'radio', 'checkbox'])

/** One option a line: `label|value`, or a value that is also the label. */
const optionsIn = (text: string): string[] =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => line.slice(line.lastIndexOf('|') + 1).trim())
    .filter((option) => option !== '')

function numbersOf(field: BuilderElement) {
  const [minimum, maximum] = [numberOf(field['field_min']), numberOf(field['field_max'])]
  return {
    ...(Number.isFinite(minimum) ? { minimum } : {}),
    ...(Number.isFinite(maximum) ? { maximum } : {}),
  }
}

function daysOf(field: BuilderElement, type: 'date' | 'time') {
  const [earliest, latest] = [textOf(field[`min_${type}`]), textOf(field[`max_${type}`])]
  return { ...(earliest === '' ? {} : { earliest }), ...(latest === '' ? {} : { latest }) }
}

const megabyte = 1024 * 1024
const mostBytes = 25 * megabyte
const mostFiles = 10

/** The settings are in megabytes. */
function filesOf(field: BuilderElement): FileRules {
  const size = numberOf(field['file_sizes']) * megabyte
  const count = isOn(field['allow_multiple_upload']) ? numberOf(field['max_files']) || mostFiles : 1
  const endings = textOf(field['file_types'])
    .toLowerCase()
    .split(/[\s,]+/)
  return {
    endings: endings.map((ending) => ending.replace(/^\./, '')).filter((ending) => /^\w+$/.test(ending)),
    bytes: size > 0 ? Math.min(size, mostBytes) : mostBytes,
    count: Math.min(Math.max(1, Math.floor(count)), mostFiles),
  }
}
