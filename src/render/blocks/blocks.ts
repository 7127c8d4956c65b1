/**
 * Blocks: content cut into named parts by comments, `<!-- cms:name {"a":1} -->inner<!-- /cms:name -->`. Rendering drops the
 * comments and marks some elements with the class of their block. Attributes are not looked at.
 */
import { addClass } from './classes.ts'

export interface Block {
  /** Without the prefix; null for text between blocks. */
  readonly name: string | null
  /** Text and inner blocks in their order. */
  readonly parts: readonly (string | Block)[]
}

export function hasBlocks(raw: string): boolean {
  return raw.includes('<!-- cms:')
}

/** 1 for content that has blocks, 0 for content without. */
export function blockVersion(raw: string): 0 | 1 {
  return hasBlocks(raw) ? 1 : 0
}

interface Delimiter {
  readonly kind: 'open' | 'close' | 'void'
  readonly name: string
  readonly start: number
  readonly end: number
}

interface OpenBlock {
  readonly name: string | null
  readonly parts: (string | Block)[]
}

/**
 * The blocks of a text in order. A closing comment ends the innermost open block, whatever its name; one without an open
 * block, and all after it, is text.
 * Choice: blocks that nothing closes end with the text, each inside the one around it.
 */
export function parseBlocks(raw: string): Block[] {
  const root: OpenBlock = { name: null, parts: [] }
  const open: OpenBlock[] = [root]
  let at = 0
  for (const delimiter of delimiters(raw)) {
    const around = open.at(-1) as OpenBlock
    if (delimiter.kind === 'close' && around === root) break
    if (delimiter.start > at) around.parts.push(raw.slice(at, delimiter.start))
    at = delimiter.end
    if (delimiter.kind === 'close') {
      open.pop()
      continue
    }
    const block: OpenBlock = { name: delimiter.name, parts: [] }
    around.parts.push(block)
    if (delimiter.kind === 'open') open.push(block)
  }
  if (at < raw.length) (open.at(-1) as OpenBlock).parts.push(raw.slice(at))
  return root.parts.map((part) => (typeof part === 'string' ? { name: null, parts: [part] } : part))
}

const HEAD = /<!--[\t-\r ]+(\/)?cms:((?:[a-z][a-z0-9_-]*\/)?[a-z][a-z0-9_-]*)[\t-\r ]+/g
const TAIL = /(\/)?-->/y
const ATTRIBUTES_END = /\}[\t-\r ]+(\/)?-->/g

/** Attributes reach to the first `} -->`; once there is none, later heads need not look for it again. */
function* delimiters(raw: string): Generator<Delimiter> {
  const head = new RegExp(HEAD)
  const tail = new RegExp(TAIL)
  const attributesEnd = new RegExp(ATTRIBUTES_END)
  let mayHaveAttributes = true
  for (let found = head.exec(raw); found !== null; found = head.exec(raw)) {
    let last: RegExpExecArray | null = null
    tail.lastIndex = head.lastIndex
    if (raw[head.lastIndex] !== '{') {
      last = tail.exec(raw)
    } else if (mayHaveAttributes) {
      attributesEnd.lastIndex = head.lastIndex
      last = attributesEnd.exec(raw)
      mayHaveAttributes = last !== null
    }
    if (last === null) continue
    head.lastIndex = last.index + last[0].length
    const name = (found[2] as string).replace(/^core\//, '')
    const kind = found[1] !== undefined ? 'close' : last[1] !== undefined ? 'void' : 'open'
    yield { kind, name, start: found.index, end: head.lastIndex }
  }
}

const HEADINGS = /^h[1-6]$/
const LISTS = /^[ou]l$/
const PARAGRAPHS = /^p$/

/** The elements that carry the class of their block. */
const MARKED: Readonly<Record<string, RegExp | undefined>> = {
  paragraph: PARAGRAPHS,
  heading: HEADINGS,
  list: LISTS,
}

export function renderBlock(block: Block): string {
  // Blocks may be nested deeper than calls may: the parts of open blocks wait on a list.
  const waiting: { readonly block: Block; next: number; html: string }[] = [{ block, next: 0, html: '' }]
  for (;;) {
    const top = waiting.at(-1) as (typeof waiting)[number]
    const part = top.block.parts[top.next++]
    if (typeof part === 'string') {
      top.html += part
    } else if (part !== undefined) {
      waiting.push({ block: part, next: 0, html: '' })
    } else {
      const html = marked(top.block.name, top.html)
      waiting.pop()
      const around = waiting.at(-1)
      if (around === undefined) return html
      around.html += html
    }
  }
}

function marked(name: string | null, html: string): string {
  const elements = name === null || !Object.hasOwn(MARKED, name) ? undefined : MARKED[name]
  return elements === undefined ? html : addClass(html, elements, `cms-block-${name}`)
}

export function renderBlocks(raw: string): string {
  let html = ''
  for (const block of parseBlocks(raw)) html += renderBlock(block)
  return html
}

/** Blocks whose text tells what a post is about. Text between blocks counts too. */
const TELLING: ReadonlySet<string | null> = new Set(
  [null].concat(
    // The cast: the list of names and null have one type in the set.
    'freeform heading html list media-text paragraph preformatted pullquote quote table verse'.split(' ') as never[],
  ),
)
const WRAPPERS: ReadonlySet<string | null> = new Set(['columns', 'column', 'group'])

/** What an excerpt is made from: telling blocks, also inside columns and groups, but none that hold blocks of other kinds. */
export function excerptBlocks(raw: string): string {
  if (!hasBlocks(raw)) return raw
  let html = ''
  for (const block of parseBlocks(raw)) {
    if (isTelling(block)) html += renderBlock(block)
    else if (WRAPPERS.has(block.name)) html += innerBlocks(block).length === 0 ? renderBlock(block) : wrapperText(block)
  }
  return html
}

function isTelling(block: Block): boolean {
  if (!TELLING.has(block.name)) return false
  return innerBlocks(block).every((inner) => TELLING.has(inner.name) && innerBlocks(inner).length === 0)
}

/** Below a wrapper every telling block counts, however it is nested. */
function wrapperText(wrapper: Block): string {
  let html = ''
  const waiting = innerBlocks(wrapper).reverse()
  for (let block = waiting.pop(); block !== undefined; block = waiting.pop()) {
    if (!TELLING.has(block.name) && !WRAPPERS.has(block.name)) continue
    const inner = innerBlocks(block)
    if (inner.length === 0) html += renderBlock(block)
    else waiting.push(...inner.reverse())
  }
  return html
}

function innerBlocks(block: Block): Block[] {
  return block.parts.filter((part) => typeof part !== 'string')
}
