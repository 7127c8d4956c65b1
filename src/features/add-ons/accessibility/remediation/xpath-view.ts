/** XPath over a parsed page: the library reads nodes of the DOM, so each node of the tree has such a view. */

import type { DefaultTreeAdapterTypes } from 'parse5'
import xpath from 'xpath'
import { lookupTable } from '../../../../contract/lookup-table.ts'

type TreeNode = DefaultTreeAdapterTypes.Node
type Element = DefaultTreeAdapterTypes.Element

/** `problem`: why the expression was not evaluated. */
export interface XPathResult {
  readonly elements: readonly Element[]
  readonly problem?: string
}

/** The properties of the DOM standard that the library reads. */
interface ViewNode {
  readonly nodeType: number
  readonly nodeName: string
  readonly localName: string | undefined
  readonly namespaceURI: string | null
  readonly nodeValue: string | null
  readonly data: string | undefined
  readonly parentNode: ViewNode | null
  readonly ownerDocument: ViewNode | null
  childNodes: readonly ViewNode[]
  firstChild: ViewNode | null
  lastChild: ViewNode | null
  nextSibling: ViewNode | null
  previousSibling: ViewNode | null
  attributes: Attributes
  readonly element: Element | undefined
  /** The place in the document, in reading order. */
  readonly at: number
  compareDocumentPosition(other: ViewNode): number
  getAttribute(name: string): string | null
  getAttributeNS(namespace: string | null, name: string): string | null
}

type Attributes = readonly object[] & { item(index: number): object | null }

const maxNodes = 60_000
const maxLength = 2048
/** Evaluations of `//` may read so many nodes in all. */
const maxReads = 500_000

/** Axes that read many nodes for each node they start at. */
const WIDE = /\/\/|\b(?:descendant|descendant-or-self|following|preceding|ancestor|ancestor-or-self)::/g

interface XPathView {
  find(expression: string): XPathResult
}

export function createXPathView(document: DefaultTreeAdapterTypes.Document): XPathView {
  const state = { nodes: 0 }
  let root: ViewNode | undefined
  let reads = 0
  const known = new Map<string, XPathResult>()
  const evaluate = (expression: string): XPathResult => {
    root ??= viewOf(document, null, state)
    if (state.nodes > maxNodes) return refused(`the page has more than ${maxNodes} nodes`)
    const problem = problemOf(expression)
    if (problem) return refused(problem)
    if (expression.search(WIDE) >= 0) reads += state.nodes
    if (reads > maxReads) return refused('the searches through the whole page are too many')
    return select(expression, root)
  }
  return {
    find(expression) {
      const result = known.get(expression) ?? evaluate(expression)
      known.set(expression, result)
      return result
    },
  }
}

const refused = (problem: string): XPathResult => ({ elements: [], problem })

/**
 * Refuses paths that could take long: two wide axes cost a page its depth, a third one or one in a predicate its square.
 */
function problemOf(expression: string): string | undefined {
  if (expression.length > maxLength) return `the XPath is longer than ${maxLength} characters`
  if ((expression.match(WIDE) ?? []).length > 2) return 'the XPath searches the whole page more than twice'
  const inPredicates = expression.match(/\[[^\]]*\]/g) ?? []
  if (inPredicates.some((predicate) => predicate.search(WIDE) >= 0))
    return 'the XPath searches the whole page in a condition'
  return undefined
}

/** The part of the library that its declarations leave out. */
interface Expressions {
  parse(expression: string): {
    select(options: { readonly node: ViewNode; readonly isHtml: boolean }): readonly ViewNode[]
  }
}

function select(expression: string, root: ViewNode): XPathResult {
  try {
    const found = (xpath as unknown as Expressions).parse(expression).select({ node: root, isHtml: true })
    return { elements: found.flatMap(({ element }) => element ?? []) }
  } catch {
    return refused('the XPath is not readable, or finds no elements')
  }
}

const TYPES: { readonly [name: string]: number } = lookupTable({
  '#document': 9,
  '#text': 3,
  '#comment': 8,
  '#documentType': 10,
})

function viewOf(node: TreeNode, parent: ViewNode | null, state: { nodes: number }): ViewNode {
  const attrs = 'attrs' in node ? node.attrs : []
  const attributeOf = (wanted: string) => attrs.find(({ name }) => name === wanted)?.value ?? null
  const at = state.nodes++
  const view: ViewNode = {
    nodeType: TYPES[node.nodeName] ?? 1,
    nodeName: node.nodeName,
    localName: 'tagName' in node ? node.tagName : undefined,
    namespaceURI: 'namespaceURI' in node ? node.namespaceURI : null,
    nodeValue: textOf(node) ?? null,
    data: textOf(node),
    parentNode: parent,
    ownerDocument: parent?.ownerDocument ?? parent,
    ...{ childNodes: [], firstChild: null, lastChild: null, nextSibling: null, previousSibling: null },
    attributes: listed([]),
    element: 'tagName' in node ? node : undefined,
    at,
    // DOM: 4, the other follows; 2, it precedes.
    compareDocumentPosition: (other) => (at < other.at ? 4 : at > other.at ? 2 : 0),
    getAttribute: attributeOf,
    getAttributeNS: (_, name) => attributeOf(name),
  }
  view.attributes = listed(attrs.map((attribute) => attributeView(attribute, view)))
  // A page of hostile depth would exceed the stack and is too large anyway.
  if (state.nodes > maxNodes) return view
  view.childNodes = 'childNodes' in node ? node.childNodes.map((child) => viewOf(child, view, state)) : []
  view.firstChild = view.childNodes[0] ?? null
  view.lastChild = view.childNodes.at(-1) ?? null
  for (const [index, child] of view.childNodes.entries()) {
    child.previousSibling = view.childNodes[index - 1] ?? null
    child.nextSibling = view.childNodes[index + 1] ?? null
  }
  return view
}

const textOf = (node: TreeNode): string | undefined =>
  'value' in node ? node.value : 'data' in node ? node.data : undefined

const listed = (list: readonly object[]): Attributes =>
  Object.assign([...list], { item: (index: number) => list[index] ?? null })

const attributeView = (
  { name, value }: { readonly name: string; readonly value: string },
  owner: ViewNode,
): object => ({
  ...{ nodeType: 2, nodeName: name, name, localName: name, namespaceURI: null, nodeValue: value, value },
  ...{ ownerElement: owner, ownerDocument: owner.ownerDocument, parentNode: null },
})
