/**
 * Inline Markdown as HTML: emphasis, code, links, pictures, line breaks, escapes. Markup in the source is text. Each sign is
 * read a bounded number of times: unmatched signs are remembered, and nesting ends at a depth.
 */

/** Marks that are nested deeper are text. */
const maxDepth = 8

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Addresses that a page may link to: others, such as scripts, are left as text. */
export const isSafeAddress = (address: string): boolean =>
  address !== '' && (/^(?:https?:|mailto:|tel:)/i.test(address) || !/^[a-z][a-z\d+.-]*:/i.test(address))

/** Resolves the address of a picture: `media:12` is a file of the site. */
type PictureAddress = (source: string) => string

export interface InlineOptions {
  readonly pictureAddress: PictureAddress
}

const sameAddress: PictureAddress = (source) => source

export function inlineHtml(
  source: string,
  { pictureAddress }: InlineOptions = { pictureAddress: sameAddress },
): string {
  return new InlineReader(source, pictureAddress, 0).read()
}

/** The words without their marks, for titles. */
export const inlineText = (source: string): string =>
  inlineHtml(source)
    .replace(/<br>/g, ' ')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')

/** An address in round brackets, with an optional title. */
const target =
  /\(\s*(?:<([^<>\n]{0,2000})>|([^\s()<>]{0,2000}(?:\([^\s()]{0,200}\)[^\s()<>]{0,200})?))(?:\s+"([^"\n]{0,500})")?\s*\)/y

const emphases: readonly (readonly [mark: string, tag: string])[] = [
  ['**', 'strong'],
  ['__', 'strong'],
  ['~~', 'del'],
  ['*', 'em'],
  ['_', 'em'],
]

const isWordCharacter = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character)
const isBlank = (character: string | undefined) => character === undefined || /\s/.test(character)

class InlineReader {
  readonly #source: string
  readonly #pictureAddress: PictureAddress
  readonly #depth: number
  /** The closing bracket of each opening one. */
  readonly #brackets: ReadonlyMap<number, number>
  /** Marks that do not close after the position where they were looked for. */
  readonly #unclosed = new Set<string>()
  #at = 0
  #html = ''

  constructor(source: string, pictureAddress: PictureAddress, depth: number) {
    this.#source = source
    this.#pictureAddress = pictureAddress
    this.#depth = depth
    this.#brackets = matchingBrackets(source)
  }

  read(): string {
    while (this.#at < this.#source.length) {
      const isRead = this.#escape() || this.#blanks() || this.#code() || this.#link() || this.#emphasis()
      if (!isRead) this.#html += escapeHtml(this.#source[this.#at++] ?? '')
    }
    return this.#html
  }

  #inner(from: number, to: number): string {
    const text = this.#source.slice(from, to)
    return this.#depth >= maxDepth
      ? escapeHtml(text)
      : new InlineReader(text, this.#pictureAddress, this.#depth + 1).read()
  }

  #escape(): boolean {
    const next = this.#source[this.#at + 1] ?? ''
    if (this.#source[this.#at] !== '\\' || !/[\n!-/:-@[-`{-~]/.test(next)) return false
    this.#html += next === '\n' ? '<br>' : escapeHtml(next)
    this.#at += 2
    return true
  }

  /** Two blanks at the end of a line make a break. A run of blanks is read once. */
  #blanks(): boolean {
    const [run] = matchAt(/\s+/y, this.#source, this.#at) ?? []
    if (run === undefined) return false
    const isBreak = run.startsWith('  ') && run.includes('\n')
    this.#html += isBreak ? '<br>' : run.includes('\n') ? '\n' : run
    this.#at += run.length
    return true
  }

