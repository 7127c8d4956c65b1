/** Writes texts of editors like articles: with typographic signs and shortcodes, without automatic paragraphs. */
import { typeset } from '../../../text/typography.ts'
import { trusted } from '../../html/markup.ts'
import type { Child } from '../../html/nodes.ts'
import { serialize } from '../../html/serialize.ts'
import { applyShortcodes } from '../../shortcodes/apply.ts'
import type { WidgetContext } from '../context.ts'

/**
 * The whole text has been filtered, because a shortcode may be between a start tag and its end tag. The HTML of shortcodes
 * comes from the engine or the host, so it is not filtered.
 */
export function articleText(safe: Child, { pass, scope }: WidgetContext): Child {
  const write = (html: string): Child => trusted(withSigns(typeset(html)))
  return applyShortcodes(serialize(safe), { pass, scope, write })
}

/** Replaces references by the typographic signs themselves: General Punctuation contains no character of markup. */
const withSigns = (html: string): string =>
  html.replace(/&#(8[2-9]\d\d);/g, (_, code: string) => String.fromCodePoint(Number(code)))
