/** Judges headings: their order and their texts. */

import { attributeOf, type Element } from '../page/dom.ts'
import { isPresentation, nameByAria, textOf, titleOf } from '../page/names.ts'
import type { Page } from '../page/page.ts'
import { attribute, pathOf, type Rule } from './rule.ts'

const group = 'headingStructure'

/** Undefined: it is no heading. */
function levelOf(element: Element): number | undefined {
  const role = attributeOf(element, 'role')?.trim().split(/\s+/)[0] ?? ''
  const own = /^h([1-6])$/.exec(element.tagName)?.[1]
  if (role === 'heading' || (own !== undefined && role === '')) {
    const stated = Number(attributeOf(element, 'aria-level'))
    return Number.isInteger(stated) && stated > 0 ? stated : Number(own ?? 2)
  }
  return undefined
}

const headingsOf = (page: Page): readonly Element[] =>
  page.elements.filter(
    (element) => levelOf(element) !== undefined && !page.isSilent(element) && !isPresentation(element),
  )

const order: Rule = {
  ...{ id: 'heading-order', group, category: '' },
  find: (page) => {
    const headings = headingsOf(page)
    return headings.flatMap((element, at) => {
      const level = levelOf(element) ?? 0
      const before = headings[at - 1]
      const last = before ? (levelOf(before) ?? 0) : level
      if (level - last <= 1) return []
      const message = `The heading has level ${level}, and the one before it ${last}.`
      return [{ element, message, proposal: attribute(order, pathOf(element, page), 'aria-level', String(last + 1)) }]
    })
  },
}

const empty: Rule = {
  ...{ id: 'empty-heading', group, category: '' },
  find: (page) =>
    headingsOf(page)
      .filter((one) => textOf(one, page) === '' && nameByAria(one, page) === '' && titleOf(one) === '')
      .map((element) => ({
        element,
        message: 'The heading has no text.',
        proposal: attribute(empty, pathOf(element, page), 'role', 'presentation'),
      })),
}

const first: Rule = {
  ...{ id: 'page-has-heading-one', group, category: '' },
  find: (page) => {
    const headings = headingsOf(page)
    if (headings.some((one) => levelOf(one) === 1)) return []
    const [top] = headings
    const message = 'The page has no heading of the first level.'
    return [
      {
        element: page.root,
        message,
        ...(top ? { proposal: attribute(first, pathOf(top, page), 'aria-level', '1') } : {}),
      },
    ]
  },
}

export const headingRules: readonly Rule[] = [order, empty, first]
