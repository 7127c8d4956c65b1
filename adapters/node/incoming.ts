/**
 * From node's request to the inner one: lazily, without a web-standard `Request`. Frameworks on top of node (express,
 * fastify) use it too, so a body may have been read before us.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { clientGone, tooLarge } from '../../src/core/declare/errors.ts'
import type { Incoming, SentBody } from '../../src/core/declare/request.ts'
import type { Target } from '../../src/core/pipeline/mount.ts'
import { belowRoot, bodyIsGone, checkBodyHeaders } from '../../src/core/request/incoming.ts'
import { joinBytes } from '../../src/core/runtime/bytes.ts'
import type { MaybePromise } from '../../src/core/runtime/maybe-promise.ts'

/** What frameworks add: the address before they cut their mount path off, what they cut, and a body that they parsed. */
export type NodeRequest = IncomingMessage & {
  readonly originalUrl?: string
  readonly baseUrl?: string
  readonly body?: unknown
}

/**
 * Where a request goes below our mount; undefined: it does not go to us. Frameworks cut their own mount path off the
 * address. The whole address counts where it begins with our mount; else the mount is looked for in what was cut off (we
 * are inside a router for a part of the site), and at last in what is left.
 */
export function targetBelow({ originalUrl, baseUrl, url = '' }: NodeRequest, mount: string): Target | undefined {
  const target = targetIn(originalUrl ?? url, mount)
  if (target !== undefined || originalUrl === undefined) return target
  const start = baseUrl ? `${baseUrl}/`.indexOf(`${mount}/`) : -1
  return targetIn(start === -1 ? url : originalUrl.slice(start), mount)
}

/** Undefined, too, for a target that names no path, such as the `*` of `OPTIONS *`. */
function targetIn(url: string, mount: string): Target | undefined {
  const whole = url.charCodeAt(0) === 47 ? url : pathOfAbsolute(url)
  if (whole === undefined) return undefined
  const hash = whole.indexOf('#')
  const target = hash === -1 ? whole : whole.slice(0, hash)
  const question = target.indexOf('?')
  const path = belowRoot(question === -1 ? target : target.slice(0, question), mount)
  return path === undefined ? undefined : { path, query: question === -1 ? '' : target.slice(question + 1) }
}

/** As a proxy sends it: `GET http://example.com/path`. The host in it is not looked at. */
function pathOfAbsolute(url: string): string | undefined {
  const scheme = /^https?:\/\/[^/?#]*/i.exec(url)
  if (!scheme) return undefined
  const rest = url.slice(scheme[0].length)
  return rest.charCodeAt(0) === 47 ? rest : `/${rest}`
}

export class NodeIncoming implements Incoming {
  readonly source = 'http'
  readonly method: string
  readonly path: string
  readonly query: string
  /** What the host calls its request. */
  readonly native: unknown
  readonly raw: NodeRequest
  /** The body: the request itself, unless a hook of the host has put something in its place. */
  readonly stream: Readable
  /** True once we have begun to read the body. */
  isBodyRead = false
  readonly #response: ServerResponse
  #signal: AbortSignal | undefined

  constructor(
    raw: NodeRequest,
    response: ServerResponse,
    { path, query }: Target,
    native: unknown = raw,
    stream: Readable = raw,
  ) {
    this.raw = raw
    this.native = native
    this.stream = stream
    this.method = raw.method ?? 'GET'
    this.path = path
    this.query = query
    this.#response = response
  }

  get signal(): AbortSignal {
    this.#signal ??= signalOf(this.#response)
    return this.#signal
  }

  get mayHaveBody(): boolean {
    const { headers, httpVersionMajor, body } = this.raw
    if (headers['transfer-encoding'] !== undefined || body !== undefined) return true
    const length = headers['content-length']
    if (length !== undefined) return length !== '0'
    // HTTP/2 needs neither header to send a body.
    return httpVersionMajor > 1 && this.method !== 'GET' && this.method !== 'HEAD'
  }

  header(name: string): string | undefined {
    const value = this.raw.headers[name]
    if (name === 'authorization' && value !== undefined) return credentialsIn(this.raw.rawHeaders) ?? (value as string)
    return Array.isArray(value) ? value.join(', ') : value
  }

  readBody(limitBytes: number): MaybePromise<SentBody> {
    this.isBodyRead = true
    const { raw, stream } = this
    const parsed = parsedBefore(raw)
    if (parsed) return parsed
    // Waiting for its end would take forever.
    if (stream.readableEnded || stream.destroyed) return endedBefore(raw)
    // What a hook has made of the body has another encoding and length than the headers say.
    if (stream === raw) checkBodyHeaders(raw.headers['content-encoding'], raw.headers['content-length'], limitBytes)
    return readStream(stream, limitBytes)
  }
}

/**
 * `Choice:` of two `Authorization` headers none counts: 401. Node keeps the first and drops the others in silence; joined, as
 * other hosts hand them in, they are refused.
 */
function credentialsIn(rawHeaders: readonly string[]): string | undefined {
  const values: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string
    if (name.length === 13 && name.toLowerCase() === 'authorization') values.push(rawHeaders[at + 1] as string)
  }
  return values.length > 1 ? values.join(', ') : undefined
}

/** Node closes a response in any case: whether it was finished before tells a lost client from a normal end. */
function signalOf(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  const onClose = () => {
    if (!response.writableFinished) controller.abort(clientGone())
  }
  if (response.closed) onClose()
  else response.once('close', onClose)
  return controller.signal
}

/** Parsers make `{}` where there was no body, or one of a type that they leave alone: then the stream has the truth. */
function parsedBefore(request: NodeRequest): SentBody {
  const { body } = request
  if (body === undefined || isEmptyObject(body)) return undefined
  if (body instanceof Uint8Array) return { bytes: body }
  return typeof body === 'string' ? { bytes: new TextEncoder().encode(body) } : { parsed: body }
}

const isEmptyObject = (body: unknown) =>
  typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length === 0

/** A parser of the host that found nothing sets an empty object. */
function endedBefore({ body, readableEnded, headers }: NodeRequest): undefined {
  if (body !== undefined || headers['content-length'] === '0') return undefined
  throw readableEnded ? bodyIsGone() : clientGone()
}

/** Listeners, not an iterator: leaving an iterator early destroys the socket, and the 413 with it. */
function readStream(stream: Readable, limitBytes: number): Promise<SentBody> {
  return new Promise((resolve, reject) => {
    const parts: Uint8Array[] = []
    let length = 0
    const stop = () => {
      stream.off('data', onData).off('end', onEnd).off('error', onLost).off('close', onLost)
    }
    const onData = (part: Uint8Array) => {
      length += part.length
      parts.push(part)
      if (length <= limitBytes) return
      stop()
      stream.pause()
      reject(tooLarge(limitBytes))
    }
    const onEnd = () => {
      stop()
      resolve({ bytes: joinBytes(parts, length) })
    }
    const onLost = () => {
      stop()
      reject(clientGone())
    }
    stream.on('data', onData).on('end', onEnd).on('error', onLost).on('close', onLost)
    // The host may have paused it, until it knew who asks for example.
    stream.resume()
  })
}
