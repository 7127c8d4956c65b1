/**
 * Splits HTML into tokens that cover the source without gaps, so that untouched markup is copied byte for byte. Builds no
 * tree and decodes no character references.
 */
import { QuoteType, Tokenizer, type TokenizerCallbacks } from 'htmlparser2'

interface Span {
  /** Offset of the first character in the source. */
  readonly start: number
  /** Offset behind the last character. */
  readonly end: number
}

/** Text between tags, also the raw text of `script`, `style`, `textarea` and `title`, and a tag that never ends. */
interface TextToken extends Span {
  readonly kind: 'text'
}

export interface Attribute extends Span {
  /** As written. */
  readonly name: string
  /** The source between the quotes, references undecoded; null without `=`. */
  readonly value: string | null
}

export interface OpenTag extends Span {
  readonly kind: 'open'
  /** As written. */
  readonly name: string
  readonly lowerName: string
  /** Whether the tag ends in `/>`. Browsers ignore this on HTML elements. */
  readonly isSelfClosing: boolean
  readonly attributes: readonly Attribute[]
}

interface CloseTag extends Span {
  readonly kind: 'close'
  readonly name: string
  readonly lowerName: string
}

/** `<!-- ... -->`; one that never ends reaches to the end of the source. */
export interface Comment extends Span {
  readonly kind: 'comment'
  readonly text: string
}

/** What browsers drop or read as a comment without its form: doctype, `<? ... >`, `<![CDATA[ ... ]]>`, `</>`, `</ ... >`. */
interface Other extends Span {
  readonly kind: 'other'
}

export type Token = TextToken | OpenTag | CloseTag | Comment | Other

interface TokenizeOptions {
  /** Whether tags inside `script`, `style`, `textarea`, `title` and the like are text, as in a browser. Default: true. */
  readonly rawText?: boolean
}

/** One pass of htmlparser2's tokenizer. The cost is linear in the length of the source. */
export function tokenize(html: string, options: TokenizeOptions = {}): Token[] {
  const tokens = tokenList(html)
  const tokenizer = new Tokenizer({ decodeEntities: false }, callbacksFor(html, tokens, options.rawText ?? true))
  tokenizer.write(html)
  tokenizer.end()
  tokens.finish()
  return tokens.list
}

interface TokenList {
  readonly list: Token[]
  /** Where the next token begins. */
  nextStart(): number
  add(token: Token): void
  addText(end: number): void
  fillTo(start: number): void
  finish(): void
}

/** Keeps the tokens without gaps: what no callback reported is added when the next token begins. */
function tokenList(html: string): TokenList {
  const list: Token[] = []
  let next = 0

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
  /** What is left at the end is a tag or a declaration that never ends. */
  function finish(): void {
    while (html.startsWith('</>', next)) fillTo(next + 3)
    if (html.startsWith('<!', next)) fillTo(html.length)
    else addText(html.length)
  }
  return { list, nextStart: () => next, add, addText, fillTo, finish }
}

function callbacksFor(html: string, tokens: TokenList, rawText: boolean): TokenizerCallbacks {
  let name = ''
  let attributes: Attribute[] = []
  let attribute = { name: '', start: 0 }
  let value = { start: 0, end: 0 }

  const endOpenTag = (endIndex: number, isSelfClosing: boolean) => {
    const span = { start: tokens.nextStart(), end: endIndex + 1 }
    tokens.add({ kind: 'open', ...span, name, lowerName: lowerCase(name), isSelfClosing, attributes })
  }
  /** The tokenizer reports the index of the final `>`, or the length of an unfinished source. */
  const endMarkup = (endIndex: number, text?: string) => {
    const span = { start: tokens.nextStart(), end: Math.min(endIndex + 1, html.length) }
    tokens.add(text === undefined ? { kind: 'other', ...span } : { kind: 'comment', ...span, text })
  }

  return {
    ontext: (start, end) => {
      // A closing tag that never ends is reported as text from -1, and one as `<i`, which could become `<iframe`, without its `<`.
      const next = tokens.nextStart()
      if (start > next && !(start === next + 1 && html[next] === '<')) tokens.fillTo(start)
      tokens.addText(end)
    },
    onopentagname: (start, end) => {
      tokens.fillTo(start - 1)
      name = html.slice(start, end)
      attributes = []
    },
    onattribname: (start, end) => {
      attribute = { name: html.slice(start, end), start }
      value = { start: end, end }
    },
    onattribdata: (start, end) => {
      value = { start, end }
    },
    onattribend: (quote, end) => {
      const source = quote === QuoteType.NoValue ? null : html.slice(value.start, value.end)
      attributes.push({ name: attribute.name, value: source, start: attribute.start, end })
    },
    onopentagend: (endIndex) => endOpenTag(endIndex, false),
    onselfclosingtag: (endIndex) => endOpenTag(endIndex, true),
    onclosetag: (start, end) => {
      tokens.fillTo(start - 2)
      const close = html.indexOf('>', end)
      if (close === -1) return
      const closed = html.slice(start, end)
      const span = { start: tokens.nextStart(), end: close + 1 }
      tokens.add({ kind: 'close', ...span, name: closed, lowerName: lowerCase(closed) })
    },
    oncomment: (start, endIndex, offset) => {
      const isComment = html.startsWith('<!--', start - 4)
      tokens.fillTo(start - (isComment ? 4 : html[start - 1] === '<' ? 1 : 2))
      endMarkup(endIndex, isComment ? html.slice(start, Math.max(start, endIndex - offset)) : undefined)
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
