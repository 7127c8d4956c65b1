/** Measures what a moved page shows, from its HTML. */
import { type DefaultTreeAdapterMap, parse } from 'parse5'
import type { ExpectedPage } from './writing.ts'

type Node = DefaultTreeAdapterMap['node']
type ElementNode = DefaultTreeAdapterMap['element']

export interface Share {
  readonly shown: number
  readonly all: number
  readonly missing: readonly string[]
}

export interface PageMeasures {
  readonly path: string
  readonly texts: Share
  readonly pictures: Share
  readonly icons: Share
  /** Raw shortcodes, addresses of the old site, `<i>` without content, pages without a title. */
  readonly leftovers: readonly string[]
}

interface Seen {
  text: string
  pictures: string[]
  icons: number
  leftovers: string[]
  title: string
}

/** Elements whose text is no text of the page. */
const unread = new Set(['script', 'style', 'template', 'noscript'])

export function measured(expected: ExpectedPage, html: string, css: string, oldAddress: string): PageMeasures {
  const seen: Seen = { text: '', pictures: [], icons: 0, leftovers: [], title: '' }
  visit(parse(html), seen, oldAddress)
  const text = seen.text.replace(/\s+/g, ' ')
  if (seen.title.trim() === '') seen.leftovers.push('a page without a title')
  for (const [code] of text.matchAll(/\[\/?[a-z][\w-]{2,}(?:\s[^\]]*)?\]/g)) seen.leftovers.push(code)
  const drawn = [...seen.pictures, ...addressesIn(css)]
  const hasPicture = (path: string) => drawn.some((address) => address.includes(path))
  return {
    path: expected.path,
    texts: share(expected.texts, (each) => text.includes(each.replace(/\s+/g, ' '))),
    pictures: share([...new Set(expected.pictures)], hasPicture),
    icons: {
      ...{ all: expected.icons, shown: Math.min(expected.icons, seen.icons) },
      missing: seen.icons < expected.icons ? [`${expected.icons - seen.icons} icons`] : [],
    },
    leftovers: seen.leftovers,
  }
}

const share = (all: readonly string[], isShown: (one: string) => boolean): Share => {
  const missing = all.filter((one) => !isShown(one))
  return { shown: all.length - missing.length, all: all.length, missing }
}

function visit(node: Node, seen: Seen, oldAddress: string): void {
  if ('value' in node) {
    seen.text += node.value
    return
  }
  if ('tagName' in node) {
    if (node.tagName === 'title' && !isInside(node, 'svg')) seen.title += textOf(node)
    if (unread.has(node.tagName) || node.tagName === 'title') return
    inspect(node, seen, oldAddress)
  }
  if (!('childNodes' in node)) return
  for (const child of node.childNodes) visit(child, seen, oldAddress)
  if ('tagName' in node && !inline.has(node.tagName)) seen.text += ' '
}

const inline = new Set(['a', 'b', 'i', 'em', 'strong', 'span', 'small', 'sup', 'sub', 'u', 's', 'code', 'mark', 'abbr'])

function inspect(node: ElementNode, seen: Seen, oldAddress: string): void {
  const attributes = new Map(node.attrs.map(({ name, value }) => [name, value]))
  for (const name of ['src', 'srcset', 'poster', 'style', 'href']) {
    const value = attributes.get(name) ?? ''
    if (value.includes(oldAddress)) seen.leftovers.push(`${node.tagName} ${name} ${value.slice(0, 120)}`)
    if (name === 'style') seen.pictures.push(...addressesIn(value))
    else if (name !== 'href') seen.pictures.push(value)
  }
  if (node.tagName === 'svg' && hasShape(node)) seen.icons += 1
  const isEmpty = node.tagName === 'i' && node.childNodes.length === 0
  if (isEmpty) seen.leftovers.push(`empty <i class="${attributes.get('class') ?? ''}">`)
}

/** Returns the addresses of pictures in a style sheet or a style attribute. */
const addressesIn = (css: string): readonly string[] =>
  [...css.matchAll(/url\(\s*["']?([^"')]+)/g)].map(([, address = '']) => address)

function hasShape(node: ElementNode): boolean {
  return node.childNodes.some(
    (child) =>
      'tagName' in child && (/^(?:path|circle|rect|polygon|ellipse|use|line)$/.test(child.tagName) || hasShape(child)),
  )
}

const textOf = (node: ElementNode): string =>
  node.childNodes.map((child) => ('value' in child ? child.value : '')).join('')

function isInside(node: ElementNode, tag: string): boolean {
  for (let at = node.parentNode; at && 'tagName' in at; at = at.parentNode) if (at.tagName === tag) return true
  return false
}
