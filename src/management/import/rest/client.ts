/** Reads a running site over REST: pages in order with a few requests at a time, and again after a refusal that passes. */

import type { Json } from '../../../contract/storage.ts'
import { base64Of } from '../../../core/runtime/base64.ts'
import { RestImportError } from './errors.ts'

export interface RestObject {
  readonly [member: string]: Json
}

interface RestAnswer {
  readonly body: Json
  /** The rows of the whole list. */
  readonly total: number
}

export type RestQuery = Readonly<Record<string, string | number>>

export interface RestClient {
  /** Rejects with a RestImportError for an answer that is no 2xx. */
  get(path: string, query?: RestQuery): Promise<RestAnswer>
  /** Yields the rows of a list from `offset` on, page by page, in order. */
  pages(path: string, query: RestQuery, offset?: number): AsyncGenerator<readonly RestObject[]>
}

export interface RestAccess {
  /** The login on the other site of a user who may edit all content. */
  readonly user: string
  /** An application password of that user. */
  readonly password: string
  /** Sends the requests. Default: `fetch` of the runtime. */
  readonly fetch?: typeof fetch
  /** Waits before a request is repeated; for tests. Default: a timer. */
  readonly wait?: (ms: number) => Promise<void>
  /** How many requests run at the same time. Default: 4. */
  readonly concurrency?: number
}

const perPage = 100
const attempts = 6
const timeoutMs = 60_000
const longestWaitMs = 120_000

/** `root`: the address of the index, as discovery found it; `namespace`: that of the content. */
export function createRestClient(root: string, namespace: string, access: RestAccess): RestClient {
  const send = createSender(access)
  const get = async (path: string, query: RestQuery = {}): Promise<RestAnswer> => {
    const { response, body } = await send(addressIn(root, `/${namespace}${path}`, query))
    if (!response.ok) throw refusal(path, response.status, body)
    const total = Number(response.headers.get('x-wp-total') ?? response.headers.get('x-cms-total') ?? Number.NaN)
    return { body, total: Number.isNaN(total) ? (Array.isArray(body) ? body.length : 1) : total }
  }
  return {
    get,
    async *pages(path, query, offset = 0) {
      const read = async (from: number) => {
        const { body, total } = await get(path, { ...query, per_page: perPage, offset: from })
        if (!Array.isArray(body)) throw new RestImportError(`${path} is no list`)
        return { rows: body as readonly RestObject[], total }
      }
      const first = await read(offset)
      if (first.rows.length > 0) yield first.rows
      const starts: number[] = []
      for (let from = offset + perPage; from < first.total; from += perPage) starts.push(from)
      yield* inOrder(starts, access.concurrency ?? 4, async (from) => (await read(from)).rows)
    },
  }
}

/** Begins the next ones before the first is taken; what fails is thrown in its turn. */
async function* inOrder<T, R>(
  inputs: readonly T[],
  concurrency: number,
  work: (input: T) => Promise<R>,
): AsyncGenerator<R> {
  const begun: Promise<R>[] = []
  for (let at = 0; at < inputs.length; at++) {
    while (begun.length < concurrency && at + begun.length < inputs.length) {
      const next = work(inputs[at + begun.length] as T)
      // Handled when it is taken.
      next.catch(() => undefined)
      begun.push(next)
    }
    yield await (begun.shift() as Promise<R>)
  }
}

/** The index may be a path, or a query of the front page. */
function addressIn(root: string, path: string, query: RestQuery = {}): string {
  const url = new URL(root)
  const route = url.searchParams.get('rest_route')
  if (route === null) url.pathname = url.pathname.replace(/\/+$/, '') + path
  else url.searchParams.set('rest_route', route.replace(/\/+$/, '') + path)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value))
  return url.href
}

interface Sent {
  readonly response: Response
  readonly body: Json
}

/** Repeats what may pass: no connection, 429 and 5xx, after the time that the server names or a growing one. */
export function createSender({ user, password, fetch: request = fetch, wait = sleep }: RestAccess) {
  const authorization = `Basic ${base64Of(new TextEncoder().encode(`${user}:${password}`))}`
  const once = async (address: string): Promise<Sent> => {
    const response = await request(address, {
      headers: { accept: 'application/json', authorization },
      signal: AbortSignal.timeout(timeoutMs),
    })
    return { response, body: jsonOf(await response.text()) }
  }
  return async (address: string): Promise<Sent> => {
    for (let attempt = 1; ; attempt++) {
      const sent = await once(address).catch((error: unknown) => unreachable(address, error))
      const isFailure = sent instanceof RestImportError
      if (!isFailure && !mayPass(sent.response.status)) return sent
      if (attempt === attempts) return orThrow(sent)
      await wait(waitMs(attempt, isFailure ? null : sent.response.headers.get('retry-after')))
    }
  }
}

const unreachable = (address: string, error: unknown) =>
  new RestImportError(`${new URL(address).origin} ${reasonOf(error)}`)

function orThrow(sent: Sent | RestImportError): Sent {
  if (sent instanceof RestImportError) throw sent
  return sent
}

const mayPass = (status: number) => status === 429 || status >= 500
const sleep = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms))

/** `Retry-After` has seconds or a date. Without it the client waits 0.5 s, 1 s, 2 s and so on. */
function waitMs(attempt: number, retryAfter: string | null): number {
  const seconds = Number(retryAfter ?? Number.NaN)
  const asked = Number.isNaN(seconds) ? Date.parse(retryAfter ?? '') - Date.now() : seconds * 1000
  return Math.min(Number.isNaN(asked) ? 250 * 2 ** attempt : Math.max(asked, 0), longestWaitMs)
}

function reasonOf(error: unknown): string {
  const { name, cause, message } = error as Error
  if (name === 'TimeoutError') return `did not answer within ${timeoutMs / 1000} s`
  const { code } = (cause ?? {}) as { readonly code?: string }
  return `can not be reached: ${code ?? message}`
}

function jsonOf(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function refusal(path: string, status: number, body: Json): RestImportError {
  const { code, message } = (body ?? {}) as { readonly code?: unknown; readonly message?: unknown }
  const said =
    typeof message === 'string'
      ? ` ${String(code)}: ${message
          .replace(/<[^>]*>/g, '')
          .replace(/\s+/g, ' ')
          .slice(0, 200)}`
      : ''
  return new RestImportError(`${path} answered ${status}${said}`, status)
}