  #code(): boolean {
    const [fence] = matchAt(/`+/y, this.#source, this.#at) ?? []
    if (fence === undefined) return false
    const from = this.#at + fence.length
    const to = this.#unclosed.has(fence) ? -1 : this.#closingFence(fence, from)
    if (to === -1) {
      this.#unclosed.add(fence)
      this.#html += fence
      this.#at = from
      return true
    }
    const text = this.#source.slice(from, to).replaceAll('\n', ' ')
    this.#html += `<code>${escapeHtml(/^ .*\S.* $/.test(text) ? text.slice(1, -1) : text)}</code>`
    this.#at = to + fence.length
    return true
  }

  #closingFence(fence: string, from: number): number {
    for (let at = this.#source.indexOf(fence, from); at !== -1; ) {
      const [run = ''] = matchAt(/`+/y, this.#source, at) ?? []
      if (run.length === fence.length) return at
      at = this.#source.indexOf(fence, at + run.length)
    }
    return -1
  }

  #link(): boolean {
    const source = this.#source
    const at = this.#at
    const automatic =
      source[at] === '<' ? matchAt(/<((?:https?:\/\/|mailto:)[^\s<>]{1,2000})>/y, source, at) : undefined
    if (automatic) {
      const [all, address = ''] = automatic
      this.#html += `<a href="${escapeHtml(address)}">${escapeHtml(address.replace(/^mailto:/, ''))}</a>`
      this.#at += all.length
      return true
    }
    const isPicture = source[at] === '!' && source[at + 1] === '['
    const open = isPicture ? at + 1 : at
    const close = source[open] === '[' ? this.#brackets.get(open) : undefined
    if (close === undefined) return false
    const [all, angled, plain = '', title] = matchAt(target, source, close + 1) ?? []
    const address = angled ?? plain
    if (all === undefined || !isSafeAddress(isPicture ? this.#pictureAddress(address) : address)) return false
    this.#html += isPicture
      ? pictureHtml(this.#pictureAddress(address), inlineText(source.slice(open + 1, close)))
      : `<a href="${escapeHtml(address)}"${title === undefined ? '' : ` title="${escapeHtml(title)}"`}>${this.#inner(open + 1, close)}</a>`
    this.#at = close + 1 + all.length
    return true
  }

  #emphasis(): boolean {
    const source = this.#source
    const found = emphases.find(([mark]) => source.startsWith(mark, this.#at))
    if (!found) return false
    const [mark, tag] = found
    const from = this.#at + mark.length
    const opens = !isBlank(source[from]) && !(mark.startsWith('_') && isWordCharacter(source[this.#at - 1]))
    const to = opens && !this.#unclosed.has(mark) ? this.#closing(mark, from) : -1
    if (to === -1) {
      if (opens) this.#unclosed.add(mark)
      this.#html += mark
    } else this.#html += `<${tag}>${this.#inner(from, to)}</${tag}>`
    this.#at = to === -1 ? from : to + mark.length
    return true
  }

  /** The position of the mark that ends an emphasis, outside code; -1 without one. */
  #closing(mark: string, from: number): number {
    const source = this.#source
    for (let at = source.indexOf(mark, from); at !== -1; ) {
      const run = runLength(source, at)
      // Of three signs the first ends the inner emphasis: `**a *b***`.
      const end = mark.length === 1 && run >= 2 ? -1 : at + run - mark.length
      const closes = end > from && !isBlank(source[at - 1]) && source[at - 1] !== '\\'
      if (closes && !(mark.startsWith('_') && isWordCharacter(source[end + mark.length]))) return end
      at = source.indexOf(mark, at + run)
    }
    return -1
  }
}

function runLength(source: string, at: number): number {
  let end = at
  while (source[end] === source[at]) end++
  return end - at
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at
  return pattern.exec(text) ?? undefined
}

export const pictureHtml = (address: string, alt: string): string =>
  `<img src="${escapeHtml(address)}" alt="${escapeHtml(alt)}">`

function matchingBrackets(source: string): ReadonlyMap<number, number> {
  const matches = new Map<number, number>()
  const open: number[] = []
  for (let at = 0; at < source.length; at++) {
    const sign = source[at]
    if (sign === '\\') at++
    else if (sign === '[') open.push(at)
    else if (sign === ']') {
      const start = open.pop()
      if (start !== undefined) matches.set(start, at)
    }
  }
  return matches
}
