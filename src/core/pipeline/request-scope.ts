/** The values that a request and its subrequests share, and the functions that run their endpoints. Types only. */

import type { Storage } from '../../contract/storage.ts'
import type { Settings } from '../../site/settings.ts'
import type { Actor } from '../declare/actor.ts'
import type { AppContext } from '../declare/app-context.ts'
import type { Context, SubrequestOptions } from '../declare/context.ts'
import type { AnyEndpoint } from '../declare/endpoint.ts'
import type { PendingEvent } from '../declare/events.ts'
import type { Incoming } from '../declare/request.ts'
import type { Result } from '../declare/result.ts'
import type { ReadBody } from '../request/body.ts'
import type { Match } from '../routing/route.ts'

/** The parts of a request, in their order. A route without a body, a record or a condition has no such step. */
export type StepName = 'route' | 'body' | 'argument' | 'record' | 'permission' | 'condition' | 'handler'

/** Receives the steps of a request that is explained. */
export interface Trace {
  /** The step begins, so those before it have passed; an error ends it. It may throw to end the request here. */
  begin(step: StepName, context?: Context): void
}

/** One request and all its subrequests share the user; each has a list of events that wait for the commit. */
export interface RequestScope {
  readonly user: Actor
  readonly settings: Settings
  readonly events: PendingEvent[]
  /** The change token of the storage when the request began; undefined where the storage has none. */
  readonly token?: number | string | undefined
  /** The moment up to which the process knows what was touched; undefined where it does not know it for the token. */
  readonly moment?: number | undefined
  /** The storage that the request reads. */
  readonly storage: Storage
  /** The write is rolled back at its end. */
  readonly dryRun?: TriedRun
  /** The write asks for a dry run. */
  isTried?: true
  /** The pattern of the route, once it is found. */
  route?: string
  /** Undefined for all requests but one that is explained; subrequests report nothing. */
  readonly trace?: Trace | undefined
}

/** Runs a write whose transaction is rolled back: a dry run, or a write to a release. */
export interface TriedRun {
  /** The api as the run sees it. */
  readonly app: AppContext
  /** `settings`: those of the transaction, where they are not those of the site. */
  run(storage: Storage, execute: (transaction: Storage, settings?: Settings) => Promise<Result>): Promise<Result>
  /** One request of a batch. */
  runRequest(incoming: Incoming, storage: Storage, execute: (storage: Storage) => Promise<Result>): Promise<Result>
}

export interface Executor {
  execute(incoming: Incoming, match: Match, scope: RequestScope, options: SubrequestOptions): Promise<Result>
  readBody(endpoint: AnyEndpoint, incoming: Incoming, scope: RequestScope): Promise<ReadBody>
  createContext(
    match: Match,
    incoming: Incoming,
    scope: RequestScope,
    storage: Storage,
    args: Context['args'],
    body?: ReadBody,
  ): Context
}
