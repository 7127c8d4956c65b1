/** Declares what a rule is, and the changes that it proposes. */

import { attributeOf, type Element, xpathOf } from '../page/dom.ts'
import type { Page } from '../page/page.ts'

/** A change in the form that `a11y/v1` stores. */
export interface Proposal {
  readonly type: 'ATTRIBUTE' | 'ELEMENT' | 'STYLES'
  readonly category: string
  readonly xpath: string
  readonly [member: string]: string
}

export interface Found {
  readonly element: Element
  readonly message: string
  readonly proposal?: Proposal
}

export interface Rule {
  /** The name that axe-core uses for it. */
  readonly id: string
  /** The group of `a11y/v1`. */
  readonly group: string
  /** The level of WCAG 2; empty for advice beyond it. */
  readonly category: '' | 'A' | 'AA'
  readonly find: (page: Page) => readonly Found[]
}

/** The attributes that tell an element from all others wherever it is. */
const LASTING = ['id', 'src', 'href', 'name'] as const

/** Returns an XPath that names no place where one of the attributes is enough, so that it survives changes of the page. */
export function pathOf(element: Element, page: Page): string {
  for (const name of LASTING) {
    const value = attributeOf(element, name)
    if (value === undefined || value === '' || value.includes('"') || value.length > 500) continue
    const same = page.elements.filter((one) => one.tagName === element.tagName && attributeOf(one, name) === value)
    if (same.length === 1 && !element.tagName.includes(':')) return `//${element.tagName}[@${name}="${value}"]`
  }
  return xpathOf(element)
}

export const attribute = (
  { category }: Pick<Rule, 'category'>,
  xpath: string,
  name: string,
  value: string | undefined,
): Proposal => ({
  type: 'ATTRIBUTE',
  category,
  xpath,
  action: value === undefined ? 'remove' : 'add',
  attribute_name: name,
  ...(value === undefined ? {} : { attribute_value: value }),
})

/** Makes words of a file's name or an address: `harbour-at_dusk-300x200.jpg` is `Harbour at dusk`. */
export function wordsOfAddress(address: string): string {
  const path = address.replace(/[?#].*$/s, '').replace(/\/+$/, '')
  const last = path.slice(path.lastIndexOf('/') + 1).replace(/\.\w{2,5}$/, '')
  const words = decoded(last)
    .replace(/-\d+x\d+$|-scaled$/i, '')
    .replace(/[-_+.\s]+/g, ' ')
    .trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
