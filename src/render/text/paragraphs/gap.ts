/** What lies between two pieces of a paragraph: blanks, line ends and written breaks. It is kept until what follows is known. */

const BREAK = '<br />'
const LINE_BREAK = `${BREAK}\n`

/** Runs of blanks, `\n` and breaks, in source order. */
export type Gap = string[]

export const hasBreak = (gap: Gap): boolean => gap.includes(BREAK)

export const hasLineEnd = (gap: Gap): boolean => gap.includes('\n')

export const addBlanks = (gap: Gap, blanks: string): void => {
  if (blanks !== '') gap.push(blanks)
}

/** Two written breaks end a paragraph; then the answer is true and the gap is as before. */
export function addBreak(gap: Gap): boolean {
  if (hasBreak(gap)) return true
  gap.push(BREAK)
  return false
}

/** Two line ends are a blank line, which ends a paragraph; then the answer is true and the gap is as before. */
export function addLineEnd(gap: Gap): boolean {
  const last = isBlanks(gap.at(-1)) ? gap.at(-2) : gap.at(-1)
  if (last === '\n') return true
  gap.push('\n')
  return false
}

const isBlanks = (piece: string | undefined): boolean => piece !== undefined && piece !== '\n' && piece !== BREAK

/** The gap as written, but blanks in front of a line end go. */
const pieces = (gap: Gap): Gap => (gap.length < 2 ? gap : withoutEndsOfLines(gap))

const withoutEndsOfLines = (gap: Gap): Gap =>
  gap.filter((piece, index) => !(isBlanks(piece) && gap[index + 1] === '\n'))

export const asWritten = (gap: Gap): string => pieces(gap).join('')

/** The gap within a line of text: a line end becomes a break, unless one is written right before it. */
export function withinText(gap: Gap): string {
  if (gap.length === 1 && gap[0] === '\n') return LINE_BREAK
  const kept = pieces(gap)
  return kept.map((piece, index) => (piece === '\n' && kept[index - 1] !== BREAK ? LINE_BREAK : piece)).join('')
}

/** At the start of a paragraph that the rule makes, line ends and breaks go. */
export const atStart = (gap: Gap): string => pieces(gap).filter(isBlanks).join('')

/** At the end of a paragraph, line ends and breaks go, and the blanks beside them. */
export const atEnd = (gap: Gap): string => (hasBreak(gap) || hasLineEnd(gap) ? '' : gap.join(''))

/** In front of a blank line, the blanks of the last line stay. */
export const beforeBlankLine = (gap: Gap): string => (isBlanks(gap[0]) ? (gap[0] as string) : '')

/** In front of a tag on a line of its own, blanks behind the last line end go. */
export const beforeTag = (gap: Gap): Gap => (hasLineEnd(gap) && isBlanks(gap.at(-1)) ? gap.slice(0, -1) : gap)
