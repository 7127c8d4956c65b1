/**
 * The `Incoming` of a node request: lazy, without a web-standard `Request`. Express and Fastify use it too, so the host
 * may have read the body already.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { MaybePromise } from '../../src/contract/storage.ts'
import { clientGone, tooLarge } from '../../src/core/declare/errors.ts'
import type { Incoming, SentBody } from '../../src/core/declare/request.ts'
import type { Target } from '../../src/core/pipeline/mount.ts'
import { belowRoot, bodyIsGone, checkBodyHeaders } from '../../src/core/request/incoming.ts'
import { joinBytes } from '../../src/core/runtime/bytes.ts'

/** Frameworks add the original address, the mount path that they cut off it, and a parsed body. */
export type NodeRequest = IncomingMessage & {
  readonly originalUrl?: string
  readonly baseUrl?: string
  readonly body?: unknown
}

/**
 * The target below our mount; undefined for another path. Frameworks cut their mount path off the address. The whole
 * address counts if it begins with our mount; else the mount is searched in the part that was cut off (a router for
 * part of the site), and at last in the rest.
 */
export function targetBelow({ originalUrl, baseUrl, url = '' }: NodeRequest, mount: string): Target | undefined {
  const target = targetIn(originalUrl ?? url, mount)
  if (target !== undefined || originalUrl === undefined) return target
  const start = baseUrl ? `${baseUrl}/`.indexOf(`${mount}/`) : -1
  return targetIn(start === -1 ? url : originalUrl.slice(start), mount)
}

/** Undefined, too, for a target that is not a path, such as the `*` of `OPTIONS *`. */
function targetIn(url: string, mount: string): Target | undefined {
  const whole = url.charCodeAt(0) === 47 ? url : pathOfAbsolute(url)
  if (whole === undefined) return undefined
  const hash = whole.indexOf('#')
  const target = hash === -1 ? whole : whole.slice(0, hash)
  const question = target.indexOf('?')
  const path = belowRoot(question === -1 ? target : target.slice(0, question), mount)
  return path === undefined ? undefined : { path, query: question === -1 ? '' : target.slice(question + 1) }
}

/** The form that proxies send: `GET http://example.com/path`. The host in it is ignored. */
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
  /** The host's own request object. */
  readonly native: unknown
  readonly raw: NodeRequest
  /** The body: the request, unless a hook of the host replaced it. */
  readonly stream: Readable
  /** True once the body is being read. */
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
    // An HTTP/2 body needs neither header.
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
    // Its end event has passed already.
    if (stream.readableEnded || stream.destroyed) return endedBefore(raw)
    // A replaced stream has another encoding and length than the headers say.
    if (stream === raw) checkBodyHeaders(raw.headers['content-encoding'], raw.headers['content-length'], limitBytes)
    return readStream(stream, limitBytes)
  }

  async *openBody(): AsyncIterable<Uint8Array> {
    this.isBodyRead = true
    const { raw, stream } = this
    const parsed = parsedBefore(raw)
    if (parsed && 'bytes' in parsed) yield parsed.bytes
    if (parsed) return
    if (stream.readableEnded || stream.destroyed) return endedBefore(raw)
    if (stream === raw) checkBodyHeaders(raw.headers['content-encoding'], undefined, 0)
    try {
      // Destroying the stream would cut the socket, and the answer with it.
      for await (const chunk of stream.iterator({ destroyOnReturn: false })) yield chunk
    } catch {
      throw clientGone()
    }
  }
}

/** Node keeps the first of several `Host` lines; a proxy in front may have used another one. */
export function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string
    if (name.length === 4 && name.toLowerCase() === 'host') count++
  }
  return count > 1
}

/** `Choice:` two `Authorization` headers count as none: 401. Node silently keeps the first, other hosts join them. */
function credentialsIn(rawHeaders: readonly string[]): string | undefined {
  const values: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string
    if (name.length === 13 && name.toLowerCase() === 'authorization') values.push(rawHeaders[at + 1] as string)
  }
  return values.length > 1 ? values.join(', ') : undefined
}

/**
 * Node emits `close` in any case: whether the response was finished before distinguishes a lost client from a normal
 * end.
 */
function signalOf(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  const onClose = () => {
    if (!response.writableFinished) controller.abort(clientGone())
  }
  if (response.closed) onClose()
  else response.once('close', onClose)
  return controller.signal
}

/** Parsers set `{}` for a missing body and for types they ignore: then the stream decides. */
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

/** Uses listeners: leaving an async iterator early destroys the socket, and the 413 with it. */
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
    // The host may have paused the stream, for example during sign-in.
    stream.resume()
  })
}
