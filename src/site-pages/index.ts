/** Exports `site-api/pages`, which draws the pages of a site from its stored content. */

import type { PagesApi } from './api.ts'
import { createFetch } from './handler.ts'
import { resolveOptions, type SitePagesOptions } from './options.ts'
import { type PreviewOptions, previewUrl } from './preview.ts'

export type { PagesApi } from './api.ts'
export type { SitePagesOptions } from './options.ts'
export { type PreviewOptions, previewUrl } from './preview.ts'
export type { PagesTheme } from './theme/blocks/theme-values.ts'
export type { Words } from './words.ts'

/** The pages of a site. */
export interface SitePages {
  /**
   * Answers every request to the site: pages, their files, feeds and the sitemap; requests below the root of the API go to the
   * API. Never rejects.
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
  return {
    fetch: createFetch(api, resolveOptions(options)),
    previewUrl: (id, preview) => previewUrl(api, id, preview),
  }
}
