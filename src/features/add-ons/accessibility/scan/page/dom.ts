/** Reads the parsed tree of a page: attributes, texts, neighbours and places. */

import { type Element, elementsBelow, isElement, type Parent, tree } from '../../remediation/page-tree.ts'

export { type Element, elementsBelow, isElement }

export const attributeOf = (element: Element, name: string): string | undefined =>
  element.attrs.find((attribute) => attribute.name === name)?.value

export const hasAttribute = (element: Element, name: string): boolean => attributeOf(element, name) !== undefined

/** Returns the words of an attribute: its classes, or the ids that it names. */
export const wordsOf = (element: Element, name: string): readonly string[] =>
  (attributeOf(element, name) ?? '').split(/[\t\n\f\r ]+/).filter((word) => word !== '')

export function parentOf({ parentNode }: Element): Element | undefined {
  return parentNode && isElement(parentNode) ? parentNode : undefined
}

export const childrenOf = (parent: Parent): readonly Element[] => parent.childNodes.filter(isElement)

/** Lists the elements around an element, the nearest first. */
export function* ancestorsOf(element: Element): Generator<Element> {
  for (let next = parentOf(element); next; next = parentOf(next)) yield next
}

export function closest(element: Element, isWanted: (one: Element) => boolean): Element | undefined {
  if (isWanted(element)) return element
  for (const one of ancestorsOf(element)) if (isWanted(one)) return one
  return undefined
}

/** Returns the text directly inside an element. */
export const ownText = (element: Element): string =>
  element.childNodes.map((node) => (tree.isTextNode(node) ? node.value : '')).join('')

type Child = Element['childNodes'][number]

export const isText = (node: Child): node is Extract<Child, { readonly nodeName: '#text' }> => tree.isTextNode(node)

/** Where an element is in the page: `/html/body/main/img[2]`. */
export function xpathOf(element: Element): string {
  const parent = parentOf(element)
  const same = parent ? childrenOf(parent).filter(({ tagName }) => tagName === element.tagName) : []
  const position = same.length > 1 ? `[${same.indexOf(element) + 1}]` : ''
  return `${parent ? xpathOf(parent) : ''}/${element.tagName}${position}`
}

const maxTag = 200

/** Returns the start tag of an element, for people who look for it. */
export function startTag({ tagName, attrs }: Element): string {
  const written = attrs.map(({ name, value }) => ` ${name}="${value.replaceAll('"', '&quot;')}"`).join('')
  return `<${tagName}${written.length > maxTag ? `${written.slice(0, maxTag)}…` : written}>`
}

/** Returns the id of the builder's element around an element. */
export const builderIdOf = (element: Element): string | undefined => {
  const owner = closest(element, (one) => hasAttribute(one, 'data-id') && hasAttribute(one, 'data-element_type'))
  return owner && attributeOf(owner, 'data-id')
}
