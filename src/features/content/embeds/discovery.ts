/** Finds the oEmbed endpoint that a page links to. */
import { Parser } from 'htmlparser2'

const types: readonly string[] = ['application/json+oembed', 'text/xml+oembed', 'application/xml+oembed']

/** Reads only the links in the head: the body may hold text of visitors. JSON is preferred to XML. */
export function discoveredEndpoint(html: string, pageUrl: string): string | undefined {
  const hrefByType = new Map<string, string>()
  let isHead = true
  const parser = new Parser({
    onopentag: (name, { rel = '', type = '', href = '' }) => {
      if (name === 'body') isHead = false
      if (!isHead || name !== 'link' || !rel.toLowerCase().split(/\s+/).includes('alternate')) return
      const linkType = type.trim().toLowerCase()
      if (types.includes(linkType) && !hrefByType.has(linkType) && URL.canParse(href, pageUrl)) {
        hrefByType.set(linkType, new URL(href, pageUrl).href)
      }
    },
    onclosetag: (name) => {
      if (name === 'head') isHead = false
    },
  })
  parser.end(html)
  return types.map((type) => hrefByType.get(type)).find((href) => href !== undefined)
}
