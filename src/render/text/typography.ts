/**
 * Typography converts plain signs to typographic ones in the text between tags. Tags, comments, code and the tags of known
 * shortcodes stay as typed, except for a lone `&` in a tag. Written from the recordings.
 */
import { tokenize } from '../../html/tokenize.ts'
import type { Token } from '../../html/tokens.ts'
import { builtInShortcode, type ShortcodeNames } from './shortcodes/names.ts'
import { readShortcodeTag, type TokenizedText } from './shortcodes/tags.ts'
import { escapeAmpersands } from './typography/references.ts'
import { VERBATIM_ELEMENTS, type Work } from './typography/signs.ts'
import { typesetText } from './typography/typeset-text.ts'

/** Reads the tokens once; the cost is linear in the length of the text. */
export function typeset(
  text: string,
  work: Work = { steps: 0 },
  isShortcode: ShortcodeNames = builtInShortcode,
): string {
  if (!text.includes('<') && !text.includes('[')) return typesetText(text, 0, text.length, work) ?? text
  const copy: Copy = { text, tokens: tokenize(text), work, isShortcode, out: '', copied: 0, end: 0 }
  const verbatim: string[] = []
  for (const token of copy.tokens) {
    work.steps += 1
    // Attributes of a shortcode may contain text that looks like a tag.
    if (token.end <= copy.end) continue
    const start = Math.max(token.start, copy.end)
    if (token.kind === 'text' && verbatim.length === 0) {
      typesetToken(copy, start, token.end)
    } else {
      if (token.kind === 'open' && verbatim.length === 0) escapeInTag(copy, start, token.end)
      followVerbatim(token, verbatim)
    }
  }
  return copy.copied === 0 ? text : copy.out + text.slice(copy.copied)
}

/** A text and its copy, which receives the text between two changes in one piece. */
interface Copy extends TokenizedText {
  out: string
  /** The offset up to which the text is copied. */
  copied: number
  /** The offset at which the next token begins: after the last one, or after a shortcode that spans several. */
  end: number
}

function replace(copy: Copy, start: number, end: number, html: string): void {
  copy.out += copy.text.slice(copy.copied, start) + html
  copy.copied = end
}

function escapeInTag(copy: Copy, start: number, end: number): void {
  const source = copy.text.slice(start, end)
  const escaped = escapeAmpersands(source, copy.work)
  if (escaped !== source) replace(copy, start, end, escaped)
}

/** Interface: an element of the list that is never closed keeps all text after it as typed. */
function followVerbatim(token: Token, open: string[]): void {
  if (token.kind === 'open' && VERBATIM_ELEMENTS.has(token.name)) open.push(token.name)
  else if (token.kind === 'close' && open.length > 0 && open.at(-1) === token.name) open.pop()
}

/** Sets the text between the shortcodes of a token. */
function typesetToken(copy: Copy, start: number, end: number): void {
  const content = copy.text.slice(start, end)
  let set = start
  for (let open = content.indexOf('['); open !== -1; open = content.indexOf('[', open + 1)) {
    const at = start + open
    const tag = at < set ? undefined : readShortcodeTag(copy, at)
    if (tag === undefined) continue
    typesetPart(copy, set, at)
    set = tag.end
  }
  if (set < end) typesetPart(copy, set, end)
  copy.end = Math.max(set, end)
}

function typesetPart(copy: Copy, start: number, end: number): void {
  const html = typesetText(copy.text, start, end, copy.work)
  if (html !== undefined) replace(copy, start, end, html)
}
