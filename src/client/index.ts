/** `site-api/client`: a client whose calls are typed by a profile. It imports no code of the service and no list of routes. */

import type { Method } from '../core/declare/endpoint.ts'
import type { Profile } from '../core/declare/profile.ts'
import type { CallOptions as InsideOptions } from '../core/pipeline/in-process.ts'
import { type NameMap, publicWords } from '../names/word-map.ts'
import { type Address, addressOf } from './address.ts'
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
import { type CallableApi, type Fetch, inProcess, overHttp } from './transport.ts'
import { type SentFile, sentFile, type UploadOptions } from './upload.ts'

export type { Arg, Args } from '../core/declare/args.ts'
export type { DeclaredEndpoint, Method } from '../core/declare/endpoint.ts'
export type { DeclaredFeature } from '../core/declare/feature.ts'
export type { ResponseSchema, Responses } from '../core/declare/response-schema.ts'
export { checkForm, type EnteredForm, type FieldSchema, type FormSchema, type FormValue } from '../site/form-schema.ts'
export type { BatchCall, BatchCalls, BatchOptions, BatchOutcome, CallOptions, Calls, Client } from './calls.ts'
export { type OutgoingForm, type SendFormOptions, type SentFormResult, sendForm } from './forms.ts'
export { type ClientCode, ClientError, type Failure, isClientError, type Success } from './result.ts'
export type { RetryOptions } from './retries.ts'
export type { CallableApi, Fetch } from './transport.ts'
export type { UploadOptions } from './upload.ts'

/** The options of every client. */
export interface SharedOptions {
  /** Headers of every call, or a function that returns them before each attempt: a nonce, a bearer token. */
  readonly headers?: HeaderSource
  /** The time of each attempt; 0: no timeout. Default: 30,000. */
  readonly timeoutMs?: number
  /** The `names` of the api. Paths and arguments of calls are still the neutral ones. */
  readonly names?: NameMap
  /** Milliseconds since 1970; for tests. Default: `Date.now`. */
  readonly clock?: () => number
}

/** The options of a client that sends requests over HTTP. */
export interface HttpOptions extends SharedOptions {
  /** The URL that the api's root has: `https://example.com/api`, or `/api` in a browser. */
  readonly url: string
  /** An application password, sent as HTTP Basic. */
  readonly signIn?: SignIn
  /** Sends the requests. Default: `fetch` of the runtime. */
  readonly fetch?: Fetch
  /** Passed to `fetch` with each call. */
  readonly init?: CallOptions['init']
  /** When a call is repeated. False: never. Default: the options below. */
  readonly retry?: RetryOptions | false
  /**
   * False: writes carry no `Idempotency-Key`, for a service whose CORS does not allow it; a retry may then write twice.
   * Default: a new key for each write.
   */
  readonly idempotencyKeys?: boolean
}

/** The options of a client that calls an api of the same process. */
export interface InProcessOptions extends SharedOptions {
  /** The result of `createSiteApi`: calls run in the process, without HTTP. */
  readonly api: CallableApi
  /** The id of the user who calls, or 'system' for all rights. Default: a visitor. */
  readonly as?: InsideOptions['as']
}

/** An api whose type has its profile. */
export interface TypedApi<P extends Profile, K extends Profile = Profile> extends CallableApi {
  readonly '~profile'?: P | undefined
  /** The routes of an api whose type does not name its profile. */
  readonly '~known'?: K | undefined
}

/** The options of `createClient`. */
export type ClientOptions = HttpOptions | InProcessOptions

type AnyResult = Promise<Success | Failure>
type AnyCaller = (method: Method | 'HEAD', path: string, args?: Values, options?: CallOptions) => AnyResult

/**
 * Creates a client for the routes of a profile. Only the type of the profile is used, so import it as a type. An api in the
 * same process has the type of its profile.
 *
 * ```ts
 * import type { d1 } from 'site-api'
 * import { createClient } from 'site-api/client'
 * const client = createClient<typeof d1>({ url: 'https://example.com/api' })
 * const { data, error } = await client.get('/cms/v2/posts', { per_page: 5 })
 * ```
 */
