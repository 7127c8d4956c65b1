/**
 * Renders content with blocks as HTML: markers are removed, the markup between them stays byte for byte, and a few blocks are
 * generated. Choice: blocks get no layout classes and no inner containers, which only the stylesheet of a theme uses.
 */

import { attributesOf } from '../../html/block-markers.ts'
import { tokenize } from '../../html/tokenize.ts'
import type { OpenTag, Token } from '../../html/tokens.ts'
import { paragraphs } from '../text/paragraphs.ts'
import { type Block, type BlockVisitor, type Span, walkBlocks } from './blocks.ts'
import { footnotesHtml } from './footnotes.ts'
import { socialLinkHtml } from './social-links.ts'

interface BlocksContext {
  /** The meta value `footnotes` of the post, as JSON text. */
  readonly footnotes?: string | undefined
}

/** Blocks that add a class to their first element of these names. */
const CLASSED: ReadonlyMap<string, { readonly elements: readonly string[]; readonly className: string }> = new Map([
  ['paragraph', { elements: ['p'], className: 'cms-block-paragraph' }],
  ['heading', { elements: ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'], className: 'cms-block-heading' }],
  ['list', { elements: ['ul', 'ol'], className: 'cms-block-list' }],
])

/** Blocks that are left out when they contain nothing visible. */
const VANISHING: ReadonlyMap<string, 'hasPicture' | 'hasText'> = new Map([
  ['image', 'hasPicture'],
  ['button', 'hasText'],
])

/** An open block. */
interface Frame {
  readonly block: Block
  /** The index of its first piece. */
  readonly start: number
  /** True until the class is added. */
  isClassless: boolean
  hasPicture: boolean
  hasText: boolean
}

/** The cost is linear in the length of the content, however deep its blocks are nested. */
export function renderBlocks(content: string, context: BlocksContext = {}): string {
  const renderer = new BlockRenderer(content, context)
  walkBlocks(tokenize(content), renderer)
  return renderer.toString()
}

/** Collects the HTML of a content while its blocks are walked. */
class BlockRenderer implements BlockVisitor {
  readonly #content: string
  readonly #pieces: string[] = []
  readonly #frames: Frame[] = []
  /** The text up to the next change is copied in one piece. */
  #copied = 0
  #openShortcodes = 0
  #footnotes: string | undefined

  constructor(content: string, { footnotes }: BlocksContext) {
    this.#content = content
    this.#footnotes = footnotes
  }

  start(block: Block, marker: Span): void {
    this.stray(marker)
    const isClassless = CLASSED.has(block.name)
    this.#frames.push({ block, start: this.#pieces.length, isClassless, hasPicture: false, hasText: false })
    if (block.name === 'shortcode') this.#openShortcodes++
    const html = blockHtml(block, this.#footnotes)
    if (html !== '') this.#pieces.push(html)
    // Choice: only the first footnotes block of a content shows the list, because ids are unique in a page.
    if (block.name === 'footnotes') this.#footnotes = undefined
  }

  end(_block: Block, marker: Span): void {
    this.stray(marker)
    // The cast: each end has its start.
    this.#leave(this.#frames.pop() as Frame)
  }

  /** Leaves a marker out. */
  stray(marker: Span): void {
    this.#copyTo(marker.start)
    this.#copied = marker.end
  }

  token(token: Token): void {
    const frame = this.#frames.at(-1)
    if (frame === undefined) return
    if (token.kind === 'text') frame.hasText ||= !isBlank(this.#content, token)
    if (token.kind !== 'open') return
    if (frame.isClassless) this.#addClass(frame, token)
    frame.hasPicture ||= isPicture(token)
  }

  toString(): string {
    this.#copyTo(this.#content.length)
    return this.#pieces.join('')
  }

  #copyTo(end: number): void {
    if (end > this.#copied) this.#pieces.push(this.#content.slice(this.#copied, end))
    this.#copied = Math.max(this.#copied, end)
  }

  #addClass(frame: Frame, tag: OpenTag): void {
    const wanted = CLASSED.get(frame.block.name)
    if (!wanted?.elements.includes(tag.lowerName)) return
    frame.isClassless = false
    this.stray(tag)
    this.#pieces.push(withClass(this.#content, tag, wanted.className))
  }

  #leave(frame: Frame): void {
    const needed = VANISHING.get(frame.block.name)
    if (needed !== undefined && !frame[needed]) this.#pieces.length = frame.start
    if (frame.block.name === 'shortcode') {
      this.#openShortcodes--
      // An outer shortcode block adds the paragraphs, so that no text is parsed once per level.
      if (this.#openShortcodes === 0) this.#pieces.push(paragraphs(this.#pieces.splice(frame.start).join('')))
    }
    const parent = this.#frames.at(-1)
    if (parent === undefined) return
    parent.hasPicture ||= frame.hasPicture
    parent.hasText ||= frame.hasText
  }
}

/** Returns the HTML of blocks that are generated from their attributes. */
function blockHtml(block: Block, footnotes: string | undefined): string {
  if (block.name === 'footnotes') return footnotesHtml(footnotes, attributesOf(block))
  return block.name === 'social-link' ? socialLinkHtml(attributesOf(block)) : ''
}

const isPicture = ({ lowerName, attributes }: OpenTag) =>
  lowerName === 'img' && attributes.some(({ name, value }) => name.toLowerCase() === 'src' && !!value?.trim())

const isBlank = (content: string, { start, end }: Token) => content.slice(start, end).trim() === ''

const BLANKS = /[\t\n\f\r ]+/

/** Returns the source of a tag with one more class; all else of the tag stays byte for byte. */
function withClass(html: string, tag: OpenTag, className: string): string {
  const given = tag.attributes.find(({ name }) => name.toLowerCase() === 'class')
  if (given === undefined) {
    const nameEnd = tag.start + 1 + tag.name.length
    return `${html.slice(tag.start, nameEnd)} class="${className}"${html.slice(nameEnd, tag.end)}`
  }
  const classes = (given.value ?? '').split(BLANKS).filter((one) => one !== '')
  if (classes.includes(className)) return html.slice(tag.start, tag.end)
  const list = [...classes, className].join(' ').replaceAll('"', '&quot;')
  return `${html.slice(tag.start, given.start)}class="${list}"${html.slice(given.end, tag.end)}`
}
