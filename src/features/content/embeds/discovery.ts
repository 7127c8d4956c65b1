/** Finds out where a page says that its oEmbed answer lies. */
import { Parser } from 'htmlparser2'

const types: readonly string[] = ['application/json+oembed', 'text/xml+oembed', 'application/xml+oembed']

/** From the links in the head alone: the body may be written by anybody. JSON goes before XML. */
export function discoveredEndpoint(html: string, pageUrl: string): string | undefined {
  const found = new Map<string, string>()
  let isHead = true
  const parser = new Parser({
    onopentag: (name, { rel = '', type = '', href = '' }) => {
      if (name === 'body') isHead = false
      if (!isHead || name !== 'link' || !rel.toLowerCase().split(/\s+/).includes('alternate')) return
      const kind = type.trim().toLowerCase()
      if (types.includes(kind) && !found.has(kind) && URL.canParse(href, pageUrl)) {
        found.set(kind, new URL(href, pageUrl).href)
      }
    },
    onclosetag: (name) => {
      if (name === 'head') isHead = false
    },
  })
  parser.end(html)
  return types.map((type) => found.get(type)).find((href) => href !== undefined)
}
