/**
 * What a visitor types into a search box, taken apart into terms. Terms are folded and literal; finding them is the
 * storage's work.
 */

import { stripMarkup } from './strip-tags.ts'
import { fold } from './text-fold.ts'

export interface Search {
  /** Each must occur. */
  readonly every: readonly string[]
  /** None may occur. The empty text occurs everywhere. */
  readonly none: readonly string[]
  /** The whole of it, for ranking. Empty when a term is excluded: then only single terms rank. */
  readonly phrase: string
  /** One word or one quoted phrase was given: only its place in the title ranks. */
  readonly isSingle: boolean
}

/** Words too frequent to look for, unless nothing else is left. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  'about an are as at be by com for from how in is it of on or that the this to was what when where who will with www'.split(
    ' ',
  ),
)
const TERM = /"[^"]*(?:"|$)|(?:(?<=[\t ",+])|^)[^\t ",+]+/g
const MAX_TERMS = 9
const OPENED_ONLY = /<(?=[^>]*(?:<|$))/g

/**
 * Words are separated by blanks, commas and plus signs; quotes keep a phrase together; a leading hyphen excludes. With
 * nothing but frequent words and single letters, or with ten terms and more, the whole text is one term. Undefined when the
 * text says nothing.
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

/** Interface: markup and line breaks are no part of what is searched for. */
function lineOf(text: string): string {
  let line = text
  if (line.includes('<')) line = stripMarkup(line.replace(OPENED_ONLY, '&lt;'))
  return line.replace(/[\r\n\t ]+/g, ' ').trim()
}

/** A quoted phrase keeps the blanks at its ends; they make it match whole words. */
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

/** Interface: a lone 0 counts as nothing. */
function isTelling(term: string): boolean {
  return term !== '' && term !== '0' && !/^[a-z-]$/i.test(term) && !STOP_WORDS.has(term.toLowerCase())
}
