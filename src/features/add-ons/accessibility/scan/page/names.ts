/** Computes the names of elements, as readers of the screen's text hear them (Accessible Name and Description Computation). */

import { attributeOf, childrenOf, closest, type Element, hasAttribute, isElement, isText, wordsOf } from './dom.ts'
import type { Page } from './page.ts'

const maxDepth = 100

const clean = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** Returns the name that attributes of the element give it, for every role. */
export function nameByAria(element: Element, page: Page): string {
  const named = wordsOf(element, 'aria-labelledby').flatMap((id) => page.byId(id) ?? [])
  const referenced = clean(named.map((one) => textOf(one, page, { isReferenced: true })).join(' '))
  return referenced === '' ? clean(attributeOf(element, 'aria-label') ?? '') : referenced
}

export const titleOf = (element: Element): string => clean(attributeOf(element, 'title') ?? '')

interface Reading {
  /** The element is read though it is hidden: another one refers to it. */
  readonly isReferenced?: boolean
  readonly depth?: number
}

/** Returns the text that is read of an element and of what it holds. */
export function textOf(element: Element, page: Page, { isReferenced = false, depth = 0 }: Reading = {}): string {
  if (depth > maxDepth || (!isReferenced && page.isSilent(element))) return ''
  if (depth > 0) {
    const own = ownName(element, page)
    if (own !== undefined) return own
  }
  const parts = element.childNodes.map((node) => {
    if (isText(node)) return node.value
    if (!isElement(node)) return ''
    const isLeftOut = node.tagName === 'script' || node.tagName === 'style' || node.tagName === 'noscript'
    return isLeftOut
      ? ''
      : ` ${textOf(node, page, { isReferenced: isReferenced && page.isSilent(element), depth: depth + 1 })} `
  })
  return clean(parts.join(''))
}

/** Returns the text that replaces the content of an element inside; undefined: its content is read. */
function ownName(element: Element, page: Page): string | undefined {
  const byAria = nameByAria(element, page)
  if (byAria !== '') return byAria
  const { tagName } = element
  if (tagName === 'img' || tagName === 'area') return clean(attributeOf(element, 'alt') ?? '') || titleOf(element)
  if (tagName === 'svg') return svgTitle(element, page)
  if (tagName === 'input') return clean(attributeOf(element, 'value') ?? '')
  if (tagName === 'iframe') return titleOf(element)
  if (tagName === 'select' || tagName === 'textarea') return ''
  return undefined
}

export function svgTitle(element: Element, page: Page): string {
  const title = childrenOf(element).find(({ tagName }) => tagName === 'title')
  return title ? clean(textOf(title, page, { isReferenced: true })) : ''
}

/** Returns the labels of a field: those that name it, and the one around it. */
export function labelsOf(field: Element, page: Page): readonly Element[] {
  const explicit = page.labelsFor(attributeOf(field, 'id') ?? '')
  const around = closest(field, ({ tagName }) => tagName === 'label')
  return [...explicit, ...(around && !hasAttribute(around, 'for') ? [around] : [])]
}

export function labelText(field: Element, page: Page): string {
  const texts = labelsOf(field, page).map((label) => textOf(label, page))
  return clean(texts.join(' '))
}

/** Whether the element takes no part: it is there for the eye. */
export const isPresentation = (element: Element): boolean =>
  /^(?:none|presentation)$/.test(wordsOf(element, 'role')[0] ?? '')

export const isFocusable = (element: Element): boolean =>
  (hasAttribute(element, 'tabindex') && !Number.isNaN(Number(attributeOf(element, 'tabindex')))) ||
  ((element.tagName === 'a' || element.tagName === 'area') && hasAttribute(element, 'href')) ||
  (/^(?:button|input|select|textarea)$/.test(element.tagName) &&
    !hasAttribute(element, 'disabled') &&
    attributeOf(element, 'type') !== 'hidden')
