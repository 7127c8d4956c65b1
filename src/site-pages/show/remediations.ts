/** Applies the remediations of the site to what its pages and feeds show. */

import { type EscapedText, escapeXml, unescapeXml } from '../feeds/xml.ts'
import type { Visit } from '../visit.ts'

/** The tag of responses that a remediation may change: purge by it after `accessibility.changed`. */
const tag = 'accessibility'

type Applied = readonly (string | undefined)[]

function engineOf({ api, options, tags }: Visit) {
  const engine = options.remediations ? api.site.accessibility?.['~apply'] : undefined
  if (engine) tags.add(tag)
  return engine
}

/** Returns the page as its remediations leave it. `isFragment`: it shows a part of the page at that address. */
export async function remediated(
  html: string,
  url: string,
  visit: Visit,
  how: { readonly isFragment?: boolean } = {},
): Promise<string> {
  const [changed]: Applied = (await engineOf(visit)?.([{ url, html: () => html }], how)) ?? []
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
  const changed = await engine(shown, { isFragment: true })
  return contents.map((content, index) => {
    const html = changed[index]
    return html === undefined || content === undefined ? content : { escaped: escapeXml(html) }
  })
}
