/** How a call reaches the service: over HTTP, or inside the process. Both bring back the same. */
import { isApiError } from '../core/declare/errors.ts'
import type { CallResult, CallOptions as InsideOptions } from '../core/pipeline/in-process.ts'
import type { Address } from './address.ts'
import { ClientError, type Received } from './result.ts'

export interface Sent extends Address {
  readonly method: string
  readonly headers: { readonly [name: string]: string }
  readonly init: RequestInit | undefined
  readonly signal: AbortSignal
}

/** Rejects with a `ClientError` when nothing was answered. */
export type Transport = (sent: Sent) => Promise<Received>

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** `url` is where the root of the api is. One with `?rest_route=` at its end takes the path as a value. */
export function overHttp(url: string, fetch: Fetch): Transport {
  const base = url.replace(/\/+$/, '')
  const addressTo = ({ path, query }: Address) => {
    const asValue = base.includes('?')
    return `${base}${asValue ? encodeURIComponent(path) : path}${query && `${asValue ? '&' : '?'}${query}`}`
  }
  return async (sent) => {
    const { method, headers, body, init, signal } = sent
    const hasBody = body !== undefined
    const response = await fetch(addressTo(sent), {
      ...init,
      method,
      signal,
      headers: { ...(hasBody ? { 'Content-Type': 'application/json' } : {}), ...headers },
      ...(hasBody ? { body: JSON.stringify(body) } : {}),
    }).catch(unreachable)
    return { status: response.status, headers: response.headers, data: await read(response) }
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

/** What `createSiteApi` gives. */
export interface CallableApi {
  call(
    method: string,
    path: string,
    args?: { readonly [name: string]: unknown },
    options?: InsideOptions,
  ): Promise<CallResult>
}

export function inProcess(api: CallableApi, as: InsideOptions['as']): Transport {
  return async ({ method, path, query, body, headers }) => {
    const options = { headers, ...(as === undefined ? {} : { as }) }
    try {
      const answer = await api.call(method, query === '' ? path : `${path}?${query}`, body as never, options)
      const { status } = answer
      return { status, headers: headersOf(answer.headers), data: method === 'HEAD' ? undefined : answer.data }
    } catch (error) {
      return { headers: new Headers(), ...refusalIn(error) }
    }
  }
}

function refusalIn(error: unknown): Omit<Received, 'headers'> {
  if (!isApiError(error)) {
    throw new ClientError('internal_server_error', 'The request could not be carried out.', {
      status: 500,
      data: { status: 500 },
      cause: error,
    })
  }
  const { code, message, status, data } = error
  // As it would have come over HTTP.
  return { status, data: JSON.parse(JSON.stringify({ code, message, data: { status, ...data } })) }
}

export function headersOf(sent: { readonly [name: string]: string | readonly string[] }): Headers {
  const headers = new Headers()
  for (const [name, values] of Object.entries(sent)) {
    for (const value of typeof values === 'string' ? [values] : values) headers.append(name, value)
  }
  return headers
}
