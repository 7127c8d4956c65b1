/** Values that stay the same between requests: createSiteApi makes them once and passes them to every call. Types only. */

import type { StoredReferences } from '../../contract/stored-references.ts'
import type { Names } from '../../names/word-map.ts'
import type { Settings, SettingsReader } from '../../site/settings.ts'
import type { ReadContributions } from './contributions.ts'
import type { Hook } from './events.ts'
import type { Limits } from './limits.ts'
import type { Pattern } from './pattern.ts'

/** Receives failures, with the method, path and id of the request. `console` is one. */
export interface Logger {
  error(message: string, detail: LogDetail): void
}

export interface LogDetail {
  /** The id that the response names, for a request that failed. */
  readonly id: string
  readonly error: unknown
  /** The method of the request that failed. */
  readonly method?: string
  /** The path of the request is relative to the root, without the query. */
  readonly path?: string
  /** Counts the requests that failed in the same way, for a failure of the storage. */
  readonly count?: number
}

/** The outside services, by name; createSiteApi fills in the defaults. */
export interface Services {
  readonly [name: string]: unknown
}

/** A route without its endpoints has enough to find it and to link to it. */
interface RouteSummary {
  readonly namespace: string
  readonly pattern: Pattern
}

/** Whether the process lives, and whether requests should be sent to it. */
export interface Health {
  /** The process answers; a supervisor restarts one that does not answer at all. */
  readonly live: true
  /** Whether the storage answers and the api is not closing: a load balancer leaves out a process that is not ready. */
  readonly ready: boolean
  /** `slow`: the storage gave no answer within two seconds. */
  readonly storage: 'ok' | 'failed' | 'slow' | 'closed'
}

export type CheckHealth = () => Promise<Health>

/** The services, limits, names and clock that all requests of one api share. */
export interface AppContext {
  /** Milliseconds since 1970. All code that depends on the time reads it here. */
  readonly clock: () => number
  readonly names: Names
  readonly log: Logger
  readonly services: Services
  /** The write is only tried: its transaction is rolled back, and its services reach nothing outside. Hooks of a host may look here. */
  readonly isDryRun?: true
  /** The write is kept in a release: the site stays as it is before the release is published. */
  readonly isInRelease?: true
  /** The hooks of the features, then those of the host. core/pipeline/hooks.ts runs them and knows the type of their context. */
  readonly hooks: readonly Hook<never>[]
  /** `refuse`: undeclared members of a body are an error. */
  readonly unknownArguments: 'ignore' | 'refuse'
  readonly limits: Limits
  readonly settings: SettingsReader
  /** The right of users who may upload svg files. */
  readonly svgUploads: string | false
  /** `required`: a write to a single record needs If-Match. */
  readonly conditionalWrites: 'offered' | 'required'
  /** The header that names the tags of answers to visitors; undefined where the host asks for none. */
  readonly tagHeader?: string | undefined
  readonly health: CheckHealth
  /** Password digests take 2 to this power rounds. */
  readonly passwordCost: number
  readonly routes: () => readonly RouteSummary[]
  /** Collects the contributions of the profile's features of one kind, in their order. */
  readonly contributions: ReadContributions
  /** Where stored rows name other rows. */
  readonly references: StoredReferences
  /** The index entries of the routes that `isIncluded` accepts, by pattern. */
  readonly describeRoutes: (
    settings: Settings,
    isIncluded: (route: RouteSummary) => boolean,
  ) => { readonly [pattern: string]: unknown }
}
