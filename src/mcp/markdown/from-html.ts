/** HTML as Markdown, for agents: they read it better, and it takes a fraction of the tokens. Not for display. */

import { Parser } from 'htmlparser2'
import { lookupTable } from '../../contract/lookup-table.ts'

/** Elements that show no text to readers. */
const unread: ReadonlySet<string> = new Set('script style template noscript svg iframe object select'.split(' '))
const blocks: ReadonlySet<string> = new Set(
  (
    'address article aside blockquote dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 ' +
    'header hr li main nav ol p pre section summary table tr ul'
  ).split(' '),
)
const marks: { readonly [tag: string]: string } = lookupTable({
  b: '**',
  strong: '**',
  em: '_',
  i: '_',
  del: '~~',
  s: '~~',
})

interface OpenElement {
  readonly name: string
  readonly href: string | undefined
  /** The number of the next item of an ordered list. */
  next: number
}

/** The text of filtered HTML as Markdown. A table is one line per row, and markup without a counterpart is left out. */
export function toMarkdown(html: string): string {
  const writer = new Writer()
  const open: OpenElement[] = []
  let hidden = 0
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const parent = open.at(-1)
        open.push({ name, href: attributes['href'], next: Number(attributes['start'] ?? 1) || 1 })
        if (unread.has(name)) hidden++
        if (hidden === 0) openElement(writer, name, attributes, parent)
      },
      ontext(text) {
        if (hidden === 0) writer.text(text)
      },
      onclosetag(name) {
        const element = open.pop()
        if (hidden === 0) closeElement(writer, name, element?.href)
        if (unread.has(name)) hidden--
      },
    },
    { decodeEntities: true },
  )
  parser.end(html)
  return writer.toString()
}

interface Attributes {
  readonly [name: string]: string
}

/** Markdown that elements write when they begin, besides the marks above. */
const openings: {
  readonly [tag: string]: (writer: Writer, attributes: Attributes, parent: OpenElement | undefined) => void
} = lookupTable({
  li: (writer, _, parent) => writer.startItem(parent?.name === 'ol' ? `${parent.next++}. ` : '- '),
  blockquote: (writer) => writer.indent('> '),
  pre: (writer) => writer.startCode(),
  code: (writer) => writer.codeMark(),
  a: (writer) => writer.raw('['),
  br: (writer) => writer.line(),
  hr: (writer) => writer.raw('---'),
  td: (writer) => writer.raw('| '),
  th: (writer) => writer.raw('| '),
  img: (writer, { alt = '', src }) => src !== undefined && writer.raw(`![${alt}](${src})`),
})

/** Markdown that elements write when they end. */
const endings: { readonly [tag: string]: (writer: Writer, href: string | undefined) => void } = lookupTable({
  li: (writer) => writer.outdent(),
  blockquote: (writer) => writer.outdent(),
  pre: (writer) => writer.endCode(),
  code: (writer) => writer.codeMark(),
  a: (writer, href) => writer.raw(href === undefined ? ']' : `](${href})`),
  td: (writer) => writer.raw(' '),
  th: (writer) => writer.raw(' '),
  tr: (writer) => writer.raw('|'),
})

const tight: ReadonlySet<string> = new Set(['li', 'tr'])

/** Whether an empty line separates a block from its neighbours. A list inside an item has none. */
const isApart = (writer: Writer, name: string) =>
  !tight.has(name) && !(writer.isInItem() && (name === 'ul' || name === 'ol'))

function openElement(writer: Writer, name: string, attributes: Attributes, parent: OpenElement | undefined): void {
  if (blocks.has(name)) writer.startBlock(isApart(writer, name))
  const mark = /^h[1-6]$/.test(name) ? `${'#'.repeat(Number(name[1]))} ` : marks[name]
  if (mark !== undefined) writer.mark(mark)
  openings[name]?.(writer, attributes, parent)
}

function closeElement(writer: Writer, name: string, href: string | undefined): void {
  const mark = marks[name]
  if (mark !== undefined) writer.mark(mark)
  endings[name]?.(writer, href)
  if (blocks.has(name)) writer.startBlock(isApart(writer, name))
}

/** Writes lines, each behind the prefixes of the quotes and lists around it. */
class Writer {
  readonly #lines: string[] = []
  readonly #prefixes: string[] = []
  #current = ''
  /** The prefix of the first line of an item, until it is written. */
  #bullet: string | undefined
  /** Whether a quote has begun and has no line yet. */
  #isQuoteNew = false
  #isCode = false

  text(text: string): void {
    if (this.#isCode) {
      this.#codeText(text)
      return
    }
    const joined = text.replace(/\s+/g, ' ')
    this.#current += this.#current === '' || this.#current.endsWith(' ') ? joined.trimStart() : joined
  }

  raw(text: string): void {
    this.#current += text
  }

  mark(mark: string): void {
    if (!this.#isCode) this.#current += mark
  }

  codeMark(): void {
    this.mark('`')
  }

  line(): void {
    const text = this.#isCode ? this.#current : this.#current.trim()
    if (text !== '' || this.#isCode) {
      this.#lines.push(`${this.#bullet ?? this.#prefix()}${text}`.trimEnd())
      this.#bullet = undefined
      this.#isQuoteNew = false
    }
    this.#current = ''
  }

  startBlock(isApart: boolean): void {
    if (this.#isCode) return
    this.line()
    if (isApart) this.#gap()
  }

  startItem(mark: string): void {
    this.#bullet = this.#prefix() + mark
    this.#prefixes.push(' '.repeat(mark.length))
  }

  indent(mark: string): void {
    this.#prefixes.push(mark)
    this.#isQuoteNew = true
  }

  isInItem(): boolean {
    return this.#prefixes.at(-1)?.trim() === ''
  }

  outdent(): void {
    this.line()
    while (this.#lines.length > 0 && this.#lines.at(-1) === this.#prefix().trimEnd()) this.#lines.pop()
    this.#prefixes.pop()
    this.#bullet = undefined
  }

  startCode(): void {
    this.#lines.push(`${this.#prefix()}\`\`\``)
    this.#isCode = true
    this.#isQuoteNew = false
  }

  endCode(): void {
    if (this.#current !== '') this.line()
    this.#isCode = false
    this.#current = ''
    this.#lines.push(`${this.#prefix()}\`\`\``)
  }

  toString(): string {
    this.line()
    return this.#lines
      .join('\n')
      .replace(/\*\*\*\*|~~~~|__(?=\s)/g, '')
      .replace(/\n{3,}/g, '\n\n')
      .trim()
  }

  #prefix(): string {
    return this.#prefixes.join('')
  }

  #gap(): void {
    const hasGap = this.#lines.length === 0 || this.#lines.at(-1)?.trim() === this.#prefix().trim()
    if (this.#bullet === undefined && !this.#isQuoteNew && !hasGap) this.#lines.push(this.#prefix().trimEnd())
  }

  #codeText(text: string): void {
    const [first = '', ...rest] = text.split('\n')
    this.#current += first
    for (const line of rest) {
      this.line()
      this.#current = line
    }
  }
}
