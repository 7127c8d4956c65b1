/** Texts of editors as articles have them: typographic signs and shortcodes, without automatic paragraphs. */
import { typeset } from '../../../text/typography.ts'
import { trusted } from '../../html/markup.ts'
import type { Child } from '../../html/nodes.ts'
import { serialize } from '../../html/serialize.ts'
import { applyShortcodes } from '../../shortcodes/apply.ts'
import type { WidgetContext } from '../context.ts'

/**
 * The text has been filtered as a whole: a shortcode may stand between a tag and its end. What the shortcodes answer is written
 * by the engine or by the host.
 */
export function articleText(safe: Child, { pass, scope }: WidgetContext): Child {
  const write = (html: string): Child => trusted(withSigns(typeset(html)))
  return applyShortcodes(serialize(safe), { pass, scope, write })
}

/** The typographic signs themselves in place of their references: General Punctuation, which has no character of markup. */
const withSigns = (html: string): string =>
  html.replace(/&#(8[2-9]\d\d);/g, (_, code: string) => String.fromCodePoint(Number(code)))
