/** Judges whether all content lies in landmarks. */

import { attributeOf, childrenOf, type Element, hasAttribute, ownText, parentOf } from '../page/dom.ts'
import { nameByAria } from '../page/names.ts'
import type { Page } from '../page/page.ts'
import { landmarkOf, statedRole } from './landmarks.ts'
import { attribute, pathOf, type Rule } from './rule.ts'

/** These are announced wherever they are. */
const ANNOUNCED: ReadonlySet<string> = new Set(['alert', 'alertdialog', 'dialog', 'log', 'status'])
const SHOWING: ReadonlySet<string> = new Set(
  'audio button canvas iframe img input math meter object progress select svg textarea video'.split(' '),
)

export const regionRule: Rule = {
  ...{ id: 'region', group: 'pageStructureNav', category: '' },
  find: (page) => {
    const body = childrenOf(page.root).find(({ tagName }) => tagName === 'body')
    if (!body) return []
    const withLandmark = new Set<Element>()
    const outside = outsideOf(body, page, withLandmark, true)
    const tops = new Set(outside.map((element) => topOf(element, body, withLandmark)))
    const hasMain = page.elements.some((one) => landmarkOf(one, page) === 'main')
    return [...tops].map((element) => ({
      element,
      message: 'The content lies in no landmark.',
      proposal: attribute(regionRule, pathOf(element, page), 'role', hasMain ? 'complementary' : 'main'),
    }))
  },
}

function outsideOf(element: Element, page: Page, withLandmark: Set<Element>, isBody = false): readonly Element[] {
  if (element.tagName === 'area') return []
  if (!isBody && isEnd(element, page)) {
    for (let one = parentOf(element); one; one = parentOf(one)) withLandmark.add(one)
    return []
  }
  if (!isBody && hasContent(element, page)) return [element]
  return childrenOf(element).flatMap((child) => outsideOf(child, page, withLandmark))
}

const isEnd = (element: Element, page: Page): boolean =>
  isRegion(element, page) || isButton(element) || isSkipLink(element, page) || page.isSilent(element)

const isButton = (element: Element): boolean =>
  statedRole(element) === 'button' ||
  (element.tagName === 'button' && statedRole(element) === '') ||
  (element.tagName === 'input' && /^(?:button|submit|reset|image)$/i.test(attributeOf(element, 'type') ?? ''))

const isRegion = (element: Element, page: Page): boolean =>
  landmarkOf(element, page) !== undefined ||
  ANNOUNCED.has(statedRole(element)) ||
  /^(?:polite|assertive)$/.test(attributeOf(element, 'aria-live') ?? '') ||
  /^(?:dialog|svg|output)$/.test(element.tagName)

/** Whether the link leads to a place in the page, and comes before all other links. */
function isSkipLink(element: Element, page: Page): boolean {
  if (element.tagName !== 'a' || !/^#./.test(attributeOf(element, 'href') ?? '')) return false
  const first = page.elements.find(
    (one) => one.tagName === 'a' && hasAttribute(one, 'href') && !/^#./.test(attributeOf(one, 'href') ?? ''),
  )
  const isBefore = !first || page.elements.indexOf(element) < page.elements.indexOf(first)
  return isBefore && page.byId((attributeOf(element, 'href') ?? '').slice(1)) !== undefined
}

const hasContent = (element: Element, page: Page): boolean =>
  ownText(element).trim() !== '' ||
  SHOWING.has(element.tagName) ||
  statedRole(element) === 'img' ||
  nameByAria(element, page) !== ''

/** The outermost element that holds no landmark stands for all in it. */
function topOf(element: Element, body: Element, withLandmark: ReadonlySet<Element>): Element {
  let top = element
  for (let one = parentOf(element); one && one !== body && !withLandmark.has(one); one = parentOf(one)) top = one
  return top
}
