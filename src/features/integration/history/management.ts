/** `api.site.history`. */
import { system } from '../../../core/declare/actor.ts'
import type { ExtensionOptions } from '../../../core/declare/feature.ts'
import { actorWithId } from '../../../core/pipeline/authentication.ts'
import { writeInside } from '../../../core/pipeline/hooks.ts'
import { siteHistory } from './collections.ts'
import type { RecordDifference } from './difference/index.ts'
import { differenceOf } from './difference/index.ts'
import { historyOf, momentOf, storagesAt } from './model.ts'
import { checkMoment } from './past.ts'
import { changeView, type HistoryChange } from './reads.ts'
import { type Restored, restoreTo } from './restore.ts'

/** The history of a site. No permission is checked. */
export interface SiteHistory {
  /** Lists the changes of a record, or of the site, the newest first; at most `limit`, by default 100. */
  changes(options?: { readonly record?: string; readonly limit?: number }): Promise<readonly HistoryChange[]>
  /**
   * Compares a record at two moments: by member, element and word. `to`: by default now.
   *
   * ```ts
   * const { elements } = await api.site.history.difference('post:12', '2026-11-20T10:00:00Z')
   * ```
   */
  difference(record: string, from: string | Date, to?: string | Date): Promise<RecordDifference>
  /**
   * Restores the site, or one record, to a moment, in one transaction. It is a change like others: restoring to the moment before undoes it.
   *
   * ```ts
   * const { records } = await api.site.history.restore('2026-11-20T10:00:00Z')
   * ```
   */
  restore(
    moment: string | Date,
    options?: {
      /** The one record: `post:12`, `term:3`, `option:name`. Default: the whole site. */
      readonly record?: string
      /** The id of the user who restores it. Default: the program. */
      readonly as?: number
    },
  ): Promise<Restored>
}

export function createSiteHistory(options: ExtensionOptions): SiteHistory {
  const { storage, app, ready } = options
  return {
    async changes({ record, limit = 100 } = {}) {
      await ready()
      const { rows } = await storage.records.query(siteHistory, {
        ...(record === undefined ? {} : { where: { field: 'record', is: record } }),
        order: [{ by: 'id', descending: true }],
        limit,
      })
      return rows.map(changeView)
    },

    async difference(record, from, to) {
      await ready()
      const before = await storagesAt(app, storage, from, system)
      const after = to === undefined ? storage : (await storagesAt(app, storage, to, system)).past
      return differenceOf(record, before.past, after, historyOf(app).scope)
    },

    async restore(moment, { record, as } = {}) {
      const at = momentOf(moment, 'moment')
      await ready()
      await checkMoment(storage, at, app.clock())
      return writeInside(options, (context) => restoreTo(context, at, record), await actorWithId(options, as))
    },
  }
}
