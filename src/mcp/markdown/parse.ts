/**
 * Reads the blocks of a subset of Markdown: headings, paragraphs, lists, quotes, code, tables, rules, pictures and buttons alone on
 * their lines. Everything else is a paragraph, so that no words are lost.
 */

/** Texts have inline marks; code has none. */
export type MarkdownBlock =
  | { readonly type: 'heading'; readonly level: number; readonly text: string }
  | { readonly type: 'paragraph'; readonly text: string }
  | { readonly type: 'list'; readonly start: number | undefined; readonly items: readonly (readonly MarkdownBlock[])[] }
  | { readonly type: 'quote'; readonly blocks: readonly MarkdownBlock[] }
  | { readonly type: 'code'; readonly text: string }
  | { readonly type: 'table'; readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] }
  | { readonly type: 'rule' }
  | { readonly type: 'picture'; readonly source: string; readonly alt: string; readonly caption: string | undefined }
  | { readonly type: 'button'; readonly text: string; readonly address: string }

/** Lists and quotes inside each other; deeper lines are paragraphs. */
const maxDepth = 8

export const parseMarkdown = (source: string): readonly MarkdownBlock[] =>
  new BlockReader(source.replace(/\r\n?/g, '\n').replaceAll('\t', '    ').split('\n'), 0).read()

const patterns = {
  fence: /^ {0,3}(`{3,}|~{3,})[^`]*$/,
  heading: /^ {0,3}(#{1,6})(?:\s+(.*))?$/,
  rule: /^ {0,3}(?:(?:\*[ ]*){3,}|(?:-[ ]*){3,}|(?:_[ ]*){3,})$/,
  quote: /^ {0,3}> ?/,
  item: /^( {0,3})([-*+]|(\d{1,9})[.)])( {1,4}|$)/,
  picture: /^!\[([^\]]*)\]\(\s*([^\s()]+)(?:\s+"([^"]*)")?\s*\)$/,
  button: /^\[([^\]]+)\]\(\s*([^\s()]+)\s*\)\{button\}$/,
  tableRule: /^ {0,3}\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/,
}

class BlockReader {
  readonly #lines: readonly string[]
  readonly #depth: number
  #at = 0

  constructor(lines: readonly string[], depth: number) {
    this.#lines = lines
    this.#depth = depth
  }

  read(): readonly MarkdownBlock[] {
    const blocks: MarkdownBlock[] = []
    while (this.#at < this.#lines.length) {
      if (this.#line().trim() === '') this.#at++
      else blocks.push(this.#block())
    }
    return blocks
  }

  #line(offset = 0): string {
    return this.#lines[this.#at + offset] ?? ''
  }

  #block(): MarkdownBlock {
    const line = this.#line()
    if (patterns.fence.test(line)) return this.#code()
    const [, marks, heading = ''] = patterns.heading.exec(line) ?? []
    if (marks !== undefined) {
      this.#at++
      return { type: 'heading', level: marks.length, text: withoutClosingMarks(heading.trim()) }
    }
    if (patterns.rule.test(line)) {
      this.#at++
      return { type: 'rule' }
    }
    const isNested = this.#depth < maxDepth
    if (isNested && patterns.quote.test(line)) return this.#quote()
    if (isNested && patterns.item.test(line)) return this.#list()
    if (this.#isTable()) return this.#table()
    return this.#single(line.trim()) ?? this.#paragraph()
  }

  /** A picture or a button alone on its line. */
  #single(line: string): MarkdownBlock | undefined {
    const [, alt = '', source, caption] = patterns.picture.exec(line) ?? []
    const [, text = '', address] = patterns.button.exec(line) ?? []
    if (source === undefined && address === undefined) return undefined
    this.#at++
    return address === undefined
      ? { type: 'picture', source: source ?? '', alt, caption }
      : { type: 'button', text, address }
  }

