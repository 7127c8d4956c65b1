/** The parts of one call of an endpoint that permissions and handlers receive. Types only. */

import type { MaybePromise, Storage } from '../../contract/storage.ts'
import type { Settings } from '../../site/settings.ts'
import type { Actor } from './actor.ts'
import type { AppContext } from './app-context.ts'
import type { ApiError } from './errors.ts'
import type { EmitOptions, EventName, EventPayloads, PendingEvent } from './events.ts'
import type { BodyArguments, Incoming } from './request.ts'
import type { ResponseData, Result, Warning } from './result.ts'

/** One call of an endpoint: `A` are the parsed arguments, `S` is what the endpoint's `resource` returned. */
export interface Context<A = { readonly [name: string]: unknown }, S = unknown> {
  /** The checked arguments. */
  readonly args: A
  /** The record that `resource` of the endpoint has found. */
  readonly resource: S
  /** Who calls: a user, or a visitor. */
  readonly user: Actor
  /** Inside the request's own transaction when the endpoint writes. */
  readonly storage: Storage
  /** The services and options of the api. */
  readonly app: AppContext
  /** The settings of the site. */
  readonly settings: Settings
  /** The request as it came. */
  readonly incoming: Incoming
  /** The members that `_fields` names, such as `title.rendered`, in public names; undefined: the response has all. */
  readonly fields: readonly string[] | undefined
  /** All members of the body, unchecked: for endpoints whose body has no fixed schema. */
  readonly sent: BodyArguments | undefined
  /** Endpoints with `takesAnyBody` receive the whole body: a list, a text. */
  readonly body: unknown
  /** The route pattern as the index publishes it, below the root. */
  readonly route: string
  /** Values that a write could not use; `warn` adds to them, and the response has them in `_warnings`. Absent for reads. */
  readonly warnings?: Warning[] | undefined
  /**
   * Queues an event for the host's listeners. They run after the commit; a failed request drops its events, and does not run their
   * `afterCommit`.
   */
  emit<N extends EventName>(name: N, payload: EventPayloads[N], options?: EmitOptions): void
  /**
   * For each of these records, which the caller may read, the methods that the caller may use on its route, as `Allow` lists
   * them; empty texts when the profile has no such route. `path` is neutral and readable: `/cms/v2/posts/{id}`.
   */
  readonly allowedMethods: AllowedMethods
  /** Runs further requests with the same identity. Batch uses it. */
  readonly subrequests: Subrequests
}

export type AllowedMethods = <S>(
  context: Context,
  path: string,
  records: readonly S[],
  /** The path arguments of a record. */
  argsOf: (record: S) => { readonly [name: string]: unknown },
) => MaybePromise<string[]>

/** The storage as it is, and as it was. */
export interface PastStorages {
  readonly now: Storage
  readonly past: Storage
  /** Whether the records that the feature of this name reads are in the history. */
  readonly isHistorical: (feature: string) => boolean
}

export interface Subrequests {
  /** Runs a request. A client's mistake is returned as a response; a failure of the storage is thrown. */
  run(incoming: Incoming, options: SubrequestOptions): Promise<ResponseData>
  /** Runs a GET on the storage as it was, for a caller who may write at the address. Throws the error of the request. */
  readPast(incoming: Incoming, storages: PastStorages): Promise<Result>
  /** Checks route and arguments of a request without running it. Returns the error, if any. */
  validate(incoming: Incoming, accept: SubrequestFilter): Promise<ApiError | undefined>
  /** Whether requests of this kind may run side by side: see `isIndependent` of an endpoint. */
  isIndependent(incoming: Incoming): boolean
  /**
   * Runs independent requests side by side in a savepoint of the caller's transaction. Undefined where one of them fails, or depends on
   * a later one: then nothing of them stays, and they have to run one after another.
   */
  runSideBySide(incomings: readonly Incoming[], options: SubrequestOptions): Promise<ResponseData[] | undefined>
  /** Runs the hooks of `*` for the events of subrequests: at the end of the transaction that the caller holds. */
  runFinalHooks(context: HookContext, events: readonly PendingEvent[]): Promise<void>
  /** Queues the events of subrequests, to be emitted when the outer request is committed. */
  addEvents(events: readonly PendingEvent[]): void
}

/** The members that a filter of subrequests may look at. */
interface EndpointFlags {
  readonly batch?: boolean
}

/** Returns the error that a subrequest gets instead of its endpoint's response, e.g. for routes that batch may not call. */
export type SubrequestFilter = (endpoint: EndpointFlags) => ApiError | undefined

export interface SubrequestOptions {
  readonly storage: Storage
  readonly accept?: SubrequestFilter
  /** True: the caller holds the transaction and rolls back what a failed subrequest wrote. */
  readonly insideTransaction: boolean
  /** Receives the events of the subrequest if it succeeds. */
  readonly events: PendingEvent[]
  /** Settles when the hooks of the requests before have run. */
  readonly beforeHooks?: () => Promise<unknown>
}

/** The members of a context that hooks and scheduled tasks may use. */
export type HookContext = Pick<Context, 'storage' | 'app' | 'settings' | 'user' | 'emit'> &
  Partial<Pick<Context, 'incoming'>>
