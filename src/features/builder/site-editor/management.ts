/** `api.site.templates`: which template shows where, for a host that draws the pages, and who has one open. */

import { system } from '../../../core/declare/actor.ts'
import type { ExtensionOptions } from '../../../core/declare/feature.ts'
import { selectTemplate } from './conditions.ts'
import { conditionsOf, editLockKey, type Location, partType, readParts } from './model.ts'
import { conditionTest, type RequestedPage } from './requested-page.ts'

export interface SiteTemplates {
  /**
   * The id of the published template that fills a part of the page at a place; undefined when none does.
   *
   * ```ts
   * await api.site.templates.at('header', { post: 12 })
   * ```
   */
  at(location: Location, place: RequestedPage): Promise<number | undefined>
  /** Says that a user has a document open in an editor. It counts for 150 seconds, so an editor says it again and again. */
  hold(document: number, user: number): Promise<void>
  release(document: number): Promise<void>
}

declare module '../../../core/declare/feature.ts' {
  interface SiteExtensions {
    /** Which template shows where. Only profiles with a site editor have it. */
    readonly templates: SiteTemplates
  }
}

export function createTemplates({ storage, app, ready }: ExtensionOptions): SiteTemplates {
  return {
    async at(location, place) {
      await ready()
      const holds = await conditionTest(storage, await app.settings.read(storage), place)
      if (!holds) return undefined
      const parts = await readParts({ storage, user: system })
      const candidates = parts
        .filter(({ post, type }) => post.status === 'publish' && partType(type)?.location === location)
        .map((part) => ({ id: part.post.id, conditions: conditionsOf(part) }))
      return selectTemplate(candidates, holds)
    },
    async hold(document, user) {
      await ready()
      await storage.meta.write('post', [{ id: document, key: editLockKey, value: { user, at: app.clock() } }])
    },
    async release(document) {
      await ready()
      await storage.meta.write('post', [{ id: document, key: editLockKey, value: null }])
    },
  }
}
