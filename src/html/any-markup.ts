/** The tokens of any HTML, from htmlparser2's tokenizer. */
import { QuoteType, Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import type { Attribute, Token } from './tokens.ts'

interface AnyMarkupOptions {
  /** The offset at which a token begins. */
  readonly from: number
  readonly rawText: boolean
}

/** Runs the tokenizer of htmlparser2 once. */
export function readAnyMarkup(html: string, list: Token[], { from, rawText }: AnyMarkupOptions): void {
  const tokens = tokenList(html, list, from)
  const tokenizer = new Tokenizer({ decodeEntities: false }, callbacksFor(html, tokens, { from, rawText }))
  tokenizer.write(from === 0 ? html : html.slice(from))
  tokenizer.end()
  tokens.finish()
}

interface TokenList {
  /** The offset at which the next token begins. */
  nextStart(): number
  add(token: Token): void
  addText(end: number): void
  fillTo(start: number): void
  finish(): void
}

/** Keeps the tokens without gaps: what no callback reported is added when the next token begins. */
function tokenList(html: string, list: Token[], from: number): TokenList {
  let next = from

  function add(token: Token): void {
    list.push(token)
    next = token.end
  }
  /** Text arrives in pieces, one for each `<` in it; neighbours become one token. */
  function addText(end: number): void {
    if (end <= next) return
    const last = list.at(-1)
    if (last?.kind === 'text') list.pop()
    add({ kind: 'text', start: last?.kind === 'text' ? last.start : next, end })
  }
  /** `</>` is the only markup that the tokenizer skips without a callback. */
  function fillTo(start: number): void {
    if (start > next) add({ kind: 'other', start: next, end: start })
  }
  /** The rest at the end is a tag or a declaration that never ends. */
  function finish(): void {
    while (html.startsWith('</>', next)) fillTo(next + 3)
    if (html.startsWith('<!', next)) fillTo(html.length)
    else addText(html.length)
  }
  return { nextStart: () => next, add, addText, fillTo, finish }
}

/** The tokenizer counts from where it begins, the tokens from the start of the source. */
function callbacksFor(html: string, tokens: TokenList, { from, rawText }: AnyMarkupOptions): TokenizerCallbacks {
  let name = ''
  let attributes: Attribute[] = []
  let attribute = { name: '', start: 0 }
  let value = { start: 0, end: 0 }

  const endOpenTag = (endIndex: number, isSelfClosing: boolean) => {
    const span = { start: tokens.nextStart(), end: from + endIndex + 1 }
    tokens.add({ kind: 'open', ...span, name, lowerName: lowerCase(name), isSelfClosing, attributes })
  }
  /** The tokenizer reports the index of the final `>`, or the length of an unfinished source. */
  const endMarkup = (endIndex: number, text?: string) => {
    const span = { start: tokens.nextStart(), end: Math.min(from + endIndex + 1, html.length) }
    tokens.add(text === undefined ? { kind: 'other', ...span } : { kind: 'comment', ...span, text })
  }

  return {
    ontext: (startIndex, endIndex) => {
      // A closing tag that never ends is reported as text from -1, and one as `<i`, which could become `<iframe`, without its `<`.
      const start = from + startIndex
      const next = tokens.nextStart()
      if (start > next && !(start === next + 1 && html[next] === '<')) tokens.fillTo(start)
      tokens.addText(from + endIndex)
    },
    onopentagname: (startIndex, endIndex) => {
      tokens.fillTo(from + startIndex - 1)
      name = html.slice(from + startIndex, from + endIndex)
      attributes = []
    },
    onattribname: (startIndex, endIndex) => {
      const end = from + endIndex
      attribute = { name: html.slice(from + startIndex, end), start: from + startIndex }
      value = { start: end, end }
    },
    onattribdata: (startIndex, endIndex) => {
      value = { start: from + startIndex, end: from + endIndex }
    },
    onattribend: (quote, endIndex) => {
      const source = quote === QuoteType.NoValue ? null : html.slice(value.start, value.end)
      attributes.push({ name: attribute.name, value: source, start: attribute.start, end: from + endIndex })
    },
    onopentagend: (endIndex) => endOpenTag(endIndex, false),
    onselfclosingtag: (endIndex) => endOpenTag(endIndex, true),
    onclosetag: (startIndex, endIndex) => {
      const [start, end] = [from + startIndex, from + endIndex]
      tokens.fillTo(start - 2)
      const close = html.indexOf('>', end)
      if (close === -1) return
      const closed = html.slice(start, end)
      const span = { start: tokens.nextStart(), end: close + 1 }
      tokens.add({ kind: 'close', ...span, name: closed, lowerName: lowerCase(closed) })
    },
    oncomment: (startIndex, endIndex, offset) => {
      const start = from + startIndex
      const isComment = html.startsWith('<!--', start - 4)
      tokens.fillTo(start - (isComment ? 4 : html[start - 1] === '<' ? 1 : 2))
      endMarkup(endIndex, isComment ? html.slice(start, Math.max(start, from + endIndex - offset)) : undefined)
    },
    oncdata: (_start, endIndex) => endMarkup(endIndex),
    ondeclaration: (_start, endIndex) => endMarkup(endIndex),
    onprocessinginstruction: (_start, endIndex) => endMarkup(endIndex),
    // References are not decoded, so these are never called.
    onattribentity: () => {},
    ontextentity: () => {},
    onend: () => {},
    isInForeignContext: () => !rawText,
  }
}

/** HTML compares names without regard to the case of ASCII letters; Unicode's lower case turns a Kelvin sign into a k. */
const lowerCase = (name: string): string =>
  UPPER.test(name) ? name.replace(UPPER_ALL, (letters) => letters.toLowerCase()) : name
const UPPER = /[A-Z]/
const UPPER_ALL = /[A-Z]+/g
