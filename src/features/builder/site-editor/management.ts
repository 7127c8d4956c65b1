/** `api.site.templates`: selects the template for a page that the host renders, and records edit locks. */

import type { ExtensionOptions } from '../../../core/declare/feature.ts'
import type { RenderLocation, TemplateContext } from '../../../render/builder/pass/render-context.ts'
import { endLock, takeLock } from '../../shared/access/edit-locks.ts'
import { templateAt } from '../../shared/templates/template-context.ts'

/** `api.site.templates`: which template of the site editor draws a page. */
export interface SiteTemplates {
  /**
   * The id of the published template for a location of the requested page; undefined when there is none.
   *
   * ```ts
   * await api.site.templates.at('header', { post: 12 })
   * ```
   */
  at(location: RenderLocation, page: TemplateContext): Promise<number | undefined>
  /** Locks a document for a user who edits it. A lock expires after 150 seconds, so an editor renews it. */
  hold(document: number, user: number): Promise<void>
  release(document: number): Promise<void>
}

export function createTemplates({ storage, app, ready }: ExtensionOptions): SiteTemplates {
  return {
    async at(location, page) {
      await ready()
      return templateAt(location, page, { storage, site: await app.settings.read(storage) })
    },
    async hold(document, user) {
      await ready()
      await takeLock({ storage, app }, { id: document, user })
    },
    async release(document) {
      await ready()
      await endLock(storage, document)
    },
  }
}
