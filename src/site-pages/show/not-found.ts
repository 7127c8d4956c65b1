/** Shows the page for unknown addresses. */

import { html, nothing } from '../content/markup.ts'
import { drawTemplates } from '../documents/draw.ts'
import type { Privacy } from '../response.ts'
import { searchForm } from '../theme/posts.ts'
import type { Visit } from '../visit.ts'
import { type PageFiles, showPage } from './page.ts'

export async function showNotFound(
  files: PageFiles,
  visit: Visit,
  { privacy = 'public' }: { readonly privacy?: Privacy } = {},
): Promise<Response> {
  const { words } = visit.options
  const drawn = await drawTemplates({ notFound: true }, visit)
  const main = html`<div class="site-column">
<h1>${words.notFound}</h1>
<p class="site-lead">${words.notFoundText}</p>
${searchForm(visit)}
</div>`
  return showPage(
    {
      drawn,
      main: drawn.main ? nothing : main,
      ...{ status: 404, privacy },
      bodyClasses: ['is-not-found'],
      head: { title: words.notFound, description: '' },
    },
    files,
    visit,
  )
}
