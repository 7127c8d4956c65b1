/** `site-api/client`: a client whose calls are typed by a profile. It holds no line of the service, and no list of routes. */

import type { Method } from '../core/declare/endpoint.ts'
import type { Profile } from '../core/declare/profile.ts'
import type { CallOptions as InsideOptions } from '../core/pipeline/in-process.ts'
import { type NameMap, publicWords } from '../names/word-map.ts'
import { addressOf } from './address.ts'
import { batchCall, runBatch } from './batch.ts'
import { bounded } from './bounds.ts'
import type { BatchCall, BatchOptions, CallOptions, Client } from './calls.ts'
import { pagesOf, rowsOf, type Values } from './pages.ts'
import {
  ClientError,
  type Failure,
  failure,
  type HeaderNames,
  isClientError,
  resultOf,
  type Success,
} from './result.ts'
import { type RetryOptions, withRetries } from './retries.ts'
import { basic, type HeaderSource, type SignIn } from './sign-in.ts'
import { type CallableApi, type Fetch, inProcess, overHttp } from './transport.ts'

export type { Arg, Args } from '../core/declare/args.ts'
export type { DeclaredEndpoint, Method } from '../core/declare/endpoint.ts'
export type { DeclaredFeature } from '../core/declare/feature.ts'
export type { ResponseSchema, Responses } from '../core/declare/response-schema.ts'
export type { BatchCall, BatchCalls, BatchOptions, BatchOutcome, CallOptions, Calls, Client } from './calls.ts'
export { type ClientCode, ClientError, type Failure, isClientError, type Success } from './result.ts'
export type { RetryOptions } from './retries.ts'
export type { HeaderSource, SignIn } from './sign-in.ts'

export interface SharedOptions {
  /** Headers of every call, or a function that is asked before each attempt: a nonce, a bearer token. */
  readonly headers?: HeaderSource
  /** Of each attempt; 0: as long as it takes. Default: 30 000. */
  readonly timeoutMs?: number
  /** The words of an api that was made with `names`. Paths and arguments are still written in neutral ones. */
  readonly names?: NameMap
  /** Milliseconds since 1970. For tests. */
  readonly clock?: () => number
}

export interface HttpOptions extends SharedOptions {
  /** Where the root of the api is: `https://example.com/api`, or `/api` in a browser. */
  readonly url: string
  /** An application password, sent as HTTP Basic. */
  readonly signIn?: SignIn
  /** Default: that of the runtime. */
  readonly fetch?: Fetch
  /** Handed to `fetch` with each call. */
  readonly init?: CallOptions['init']
  /** False: nothing is tried twice. */
  readonly retry?: RetryOptions | false
}

export interface InProcessOptions extends SharedOptions {
  /** What `createSiteApi` gives: calls go straight to it, without HTTP. */
  readonly api: CallableApi
  /** The id of the user who calls, or 'system' for all rights. Default: a visitor. */
  readonly as?: InsideOptions['as']
}

/** An api that remembers its profile. */
export interface TypedApi<P extends Profile> extends CallableApi {
  readonly '~profile'?: P
}

export type ClientOptions = HttpOptions | InProcessOptions

type AnyResult = Promise<Success | Failure>
type AnyCaller = (method: Method | 'HEAD', path: string, args?: Values, options?: CallOptions) => AnyResult

/**
 * A client of the routes of a profile. Only the type of the profile is used, so import it as a type. An api in the same
 * process brings its own.
 *
 * ```ts
 * import type { d1 } from 'site-api'
 * const client = createClient<typeof d1>({ url: 'https://example.com/api' })
 * const { data, error } = await client.get('/cms/v2/posts', { per_page: 5 })
 * ```
 */
