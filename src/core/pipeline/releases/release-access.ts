/** The releases of a site, as the pipeline sees them: a feature contributes them. Types only. */
import type { Storage } from '../../../contract/storage.ts'
import type { Actor } from '../../declare/actor.ts'
import type { AppContext } from '../../declare/app-context.ts'

declare module '../../declare/contributions.ts' {
  interface Contributions {
    /** Opens the releases that requests name; the pipeline asks the first one. */
    readonly releases: ReleaseAccess
  }
}

/** A request that names a release. */
export interface NamedRelease {
  /** Has the id of a release, or the token of a preview. */
  readonly name: string
  readonly user: Actor
  readonly app: AppContext
  readonly storage: Storage
}

export interface ReleaseAccess {
  /**
   * `rows`: a release has the records of this feature. `batch`: the feature runs other requests. `none`: the routes are about releases
   * themselves. `live`: the release has no such records.
   */
  readonly kindOf: (feature: string, app: AppContext) => 'rows' | 'batch' | 'none' | 'live'
  /** The storage as it would be after publishing. Throws where the caller may not read the release. */
  readonly read: (named: NamedRelease) => Promise<Storage>
  /** Runs `work` in the storage as it would be, and keeps its changes in the release instead of writing them. */
  readonly write: <T>(named: NamedRelease, work: (transaction: Storage) => Promise<T>) => Promise<T>
}
