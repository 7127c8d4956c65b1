/** Writes HTML with a template that escapes texts; each trusted piece of markup states why it is safe. */

import { html, type Markup } from '../../pages/html.ts'
import { balanced } from '../../render/builder/html/balance.ts'
import { filterContent } from '../../render/filter/filter.ts'

export { html, type Markup }

export const nothing: Markup = { markup: '' }

/** Marks HTML that this package or the host wrote. */
export const trusted = (markup: string): Markup => ({ markup })

/** Filters HTML of an author without the right to unfiltered HTML, and balances it. */
export const filtered = (text: string): Markup => ({ markup: balanced(filterContent(text)) })

/** Balances HTML of an author with that right. */
export const unfiltered = (text: string): Markup => ({ markup: balanced(text) })

export const join = (parts: readonly Markup[], between = ''): Markup => ({
  markup: parts.map(({ markup }) => markup).join(between),
})
