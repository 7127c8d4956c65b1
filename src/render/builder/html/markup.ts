/** The only place that creates `Markup`: each function says why its HTML may be written as it is. */
import { filterContent } from '../../filter/filter.ts'
import { type Child, Markup } from './nodes.ts'

/** Neither a tag, a reference nor a comment: the filter would not change it. */
const PLAIN = /^[^<>&\0-\x08\x0b\x0c\x0e-\x1f]*$/

/** A text of users: the site's allow list for post content, whoever wrote it. */
export const filtered = (text: string): Child => (PLAIN.test(text) ? text : new Markup(filterContent(text)))

/** What a service of the host answered, and texts of authors who may write unfiltered HTML. */
export const trusted = (html: string): Markup => new Markup(html)
