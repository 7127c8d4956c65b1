/** Scans the HTML of a page: each rule lists the elements that break it. */

import { builderIdOf, startTag, xpathOf } from './page/dom.ts'
import { maxElements, Page } from './page/page.ts'
import { contrastRule } from './rules/contrast.ts'
import { controlRules } from './rules/controls.ts'
import { documentRules } from './rules/document.ts'
import { headingRules } from './rules/headings.ts'
import { imageRules } from './rules/images.ts'
import { landmarkRules } from './rules/landmarks.ts'
import { regionRule } from './rules/region.ts'
import type { Found, Proposal, Rule } from './rules/rule.ts'

/** A problem of a page. */
export interface Finding {
  /** The rule, by the name that axe-core gives it: `image-alt`. */
  readonly rule: string
  /** The group of `a11y/v1`: `altText`. */
  readonly group: string
  /** The level of WCAG 2; empty for advice beyond it. */
  readonly category: string
  /** The place of the element in the page. */
  readonly xpath: string
  /** The id of the builder's element around it. */
  readonly element?: string
  /** The start tag. */
  readonly html: string
  readonly message: string
  /** The content of a remediation that mends it. */
  readonly proposal?: Proposal
}

export const rules: readonly Rule[] = [
  ...imageRules,
  ...controlRules,
  ...headingRules,
  ...landmarkRules,
  regionRule,
  ...documentRules,
  contrastRule,
]

/** A problem that an engine of the host has found. */
export interface EngineFinding {
  readonly rule: string
  readonly xpath: string
  readonly message: string
}

/** More findings of one rule say nothing new. */
const maxOfRule = 200

/** `judged`: what an engine has found, in place of the rules. Throws a RangeError for a page that is too large. */
export async function scanHtml(
  source: string,
  sheets: readonly string[],
  judged?: readonly EngineFinding[],
): Promise<readonly Finding[]> {
  const { parse } = await import('css-tree/dist/csstree.esm')
  const page = new Page(source, sheets, { parse })
  if (page.elements.length > maxElements) throw new RangeError(`the page has more than ${maxElements} elements`)
  const own = rules.flatMap((rule) =>
    rule
      .find(page)
      .slice(0, maxOfRule)
      .map((found) => ({ ...found, rule })),
  )
  return (judged ? judgedBy(judged, own, page) : own).map(toFinding)
}

type Judged = Found & { readonly rule: Pick<Rule, 'id' | 'group' | 'category'> }

/** The rules know the group and the change that mends what the engine has found. */
function judgedBy(judged: readonly EngineFinding[], own: readonly Judged[], page: Page): readonly Judged[] {
  const counts = new Map<string, number>()
  return judged.flatMap(({ rule: id, xpath, message }) => {
    const count = (counts.get(id) ?? 0) + 1
    counts.set(id, count)
    const [element] = count > maxOfRule ? [] : page.find(xpath)
    if (!element) return []
    const same = own.find((one) => one.rule.id === id && one.element === element)
    const rule = rules.find((one) => one.id === id) ?? { id, group: 'other', category: '' }
    return [{ element, message, rule, ...(same?.proposal ? { proposal: same.proposal } : {}) }]
  })
}

function toFinding({ rule, element, message, proposal }: Judged): Finding {
  const builderId = builderIdOf(element)
  return {
    ...{ rule: rule.id, group: rule.group, category: rule.category },
    ...{ xpath: xpathOf(element), html: startTag(element), message },
    ...(builderId === undefined ? {} : { element: builderId }),
    ...(proposal ? { proposal } : {}),
  }
}
