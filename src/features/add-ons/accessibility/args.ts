/**
 * Argument checks of the accessibility routes. Interface: the index shows no arguments, so they are not declared and
 * the handlers check them.
 */
import { anything, unlisted } from '../../../core/declare/args.ts'
import { ApiError, invalidArguments } from '../../../core/declare/errors.ts'

export type Input = { readonly [name: string]: unknown }

const undeclared = unlisted(anything())

/** Undeclared arguments by name, from the query or the body. */
export const undeclaredArgs = <const N extends string>(...names: readonly N[]) =>
  // The cast: `fromEntries` loses the names.
  Object.fromEntries(names.map((name) => [name, undeclared])) as { readonly [name in N]: typeof undeclared }

export const lengths = { url: 2048, category: 3, rule: 128, group: 128, title: 255, xpath: 2048, type: 60 } as const

/** Interface: two routes respond with the code of an internal error when a text is missing. */
const missingError = (name: string, code = 'missing_parameters') =>
  new ApiError(code, `Missing ${name === 'url' ? 'URL' : name}`, 400)

const invalidError = (name: string, why: string) => invalidArguments(new Map([[name, why]]))

const isMissing = (value: unknown) => value === undefined || value === null || value === ''

interface TextRules {
  readonly maxLength: number
  /** The error code for a missing text. */
  readonly code?: string
}

export function optionalText(input: Input, name: string, maxLength: number): string | undefined {
  const value = input[name]
  if (isMissing(value)) return undefined
  if (typeof value !== 'string') throw invalidError(name, `${name} is not a text.`)
  if (value.length > maxLength) throw invalidError(name, `${name} is longer than ${maxLength} characters.`)
  return value
}

export function textOf(input: Input, name: string, { maxLength, code }: TextRules): string {
  const text = optionalText(input, name, maxLength)
  if (text === undefined) throw missingError(name, code)
  return text
}

/** Pages are identified by their address as browsers encode it. */
export const toUrl = (text: string): string => encodeURI(text).replace(/%25(?=[0-9a-f]{2})/gi, '%')

/** The address of a page as the code of the host writes it. */
export const toPageUrl = (url: string): string => toUrl(url.toWellFormed())

export function optionalUrl(input: Input): string | undefined {
  const text = optionalText(input, 'url', lengths.url)
  if (text === undefined) return undefined
  const url = toUrl(text)
  if (url.length > lengths.url) throw invalidError('url', `url is longer than ${lengths.url} characters.`)
  return url
}

export function urlOf(input: Input, code?: string): string {
  const url = optionalUrl(input)
  if (url === undefined) throw missingError('url', code)
  return url
}

const flags: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  ...[true, 1, '1', 'true', 'yes', 'on'].map((value) => [value, true] as const),
  ...[false, 0, '0', 'false', 'no', 'off'].map((value) => [value, false] as const),
])

export function optionalFlag(input: Input, name: string): boolean | undefined {
  const value = input[name]
  if (isMissing(value)) return undefined
  const flag = flags.get(typeof value === 'string' ? value.toLowerCase() : value)
  if (flag === undefined) throw invalidError(name, `${name} says neither yes nor no.`)
  return flag
}

export function flagOf(input: Input, name: string): boolean {
  const flag = optionalFlag(input, name)
  if (flag === undefined) throw missingError(name)
  return flag
}

export function integerOf(input: Input, name: string): number {
  const value = input[name]
  if (isMissing(value)) throw missingError(name)
  const number = typeof value === 'string' && /^\s*-?\d+\s*$/.test(value) ? Number(value) : value
  if (typeof number !== 'number' || !Number.isSafeInteger(number))
    throw invalidError(name, `${name} is not a whole number.`)
  return number
}

export function choiceOf<const V extends readonly string[]>(input: Input, name: string, values: V): V[number] {
  const value = textOf(input, name, { maxLength: lengths.type })
  if (!values.includes(value)) throw invalidError(name, `${name} takes only these values: ${values.join(', ')}.`)
  return value
}

/** Interface: a missing or malformed number of days is `rest_invalid_param`, not `missing_parameters`. */
export function daysOf(input: Input, name: string): number {
  const value = input[name]
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number !== 'number' || !Number.isFinite(number))
    throw invalidError(name, `${name} is not a number of days.`)
  return Math.max(Math.trunc(number), 0)
}

// ---------------------------------------------------------------- contents of remediations

const maxContent = 64 * 1024

interface RemediationContent {
  readonly category: string
  /** JSON text. */
  readonly content: string
}

export function contentOf(input: Input): RemediationContent {
  const value = input['remediation']
  if (isMissing(value)) throw missingError('remediation')
  return toContent('remediation', value)
}

/** Interface: changes of a remediation have its content as JSON text. */
export function contentTextOf(input: Input): RemediationContent {
  const text = textOf(input, 'content', { maxLength: maxContent, code: 'internal_server_error' })
  try {
    return toContent('content', JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) throw invalidError('content', 'content is no JSON text.')
    throw error
  }
}

function toContent(name: string, value: unknown): RemediationContent {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidError(name, `${name} is no object.`)
  const { category = '' } = value as { readonly category?: unknown }
  if (typeof category !== 'string' || category.length > lengths.category) {
    throw invalidError(name, `The category has at most ${lengths.category} characters.`)
  }
  const content = JSON.stringify(value)
  if (content.length > maxContent) throw invalidError(name, `${name} is longer than ${maxContent} characters.`)
  return { category, content }
}
