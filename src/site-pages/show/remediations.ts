/** Applies the remediations of the site to what its pages and feeds show. */

import { type EscapedText, escapeXml, unescapeXml } from '../feeds/xml.ts'
import type { Visit } from '../visit.ts'

type Applied = readonly (string | undefined)[]

const engineOf = ({ api, options }: Visit) => (options.remediations ? api.site.accessibility?.['~apply'] : undefined)

/** Returns the page as its remediations leave it. `isFragment`: it shows a part of the page at that address. */
export async function remediated(
  html: string,
  url: string,
  visit: Visit,
  how: { readonly isFragment?: boolean } = {},
): Promise<string> {
  const { storage } = visit
  const [changed]: Applied = (await engineOf(visit)?.([{ url, html: () => html }], { ...how, storage })) ?? []
  return changed ?? html
}

/** Does it for the contents of a feed, each a part of the page at its address. */
export async function remediatedContents(
  contents: readonly (EscapedText | undefined)[],
  urls: readonly string[],
  visit: Visit,
): Promise<readonly (EscapedText | undefined)[]> {
  const engine = engineOf(visit)
  if (!engine) return contents
  const shown = urls.map((url, index) => ({ url, html: () => unescapeXml(contents[index]?.escaped ?? '') }))
  const changed = await engine(shown, { isFragment: true, storage: visit.storage })
  return contents.map((content, index) => {
    const html = changed[index]
    return html === undefined || content === undefined ? content : { escaped: escapeXml(html) }
  })
}