export function createClient<P extends Profile, K extends Profile = Profile>(
  options: InProcessOptions & { readonly api: TypedApi<P, K> },
): Client<Profile extends P ? K : P>
export function createClient<P extends Profile = Profile>(options: ClientOptions): Client<P>
export function createClient(options: ClientOptions): Client {
  const { timeoutMs: defaultTimeoutMs = 30_000, clock = Date.now } = options
  const isHttp = 'url' in options
  const word = publicWords(options.names)
  const headerNames: HeaderNames = { total: word('X-CMS-Total'), totalPages: word('X-CMS-TotalPages') }
  const transport = isHttp ? overHttp(options.url, options.fetch) : inProcess(options.api, options.as)
  const authorization: { readonly [name: string]: string } =
    isHttp && options.signIn ? { Authorization: basic(options.signIn) } : {}
  const positionName = word('X-CMS-Position')
  const releaseName = word('X-CMS-Release')
  /** The header of the last response to a write: with it another process shows what this client has written. */
  let position: { readonly [name: string]: string } = {}
  const sendsKeys = isHttp && options.idempotencyKeys !== false
  const retry = isHttp && options.retry !== false ? options.retry : { count: 0 }

  const request: AnyCaller = async (method, path, args = {}, callOptions = {}) =>
    send(method, () => addressOf(method, word(path), renamed(args), callOptions), callOptions)

  const upload = async (blob: Blob, args: Values = {}, uploadOptions: UploadOptions = {}) => {
    const { headers = {}, signal, timeoutMs = 0 } = uploadOptions
    const callOptions = { headers, timeoutMs, retries: 0, ...(signal ? { signal } : {}) }
    // The body is the file, so that the arguments are in the query, as in a GET.
    const address = () => ({ ...addressOf('GET', word('/cms/v2/media'), renamed(args)), body: undefined })
    return send('POST', address, callOptions, () => sentFile(blob, uploadOptions))
  }

  const send = async (
    method: Method | 'HEAD',
    makeAddress: () => Address,
    callOptions: CallOptions,
    makeFile?: () => SentFile,
  ): AnyResult => {
    const { signal, timeoutMs = defaultTimeoutMs, retries, headers: callHeaders, dryRun, merge, release } = callOptions
    try {
      const address = makeAddress()
      const file = makeFile ? { file: makeFile() } : {}
      // A file is sent once, so that it needs none.
      const hasKey = sendsKeys && !makeFile && method !== 'GET' && method !== 'HEAD'
      const key: { readonly [name: string]: string } = hasKey ? { 'idempotency-key': newKey() } : {}
      const attempt = async () => {
        const own = merged(defaultHeaders, authorization, position, key)
        const named = release === undefined ? {} : { [releaseName]: String(release) }
        const headers = merged(own, await headersFrom(options.headers), preferences(dryRun, merge), named, callHeaders)
        const init = { ...(isHttp ? options.init : {}), ...callOptions.init }
        const received = await bounded(
          (attemptSignal) => transport({ ...address, ...file, method, headers, init, signal: attemptSignal }),
          {
            timeoutMs,
            signal,
          },
        )
        const written = received.headers.get(positionName)
        if (written !== null) position = { [positionName]: written }
        return resultOf(received, headerNames, clock())
      }
      return await withRetries(
        () => attempt().catch(asFailure),
        { method, signal, count: retries, hasKey },
        retry ?? {},
      )
    } catch (error) {
      return asFailure(error)
    }
  }

  const renamed = (args: Values): Values =>
    Object.fromEntries(Object.entries(args).map(([name, value]) => [word(name), value]))

  const pages = (path: string, args: Values = {}, callOptions?: CallOptions) =>
    pagesOf((pageArgs) => request('GET', path, pageArgs, callOptions), args)

  const batch = async (
    make: (call: unknown) => readonly BatchCall[],
    { validation, atomic, ...callOptions }: BatchOptions = {},
  ) => {
    const caller =
      (method: Method) =>
      (path: string, args: Values = {}, callOptions?: CallOptions) =>
        batchCall(method, word(path), renamed(args), callOptions?.headers)
    const sendBatch = (body: object) => request('POST', '/batch/v1', {}, { ...callOptions, body })
    const calls = make(byMethod(caller))
    return runBatch(calls, { validation, atomic }, { send: sendBatch, names: headerNames, now: clock })
  }

  // The cast: the types are inferred from the profile, which does not exist here at run time.
  return {
    ...callsOf(request),
    upload,
    orThrow: {
      ...callsOf((...args) => request(...args).then(successOrThrow)),
      upload: (...args: Parameters<typeof upload>) => upload(...args).then(successOrThrow),
    },
    pages,
    iterate: (path: string, args?: Values, callOptions?: CallOptions) => rowsOf(pages(path, args, callOptions)),
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
  ...byMethod((method) => (path: string, args?: Values, options?: CallOptions) => request(method, path, args, options)),
  head: (path: string, args?: Values, options?: CallOptions) => request('HEAD', path, args, options),
  request,
  explain: (method: Method, path: string, args?: Values, { headers, ...options }: CallOptions = {}) =>
    request(method, path, args, { ...options, headers: { ...headers, prefer: 'explain' } }),
})

/** Some endpoints respond in two formats; the types describe JSON. */
const defaultHeaders = { accept: 'application/json' }

function preferences(isDryRun: boolean | undefined, merge: CallOptions['merge']): { readonly [name: string]: string } {
  const asked = [
    isDryRun && 'dry-run',
    merge !== undefined && (typeof merge === 'string' ? 'merge' : `merge; base=${merge}`),
  ].filter(Boolean)
  return { ...(asked[0] && { prefer: asked.join() }), ...(typeof merge === 'string' && { 'if-match': merge }) }
}

/** Not `randomUUID`, which browsers have in secure contexts only. */
const newKey = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-')

/** The last value of a header counts; names are compared without regard to case. */
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

/** Rethrows other errors, which are defects of this client. */
function asFailure(error: unknown): Failure {
  if (!isClientError(error)) throw error
  return failure(error)
}

function successOrThrow(result: Success | Failure): Success {
  if (!result.ok) throw result.error
  return result
}

/** The login and application password of a user. */
export interface SignIn {
  readonly login: string
  /** An application password. */
  readonly password: string
}

/** Headers, or a function that makes them for each request. */
export type HeaderSource =
  | { readonly [name: string]: string }
  | (() => { readonly [name: string]: string } | Promise<{ readonly [name: string]: string }>)

/** HTTP Basic in UTF-8. Throws for a login with a colon, which the scheme does not allow. */
function basic({ login, password }: SignIn): string {
  if (login.includes(':')) throw new TypeError('a login with a colon cannot sign in by password')
  const bytes = new TextEncoder().encode(`${login}:${password}`)
  return `Basic ${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`
}
