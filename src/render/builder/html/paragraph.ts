/** Texts of users in a paragraph. */
import { type Attributes, type Child, filled, type HtmlElement, Markup } from './nodes.ts'

const BLOCK =
  /<(?:address|article|aside|blockquote|details|dialog|div|dl|fieldset|figure|footer|form|h[1-6]|header|hgroup|hr|main|menu|nav|ol|p|pre|search|section|table|ul)\b/i

/** Writes a `p`, or a `div` for a text with block elements, which a paragraph cannot contain. An empty text writes nothing. */
export const paragraph = (attributes: Attributes, text: Child): HtmlElement | undefined =>
  filled(text instanceof Markup && BLOCK.test(text.html) ? 'div' : 'p', attributes, text)
