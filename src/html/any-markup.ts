/** The tokens of any HTML, from htmlparser2's tokenizer. */
import { QuoteType, Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import type { Attribute, Token } from './tokens.ts'

interface AnyMarkupOptions {
  /** The offset at which a token begins. */
  readonly from: number
  readonly rawText: boolean
}

/** Runs the tokenizer of htmlparser2 once. */
export function readAnyMarkup(html: string, list: Token[], options: AnyMarkupOptions): void {
  const { from } = options
  const reader = new TokenReader(html, list, options)
  const tokenizer = new Tokenizer({ decodeEntities: false }, reader)
  tokenizer.write(from === 0 ? html : html.slice(from))
  tokenizer.end()
  reader.finish()
}

/**
 * Collects the tokens without gaps: what no callback reported is added when the next token begins. The tokenizer counts from where it
 * begins, the tokens from the start of the source.
 */
class TokenReader implements TokenizerCallbacks {
  readonly #html: string
  readonly #list: Token[]
  readonly #from: number
  readonly #rawText: boolean
  /** The offset at which the next token begins. */
  #next: number
  #name = ''
  #attributes: Attribute[] = []
  #attribute = { name: '', start: 0 }
  #value = { start: 0, end: 0 }

  constructor(html: string, list: Token[], { from, rawText }: AnyMarkupOptions) {
    this.#html = html
    this.#list = list
    this.#from = from
    this.#rawText = rawText
    this.#next = from
  }

  /** The rest at the end is a tag or a declaration that never ends. */
  finish(): void {
    while (this.#html.startsWith('</>', this.#next)) this.#fillTo(this.#next + 3)
    if (this.#html.startsWith('<!', this.#next)) this.#fillTo(this.#html.length)
    else this.#addText(this.#html.length)
  }

  ontext(startIndex: number, endIndex: number): void {
    // A closing tag that never ends is reported as text from -1, and one as `<i`, which could become `<iframe`, without its `<`.
    const start = this.#from + startIndex
    const next = this.#next
    if (start > next && !(start === next + 1 && this.#html[next] === '<')) this.#fillTo(start)
    this.#addText(this.#from + endIndex)
  }

  onopentagname(startIndex: number, endIndex: number): void {
    this.#fillTo(this.#from + startIndex - 1)
    this.#name = this.#html.slice(this.#from + startIndex, this.#from + endIndex)
    this.#attributes = []
  }

  onattribname(startIndex: number, endIndex: number): void {
    const end = this.#from + endIndex
    this.#attribute = { name: this.#html.slice(this.#from + startIndex, end), start: this.#from + startIndex }
    this.#value = { start: end, end }
  }

  onattribdata(startIndex: number, endIndex: number): void {
    this.#value = { start: this.#from + startIndex, end: this.#from + endIndex }
  }

  onattribend(quote: QuoteType, endIndex: number): void {
    const source = quote === QuoteType.NoValue ? null : this.#html.slice(this.#value.start, this.#value.end)
    const { name, start } = this.#attribute
    this.#attributes.push({ name, value: source, start, end: this.#from + endIndex })
  }

  onopentagend(endIndex: number): void {
    this.#endOpenTag(endIndex, false)
  }

  onselfclosingtag(endIndex: number): void {
    this.#endOpenTag(endIndex, true)
  }

  onclosetag(startIndex: number, endIndex: number): void {
    const start = this.#from + startIndex
    const end = this.#from + endIndex
    this.#fillTo(start - 2)
    const close = this.#html.indexOf('>', end)
    if (close === -1) return
    const name = this.#html.slice(start, end)
    this.#add({ kind: 'close', start: this.#next, end: close + 1, name, lowerName: lowerCase(name) })
  }

  oncomment(startIndex: number, endIndex: number, offset: number): void {
    const html = this.#html
    const start = this.#from + startIndex
    const isComment = html.startsWith('<!--', start - 4)
    this.#fillTo(start - (isComment ? 4 : html[start - 1] === '<' ? 1 : 2))
    const text = isComment ? html.slice(start, Math.max(start, this.#from + endIndex - offset)) : undefined
    this.#endMarkup(endIndex, text)
  }

  oncdata(_start: number, endIndex: number): void {
    this.#endMarkup(endIndex)
  }

  ondeclaration(_start: number, endIndex: number): void {
    this.#endMarkup(endIndex)
  }

  onprocessinginstruction(_start: number, endIndex: number): void {
    this.#endMarkup(endIndex)
  }

  // References are not decoded, so these are never called.
  onattribentity(): void {}
  ontextentity(): void {}
  onend(): void {}

  isInForeignContext(): boolean {
    return !this.#rawText
  }

  #endOpenTag(endIndex: number, isSelfClosing: boolean): void {
    const name = this.#name
    const span = { start: this.#next, end: this.#from + endIndex + 1 }
    this.#add({ kind: 'open', ...span, name, lowerName: lowerCase(name), isSelfClosing, attributes: this.#attributes })
  }

  /** The tokenizer reports the index of the final `>`, or the length of an unfinished source. */
  #endMarkup(endIndex: number, text?: string): void {
    const span = { start: this.#next, end: Math.min(this.#from + endIndex + 1, this.#html.length) }
    this.#add(text === undefined ? { kind: 'other', ...span } : { kind: 'comment', ...span, text })
  }

  #add(token: Token): void {
    this.#list.push(token)
    this.#next = token.end
  }

  /** Text arrives in pieces, one for each `<` in it; neighbours become one token. */
  #addText(end: number): void {
    if (end <= this.#next) return
    const last = this.#list.at(-1)
    if (last?.kind === 'text') this.#list.pop()
    this.#add({ kind: 'text', start: last?.kind === 'text' ? last.start : this.#next, end })
  }

  /** `</>` is the only markup that the tokenizer skips without a callback. */
  #fillTo(start: number): void {
    if (start > this.#next) this.#add({ kind: 'other', start: this.#next, end: start })
  }
}

/** HTML compares names without regard to the case of ASCII letters; Unicode's lower case turns a Kelvin sign into a k. */
const lowerCase = (name: string): string =>
  UPPER.test(name) ? name.replace(UPPER_ALL, (letters) => letters.toLowerCase()) : name
const UPPER = /[A-Z]/
const UPPER_ALL = /[A-Z]+/g
