/**
 * Forms of built documents as JSON Schema (2020-12), and the check of what people enter: the same one in the service and in the
 * browser. Values are texts, as forms send them.
 */

import { lookupTable } from '../contract/lookup-table.ts'

/** The values that a form takes, by the id of its fields. */
export interface FormSchema {
  readonly $schema: 'https://json-schema.org/draft/2020-12/schema'
  readonly type: 'object'
  readonly title: string
  readonly properties: { readonly [field: string]: FieldSchema }
  readonly required: readonly string[]
  /** The form's author wrote these sentences in place of the built-in ones. */
  readonly 'x-messages'?: { readonly required?: string; readonly invalid?: string }
}

/** One field. `array`: several values, or files. */
export interface FieldSchema {
  readonly type: 'string' | 'number' | 'array'
  readonly title: string
  readonly enum?: readonly string[]
  readonly format?: 'email' | 'uri' | 'date' | 'time' | 'binary'
  readonly pattern?: string
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  /** The lower bound of dates and times, as in the vocabulary of ajv-formats. */
  readonly formatMinimum?: string
  readonly formatMaximum?: string
  readonly maxItems?: number
  readonly items?: { readonly type: 'string'; readonly enum?: readonly string[]; readonly format?: 'binary' }
  /** A password: it is checked and never stored. */
  readonly writeOnly?: true
  /** Files have endings in lower case, and one has a largest size. */
  readonly 'x-file'?: { readonly endings: readonly string[]; readonly bytes: number }
}

/** The entered value of a field: several values for fields that take several. */
export type FormValue = string | number | boolean | readonly (string | number | boolean)[]

/** A file as far as it is checked. */
interface NamedFile {
  readonly name: string
  readonly size: number
}

/** The entered values. Members that the form does not have are ignored. */
export interface EnteredForm {
  readonly values: { readonly [field: string]: FormValue | undefined }
  readonly files?: { readonly [field: string]: readonly NamedFile[] | undefined }
}

export const maxTextLength = 65_536

/** The texts of a value that are more than blanks. */
export function textsOf(value: FormValue | undefined): string[] {
  const list = value === undefined ? [] : Array.isArray(value) ? value : [value]
  return list.map(String).filter((text) => text.trim() !== '')
}

/**
 * A sentence for each field that is wrong; empty if the form can be sent.
 *
 * ```ts
 * const problems = checkForm(schema, { values: { email: 'bob' } })
 * console.log(problems['email'])
 * ```
 */
export function checkForm(schema: FormSchema, entered: EnteredForm): { readonly [field: string]: string } {
  const { required, 'x-messages': messages = {} } = schema
  const problems = Object.entries(schema.properties).flatMap(([id, field]) => {
    const isFile = field['x-file'] !== undefined
    const isMissing = isFile ? filesOf(entered, id).length === 0 : textsIn(entered, id).length === 0
    if (isMissing) return required.includes(id) ? [[id, messages.required ?? 'This field is required.'] as const] : []
    const problem = isFile ? problemOfFiles(field, filesOf(entered, id)) : problemOfTexts(field, textsIn(entered, id))
    return problem === undefined ? [] : [[id, messages.invalid ?? problem] as const]
  })
  return Object.fromEntries(problems)
}

// The names are those of the form's author: only own members count.
const textsIn = ({ values }: EnteredForm, id: string): string[] =>
  Object.hasOwn(values, id) ? textsOf(values[id]) : []
const filesOf = ({ files = {} }: EnteredForm, id: string): readonly NamedFile[] =>
  (Object.hasOwn(files, id) ? files[id] : undefined) ?? []

function problemOfTexts(field: FieldSchema, texts: readonly string[]): string | undefined {
  if (texts.length > 1 && field.type !== 'array') return 'This field takes one value.'
  const choices = field.enum ?? field.items?.enum
  if (choices && !texts.every((text) => choices.includes(text))) return 'This is none of the choices.'
  const [first = ''] = texts
  if (first.length > (field.maxLength ?? maxTextLength)) return 'This text is too long.'
  if (field.type === 'number') return problemOfNumber(field, first.trim())
  if (field.format) return problemOfFormat(field, field.format, first.trim())
  if (field.pattern !== undefined && !new RegExp(field.pattern, 'u').test(first.trim())) {
    return patternProblems[field.pattern] ?? 'This has another form.'
  }
  return undefined
}

const numberPattern = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$/
export const isTypedNumber = (text: string): boolean => numberPattern.test(text)

function problemOfNumber({ minimum, maximum }: FieldSchema, text: string): string | undefined {
  if (!isTypedNumber(text)) return 'This is no number.'
  const value = Number(text)
  if (minimum !== undefined && value < minimum) return `The least is ${minimum}.`
  return maximum !== undefined && value > maximum ? `The most is ${maximum}.` : undefined
}

interface Rule {
  readonly test: (text: string) => boolean
  readonly problem: string
}

const formats: { readonly [format: string]: Rule } = lookupTable({
  email: {
    test: (text) => text.length <= 254 && /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/.test(text),
    problem: 'This is no e-mail address.',
  },
  uri: { test: (text) => isWebAddress(text), problem: 'This is no web address.' },
  date: {
    test: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && isDay(text),
    problem: 'This is no date.',
  },
  time: { test: (text) => /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/.test(text), problem: 'This is no time.' },
})

/** `Date.parse` takes the 30th of February for a day in March. */
function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

export function isWebAddress(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url !== undefined && /^https?:$/.test(url.protocol)
}

function problemOfFormat(
  { formatMinimum, formatMaximum }: FieldSchema,
  format: string,
  text: string,
): string | undefined {
  const rule = formats[format]
  if (rule && !rule.test(text)) return rule.problem
  // Dates and times have the order of their texts.
  if (formatMinimum !== undefined && text < formatMinimum) return `The earliest is ${formatMinimum}.`
  return formatMaximum !== undefined && text > formatMaximum ? `The latest is ${formatMaximum}.` : undefined
}

/** Digits and the signs of telephone numbers. */
export const telephonePattern = '^[0-9()#&+*=. \\-\\/]+$'
const patternProblems: { readonly [pattern: string]: string | undefined } = lookupTable({
  [telephonePattern]: 'This is no telephone number.',
})

function problemOfFiles(field: FieldSchema, files: readonly NamedFile[]): string | undefined {
  const { endings = [], bytes = 0 } = field['x-file'] ?? {}
  const most = field.maxItems ?? 1
  if (files.length > most) return most === 1 ? 'This field takes one file.' : `This field takes ${most} files.`
  const isOther = ({ name }: NamedFile) => !endings.includes(name.slice(name.lastIndexOf('.') + 1).toLowerCase())
  if (endings.length > 0 && files.some(isOther)) return `This field takes files of the kinds ${endings.join(', ')}.`
  return files.some(({ size }) => size > bytes) ? `A file has at most ${Math.floor(bytes / 1024)} kB.` : undefined
}
