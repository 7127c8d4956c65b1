/** Calls of the host inside the process: no HTTP and no sign-in. The result is what a client would receive. */
import type { Storage } from '../../contract/storage.ts'
import { type Actor, actorOf, system, visitor } from '../declare/actor.ts'
import type { AppContext } from '../declare/app-context.ts'
import type { PastStorages } from '../declare/context.ts'
import { ApiError } from '../declare/errors.ts'
import type { Incoming } from '../declare/request.ts'
import { type ResponseHeaders, Stream } from '../declare/result.ts'
import { releaseHeader } from '../request/idempotency.ts'
import { fileIncoming, inProcessIncoming } from '../request/incoming.ts'
import { toJson } from '../runtime/json.ts'
import { findUserById } from './authentication.ts'
import { appliedHeader, type DryRunReport, DryRunResult } from './dry-run/report.ts'
import { toApiError } from './errors/error-response.ts'
import type { Explanation, ExplanationView } from './explanation/explain.ts'
import type { Pipeline } from './pipeline.ts'

/** The options of a call inside the process. */
export interface CallOptions {
  /** The id of a user, or 'system' for all capabilities. Default: a visitor. */
  readonly as?: number | 'system'
  /** Headers such as `If-Match`. Credentials are ignored. */
  readonly headers?: { readonly [name: string]: string }
  /** A moment: the answer is that of the site as it was then. For a GET, in profiles with `history`. `2026-11-20T10:00:00Z`, or a Date. */
  readonly asOf?: string | Date
  /** True: nothing is written; the result is that of the write, and `dryRun` lists what it would have changed. */
  readonly dryRun?: boolean
  /** The ETag that was read, or the id of a revision: a write of an older version is merged with what others have saved since. */
  readonly merge?: string | number
  /** The id of a release: a write is kept in it, and a read answers from the site as it would be with it. In profiles with `releases`. */
  readonly release?: number | string
  /** The body, for a route that takes a file, with its `Content-Type` and `Content-Disposition` in the headers. */
  readonly file?: Blob
}

/** The options of `explain`. */
export interface ExplainOptions extends Pick<CallOptions, 'as' | 'headers'> {
  /** The arguments, by name; those of the path too. */
  readonly body?: CallArguments
  /**
   * `host`: also tells what the caller may not know, such as that a record is there. Default: `own`, which tells what the caller may
   * know.
   */
  readonly view?: ExplanationView
}

/** Returns the data of a call inside the process, with status and headers. */
export interface CallResult<T = unknown> {
  readonly data: T
  readonly status: number
  readonly headers: ResponseHeaders
  /** With the option `cacheTags`, an answer to a visitor names its sources: it holds until `tags.changed` names one of these. */
  readonly cacheTags?: readonly string[]
  /** The changes of a write that was only tried: with the option `dryRun`. */
  readonly dryRun?: DryRunReport
}

interface InProcessOptions {
  readonly pipeline: Pick<Pipeline, 'call' | 'callPast'>
  readonly app: AppContext
  readonly storage: Storage
  /** The storages of a read as of a moment. */
  readonly past: (moment: string | Date, user: Actor) => Promise<PastStorages>
}

/**
 * The arguments of a call inside the process, by name, as a JSON body would have them, and those in the path: `/posts/{id}`.
 * `_embed`, `_fields` and `_envelope` shape the response, as in a query: `{ _embed: true, _fields: ['id', 'title'] }`.
 */
export type CallArguments = { readonly [name: string]: unknown } | undefined

export async function callInProcess(
  { pipeline, app, storage, past }: InProcessOptions,
  method: string,
  path: string,
  args: CallArguments,
  { as, headers = {}, file, asOf, dryRun, merge, release }: CallOptions = {},
  caller?: Caller,
): Promise<CallResult> {
  const user = await actorFor(as, app, storage)
  try {
    const named = release === undefined ? {} : { [app.names.toPublic(releaseHeader)]: String(release) }
    const incoming = incomingOf(method, path, args, { ...headers, ...preferences(dryRun, merge), ...named })
    const sending = file ? fileIncoming(incoming, file) : incoming
    if (asOf !== undefined && (method.toUpperCase() !== 'GET' || release !== undefined)) throw onlyReads()
    const answered = await (asOf === undefined
      ? pipeline.call(sending, user)
      : pipeline.callPast(sending, user, await past(asOf, user)))
    if (answered instanceof DryRunResult) return triedResult(answered)
    const { data, ...answer } = answered
    const tags = app.tagHeader === undefined ? undefined : answer.headers[app.tagHeader]
    return { ...answer, ...(typeof tags === 'string' && { cacheTags: tags.split(',') }), data: await sent(data) }
  } catch (error) {
    const refusal = toApiError(error, app.names)
    throw refusal ? refusalOf(refusal, method.toUpperCase(), path, caller) : error
  }
}

