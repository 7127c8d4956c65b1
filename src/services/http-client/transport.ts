/** Sends one request with node:http or node:https, to the checked addresses only. */
import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { HttpClientError } from './errors.ts'

/** A checked destination. */
export interface Target {
  readonly url: URL
  readonly port: number
  readonly addresses: readonly string[]
}

interface SendOptions {
  readonly accept: string
  /** A GET has none. */
  readonly request?: OutgoingRequest
  readonly overflow: 'fail' | 'cut'
  readonly bodyBytes: number
  readonly headerBytes: number
  readonly signal: AbortSignal
  /** The body is left to the caller, who waits this long for each of its pieces. */
  readonly idleMs?: number
}

/** A request that has a body, and credentials of the service; it never has those of a caller. */
export interface OutgoingRequest {
  readonly method: 'POST' | 'PUT'
  readonly body: string
  readonly contentType: string
  readonly authorization?: string
  readonly headers?: { readonly [name: string]: string }
}

export interface RawResponse {
  readonly status: number
  readonly contentType: string
  readonly location: string | undefined
  readonly retryAfter: string | undefined
  readonly body: Uint8Array
  /** The open body of a request with `idleMs`, whose `body` is empty. */
  readonly open?: OpenBody
}

/** A body that has not arrived yet. */
export interface OpenBody {
  /** Can be read once. Rejects with an HttpClientError. */
  readonly chunks: AsyncIterable<Uint8Array>
  /** Ends the connection, whether or not the body was read. */
  readonly close: () => void
}

/** The user agent, which discloses nothing about the host or the user. */
const userAgent = 'site-api'

export function sendRequest(target: Target, options: SendOptions): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const send = target.url.protocol === 'https:' ? requestHttps : requestHttp
    const request = send(optionsFor(target, options))
    request.on('response', (response) => {
      readResponse(response, options).then(resolve, reject)
      // The rest of the body is discarded; connections are not reused.
      response.once('close', () => request.destroy())
    })
    request.on('error', (error) => reject(clientError(error, options.signal)))
    // Node 24: a response that switches protocols closes the request without an error.
    request.on('close', () => reject(clientError(new Error('there was no answer'), options.signal)))
    request.end(options.request?.body)
  })
}

function optionsFor(
  { url, port, addresses }: Target,
  { accept, request, headerBytes, signal }: SendOptions,
): RequestOptions {
  return {
    method: request?.method ?? 'GET',
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port,
    path: url.pathname + url.search,
    headers: {
      accept,
      // A compressed body could expand without bound.
      'accept-encoding': 'identity',
      'user-agent': userAgent,
      connection: 'close',
      ...(request ? bodyHeaders(request) : {}),
    },
    // No pooled connection, which could lead to another address.
    agent: false,
    lookup: fixedLookup(addresses),
    maxHeaderSize: headerBytes,
    signal,
  }
}

const bodyHeaders = ({ body, contentType, authorization, headers = {} }: OutgoingRequest) => ({
  ...headers,
  'content-type': contentType,
  'content-length': String(new TextEncoder().encode(body).length),
  ...(authorization === undefined ? {} : { authorization }),
})

/** Returns the checked addresses, so that a second lookup can not return another one (DNS rebinding). */
function fixedLookup(addresses: readonly string[]): LookupFunction {
  const entries = addresses.map((address) => ({ address, family: isIP(address) }))
  // The cast: a name without an address was refused.
  const first = entries[0] as (typeof entries)[number]
  return (_hostname, { all }, callback) => {
    if (all === true) callback(null, entries)
    else callback(null, first.address, first.family)
  }
}

function readResponse(response: IncomingMessage, options: SendOptions): Promise<RawResponse> {
  const { statusCode: status = 0, headers } = response
  const head = {
    status,
    contentType: headers['content-type'] ?? '',
    location: headers.location,
    retryAfter: headers['retry-after'],
  }
  return new Promise((resolve, reject) => {
    const end = (body: Uint8Array) => {
      resolve({ ...head, body })
      response.destroy()
    }
    const fail = (error: HttpClientError) => {
      reject(error)
      response.destroy()
    }
    // The body of a redirect is not read.
    if (head.location !== undefined && status >= 300 && status < 400) return end(new Uint8Array())
    const encoding = headers['content-encoding'] ?? 'identity'
    if (encoding.toLowerCase() !== 'identity') return fail(new HttpClientError('failed', 'the answer is packed'))
    if (options.idleMs !== undefined)
      return resolve({ ...head, body: new Uint8Array(), open: openBody(response, options.idleMs) })
    const mayCut = options.overflow === 'cut'
    if (!mayCut && Number(headers['content-length']) > options.bodyBytes) return fail(tooLarge())
    const chunks: Uint8Array[] = []
    let size = 0
    response.on('data', (chunk: Uint8Array) => {
      chunks.push(chunk)
      size += chunk.length
      if (size <= options.bodyBytes) return
      if (mayCut) end(joined(chunks, options.bodyBytes))
      else fail(tooLarge())
    })
    response.on('end', () => end(joined(chunks, size)))
    response.on('error', (error) => fail(clientError(error, options.signal)))
    response.on('close', () => fail(clientError(new Error('the answer was cut off'), options.signal)))
  })
}

function openBody(response: IncomingMessage, idleMs: number): OpenBody {
  const close = () => void response.destroy()
  response.setTimeout(idleMs, () => response.destroy(new HttpClientError('timeout', 'the answer took too long')))
  return {
    close,
    chunks: (async function* () {
      try {
        for await (const chunk of response) yield chunk as Uint8Array
      } catch (error) {
        throw error instanceof HttpClientError ? error : new HttpClientError('failed', 'the answer was cut off', error)
      } finally {
        close()
      }
    })(),
  }
}

const tooLarge = () => new HttpClientError('too_large', 'the answer is too large')

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const body = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    const part = chunk.subarray(0, size - at)
    body.set(part, at)
    at += part.length
  }
  return body
}

function clientError(error: Error & { readonly code?: string }, signal: AbortSignal): HttpClientError {
  if (signal.aborted) return new HttpClientError('timeout', 'the answer took too long')
  if (error.code === 'HPE_HEADER_OVERFLOW') return new HttpClientError('too_large', 'the headers are too large', error)
  return new HttpClientError('failed', 'the request failed', error)
}