export function createClient<P extends Profile>(options: InProcessOptions & { readonly api: TypedApi<P> }): Client<P>
export function createClient<P extends Profile = Profile>(options: ClientOptions): Client<P>
export function createClient(options: ClientOptions): Client {
  const { timeoutMs: usualTimeoutMs = 30_000, clock = Date.now } = options
  const isHttp = 'url' in options
  const word = publicWords(options.names)
  const headerNames: HeaderNames = { total: word('X-CMS-Total'), totalPages: word('X-CMS-TotalPages') }
  const transport = isHttp
    ? overHttp(options.url, options.fetch ?? ((url, init) => fetch(url, init)))
    : inProcess(options.api, options.as)
  const signedIn: { readonly [name: string]: string } =
    isHttp && options.signIn ? { Authorization: basic(options.signIn) } : {}
  const retry = isHttp && options.retry !== false ? options.retry : { count: 0 }

  const request: AnyCaller = async (method, path, args = {}, context = {}) => {
    const { signal, timeoutMs = usualTimeoutMs, retries, headers: own } = context
    try {
      const address = addressOf(method, word(path), renamed(args), context)
      const attempt = async () => {
        const headers = merged(usual, signedIn, await headersFrom(options.headers), own)
        const init = { ...(isHttp ? options.init : {}), ...context.init }
        const received = await bounded((inner) => transport({ ...address, method, headers, init, signal: inner }), {
          timeoutMs,
          signal,
        })
        return resultOf(received, headerNames, clock())
      }
      return await withRetries(() => attempt().catch(asFailure), { method, signal, count: retries }, retry ?? {})
    } catch (error) {
      return asFailure(error)
    }
  }

  const renamed = (args: Values): Values =>
    Object.fromEntries(Object.entries(args).map(([name, value]) => [word(name), value]))

  const pages = (path: string, args: Values = {}, context?: CallOptions) =>
    pagesOf((asked) => request('GET', path, asked, context), args)

  const batch = async (
    make: (call: unknown) => readonly BatchCall[],
    { validation, atomic, ...call }: BatchOptions = {},
  ) => {
    const caller =
      (method: Method) =>
      (path: string, args: Values = {}, own?: CallOptions) =>
        batchCall(method, word(path), renamed(args), own?.headers)
    const send = (body: object) => request('POST', '/batch/v1', {}, { ...call, body })
    const calls = make(byMethod(caller))
    return runBatch(calls, { validation, atomic }, { send, names: headerNames, now: clock })
  }

  // The cast: the types are made from the profile, which is not here.
  return {
    ...callsOf(request),
    orThrow: callsOf((...context) => request(...context).then(thrown)),
    pages,
    iterate: (path: string, args?: Values, context?: CallOptions) => rowsOf(pages(path, args, context)),
    batch,
  } as unknown as Client
}

const byMethod = <T>(caller: (method: Method) => T) => ({
  get: caller('GET'),
  post: caller('POST'),
  put: caller('PUT'),
  patch: caller('PATCH'),
  delete: caller('DELETE'),
})

const callsOf = (request: AnyCaller) => ({
  ...byMethod((method) => (path: string, args?: Values, context?: CallOptions) => request(method, path, args, context)),
  head: (path: string, args?: Values, context?: CallOptions) => request('HEAD', path, args, context),
  request,
})

/** Answers that come in two forms come in the one that is typed. */
const usual = { accept: 'application/json' }

/** The last one counts, in whatever letters its name is written. */
const merged = (...sources: readonly ({ readonly [name: string]: string } | undefined)[]) =>
  Object.fromEntries(
    sources.flatMap((source = {}) => Object.entries(source).map(([name, value]) => [name.toLowerCase(), value])),
  )

async function headersFrom(source: HeaderSource = {}) {
  if (typeof source !== 'function') return source
  try {
    return await source()
  } catch (cause) {
    throw new ClientError('client_headers_failed', 'The headers of the call could not be made.', { cause })
  }
}

/** Anything else is a mistake of this client, and not to be hidden. */
function asFailure(error: unknown): Failure {
  if (!isClientError(error)) throw error
  return failure(error)
}

function thrown(result: Success | Failure): Success {
  if (!result.ok) throw result.error
  return result
}