  #code(): MarkdownBlock {
    const [, fence = ''] = patterns.fence.exec(this.#line()) ?? []
    const lines: string[] = []
    for (this.#at++; this.#at < this.#lines.length; this.#at++) {
      const line = this.#line()
      if (line.trim().startsWith(fence) && /^[`~]+$/.test(line.trim())) {
        this.#at++
        break
      }
      lines.push(line)
    }
    return { type: 'code', text: lines.join('\n') }
  }

  #quote(): MarkdownBlock {
    const lines: string[] = []
    for (; patterns.quote.test(this.#line()); this.#at++) lines.push(this.#line().replace(patterns.quote, ''))
    return { type: 'quote', blocks: new BlockReader(lines, this.#depth + 1).read() }
  }

  #list(): MarkdownBlock {
    const first = patterns.item.exec(this.#line())
    const isOrdered = first?.[3] !== undefined
    const items: (readonly MarkdownBlock[])[] = []
    for (;;) {
      const [mark, , , number] = patterns.item.exec(this.#line()) ?? []
      const isOther = (number !== undefined) !== isOrdered || patterns.rule.test(this.#line())
      if (mark === undefined || isOther) break
      items.push(this.#item(mark.trimEnd() === mark ? mark.length + 1 : mark.length))
    }
    return { type: 'list', start: isOrdered ? Number(first?.[3]) : undefined, items }
  }

  /** The lines of an item are indented below its text; a line that begins no block continues its paragraph. */
  #item(indent: number): readonly MarkdownBlock[] {
    const lines = [this.#line().slice(indent)]
    for (this.#at++; this.#at < this.#lines.length; this.#at++) {
      const line = this.#line()
      const isIndented = /^ */.exec(line)?.[0].length ?? 0
      if (line.trim() === '') {
        const next = this.#lines.slice(this.#at + 1, this.#at + 3).find((one) => one.trim() !== '')
        if (next === undefined || (/^ */.exec(next)?.[0].length ?? 0) < Math.min(indent, 2)) break
        lines.push('')
      } else if (isIndented >= Math.min(indent, 2)) lines.push(line.slice(Math.min(isIndented, indent)))
      else if (this.#interrupts(line) || lines.at(-1) === '') break
      else lines.push(line.trim())
    }
    this.#skipBlankBeforeItem()
    return new BlockReader(lines, this.#depth + 1).read()
  }

  /** An empty line between two items of a list does not end it. */
  #skipBlankBeforeItem(): void {
    let offset = 0
    while (offset < 2 && this.#at + offset < this.#lines.length && this.#line(offset).trim() === '') offset++
    if (patterns.item.test(this.#line(offset)) && !patterns.rule.test(this.#line(offset))) this.#at += offset
  }

  #isTable(): boolean {
    return (
      this.#line(1).length <= maxTableRule &&
      this.#line().includes('|') &&
      this.#line(1).includes('-') &&
      patterns.tableRule.test(this.#line(1))
    )
  }

  #table(): MarkdownBlock {
    const head = cellsOf(this.#line())
    const rows: (readonly string[])[] = []
    for (this.#at += 2; this.#line().includes('|'); this.#at++) {
      const cells = cellsOf(this.#line())
      rows.push(head.map((_, column) => cells[column] ?? ''))
    }
    return { type: 'table', head, rows }
  }

  #paragraph(): MarkdownBlock {
    const lines: string[] = []
    for (; this.#at < this.#lines.length; this.#at++) {
      const line = this.#line()
      const [underline] = lines.length > 0 ? (/^ {0,3}(?:=+|-+)\s*$/.exec(line) ?? []) : []
      if (underline !== undefined) {
        this.#at++
        return { type: 'heading', level: underline.includes('=') ? 1 : 2, text: lines.join(' ').trim() }
      }
      if (line.trim() === '' || (lines.length > 0 && this.#interrupts(line))) break
      lines.push(line.trimStart())
    }
    return { type: 'paragraph', text: lines.join('\n').trimEnd() }
  }

  #interrupts(line: string): boolean {
    const { fence, heading, rule, quote, item, picture, button } = patterns
    return (
      [fence, heading, rule].some((pattern) => pattern.test(line)) ||
      [picture, button].some((pattern) => pattern.test(line.trim())) ||
      (this.#depth < maxDepth && [quote, item].some((pattern) => pattern.test(line)))
    )
  }
}

/** A line below the head of a table. */
const maxTableRule = 1000

/** `# Title #` may end as it begins. */
function withoutClosingMarks(heading: string): string {
  let end = heading.length
  while (heading[end - 1] === '#') end--
  return end === 0 || /\s/.test(heading[end - 1] ?? '') ? heading.slice(0, end).trimEnd() : heading
}

/** A vertical bar behind a backslash is a text. */
const cellsOf = (line: string): readonly string[] =>
  line
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))
