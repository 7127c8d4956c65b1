/** Writes the HTML of the theme. The template escapes texts; a comment says why trusted markup is safe. */

import { html, type Markup } from '../../pages/html.ts'
import { balanced } from '../../render/builder/html/balance.ts'
import { filterContent } from '../../render/filter/filter.ts'

export { html, type Markup }

export const nothing: Markup = { markup: '' }

/** HTML that this package or the host made. */
export const trusted = (markup: string): Markup => ({ markup })

/** HTML of an author without the right to unfiltered HTML. It ends inside the element it is written in. */
export const filtered = (text: string): Markup => ({ markup: balanced(filterContent(text)) })

/** HTML of an author with that right. */
export const unfiltered = (text: string): Markup => ({ markup: balanced(text) })

export const join = (parts: readonly Markup[], between = ''): Markup => ({
  markup: parts.map(({ markup }) => markup).join(between),
})
