/** What stays the same between requests: made once by createSiteApi, handed to every call. */

import type { Names } from '../../names/word-map.ts'
import type { SettingsReader } from '../../site/settings.ts'
import type { Upkeep } from '../pipeline/scheduled-tasks.ts'
import type { Route } from '../routing/router.ts'
import type { Embedder, Following } from './endpoint.ts'
import type { Follower } from './events.ts'
import type { Limits } from './limits.ts'

export interface Logger {
  error(message: string, detail: { readonly id: string; readonly error: unknown }): void
}

/** What the interface reaches outside for; filled by createSiteApi with working defaults. */
export interface Services {
  readonly [name: string]: unknown
}

export interface Site {
  /** Milliseconds since 1970. Everything that depends on the time asks it. */
  readonly clock: () => number
  readonly names: Names
  readonly log: Logger
  readonly services: Services
  readonly limits: Limits
  readonly settings: SettingsReader
  readonly followers: readonly Follower<Following>[]
  readonly upkeep: Upkeep
  /** Whether writes to single records have to say which state they were made from. */
  readonly conditionalWrites: 'offered' | 'required'
  readonly embedders: readonly Embedder[]
  /** All that are declared, for those who describe them. */
  readonly routes: () => readonly Route[]
}
