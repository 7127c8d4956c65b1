/**
 * From node's request to the inner one: lazily, without a web-standard `Request`. Frameworks on top of node (express,
 * fastify) use it too, so a body may have been read before us.
 */
import type { IncomingMessage } from 'node:http'
import { joined } from '../../src/core/body.ts'
import { tooLarge } from '../../src/core/errors.ts'
import type { Eventually } from '../../src/core/eventually.ts'
import { checkBodyHeaders, type Incoming, type SentBody } from '../../src/core/incoming.ts'

/** What frameworks add: the address before they cut their mount path off, and a body that they parsed. */
export type NodeRequest = IncomingMessage & { readonly originalUrl?: string; readonly body?: unknown }

export interface Target {
  /** From the first slash behind the host on, still percent-encoded. */
  readonly path: string
  /** Without the question mark. */
  readonly query: string
}

/** Undefined for a target that names no path, such as the `*` of `OPTIONS *`. */
export function targetOf(request: NodeRequest): Target | undefined {
  const url = request.originalUrl ?? request.url ?? ''
  const whole = url.charCodeAt(0) === 47 ? url : pathOfAbsolute(url)
  if (whole === undefined) return undefined
  const hash = whole.indexOf('#')
  const target = hash === -1 ? whole : whole.slice(0, hash)
  const question = target.indexOf('?')
  if (question === -1) return { path: target, query: '' }
  return { path: target.slice(0, question), query: target.slice(question + 1) }
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
  readonly native: NodeRequest
  /** True once somebody has begun to read the body, we or the host. */
  isBodyRead = false

  constructor(request: NodeRequest, path: string, query: string) {
    this.native = request
    this.method = request.method ?? 'GET'
    this.path = path
    this.query = query
  }

  get mayHaveBody(): boolean {
    const { headers, httpVersionMajor, body } = this.native
    if (headers['transfer-encoding'] !== undefined || body !== undefined) return true
    const length = headers['content-length']
    if (length !== undefined) return length !== '0'
    // HTTP/2 needs neither header to send a body.
    return httpVersionMajor > 1 && this.method !== 'GET' && this.method !== 'HEAD'
  }

  /** Node: of several `Authorization` (and the like) the first counts; others are joined by a comma. */
  header(name: string): string | undefined {
    const value = this.native.headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }

  readBody(limitBytes: number): Eventually<SentBody> {
    this.isBodyRead = true
    const { native } = this
    const parsed = parsedBefore(native)
    if (parsed) return parsed
    // Read by somebody who kept nothing of it: waiting for its end would take forever.
    if (native.readableEnded || native.destroyed) return undefined
    checkBodyHeaders(native.headers['content-encoding'], native.headers['content-length'], limitBytes)
    return readStream(native, limitBytes)
  }
}

/** Parsers make `{}` where there was no body, or one of a type that they leave alone: then the stream has the truth. */
function parsedBefore(request: NodeRequest): SentBody {
  const { body } = request
  if (body === undefined || (isEmptyObject(body) && !request.readableDidRead)) return undefined
  if (isEmptyObject(body)) return undefined
  if (body instanceof Uint8Array) return { bytes: body }
  return typeof body === 'string' ? { bytes: new TextEncoder().encode(body) } : { parsed: body }
}

const isEmptyObject = (body: unknown) =>
  typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length === 0

/** Listeners, not an iterator: leaving an iterator early destroys the socket, and the 413 with it. */
function readStream(request: NodeRequest, limitBytes: number): Promise<SentBody> {
  return new Promise((resolve, reject) => {
    const parts: Uint8Array[] = []
    let length = 0
    const stop = () => {
      request.off('data', onData).off('end', onEnd).off('error', onLost).off('close', onLost)
    }
    const onData = (part: Uint8Array) => {
      length += part.length
      parts.push(part)
      if (length <= limitBytes) return
      stop()
      request.pause()
      reject(tooLarge(limitBytes))
    }
    const onEnd = () => {
      stop()
      resolve({ bytes: joined(parts, length) })
    }
    const onLost = () => {
      stop()
      reject(new ClientGone())
    }
    request.on('data', onData).on('end', onEnd).on('error', onLost).on('close', onLost)
  })
}

/** Nobody is there to read an answer. */
export class ClientGone extends Error {
  readonly isApiError = true
  readonly code = 'rest_client_gone'
  readonly status = 400
  readonly data = {}
  constructor() {
    super('The client went away before its body had arrived.')
  }
}
