/** Dynamic tags about the site. */
import { escapeHtml } from '../../../core/runtime/escape-html.ts'
import type { TagTable } from '../engine/pass.ts'

export const siteTags: TagTable = {
  'site-title': ({ pass }) => {
    pass.depend('option:name')
    return escapeHtml(pass.site.name)
  },
  'site-tagline': ({ pass }) => {
    pass.depend('option:description')
    return escapeHtml(pass.site.description)
  },
  'site-url': ({ pass }) => {
    pass.depend('option:url')
    return { url: pass.site.home }
  },
}
