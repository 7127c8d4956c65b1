/**
 * Names and payloads of events and of changes that are about to be written, and the hooks that features and hosts attach to
 * them. Types only.
 */
import type { MaybePromise, Storage } from '../../contract/storage.ts'

/** Payloads by event name. Features add theirs by declaration merging, beside their code. */
export interface EventPayloads {
  'site.changed': { readonly options: readonly string[] }
  /** After each commit: the tags of all answers that it may have changed (docs/certainty.md). */
  'tags.changed': { readonly tags: readonly string[] }
  /** Emitted after each request over HTTP, also refused and failed ones. */
  'request.finished': RequestReport
}

/** A host measures and logs these members of a request. */
export interface RequestReport {
  readonly method: string
  /** The path below the root, percent-encoded, without the query. */
  readonly path: string
  /** The pattern of the route as the index publishes it: a label with few values. Undefined where no route was found. */
  readonly route: string | undefined
  readonly status: number
  /** Milliseconds until the response was complete, or its stream began. */
  readonly ms: number
  /** The id of the user; null for a visitor. */
  readonly user: number | null
}

/** Changes that are about to be written, by name. Features add theirs by declaration merging, beside their code. */
// biome-ignore lint/suspicious/noEmptyInterface: features add members by declaration merging, which only an interface allows; core itself has none
export interface ChangePayloads {}

export type ChangeName = keyof ChangePayloads

/** The name of an event that `api.on` and `hooks` take, such as `post.published`. */
export type EventName = keyof EventPayloads
export type Listener<N extends EventName> = (payload: EventPayloads[N]) => unknown

/** The code that emits an event says these besides the payload. */
export interface EmitOptions {
  /** Its hooks have run, in the transaction of its change. */
  readonly isHooked?: boolean | undefined
  /**
   * Runs on the api's storage after the commit and before the caller has the result, such as the removal of files. The transaction
   * leaves a note for a scheduled task, because the process may end before it runs.
   */
  readonly afterCommit?: AfterCommit | undefined
}

export type AfterCommit = (storage: Storage) => Promise<void>

/** An event that waits for the commit. */
export type PendingEvent = {
  readonly [N in EventName]: EmitOptions & {
    readonly name: N
    readonly payload: EventPayloads[N]
    /** The hooks of `*` have run too. */
    readonly isRecorded?: boolean
  }
}[EventName]

/**
 * The functions of a host that run inside the transaction of a change. The function of an event (`post.created`) runs after the change
 * and before the commit, so that what both write is kept, or neither. The function of a pending change (`post.saving`) runs
 * before the change is written: it may return another change, or refuse it by throwing an ApiError. The listeners of a host
 * run after the commit instead.
 */
export type HostHook<C> = {
  readonly [N in EventName]?: (payload: EventPayloads[N], context: C) => MaybePromise<void>
} & {
  readonly [N in ChangeName]?: (
    change: ChangePayloads[N],
    context: C,
    // biome-ignore lint/suspicious/noConfusingVoidType: a function without `return` is of type void, and `undefined` would refuse it
  ) => MaybePromise<ChangePayloads[N] | void>
}

/** The functions of a feature: those that a host may have, and what only the service needs. */
export type Hook<C> = HostHook<C> & {
  /** Runs once for all events of a transaction, at its end: of a batch, for those of all its items. */
  readonly '*'?: (events: readonly PendingEvent[], context: C) => MaybePromise<void>
  /** Its functions before a change do nothing for a new record: requests that create records may still run side by side. */
  readonly isForStoredRecords?: true
}
