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
  const verbatim: string[] = []
  let out = ''
  let end = 0
  for (const token of source.tokens) {
    work.steps += 1
    // A shortcode's attributes may hold what looks like a tag.
    if (token.end <= end) continue
    const start = Math.max(token.start, end)
    if (token.kind === 'text' && verbatim.length === 0) {
      const set = typesetToken(source, start, token.end)
      out += set.html
      end = set.end
    } else {
      out += sourceOf(source, start, token, verbatim.length > 0)
      followVerbatim(token, verbatim)
    }
  }
  return out
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

interface SetText {
  readonly html: string
  /** The offset behind it; a shortcode may reach into further tokens. */
  readonly end: number
}

/** Sets the text between the shortcodes of a token. */
function typesetToken(source: TokenizedText, start: number, end: number): SetText {
  const { text, work } = source
  const content = text.slice(start, end)
  let open = content.indexOf('[')
  if (open === -1) return { html: typesetText(content, work), end }
  let html = ''
  let set = start
  for (; open !== -1; open = content.indexOf('[', open + 1)) {
    const at = start + open
    const tag = at < set ? undefined : readShortcodeTag(source, at)
    if (tag === undefined) continue
    html += typesetText(text.slice(set, at), work) + text.slice(at, tag.end)
    set = tag.end
  }
  return set < end ? { html: html + typesetText(text.slice(set, end), work), end } : { html, end: set }
}
