/** Sends calls over HTTP or in the process, with the same results. */
import { isApiError } from '../core/declare/errors.ts'
import type { DryRunBody } from '../core/pipeline/dry-run/report.ts'
import type { CallResult, CallOptions as InsideOptions } from '../core/pipeline/in-process.ts'
import type { Address } from './address.ts'
import { ClientError, type Received } from './result.ts'
import { bodyOf, type SentFile, sendByXhr } from './upload.ts'

interface OutgoingCall extends Address {
  readonly method: string
  readonly headers: { readonly [name: string]: string }
  readonly init: RequestInit | undefined
  readonly signal: AbortSignal
  /** A file that is sent in place of a body. */
  readonly file?: SentFile
}

/** Rejects with a ClientError if there is no response. */
type Transport = (call: OutgoingCall) => Promise<Received>

/** The standard `fetch`, or a function like it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** `url` is the root of the api. If it ends in `?rest_route=`, the path is sent as the value of that parameter. */
export function overHttp(url: string, given: Fetch | undefined): Transport {
  const isGiven = given !== undefined
  const fetch = given ?? ((address: string, init: RequestInit) => globalThis.fetch(address, init))
  const base = url.replace(/\/+$/, '')
  const addressTo = ({ path, query }: Address) => {
    const isInQuery = base.includes('?')
    return `${base}${isInQuery ? encodeURIComponent(path) : path}${query && `${isInQuery ? '&' : '?'}${query}`}`
  }
  return async (call) => {
    const { method, headers, body, init, signal, file } = call
    const sent = file ? bodyOf(file) : body === undefined ? {} : { body: JSON.stringify(body) }
    const typed = file ? file.headers : body === undefined ? {} : { 'Content-Type': 'application/json' }
    const all: { readonly [name: string]: string } = { ...typed, ...headers }
    const options = { ...init, ...sent, method, signal, headers: all }
    const isByXhr = file?.onProgress !== undefined && !isGiven && typeof XMLHttpRequest !== 'undefined'
    const answer = isByXhr ? sendByXhr(addressTo(call), file, options) : fetch(addressTo(call), options)
    const response = await answer.catch(unreachable)
    const received = { status: response.status, headers: response.headers, data: await read(response) }
    return isTried(response) ? triedIn(received) : received
  }
}

const isTried = ({ ok, headers }: Response) => ok && headers.get('preference-applied') === 'dry-run'

/** The answer of the write, which the body of a dry run has beside the changes. */
function triedIn({ headers, data }: Received): Received {
  // The cast: the header says that the body is that of a dry run.
  const { dry_run: _, status, headers: own, body, ...report } = data as DryRunBody
  return {
    status: status ?? 0,
    headers: new Headers([...headers, ...headersOf(own)]),
    data: body ?? undefined,
    dryRun: report,
  }
}

function unreachable(cause: unknown): never {
  throw new ClientError('client_network', 'The service could not be reached.', { cause })
}

async function read(response: Response): Promise<unknown> {
  const text = await response.text().catch(unreachable)
  if (text === '') return undefined
  if (!/\bjson\b/i.test(response.headers.get('content-type') ?? '')) return text
  try {
    return JSON.parse(text)
  } catch (cause) {
    const { status } = response
    throw new ClientError('client_unexpected_answer', 'The answer is no JSON.', { status, cause })
  }
}

/** The part of `createSiteApi`'s result that calls use. */
export interface CallableApi {
  call(
    method: string,
    path: string,
    args?: { readonly [name: string]: unknown },
    options?: InsideOptions,
  ): Promise<CallResult>
}

export function inProcess(api: CallableApi, as: InsideOptions['as']): Transport {
  return async ({ method, path, query, body, headers, file }) => {
    const sent = file ? { file: file.blob, headers: { ...file.headers, ...headers } } : { headers }
    const options = { ...sent, ...(as === undefined ? {} : { as }) }
    try {
      const result = await api.call(method, query === '' ? path : `${path}?${query}`, body as never, options)
      file?.onProgress?.(file.blob.size, file.blob.size)
      return { ...result, headers: headersOf(result.headers), data: method === 'HEAD' ? undefined : result.data }
    } catch (error) {
      return { headers: new Headers(), ...errorResponseOf(error) }
    }
  }
}

function errorResponseOf(error: unknown): Omit<Received, 'headers'> {
  if (!isApiError(error)) {
    throw new ClientError('internal_server_error', 'The request could not be carried out.', {
      status: 500,
      data: { status: 500 },
      cause: error,
    })
  }
  const { code, message, status, data } = error
  // Returns the JSON that HTTP would have.
  return { status, data: JSON.parse(JSON.stringify({ code, message, data: { status, ...data } })) }
}

export function headersOf(values: { readonly [name: string]: string | readonly string[] }): Headers {
  const headers = new Headers()
  for (const [name, lines] of Object.entries(values)) {
    for (const value of typeof lines === 'string' ? [lines] : lines) headers.append(name, value)
  }
  return headers
}
