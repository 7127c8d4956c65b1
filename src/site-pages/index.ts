/** Exports `site-api/pages`, which draws the pages of a site from its stored content. */

import type { PagesSlot } from '../features/add-ons/accessibility/scan/index.ts'
import type { PagesApi } from './api.ts'
import { createCheckPages } from './checked-pages.ts'
import { createFetch } from './handler.ts'
import { resolveOptions, type SitePagesOptions } from './options.ts'
import { type PreviewOptions, previewUrl } from './preview.ts'
import { withReleases } from './releases.ts'
import { createTryPages } from './tried-pages.ts'

export type { PagesApi } from './api.ts'
export type { SitePagesOptions } from './options.ts'
export { type PreviewOptions, previewUrl } from './preview.ts'
export type { PagesTheme } from './theme/blocks/theme-values.ts'
export type { Words } from './words.ts'

/** The pages of a site. */
export interface SitePages {
  /**
   * Answers every request to the site: pages, their files, uploaded files, feeds and the sitemap; requests below the root of the
   * API go to the API. Never rejects.
   */
  fetch(request: Request): Promise<Response>
  /** Does what the function of the same name does. */
  previewUrl(id: number, options?: PreviewOptions): Promise<string>
}

/**
 * Creates the pages of the site: posts, archives, search, feeds and the sitemap. Throws a TypeError for a wrong option.
 *
 * ```ts
 * const pages = createSitePages(api)
 * Bun.serve({ fetch: pages.fetch })
 * ```
 */
export function createSitePages(api: PagesApi, options: SitePagesOptions = {}): SitePages {
  const resolved = resolveOptions(options)
  const slot = api['~parts'].app.services['sitePages'] as PagesSlot
  // Scans look for problems in the pages as their authors made them. They are background work, for which `runDue` would wait.
  const still: PagesApi = { ...api, site: { ...api.site, runDue: async () => {} } }
  let plain: ReturnType<typeof createFetch> | undefined
  slot.draw = (request) => {
    plain ??= createFetch(still, { ...resolved, remediations: false, forms: false })
    return plain(request)
  }
  const shown = { ...resolved, remediations: false }
  slot.tryPages = createTryPages({
    api: still,
    draw: createFetch(still, shown),
    drawIn: (storage, settings) => {
      const parts = { ...api['~parts'], storage, ready: () => {} }
      return createFetch({ ...still, '~parts': parts }, shown, { settings })
    },
  })
  slot.checkPages = createCheckPages(still, { ...shown, forms: false })
  slot.previewUrl = (id) => previewUrl(api, id, { forMs: 60_000 })
  return {
    fetch: withReleases(api, resolved, createFetch(api, resolved)),
    previewUrl: (id, preview) => previewUrl(api, id, preview),
  }
}
