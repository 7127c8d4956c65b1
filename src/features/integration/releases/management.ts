/** `api.site.releases`. */
import type { ExtensionOptions } from '../../../core/declare/feature.ts'
import { actorWithId } from '../../../core/pipeline/authentication.ts'
import { writeInside } from '../../../core/pipeline/hooks.ts'
import { releases } from './collections.ts'
import { createRelease, findRelease, type Release, releaseOf, removeRelease } from './model.ts'
import type { Decisions } from './plan.ts'
import { addPreview, type NewReleasePreview } from './previews.ts'
import { type PublishedRelease, publishRelease, undoRelease } from './publish.ts'
import { listChanges, type ReleasedRecord } from './read.ts'
import { changeRelease, type ReleaseChanges } from './review.ts'

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
  /**
   * Renames a release, reviews it, or sets the time at which it is published. With `as` the rights and the approval are those of this user.
   *
   * ```ts
   * await api.site.releases.change(id, { state: 'approved', publishAt: '2026-06-01T06:00:00Z' }, { as: 3 })
   * ```
   */
  change(release: number, changes: ReleaseChanges, options?: { readonly as?: number }): Promise<Release>
  /** Makes a link that shows the site with the release to whoever has it, for `days` (7, up to 90). */
  preview(release: number, options?: { readonly days?: number; readonly as?: number }): Promise<NewReleasePreview>
  /** Publishes all changes in one transaction. Rejects with `release_conflict` (409) where both have changed the same. */
  publish(release: number, options?: PublishOptions): Promise<PublishedRelease>
  /** Takes all changes back in one transaction. What was edited since is a conflict, too. */
  undo(release: number, options?: PublishOptions): Promise<PublishedRelease>
  /** Removes a release with its changes; of one that is published the site keeps them. */
  remove(release: number): Promise<void>
}

export function createSiteReleases(options: ExtensionOptions): SiteReleases {
  const { storage, app, ready } = options
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

    async change(release, changes, { as } = {}) {
      const { publishAt } = changes
      if (typeof publishAt === 'string' && Number.isNaN(Date.parse(publishAt))) {
        throw new TypeError('publishAt takes a time such as 2026-06-01T06:00:00Z')
      }
      await ready()
      return writeInside(
        options,
        async (context) => changeRelease(context, await findRelease(context.storage, release), changes),
        await actorWithId(options, as),
      )
    },

    async preview(release, { days = 7, as = 0 } = {}) {
      if (!Number.isInteger(days) || days < 1 || days > 90) throw new TypeError('days takes a number from 1 to 90')
      return writeInside(options, async ({ storage: inside, settings }) => {
        const { home } = settings
        return addPreview(inside, await findRelease(inside, release), { now: app.clock(), days, user: as, home })
      })
    },

    async publish(release, { decide, as } = {}) {
      await ready()
      return writeInside(options, (context) => publishRelease(context, release, decide), await actorWithId(options, as))
    },

    async undo(release, { decide, as } = {}) {
      await ready()
      return writeInside(options, (context) => undoRelease(context, release, decide), await actorWithId(options, as))
    },

    async remove(release) {
      await writeInside(options, async (context) => {
        await findRelease(context.storage, release)
        await removeRelease(context.storage, release)
      })
    },
  }
}
