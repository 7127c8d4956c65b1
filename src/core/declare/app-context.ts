/** What stays the same between requests: made once by createSiteApi, handed to every call. */
import type { Embedder, Following } from './declare.ts'
import type { Follower } from './events.ts'
import type { Limits } from './limits.ts'
import type { Names } from './names.ts'
import type { Route } from './router.ts'
import type { SettingsReader } from './settings.ts'
import type { Upkeep } from './upkeep.ts'

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
