/** What a handler gives back, and the inner answer that adapters write out and batch reads as text. */
import { toJson } from './json.ts'

export type ReplyHeaders = { [name: string]: string | readonly string[] }
export type ReplyBody = string | Uint8Array | ReadableStream<Uint8Array> | null

/** Ready to be sent. A text is JSON unless the headers say otherwise. */
export interface Reply {
  readonly status: number
  readonly headers: ReplyHeaders
  readonly body: ReplyBody
}

/** Data with a status or headers of its own. Handlers that need neither return the bare data. */
export class Answer<T = unknown> {
  readonly data: T
  readonly status: number
  readonly headers: ReplyHeaders
  constructor(data: T, status: number, headers: ReplyHeaders) {
    this.data = data
    this.status = status
    this.headers = headers
  }
}

/** Shared, so that an answer without headers of its own is told at a glance. */
export const noHeaders: ReplyHeaders = Object.freeze({})

export const reply = <T>(
  data: T,
  { status = 200, headers = noHeaders }: { status?: number; headers?: ReplyHeaders } = {},
) => new Answer(data, status, headers)

/** A body that is no JSON (CSV, XML); `contentType` is sent as it stands. */
export class Stream {
  readonly body: ReplyBody
  readonly contentType: string
  constructor(body: ReplyBody, contentType: string) {
    this.body = body
    this.contentType = contentType
  }
}

export const jsonType = 'application/json; charset=UTF-8'

/** The web-standard form. 204, 205, 304 and HEAD carry no body. */
export function toResponse(answer: Reply): Response {
  const bare = answer.status === 204 || answer.status === 205 || answer.status === 304
  const body = bare ? null : (answer.body as BodyInit | null)
  return new Response(body, { status: answer.status, headers: plainHeaders(answer.headers) })
}

/** Made once for headers that many answers share; a `Headers` is copied faster than an object is checked (Node 24). */
const shared = new WeakMap<ReplyHeaders, Headers>()

/** Several values of one name need a `Headers`, so that each keeps a line of its own. */
function plainHeaders(headers: ReplyHeaders): HeadersInit {
  const known = shared.get(headers)
  if (known) return known
  if (Object.isFrozen(headers)) {
    const made = listedHeaders(headers)
    shared.set(headers, made)
    return made
  }
  for (const name in headers) {
    if (typeof headers[name] !== 'string') return listedHeaders(headers)
  }
  return headers as { [name: string]: string }
}

function listedHeaders(headers: ReplyHeaders): Headers {
  const out = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    for (const one of typeof value === 'string' ? [value] : value) out.append(name, one)
  }
  return out
}

/** Header values are printable ASCII: anything else is percent-encoded, so no text can split or break a header. */
export const headerText = (text: string): string =>
  text.replace(/[^\x20-\x7e]+/gu, (part) => encodeURIComponent(part.toWellFormed()))

/** The same for an address inside `<...>`. */
export const headerUrl = (url: string): string => headerText(url).replace(/[<>" ]/g, encodeURIComponent)

export const jsonReply = (data: unknown, status: number, headers: ReplyHeaders): Reply => ({
  status,
  headers,
  body: toJson(data),
})
