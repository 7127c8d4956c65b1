/** Parses the bytes of a body to an object of arguments. */

import { ApiError, invalidJson, tooLarge, unsupportedEncoding } from '../declare/errors.ts'
import type { BodyArguments, Incoming } from '../declare/request.ts'
import { joinBytes } from '../runtime/bytes.ts'
import { exceededLimit } from './json-extent.ts'
import { fromParsedForm } from './parsed-form.ts'
import { parseForm } from './query-string.ts'

export const jsonDepth = 200

/** The whole body, and its members if it is an object. */
export interface ReadBody {
  readonly whole: unknown
  readonly args: BodyArguments | undefined
  readonly digest?: () => Promise<string>
  /** Runs when the request has been answered. */
  readonly dispose?: () => Promise<void>
}

const nothing: ReadBody = { whole: undefined, args: undefined }

interface BodyLimits {
  readonly bytes: number
  /** Values and keys of a JSON body. */
  readonly values: number
  /** A body of any type is read, one that is not JSON as text. */
  readonly anyType?: boolean
}

/**
 * Both parts are undefined when there is no body, or one whose type carries no arguments.
 */
export async function readBody(incoming: Incoming, { bytes, values, anyType = false }: BodyLimits): Promise<ReadBody> {
  const sent = incoming.mayHaveBody ? await incoming.readBody(bytes) : undefined
  if (sent === undefined) return nothing
  const type = incoming.header('content-type')
  const whole =
    'parsed' in sent
      ? checkedParsed(sent.parsed, type, values)
      : isMultipart(type) && !anyType
        ? await parseMultipart(sent.bytes, type)
        : parseBytes(sent.bytes, type, { values, anyType })
  return whole === undefined ? nothing : { whole, args: asArguments(whole) }
}

/** A form has fewer levels and more refused names than JSON. */
function checkedParsed(parsed: unknown, contentType: string | undefined, values: number): unknown {
  const [mediaType = ''] = (contentType ?? '').toLowerCase().split(';')
  const isForm = kindOf(mediaType.trim()) === 'form' && asArguments(parsed) !== undefined
  // The cast: `asArguments` has looked.
  return checkedJson(isForm ? fromParsedForm(parsed as object) : parsed, values)
}

const isMultipart = (type: string | undefined): type is string => /^multipart\/form-data\b/i.test(type ?? '')

/** The texts of a form; routes that take files read them themselves. */
async function parseMultipart(bytes: Uint8Array, type: string): Promise<unknown> {
  if (bytes.length === 0) return undefined
  const form = await readFormData(bytes, type)
  const pairs = [...form].flatMap(([name, value]) =>
    typeof value === 'string' ? [`${encodeURIComponent(name)}=${encodeURIComponent(value)}`] : [],
  )
  return parseForm(pairs.join('&'))
}

async function readFormData(bytes: Uint8Array, type: string): Promise<FormData> {
  try {
    // The cast: the bytes are in no shared memory.
    return await new Response(bytes as Uint8Array<ArrayBuffer>, { headers: { 'content-type': type } }).formData()
  } catch {
    throw new ApiError('rest_invalid_form', 'The form in the body is broken.', 400)
  }
}

function parseBytes(
  bytes: Uint8Array,
  contentType: string | undefined,
  { values, anyType }: Pick<Required<BodyLimits>, 'values' | 'anyType'>,
): unknown {
  if (bytes.length === 0) return undefined
  const [mediaType = '', ...parameters] = (contentType ?? '').toLowerCase().split(';')
  const kind = kindOf(mediaType.trim())
  if (kind === 'none' && !anyType) return undefined
  const charset = parameters.map((text) => text.trim()).find((text) => text.startsWith('charset='))
  if (charset && !/^charset="?(?:utf-?8|us-ascii)"?$/.test(charset)) throw unsupportedEncoding()
  const text = decodeUtf8(bytes)
  if (kind === 'form') return parseForm(text)
  if (kind === 'none') return checkedJson(text)
  const exceeded = exceededLimit(text, { levels: jsonDepth, values })
  if (exceeded) throw exceeded === 'levels' ? tooDeep() : tooManyValues(values)
  return checkedJson(parseJson(text))
}

const tooDeep = () => new ApiError('rest_too_deep', `The body is nested deeper than ${jsonDepth} levels.`, 400)

const tooManyValues = (limit: number) =>
  new ApiError('rest_too_many_values', `The body holds more than ${limit} values and keys.`, 413)

/** Interface: `application/json` and `+json` types are JSON; other types count as no body. */
function kindOf(mediaType: string): 'json' | 'form' | 'none' {
  if (mediaType === 'application/x-www-form-urlencoded') return 'form'
  return mediaType === 'application/json' || /^application\/[\w.-]+\+json$/.test(mediaType) ? 'json' : 'none'
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw invalidJson('it is not UTF-8 text')
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalidJson('it can not be parsed')
  }
}

/** Choice: JSON that is not an object carries no arguments, as in the reference interface; it is not an error. */
function asArguments(value: unknown): BodyArguments | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as BodyArguments) : undefined
}

/**
 * Throws 400 for what would break a later reader: more than `jsonDepth` levels (serializing would overflow the stack), NUL (no SQL
 * text accepts it), numbers beyond the largest one, and `__proto__` as a key (a copy by assignment would adopt it). `limit`: values
 * and keys, for what others have parsed.
 */
export function checkedJson(value: unknown, limit = Number.POSITIVE_INFINITY): unknown {
  inspect(value, 0, { left: limit, limit })
  return value
}

interface ValueCount {
  left: number
  readonly limit: number
}

function inspect(value: unknown, depth: number, count: ValueCount): void {
  if (--count.left < 0) throw tooManyValues(count.limit)
  if (typeof value === 'string') inspectText(value)
  else if (typeof value === 'number') inspectNumber(value)
  else if (typeof value === 'object' && value !== null) inspectMembers(value, depth, count)
}

function inspectMembers(value: object, depth: number, count: ValueCount): void {
  if (depth >= jsonDepth) throw tooDeep()
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) inspect(value[i], depth + 1, count)
    return
  }
  for (const key in value) {
    if (key === '__proto__') throw new ApiError('rest_invalid_key', 'The body holds the reserved name __proto__.', 400)
    inspectText(key)
    inspect((value as { [name: string]: unknown })[key], depth + 1, count)
  }
}

/** Below this length a loop is faster than `includes` and `isWellFormed` (Node 24). */
const shortText = 32

function inspectText(text: string): void {
  if (text.length < shortText && isSimple(text)) return
  if (text.includes('\0')) throw refusedText()
  if (!text.isWellFormed()) throw invalidJson('it holds half of a surrogate pair')
}

/** `1e400` parses to Infinity, which no JSON can hold. */
function inspectNumber(value: number): void {
  if (!Number.isFinite(value))
    throw new ApiError('rest_invalid_number', 'The body holds a number that is too large.', 400)
}

/** Contains neither NUL nor a surrogate. */
function isSimple(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0 || (code & 0xf800) === 0xd800) return false
  }
  return true
}

const refusedText = () => new ApiError('rest_invalid_text', 'The body holds a NUL character.', 400)

/** Reads a stream up to a limit; throws 413 at the first byte beyond it. */
export async function collectBytes(chunks: AsyncIterable<Uint8Array>, limitBytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of chunks) {
    length += part.length
    if (length > limitBytes) throw tooLarge(limitBytes)
    parts.push(part)
  }
  return joinBytes(parts, length)
}
