/** The page as a tree: parsed by the standard's algorithm, searched by XPath, and written again. */
import {
  type DefaultTreeAdapterTypes,
  defaultTreeAdapter,
  html,
  parse,
  parseFragment,
  serialize,
  serializeOuter,
} from 'parse5'
import { createXPathView, type XPathResult } from './xpath-view.ts'

export type Element = DefaultTreeAdapterTypes.Element
export type Parent = DefaultTreeAdapterTypes.ParentNode
export type Child = DefaultTreeAdapterTypes.ChildNode

export const tree = defaultTreeAdapter

/** A text with one of these tags is a page; other texts are written without the tags that the parser adds. */
const WHOLE_PAGE = /<(?:!doctype|html|head|body)[\s/>]/i

const maxLength = 4_000_000
/** So many characters are written to compare elements with the HTML of items: elements around others are as long as these. */
const maxWritten = 20_000_000

export interface PageTree {
  /** The elements of an XPath in the page as it came, whatever was changed since. */
  find(xpath: string): XPathResult
  /** The elements whose HTML is the text, below a node. */
  findByHtml(snippet: string, below?: Parent): readonly Element[]
  /** Where rules for the whole page go. */
  readonly styleHome: Element
  toHtml(): string
}

/** A page that is too long or nests too deep gives a reason instead. */
export function parsePage(source: string): PageTree | string {
  if (source.length > maxLength) return `the page is longer than ${maxLength} characters`
  const document = parse(source)
  if (isDeep(document)) return `the page nests deeper than ${maxDepth} elements`
  const root = document.childNodes.find(isElement)
  // The cast: the parser gives every document these elements.
  const [head, body] = (['head', 'body'] as const).map((name) =>
    root?.childNodes.find((node) => node.nodeName === name),
  ) as [Element, Element]
  const isWhole = WHOLE_PAGE.test(source)
  const view = createXPathView(document)
  let written = 0
  return {
    find: (xpath) => view.find(xpath),
    findByHtml(snippet, below = document) {
      const wanted = htmlOf(snippet)
      if (wanted === '') return []
      return elementsBelow(below).filter((element) => {
        if (element.tagName !== wantedTag(wanted) || written > maxWritten) return false
        const own = serializeOuter(element)
        written += own.length
        return own === wanted
      })
    },
    styleHome: isWhole ? head : body,
    toHtml: () => (isWhole ? serialize(document) : serialize(body)),
  }
}

const wantedTag = (snippet: string): string => /^<([^\s/>]+)/.exec(snippet)?.[1] ?? ''

/** A snippet as the serializer writes it, so that quotes and the case of names do not matter. */
const htmlOf = (snippet: string): string => serialize(parseFragment(snippet.trim()))

/** The serializer and XPath walk a tree by recursion. */
const maxDepth = 1000

function isDeep(document: Parent): boolean {
  let level: readonly Parent[] = [document]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) return true
    level = level.flatMap((node) => node.childNodes.filter(isElement))
  }
  return false
}

export const isElement = (node: DefaultTreeAdapterTypes.Node): node is Element => 'tagName' in node

export function elementsBelow(node: Parent): Element[] {
  const found: Element[] = []
  const waiting: Parent[] = [node]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (next !== node && isElement(next)) found.push(next)
    waiting.push(...next.childNodes.filter(isElement).reverse())
  }
  return found
}

/** The nodes of a piece of HTML, as they are inside an element: a row of a table is a row there. */
export function nodesOf(piece: string, context: Element): readonly Child[] {
  const fragment = parseFragment(context, piece, {})
  for (const node of fragment.childNodes) node.parentNode = null
  return fragment.childNodes
}

/** The HTML of an element, its own tags included. */
export const outerHtml = (element: Element): string => serializeOuter(element)

/** Whether the element is still in the page. */
export function isAttached(element: Element): boolean {
  let node: Parent | null = element
  while (node && isElement(node)) node = node.parentNode
  return node !== null
}

/** Puts nodes in front of another one. */
export function insertBefore(node: Child, inserted: readonly Child[]): void {
  const parent = node.parentNode
  if (parent) for (const one of inserted) tree.insertBefore(parent, one, node)
}

export function append(parent: Element, inserted: readonly Child[]): void {
  for (const one of inserted) tree.appendChild(parent, one)
}

export function createElement(name: string, attributes: Readonly<Record<string, string>>): Element {
  const attrs = Object.entries(attributes).map(([attribute, value]) => ({ name: attribute, value }))
  return tree.createElement(name, html.NS.HTML, attrs)
}
