/** Texts of editors as articles have them: typographic signs and shortcodes, without automatic paragraphs. */
import { renderShortcodes } from '../../../text/shortcodes.ts'
import { typeset } from '../../../text/typography.ts'
import type { WidgetContext } from '../context.ts'

export const articleText = (html: string, { scope }: WidgetContext): string =>
  html === '' ? '' : withSigns(renderShortcodes(typeset(html), { id: scope.post }))

/** The typographic signs themselves in place of their references: General Punctuation, which has no character of markup. */
const withSigns = (html: string): string =>
  html.replace(/&#(8[2-9]\d\d);/g, (_, code: string) => String.fromCodePoint(Number(code)))
