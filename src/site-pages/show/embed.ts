/** Shows the small page that other sites embed in a frame. */

import type { Post } from '../../contract/storage.ts'
import { type Entry, readEntries } from '../content/entries.ts'
import { filtered, html, join, nothing } from '../content/markup.ts'
import { htmlType, respond } from '../response.ts'
import { picture } from '../theme/posts.ts'
import type { Visit } from '../visit.ts'
import { styleAddress } from './asset.ts'
import type { PageFiles } from './page.ts'
import { remediated } from './remediations.ts'

export async function showEmbed(post: Post, files: PageFiles, visit: Visit): Promise<Response> {
  const { settings, options } = visit
  // The cast: the list has one entry for each post.
  const [entry] = (await readEntries([post], visit)) as [Entry]
  const sheets = styleAddress(files.own, new Set(), visit).map((href) => html`<link rel="stylesheet" href="${href}">\n`)
  // Links open outside of the frame, which is too small for a whole page.
  const body = html`<!doctype html>
<html lang="${options.locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, follow">
<title>${entry.titleText}</title>
<link rel="canonical" href="${entry.address}">
${join(sheets)}</head>
<body class="is-embed">
<article class="site-embed">
${entry.picture ? picture({ ...entry.picture, alternative: '' }) : nothing}
<h1><a href="${entry.address}" target="_top">${entry.titleText}</a></h1>
<div class="site-embed-text">${filtered(entry.excerpt)}</div>
<p class="site-meta"><a href="${settings.home}/" target="_top">${settings.name}</a></p>
</article>
</body>
</html>
`.markup
  return respond(visit, {
    body: await remediated(body, entry.address, visit, { isFragment: true }),
    type: htmlType,
    headers: {
      'X-Robots-Tag': 'noindex',
      'Content-Security-Policy': "script-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors *",
    },
  })
}
