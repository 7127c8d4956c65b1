/** Parses the text of a search box into terms. Terms are folded and literal; the storage finds them. */

import { fold } from '../contract/text-fold.ts'
import { stripMarkup } from '../html/strip-tags.ts'

export interface Search {
  /** All of them must occur. */
  readonly every: readonly string[]
  /** None of them may occur. The empty text occurs everywhere. */
  readonly none: readonly string[]
  /** The whole text, for ranking. Empty when a term is excluded: then only single terms rank. */
  readonly phrase: string
  /** The search is a single word or quoted phrase: only its position in the title ranks. */
  readonly isSingle: boolean
}

/** Frequent words that are ignored unless no other term is left. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  'about an are as at be by com for from how in is it of on or that the this to was what when where who will with www'.split(
    ' ',
  ),
)
const TERM = /"[^"]*(?:"|$)|(?:(?<=[\t ",+])|^)[^\t ",+]+/g
const MAX_TERMS = 9

/**
 * Blanks, commas and plus signs separate words; quotes delimit a phrase; a leading hyphen excludes. With only frequent
 * words and single letters, or with ten or more terms, the whole text is one term. Undefined when no term is left.
 */
export function parseSearch(text: string): Search | undefined {
  const line = lineOf(text)
  if (line === '') return undefined
  const given = line.match(TERM) ?? []
  const terms = given.map(bare).filter(isTelling)
  const every: string[] = []
  const none: string[] = []
  for (const term of terms.length === 0 || terms.length > MAX_TERMS ? [line] : terms) {
    if (term.startsWith('-')) none.push(fold(term.slice(1)))
    else every.push(fold(term))
  }
  return { every, none, phrase: /(?:\s|^)-/.test(line) ? '' : fold(line), isSingle: given.length <= 1 }
}

/** Interface: markup and line breaks are not part of a search. */
function lineOf(text: string): string {
  let line = text
  if (line.includes('<')) line = stripMarkup(withoutOpenedOnly(line))
  return line.replace(/[\r\n\t ]+/g, ' ').trim()
}

/** A `<` without a `>` before the next `<` starts no tag; it becomes a reference. Each of the two signs is searched once. */
function withoutOpenedOnly(text: string): string {
  let written = ''
  let copied = 0
  let close = -1
  for (let open = indexOrEnd(text, '<', 0); open < text.length; ) {
    const next = indexOrEnd(text, '<', open + 1)
    if (close < open) close = indexOrEnd(text, '>', open)
    if (close > next || close === text.length) {
      written += `${text.slice(copied, open)}&lt;`
      copied = open + 1
    }
    open = next
  }
  return written + text.slice(copied)
}

function indexOrEnd(text: string, sign: string, from: number): number {
  const found = text.indexOf(sign, from)
  return found === -1 ? text.length : found
}

/** A quoted phrase keeps blanks at its ends, so that it matches whole words. */
function bare(term: string): string {
  const isQuoted = term.length > 2 && term.startsWith('"') && term.endsWith('"')
  return trimmed(term, isQuoted ? '"\'' : '"\' ')
}

function trimmed(text: string, signs: string): string {
  let start = 0
  let end = text.length
  while (start < end && signs.includes(text[start] as string)) start++
  while (end > start && signs.includes(text[end - 1] as string)) end--
  return text.slice(start, end)
}

/** Interface: a lone 0 is not a term. */
function isTelling(term: string): boolean {
  return term !== '' && term !== '0' && !/^[a-z-]$/i.test(term) && !STOP_WORDS.has(term.toLowerCase())
}
