/** One request and its answer, on node:http and node:https. It connects to the addresses it is given and to no other. */
import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { HttpClientError } from './errors.ts'

/** Where to, vetted. */
export interface Target {
  readonly url: URL
  readonly port: number
  readonly addresses: readonly string[]
}

export interface SendOptions {
  readonly accept: string
  /** Absent: it is a GET. */
  readonly sending?: Sending
  readonly overflow: 'fail' | 'cut'
  readonly bodyBytes: number
  readonly headerBytes: number
  readonly signal: AbortSignal
}

/** What is handed over, and the credentials of the service itself; never those of a caller. */
export interface Sending {
  readonly method: 'POST' | 'PUT'
  readonly body: string
  readonly contentType: string
  readonly authorization?: string
}

export interface RawResponse {
  readonly status: number
  readonly contentType: string
  readonly location: string | undefined
  readonly body: Uint8Array
}

/** Says who asks, and nothing about the host or the user. */
const agentName = 'site-api'

export function sendRequest(target: Target, terms: SendOptions): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const send = target.url.protocol === 'https:' ? requestHttps : requestHttp
    const request = send(optionsFor(target, terms))
    request.on('response', (response) => {
      readAnswer(response, terms).then(resolve, reject)
      // Whatever is left is not wanted, and the connection is never used again.
      response.once('close', () => request.destroy())
    })
    request.on('error', (error) => reject(failure(error, terms.signal)))
    // Node 24: an answer that switches protocols closes the request without an error.
    request.on('close', () => reject(failure(new Error('there was no answer'), terms.signal)))
    request.end(terms.sending?.body)
  })
}

function optionsFor(
  { url, port, addresses }: Target,
  { accept, sending, headerBytes, signal }: SendOptions,
): RequestOptions {
  return {
    method: sending?.method ?? 'GET',
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port,
    path: url.pathname + url.search,
    headers: {
      accept,
      // A packed body could unfold without end.
      'accept-encoding': 'identity',
      'user-agent': agentName,
      connection: 'close',
      ...(sending ? sentHeaders(sending) : {}),
    },
    // A connection of its own: one that was kept open could lead elsewhere.
    agent: false,
    lookup: vettedLookup(addresses),
    maxHeaderSize: headerBytes,
    signal,
  }
}

const sentHeaders = ({ body, contentType, authorization }: Sending) => ({
  'content-type': contentType,
  'content-length': String(new TextEncoder().encode(body).length),
  ...(authorization === undefined ? {} : { authorization }),
})

/** Answers what was vetted, so that asking the name again cannot give another address. */
function vettedLookup(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_hostname, { all }, answer) => {
    if (all === true) answer(null, found)
    else answer(null, found[0]?.address ?? '', found[0]?.family)
  }
}

function readAnswer(response: IncomingMessage, terms: SendOptions): Promise<RawResponse> {
  const { statusCode: status = 0, headers } = response
  const head = { status, contentType: headers['content-type'] ?? '', location: headers.location }
  return new Promise((resolve, reject) => {
    const end = (body: Uint8Array) => {
      resolve({ ...head, body })
      response.destroy()
    }
    const fail = (error: HttpClientError) => {
      reject(error)
      response.destroy()
    }
    // The body of a redirect is for people; it is not read.
    if (head.location !== undefined && status >= 300 && status < 400) return end(new Uint8Array())
    const encoding = headers['content-encoding'] ?? 'identity'
    if (encoding.toLowerCase() !== 'identity') return fail(new HttpClientError('failed', 'the answer is packed'))
    const mayCut = terms.overflow === 'cut'
    if (!mayCut && Number(headers['content-length']) > terms.bodyBytes) return fail(tooLarge())
    const chunks: Uint8Array[] = []
    let size = 0
    response.on('data', (chunk: Uint8Array) => {
      chunks.push(chunk)
      size += chunk.length
      if (size <= terms.bodyBytes) return
      if (mayCut) end(joined(chunks, terms.bodyBytes))
      else fail(tooLarge())
    })
    response.on('end', () => end(joined(chunks, size)))
    response.on('error', (error) => fail(failure(error, terms.signal)))
    response.on('close', () => fail(failure(new Error('the answer was cut off'), terms.signal)))
  })
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

function failure(error: Error & { readonly code?: string }, signal: AbortSignal): HttpClientError {
  if (signal.aborted) return new HttpClientError('timeout', 'the answer took too long')
  if (error.code === 'HPE_HEADER_OVERFLOW') return new HttpClientError('too_large', 'the headers are too large', error)
  return new HttpClientError('failed', 'the request failed', error)
}
