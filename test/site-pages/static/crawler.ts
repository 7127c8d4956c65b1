/** Follows the links of a site as a reader of its pages does: with parse5, and none of the code of the package. */
import { type DefaultTreeAdapterMap, parse } from 'parse5'

type Node = DefaultTreeAdapterMap['node']
type Element = DefaultTreeAdapterMap['element']

export interface Crawled {
  readonly status: number
  readonly type: string
  /** The texts and pictures that a reader sees; of other files the whole text. */
  readonly shown: string
  /** Targets of links with their hosts, in order. */
  readonly links: readonly string[]
}

const hidden = new Set(['script', 'style', 'template', 'head'])

/** Addresses of one host by path. Redirects are followed and not listed. */
export async function crawl(
  origin: string,
  get: (address: string) => Promise<Response> | Response,
  isLeft: (url: URL) => boolean,
  starts = ['/', '/sitemap.xml', '/robots.txt'],
): Promise<ReadonlyMap<string, Crawled>> {
  const found = new Map<string, Crawled>()
  const queue = [...starts]
  const seen = new Set(queue)
  for (let at = 0; at < queue.length; at++) {
    const address = queue[at] as string
    const response = await get(address)
    const location = response.headers.get('location')
    const next: string[] = []
    if (location !== null) next.push(new URL(location, origin + address).href)
    else {
      const page = read(await response.text(), response.headers.get('content-type') ?? '', origin + address)
      found.set(address, { status: response.status, ...page })
      next.push(...page.links)
    }
    for (const link of next) {
      const url = new URL(link)
      const target = url.pathname + url.search
      if (url.origin !== origin || isLeft(url) || seen.has(target)) continue
      seen.add(target)
      queue.push(target)
    }
  }
  return found
}

function read(text: string, contentType: string, base: string): Omit<Crawled, 'status'> {
  const type = contentType.split(';')[0]?.trim() ?? ''
  if (/xml/.test(type)) {
    const links = [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, link = '']) => link)
    return { type, shown: text, links }
  }
  if (type === 'text/css') {
    const links = [...text.matchAll(/url\("([^"]*)"\)/g)].map(([, link = '']) => new URL(link, base).href)
    return { type, shown: text.replace(/url\([^)]*\)/g, 'url()'), links }
  }
  if (type !== 'text/html') return { type, shown: text, links: [] }
  const seen: string[] = []
  const links: string[] = []
  walk(parse(text), false, seen, (link) => {
    if (URL.canParse(link, base) && /^https?:/.test(new URL(link, base).protocol)) links.push(new URL(link, base).href)
  })
  return { type, shown: seen.join(' ').replace(/\s+/g, ' ').trim(), links }
}

function walk(node: Node, isHidden: boolean, seen: string[], link: (address: string) => void): void {
  if (node.nodeName === '#text') {
    if (!isHidden) seen.push((node as DefaultTreeAdapterMap['textNode']).value)
    return
  }
  if ('attrs' in node) readElement(node, seen, link)
  const isInside = isHidden || hidden.has(node.nodeName)
  if ('childNodes' in node) for (const child of node.childNodes) walk(child, isInside, seen, link)
}

function readElement({ nodeName, attrs }: Element, seen: string[], link: (address: string) => void): void {
  const value = (name: string) => attrs.find((one) => one.name === name)?.value
  const rel = value('rel') ?? ''
  const isFollowed = !/nofollow|service-desc|oembed/.test(`${rel} ${value('type') ?? ''}`)
  for (const name of ['href', 'src', 'poster']) {
    const address = value(name)
    if (address !== undefined && !address.startsWith('#') && isFollowed) link(address)
  }
  for (const candidate of value('srcset')?.split(', ') ?? []) link(candidate.split(' ')[0] ?? '')
  if (nodeName === 'img') seen.push(`[${value('alt') ?? ''}]`)
}
