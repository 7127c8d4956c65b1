/** Judges the landmarks of a page: header, navigation, main part, footer. */

import { lookupTable } from '../../../../../contract/lookup-table.ts'
import { attributeOf, childrenOf, closest, type Element, ownText, parentOf } from '../page/dom.ts'
import { nameByAria, titleOf } from '../page/names.ts'
import type { Page } from '../page/page.ts'
import { attribute, type Found, pathOf, type Rule } from './rule.ts'

const group = 'pageStructureNav'

const LANDMARKS: ReadonlySet<string> = new Set(
  'banner complementary contentinfo main navigation region search form'.split(' '),
)
const OF_TAGS: { readonly [tag: string]: string } = lookupTable({
  main: 'main',
  nav: 'navigation',
  aside: 'complementary',
  search: 'search',
})
/** Inside of these, headers and footers are theirs. */
const SECTIONS: ReadonlySet<string> = new Set(['article', 'aside', 'main', 'nav', 'section'])
const SECTION_ROLES: ReadonlySet<string> = new Set(['article', 'complementary', 'main', 'navigation', 'region'])

export const statedRole = (element: Element): string => attributeOf(element, 'role')?.trim().split(/\s+/)[0] ?? ''

const isInSection = (element: Element): boolean => {
  const parent = parentOf(element)
  return (
    parent !== undefined &&
    closest(parent, (one) =>
      statedRole(one) === '' ? SECTIONS.has(one.tagName) : SECTION_ROLES.has(statedRole(one)),
    ) !== undefined
  )
}

/** Undefined: it is no landmark. */
export function landmarkOf(element: Element, page: Page): string | undefined {
  const role = statedRole(element)
  if (role !== '') return LANDMARKS.has(role) ? role : undefined
  const { tagName } = element
  if (tagName === 'header') return isInSection(element) ? undefined : 'banner'
  if (tagName === 'footer') return isInSection(element) ? undefined : 'contentinfo'
  if (tagName === 'section' || tagName === 'form') {
    const named = tagName === 'section' ? 'region' : 'form'
    return nameOf(element, page) === '' ? undefined : named
  }
  return OF_TAGS[tagName]
}

const nameOf = (element: Element, page: Page): string => nameByAria(element, page) || titleOf(element)

const landmarksOf = (page: Page, role: string): readonly Element[] =>
  page.elements.filter((element) => landmarkOf(element, page) === role && !page.isSilent(element))

const oneMain: Rule = {
  ...{ id: 'landmark-one-main', group, category: '' },
  find: (page) => {
    if (landmarksOf(page, 'main').length > 0) return []
    const candidate = mainCandidate(page)
    const message = 'The page has no main part.'
    return [
      {
        element: page.root,
        message,
        ...(candidate ? { proposal: attribute(oneMain, pathOf(candidate, page), 'role', 'main') } : {}),
      },
    ]
  },
}

/** The child of the body with the most text that is no landmark. */
function mainCandidate(page: Page): Element | undefined {
  const body = childrenOf(page.root).find(({ tagName }) => tagName === 'body')
  const children = body
    ? childrenOf(body).filter((one) => landmarkOf(one, page) === undefined && !page.isHidden(one))
    : []
  return children.toSorted((a, b) => amountOf(b) - amountOf(a))[0]
}

const amountOf = (element: Element): number =>
  ownText(element).length + childrenOf(element).reduce((sum, one) => sum + amountOf(one), 0)

const onlyOne = (id: string, role: string, what: string): Rule => {
  const rule: Rule = {
    ...{ id, group, category: '' },
    find: (page) => {
      const top = landmarksOf(page, role).filter((one) => role === 'main' || !isInSection(one))
      // The first one stands for all of them.
      return top.length < 2
        ? []
        : top.slice(0, 1).map(
            (element): Found => ({
              element,
              message: `The page has more than one ${what}.`,
              proposal: attribute(rule, pathOf(top[1] as Element, page), 'role', 'presentation'),
            }),
          )
    },
  }
  return rule
}

const unique: Rule = {
  ...{ id: 'landmark-unique', group, category: '' },
  find: (page) => {
    const all = page.elements.flatMap((element) => {
      const role = page.isSilent(element) ? undefined : landmarkOf(element, page)
      return role === undefined ? [] : [{ element, key: `${role} ${nameOf(element, page).toLowerCase()}` }]
    })
    const groups = Map.groupBy(all, ({ key }) => key)
    return [...groups.values()]
      .filter((same) => same.length > 1)
      .map((same) => {
        const { element, key } = same[0] as (typeof same)[number]
        const other = (same[1] as (typeof same)[number]).element
        const [role = ''] = key.split(' ')
        const message = `Several landmarks are of the kind ${role} and have the same name.`
        return { element, message, proposal: attribute(unique, pathOf(other, page), 'aria-label', `${role} 2`) }
      })
  },
}

export const landmarkRules: readonly Rule[] = [
  oneMain,
  onlyOne('landmark-no-duplicate-main', 'main', 'main part'),
  onlyOne('landmark-no-duplicate-banner', 'banner', 'header'),
  onlyOne('landmark-no-duplicate-contentinfo', 'contentinfo', 'footer'),
  unique,
]
