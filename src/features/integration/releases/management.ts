/** `api.site.releases`. */
import { actorOf, system } from '../../../core/declare/actor.ts'
import type { ExtensionOptions } from '../../../core/declare/feature.ts'
import { findUserById } from '../../../core/pipeline/authentication.ts'
import { writeInside } from '../../../core/pipeline/hooks.ts'
import { releases } from './collections.ts'
import { createRelease, findRelease, type Release, releaseOf, removeRelease } from './model.ts'
import type { Decisions } from './plan.ts'
import { type PublishedRelease, publishRelease, undoRelease } from './publish.ts'
import { listChanges, type ReleasedRecord } from './read.ts'

interface PublishOptions {
  /** Decides conflicts, by `post:12 title`, `post:12`, or `*` for all. */
  readonly decide?: Decisions
  /** The id of the user whose rights count. Default: the program, which may do everything. */
  readonly as?: number
}

/** The releases of a site. `api.call` with the option `release` writes to one and reads with it. */
export interface SiteReleases {
  /**
   * Makes a release.
   *
   * ```ts
   * const { id } = await api.site.releases.create('Summer')
   * await api.call('POST', '/cms/v2/pages/{id}', { id: 12, title: 'Summer at the pier' }, { as: 'system', release: id })
   * await api.site.releases.publish(id)
   * ```
   */
  create(name: string, options?: { readonly note?: string; readonly as?: number }): Promise<Release>
  /** The newest first; at most `limit`, by default 100. */
  list(options?: { readonly limit?: number }): Promise<readonly Release[]>
  /** Lists the records that a release changes, with the conflicts; at most `limit` records, by default 100. */
  changes(release: number, options?: { readonly limit?: number }): Promise<readonly ReleasedRecord[]>
  /** Publishes all changes in one transaction. Rejects with `release_conflict` (409) where both have changed the same. */
  publish(release: number, options?: PublishOptions): Promise<PublishedRelease>
  /** Takes all changes back in one transaction. What was edited since is a conflict, too. */
  undo(release: number, options?: PublishOptions): Promise<PublishedRelease>
  /** Removes a release with its changes; of one that is published the site keeps them. */
  remove(release: number): Promise<void>
}

export function createSiteReleases(options: ExtensionOptions): SiteReleases {
  const { storage, app, ready } = options
  const userOf = async (as: number | undefined) => {
    if (as === undefined) return system
    const user = await findUserById(storage, as)
    if (!user) throw new TypeError(`there is no user ${as}`)
    return actorOf(user, (await app.settings.read(storage)).roles)
  }
  return {
    async create(name, { note = '', as = 0 } = {}) {
      return writeInside(options, (context) =>
        createRelease(context.storage, { name, note, user: as, now: app.clock() }),
      )
    },

    async list({ limit = 100 } = {}) {
      await ready()
      const { rows } = await storage.records.query(releases, { order: [{ by: 'id', descending: true }], limit })
      return rows.map(releaseOf)
    },

    async changes(release, { limit = 100 } = {}) {
      await ready()
      await findRelease(storage, release)
      return (await listChanges({ app, storage }, release, { offset: 0, limit })).rows
    },

    async publish(release, { decide, as } = {}) {
      await ready()
      return writeInside(options, (context) => publishRelease(context, release, decide), await userOf(as))
    },

    async undo(release, { decide, as } = {}) {
      await ready()
      return writeInside(options, (context) => undoRelease(context, release, decide), await userOf(as))
    },

    async remove(release) {
      await writeInside(options, async (context) => {
        await findRelease(context.storage, release)
        await removeRelease(context.storage, release)
      })
    },
  }
}
