/**
 * Typography: plain signs become typographic ones. Works on the text between tags; tags, comments, code and the tags of known
 * shortcodes leave as typed, except for a lone `&` in a tag. Written from the recordings.
 */
import { type Token, tokenize } from '../../html/tokens.ts'
import { readShortcodeTag, type TokenizedText } from './shortcodes/tags.ts'
import { escapeAmpersands } from './typography/references.ts'
import { VERBATIM_ELEMENTS, type Work } from './typography/signs.ts'
import { typesetText } from './typography/typeset-text.ts'

/** One pass over the tokens; the cost is linear in the length of the text. */
export function typeset(text: string, work: Work = { steps: 0 }): string {
  const source: TokenizedText = { text, tokens: tokenize(text), work }
  const parts: string[] = []
  const verbatim: string[] = []
  let end = 0
  for (const token of source.tokens) {
    work.steps += 1
    // A shortcode's attributes may hold what looks like a tag.
    if (token.end <= end) continue
    const start = Math.max(token.start, end)
    if (token.kind === 'text' && verbatim.length === 0) {
      end = typesetToken(source, start, token.end, parts)
    } else {
      parts.push(sourceOf(source, start, token, verbatim.length > 0))
      followVerbatim(token, verbatim)
    }
  }
  return parts.join('')
}

function sourceOf({ text, work }: TokenizedText, start: number, token: Token, isVerbatim: boolean): string {
  const source = text.slice(start, token.end)
  return token.kind === 'open' && !isVerbatim ? escapeAmpersands(source, work) : source
}

/** Interface: an element of the list that is never closed keeps all text behind it as typed. */
function followVerbatim(token: Token, open: string[]): void {
  if (token.kind === 'open' && VERBATIM_ELEMENTS.has(token.name)) open.push(token.name)
  else if (token.kind === 'close' && open.at(-1) === token.name) open.pop()
}

/** Sets the text between the shortcodes of a token. Gives the offset behind it; a shortcode may reach into further tokens. */
function typesetToken(source: TokenizedText, start: number, end: number, parts: string[]): number {
  const { text, work } = source
  const content = text.slice(start, end)
  let set = start
  for (let open = content.indexOf('['); open !== -1; open = content.indexOf('[', open + 1)) {
    const at = start + open
    const tag = at < set ? undefined : readShortcodeTag(source, at)
    if (tag === undefined) continue
    parts.push(typesetText(text.slice(set, at), work), text.slice(at, tag.end))
    set = tag.end
  }
  if (set < end) parts.push(typesetText(text.slice(set, end), work))
  return Math.max(set, end)
}
