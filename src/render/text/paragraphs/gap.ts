/**
 * Handles the gap between two pieces of a paragraph: blanks, line ends and written breaks. The builder stores it until the next
 * piece is known.
 */

const BREAK = '<br />'
const LINE_BREAK = `${BREAK}\n`

/** Runs of blanks, `\n` and breaks, in source order. */
export type Gap = string[]

export const hasBreak = (gap: Gap): boolean => gap.includes(BREAK)

export const hasLineEnd = (gap: Gap): boolean => gap.includes('\n')

export const addBlanks = (gap: Gap, blanks: string): void => {
  if (blanks !== '') gap.push(blanks)
}

/** Adds a break. Returns true, without adding it, for a second break: two breaks end a paragraph. */
export function addBreak(gap: Gap): boolean {
  if (hasBreak(gap)) return true
  gap.push(BREAK)
  return false
}

/** Adds a line end. Returns true, without adding it, for a second line end: a blank line ends a paragraph. */
export function addLineEnd(gap: Gap): boolean {
  const last = isBlanks(gap.at(-1)) ? gap.at(-2) : gap.at(-1)
  if (last === '\n') return true
  gap.push('\n')
  return false
}

const isBlanks = (piece: string | undefined): boolean => piece !== undefined && piece !== '\n' && piece !== BREAK

/** Returns the gap as written, without blanks before a line end. */
const pieces = (gap: Gap): Gap => (gap.length < 2 ? gap : withoutEndsOfLines(gap))

const withoutEndsOfLines = (gap: Gap): Gap =>
  gap.filter((piece, index) => !(isBlanks(piece) && gap[index + 1] === '\n'))

export const asWritten = (gap: Gap): string => pieces(gap).join('')

/** Writes the gap within a line of text: a line end becomes a break, unless a break precedes it. */
export function withinText(gap: Gap): string {
  if (gap.length === 1 && gap[0] === '\n') return LINE_BREAK
  const kept = pieces(gap)
  return kept.map((piece, index) => (piece === '\n' && kept[index - 1] !== BREAK ? LINE_BREAK : piece)).join('')
}

/** Removes line ends and breaks at the start of a paragraph that the rule adds. */
export const atStart = (gap: Gap): string => pieces(gap).filter(isBlanks).join('')

/** Removes line ends, breaks and the blanks beside them at the end of a paragraph. */
export const atEnd = (gap: Gap): string => (hasBreak(gap) || hasLineEnd(gap) ? '' : gap.join(''))

/** Keeps the blanks of the last line before a blank line. */
export const beforeBlankLine = (gap: Gap): string => (isBlanks(gap[0]) ? (gap[0] as string) : '')

/** Removes blanks after the last line end before a tag that begins a line. */
export const beforeTag = (gap: Gap): Gap => (hasLineEnd(gap) && isBlanks(gap.at(-1)) ? gap.slice(0, -1) : gap)
