/** The value that a handler returns, and the response that adapters write and batch reads as text. */
import { toJson } from '../runtime/json.ts'
import type { Incoming } from './request.ts'

/** Headers by lower-case name; a list is sent as several headers. */
export type ResponseHeaders = { [name: string]: string | readonly string[] }
type ResponseBody = string | Uint8Array | ReadableStream<Uint8Array> | null

/** Ready to be sent. A text is JSON unless the headers say otherwise. */
export interface ResponseData {
  readonly status: number
  readonly headers: ResponseHeaders
  readonly body: ResponseBody
  /** Says how many bytes the body has, where that is known already. */
  readonly length?: number
}

/**
 * Data with a status or headers. Handlers that need neither return the bare data.
 *
 * ```ts
 * import { result } from 'site-api'
 *
 * const made = result({ id: 7 }, { status: 201, headers: { location: '/books/7' } })
 * export const status: number = made.status
 * ```
 */
export class Result<T = unknown> {
  readonly data: T
  readonly status: number
  readonly headers: ResponseHeaders
  /** Members that `_fields` does not leave out. */
  readonly keeps: readonly string[]
  constructor(data: T, status: number, headers: ResponseHeaders, keeps: readonly string[] = []) {
    this.data = data
    this.status = status
    this.headers = headers
    this.keeps = keeps
  }
}

/** Shared, so that a result without headers is recognised by identity. */
export const noHeaders: ResponseHeaders = Object.freeze({})

/**
 * Gives the data of a response a status or headers. Without it a result is 200.
 *
 * ```ts
 * import { result } from 'site-api'
 *
 * export const created = (id: number) => result({ id }, { status: 201 })
 * ```
 */
export const result = <T>(
  data: T,
  {
    status = 200,
    headers = noHeaders,
    keeps,
  }: { status?: number; headers?: ResponseHeaders; keeps?: readonly string[] } = {},
) => new Result(data, status, headers, keeps)

/** A body that is not JSON (CSV, XML); `contentType` is sent unchanged. */
export class Stream {
  readonly body: ResponseBody
  readonly contentType: string
  constructor(body: ResponseBody, contentType: string) {
    this.body = body
    this.contentType = contentType
  }
}

export const jsonType = 'application/json; charset=UTF-8'

/** Converts to a web-standard `Response`. 204, 205 and 304 have no body. Throws for an invalid header name. */
export function toResponse({ status, headers, body }: ResponseData): Response {
  const bare = status === 204 || status === 205 || status === 304
  const content = bare ? null : (body as BodyInit | null)
  try {
    return new Response(content, { status, headers: plainHeaders(headers) })
  } catch {
    // `Headers` accepts Latin-1 without control characters and throws for anything else.
    return new Response(content, { status, headers: plainHeaders(withHeaderText(headers)) })
  }
}

function withHeaderText(headers: ResponseHeaders): ResponseHeaders {
  const written = ([name, value]: [string, string | readonly string[]]): [string, string | readonly string[]] => [
    name,
    typeof value === 'string' ? headerText(value) : value.map(headerText),
  ]
  return Object.fromEntries(Object.entries(headers).map(written))
}

/** Cached for shared header objects: copying `Headers` is faster than checking an object (Node 24). */
const shared = new WeakMap<ResponseHeaders, Headers>()

/** Several values of one name need `Headers`, so that each stays a line. */
function plainHeaders(headers: ResponseHeaders): HeadersInit {
  const known = shared.get(headers)
  if (known) return known
  if (Object.isFrozen(headers)) {
    const converted = listedHeaders(headers)
    shared.set(headers, converted)
    return converted
  }
  for (const name in headers) {
    if (typeof headers[name] !== 'string') return listedHeaders(headers)
  }
  return headers as { [name: string]: string }
}

function listedHeaders(headers: ResponseHeaders): Headers {
  const out = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    for (const one of typeof value === 'string' ? [value] : value) out.append(name, one)
  }
  return out
}

/** Percent-encodes everything but printable ASCII, so that no text can split or break a header. */
export const headerText = (text: string): string =>
  text.replace(/[^\x20-\x7e]+/gu, (part) => encodeURIComponent(part.toWellFormed()))

/** The same for an address inside `<...>`. */
export const headerUrl = (url: string): string => headerText(url).replace(/[<>" ]/g, encodeURIComponent)

export const jsonResponse = (data: unknown, status: number, headers: ResponseHeaders): ResponseData => ({
  status,
  headers,
  body: toJson(data),
})

/**
 * A part that a write left out or could not use, although it succeeded. The response lists it in `_warnings`, so that
 * nothing that a client sent is dropped in silence.
 */
export interface Warning {
  /** The kind of problem: `unknown_meta`, `unknown_widget`. */
  readonly code: string
  /** One English sentence with the way out. */
  readonly message: string
  /** The argument; a dot precedes a member of it: `meta.mood`. */
  readonly param?: string
}

/** More than a person reads: a document may have thousands of elements. */
const maxWarnings = 20

/** Adds a warning to the response of a write. A problem that is named already, and the 21st one, are left out. */
export function warn({ warnings }: { readonly warnings?: Warning[] }, warning: Warning): void {
  if (!warnings || warnings.length >= maxWarnings) return
  const isKnown = warnings.some(({ code, param }) => code === warning.code && param === warning.param)
  if (!isKnown) warnings.push(warning)
}

const uncached = new WeakSet<Incoming>()

/**
 * Keeps the response to this request out of the cache, because it follows from more than the storage, the settings, the
 * arguments and the sender: see `cacheable` of an endpoint.
 *
 * ```ts
 * import { anyone, endpoint, noStore } from 'site-api'
 *
 * export const tides = endpoint({
 *   path: '/tides',
 *   methods: ['GET'],
 *   args: {},
 *   permission: anyone,
 *   cacheable: true,
 *   handler: (context) => {
 *     noStore(context)
 *     return { now: new Date(context.app.clock()).toISOString() }
 *   },
 * })
 * ```
 */
export const noStore = ({ incoming }: { readonly incoming: Incoming }): void => void uncached.add(incoming)

export const isNoStore = (incoming: Incoming): boolean => uncached.has(incoming)
