/** The tokens of HTML. They cover the source without gaps, so that untouched markup is copied byte for byte. */

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
  /** The name as it is written. */
  readonly name: string
  /** The source between the quotes, references undecoded; null without `=`. */
  readonly value: string | null
}

export interface OpenTag extends Span {
  readonly kind: 'open'
  /** The name as it is written. */
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

/** A browser ignores such markup or treats it as a comment: doctype, `<? ... >`, `<![CDATA[ ... ]]>`, `</>`, `</ ... >`. */
interface Other extends Span {
  readonly kind: 'other'
}

export type Token = TextToken | OpenTag | CloseTag | Comment | Other
