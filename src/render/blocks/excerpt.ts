/** Makes an excerpt for a post without a written one: the first words of its content, without markup. */
import { tokenize } from '../../html/tokenize.ts'
import type { Comment, OpenTag, Token } from '../../html/tokens.ts'
import { BLOCK_ELEMENTS } from '../text/paragraphs/elements.ts'
import { builtInShortcode, type ShortcodeNames } from '../text/shortcodes/names.ts'
import { stripShortcodes } from '../text/shortcodes.ts'
import { hasBlocks } from './blocks.ts'
import { countedTokens } from './excerpt-blocks.ts'

const DEFAULT_WORDS = 55
const MORE = ' [&hellip;]'

/**
 * Returns HTML on one line, not typeset yet. Blanks separate words; a non-breaking blank does not. The cost is linear in the
 * content.
 */
export function makeExcerpt(
  content: string,
  limit: number = DEFAULT_WORDS,
  isShortcode: ShortcodeNames = builtInShortcode,
): string {
  const words = wordsOf(textOf(shownPart(content, isShortcode), limit))
  if (words.length <= limit) return words.join(' ')
  return `${words.slice(0, Math.max(0, limit)).join(' ')}${MORE}`
}

const wordsOf = (text: string): string[] => text.split(/[\t-\r ]+/).filter((word) => word !== '')

// ---------------------------------------------------------------- what is shown

interface Source {
  readonly html: string
  readonly tokens: readonly Token[]
}

/** Returns the part before the first break, without known shortcodes and without blocks that excerpts leave out. */
function shownPart(written: string, isShortcode: ShortcodeNames): Source {
  const { content, tokens: whole } = behindLeadingBreaks(written)
  const end = whole.findIndex((token) => token.kind === 'comment' && isBreak(token))
  const first = end === -1 ? whole : whole.slice(0, end)
  const html = end === -1 ? content : content.slice(0, whole[end]?.start)
  const stripped = html.includes('[') ? stripShortcodes(html, isShortcode) : html
  const tokens = stripped === html ? first : tokenize(stripped)
  return { html: stripped, tokens: hasBlocks(stripped) ? countedTokens(tokens) : tokens }
}

/** Interface: the first page begins behind a `<!--nextpage-->` that has nothing before it. */
function behindLeadingBreaks(content: string): { readonly content: string; readonly tokens: readonly Token[] } {
  const tokens = tokenize(content)
  const isLeading = (token: Token) =>
    token.kind === 'text'
      ? content.slice(token.start, token.end).trim() === ''
      : token.kind === 'comment' && (token.text === 'nextpage' || !isBreak(token))
  const shown = tokens.findIndex((token) => !isLeading(token))
  const last = tokens.slice(0, shown === -1 ? undefined : shown).findLast(isPageBreak)
  if (last === undefined) return { content, tokens }
  const rest = content.slice(last.end)
  return { content: rest, tokens: tokenize(rest) }
}

const isPageBreak = (token: Token) => token.kind === 'comment' && token.text === 'nextpage'

/** Matches `<!--more-->`, optionally with a text for the link, and `<!--nextpage-->`. */
const isBreak = ({ text }: Comment) => text === 'nextpage' || text === 'more' || /^more[\t-\r ]/.test(text)

// ---------------------------------------------------------------- its text

/**
 * Tags of these elements separate words, because the elements begin a line. In the paragraph rule `p` and `figcaption` are
 * separate cases.
 */
const PARTING: ReadonlySet<string> = new Set([...BLOCK_ELEMENTS, 'figcaption', 'p'])
const UNSEEN: ReadonlySet<string> = new Set(['script', 'style'])

/** The characters of text that are extracted before words are counted the first time. Most excerpts are shorter. */
const FIRST_COUNT = 1024

/** Returns the text of the tokens, or its beginning with more words than the limit. */
function textOf({ html, tokens }: Source, limit: number): string {
  let text = ''
  let countAt = FIRST_COUNT
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index] as Token
    if (text.length >= countAt) {
      if (wordsOf(text).length > limit) break
      countAt = text.length * 2
    }
    if (token.kind === 'open' && isFootnoteMark(tokens, index)) index += FOOTNOTE_MARK_TOKENS - 1
    else text += beginningOf(html, token, tokens[index - 1], limit)
  }
  return text
}

const LONG_TOKEN = 64 * 1024

/** Returns the text of a token; of a long one a beginning, if that has more words than the limit. The last of them may be a part. */
function beginningOf(html: string, token: Token, before: Token | undefined, limit: number): string {
  if (token.kind === 'text' && token.end - token.start > LONG_TOKEN) {
    const text = textOfToken(html, { ...token, end: token.start + LONG_TOKEN }, before)
    if (wordsOf(text).length > limit + 1) return text
  }
  return textOfToken(html, token, before)
}

function textOfToken(html: string, token: Token, before: Token | undefined): string {
  if (token.kind === 'text') return isUnseen(before) ? '' : safeText(html, token)
  return (token.kind === 'open' || token.kind === 'close') && PARTING.has(token.lowerName) ? ' ' : ''
}

const isUnseen = (before: Token | undefined) => before?.kind === 'open' && UNSEEN.has(before.lowerName)

/** Writes a `<` as a reference where it could begin markup once tags are removed. */
const safeText = (html: string, { start, end }: Token) => html.slice(start, end).replace(/<(?=[a-z/!?]|$)/gi, '&lt;')

// ---------------------------------------------------------------- footnote marks

/** The mark consists of `<sup>`, `<a>`, the number, `</a>`, `</sup>`. */
const FOOTNOTE_MARK_TOKENS = 5

/**
 * Detects the footnote mark that editors write. Interface: with its attributes in another order it is not recognised, and its
 * number stays.
 */
function isFootnoteMark(tokens: readonly Token[], index: number): boolean {
  const [sup, link, number, linkEnd, supEnd] = tokens.slice(index, index + FOOTNOTE_MARK_TOKENS)
  return (
    isTag(sup, 'sup', ['data-fn', 'class']) &&
    sup.attributes[1]?.value === 'fn' &&
    isTag(link, 'a', ['href', 'id']) &&
    number?.kind === 'text' &&
    linkEnd?.kind === 'close' &&
    linkEnd.lowerName === 'a' &&
    supEnd?.kind === 'close' &&
    supEnd.lowerName === 'sup'
  )
}

const isTag = (token: Token | undefined, name: string, attributes: readonly string[]): token is OpenTag =>
  token?.kind === 'open' &&
  token.lowerName === name &&
  token.attributes.length === attributes.length &&
  token.attributes.every((attribute, at) => attribute.name === attributes[at])