/** Tells the steps that a call would take. Rejects where the storage fails. */
export async function explainInProcess(
  {
    pipeline,
    app,
    storage,
  }: Pick<InProcessOptions, 'app' | 'storage'> & { readonly pipeline: Pick<Pipeline, 'explain'> },
  method: string,
  path: string,
  { as, body, headers = {}, view = 'own' }: ExplainOptions = {},
): Promise<Explanation> {
  return pipeline.explain(incomingOf(method, path, body, headers), await actorFor(as, app, storage), view)
}

function incomingOf(
  method: string,
  path: string,
  args: CallArguments,
  headers: { readonly [name: string]: string },
): Incoming {
  const question = path.indexOf('?')
  const { bare, rest } = filledPath(question === -1 ? path : path.slice(0, question), args)
  const query = withOptions(question === -1 ? '' : path.slice(question + 1), args)
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  return inProcessIncoming('call', method.toUpperCase(), bare, query, rest, lower)
}

function preferences(isDryRun: boolean | undefined, merge: CallOptions['merge']): { readonly [name: string]: string } {
  const base = typeof merge === 'number' ? `merge; base=${merge}` : 'merge'
  const prefer = [...(isDryRun ? ['dry-run'] : []), ...(merge === undefined ? [] : [base])].join(', ')
  return { ...(prefer && { prefer }), ...(typeof merge === 'string' && { 'if-match': merge }) }
}

const onlyReads = () => new ApiError('history_only_reads', 'The past is read with GET: nothing is written there.', 400)

/** Without an answer, because only a service outside has it, the status is 0. */
const triedResult = ({ answer, data, report }: DryRunResult): CallResult => ({
  // The cast: a dry run has this body.
  data: JSON.parse(toJson((data as { readonly body: unknown }).body)) ?? undefined,
  status: answer?.status ?? 0,
  headers: { ...answer?.headers, ...appliedHeader },
  dryRun: report,
})

/** Holds the stack of the code that calls. V8 writes it out when it is read, which a call that succeeds never does. */
interface Caller {
  readonly stack?: string
}

/** The caller of `called`, which is left out with all that it calls. */
export function callerOf(called: (...args: never) => unknown): Caller {
  const caller: Caller = {}
  Error.captureStackTrace?.(caller, called)
  return caller
}

/** The error of a call says which call it was, and where: an `ApiError` alone has no stack. */
function refusalOf({ code, message, status, data }: ApiError, method: string, path: string, caller?: Caller): ApiError {
  const refusal = new ApiError(code, message, status, data)
  const frames = caller?.stack?.replace(/^.*\n/, '\n') ?? ''
  // The stack of any other error is not enumerable either.
  Object.defineProperty(refusal, 'stack', { value: `ApiError: ${method} ${path}: ${message}${frames}`, writable: true })
  return Object.assign(refusal, { method, path })
}

/** Fills the parameters of `/posts/{id}` with arguments, and returns the other arguments. */
function filledPath(path: string, args: CallArguments): { readonly bare: string; readonly rest: CallArguments } {
  if (args === undefined || !path.includes('{')) return { bare: path, rest: args }
  const rest: { [name: string]: unknown } = { ...args }
  const bare = path.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = Object.hasOwn(args, name) ? args[name] : undefined
    // An empty segment would be the address of the list.
    if ((typeof value !== 'string' && typeof value !== 'number') || value === '') return whole
    delete rest[name]
    return encodeURIComponent(value)
  })
  return { bare, rest }
}

const responseOptions = ['_embed', '_fields', '_envelope']

/** The pipeline reads the options of the response from the query; the method decides where it reads other arguments. */
function withOptions(query: string, args: CallArguments = {}): string {
  const sent = responseOptions.flatMap((name) => {
    const value = Object.hasOwn(args, name) ? args[name] : undefined
    // `_embed: false` asks for nothing.
    if (value === undefined || value === null || value === false) return []
    return `${name}=${encodeURIComponent(Array.isArray(value) ? value.join() : String(value))}`
  })
  return [...(query === '' ? [] : [query]), ...sent].join('&')
}

async function actorFor(as: CallOptions['as'], app: AppContext, storage: Storage): Promise<Actor> {
  if (as === undefined) return visitor
  if (as === 'system') return system
  const [settings, user] = [await app.settings.read(storage), await findUserById(storage, as)]
  if (!user) throw new TypeError(`there is no user ${as}`)
  return actorOf(user, settings.roles)
}

/** A copy, as a client would parse it: changing it changes nothing here. */
async function sent(data: unknown): Promise<unknown> {
  const isStream = data instanceof Stream
  const text = isStream ? await new Response(data.body as BodyInit | null).text() : toJson(data)
  if (isStream && !/json/.test(data.contentType)) return text
  return text === '' ? undefined : JSON.parse(text)
}
