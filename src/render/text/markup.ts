/**
 * Telling markup from text, as the rules of this folder need it: tags and comments on one side, text on the other. Every
 * step is linear in the length of the text, whatever it holds.
 */

/** Blanks as the rules know them; JavaScript's `\s` would take no-break spaces too. */
export const BLANKS = '[\\t-\\r ]'

export function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13)
}

/** Where the markup that starts at `open` ends. A comment ends at its mark, a tag at the next `>`; both may be unfinished. */
export function endOfMarkup(text: string, open: number): number {
  const mark = text.startsWith('<!--', open) ? '-->' : '>'
  // The end of a comment may share its dashes with the start: `<!-->`.
  const end = text.indexOf(mark, mark === '>' ? open + 1 : open + 2)
  return end === -1 ? text.length : end + mark.length
}

/** The text with each stretch of plain text and each piece of markup passed through a function of its own. */
export function mapMarkup(
  text: string,
  onText: (text: string) => string,
  onMarkup: (markup: string) => string,
): string {
  let result = ''
  // Up to here the text is in the result; pieces that stay as they are wait and are copied together.
  let done = 0
  let at = 0
  while (at < text.length) {
    const found = text.indexOf('<', at)
    const isMarkup = found === at
    const end = isMarkup ? endOfMarkup(text, at) : found === -1 ? text.length : found
    const piece = text.slice(at, end)
    const mapped = isMarkup ? onMarkup(piece) : onText(piece)
    if (mapped !== piece) {
      result += text.slice(done, at) + mapped
      done = end
    }
    at = end
  }
  return done === 0 ? text : result + text.slice(done)
}
