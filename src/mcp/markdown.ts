/** HTML as Markdown, for agents: they read it better, and it takes a fraction of the tokens. Not for display. */
import { Parser } from 'htmlparser2'

/** Elements that show no text to readers. */
const unread: ReadonlySet<string> = new Set('script style template noscript svg iframe object select'.split(' '))
const blocks: ReadonlySet<string> = new Set(
  (
    'address article aside blockquote dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 ' +
    'header hr li main nav ol p pre section summary table tr ul'
  ).split(' '),
)
const marks: { readonly [tag: string]: string } = { b: '**', strong: '**', em: '_', i: '_', del: '~~', s: '~~' }

interface OpenElement {
  readonly name: string
  readonly href: string | undefined
  /** The number of the next item of an ordered list. */
  next: number
}

/** The text of filtered HTML as Markdown. A table is one line per row, and markup without a counterpart is left out. */
export function toMarkdown(html: string): string {
  const writer = createWriter()
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

type Writer = ReturnType<typeof createWriter>

interface Attributes {
  readonly [name: string]: string
}

/** Markdown that elements write when they begin, besides the marks above. */
const openings: {
  readonly [tag: string]: (writer: Writer, attributes: Attributes, parent: OpenElement | undefined) => void
} = {
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
}

/** Markdown that elements write when they end. */
const endings: { readonly [tag: string]: (writer: Writer, href: string | undefined) => void } = {
  li: (writer) => writer.outdent(),
  blockquote: (writer) => writer.outdent(),
  pre: (writer) => writer.endCode(),
  code: (writer) => writer.codeMark(),
  a: (writer, href) => writer.raw(href === undefined ? ']' : `](${href})`),
  td: (writer) => writer.raw(' '),
  th: (writer) => writer.raw(' '),
  tr: (writer) => writer.raw('|'),
}

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
function createWriter() {
  const lines: string[] = []
  const prefixes: string[] = []
  let current = ''
  /** The prefix of the first line of an item, until it is written. */
  let bullet: string | undefined
  let isCode = false

  const prefix = () => prefixes.join('')
  function flush(): void {
    const text = isCode ? current : current.trim()
    if (text !== '' || isCode) {
      lines.push(`${bullet ?? prefix()}${text}`.trimEnd())
      bullet = undefined
    }
    current = ''
  }
  const gap = () => {
    if (bullet === undefined && lines.length > 0 && lines.at(-1)?.trim() !== prefix().trim())
      lines.push(prefix().trimEnd())
  }
  return {
    text(text: string) {
      if (isCode) {
        const [first = '', ...rest] = text.split('\n')
        current += first
        for (const line of rest) {
          flush()
          current = line
        }
        return
      }
      const joined = text.replace(/\s+/g, ' ')
      current += current === '' || current.endsWith(' ') ? joined.trimStart() : joined
    },
    raw(text: string) {
      current += text
    },
    mark(mark: string) {
      if (!isCode) current += mark
    },
    codeMark() {
      if (!isCode) current += '`'
    },
    line: () => flush(),
    startBlock(isApart: boolean) {
      if (isCode) return
      flush()
      if (isApart) gap()
    },
    startItem(mark: string) {
      bullet = prefix() + mark
      prefixes.push(' '.repeat(mark.length))
    },
    indent: (mark: string) => void prefixes.push(mark),
    isInItem: () => prefixes.at(-1)?.trim() === '',
    outdent() {
      flush()
      while (lines.length > 0 && lines.at(-1) === prefix().trimEnd()) lines.pop()
      prefixes.pop()
      bullet = undefined
    },
    startCode() {
      lines.push(`${prefix()}\`\`\``)
      isCode = true
    },
    endCode() {
      if (current !== '') flush()
      isCode = false
      current = ''
      lines.push(`${prefix()}\`\`\``)
    },
    toString() {
      flush()
      return lines
        .join('\n')
        .replace(/\*\*\*\*|~~~~|__(?=\s)/g, '')
        .replace(/\n{3,}/g, '\n\n')
        .trim()
    },
  }
}
