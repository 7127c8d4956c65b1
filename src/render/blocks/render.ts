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
const CLASSED: ReadonlyMap<string, { readonly elements: readonly string[]; readonly classNames: readonly string[] }> =
  new Map([
    ['paragraph', { elements: ['p'], classNames: ['cms-block-paragraph'] }],
    ['heading', { elements: ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'], classNames: ['cms-block-heading'] }],
    ['list', { elements: ['ul', 'ol'], classNames: ['cms-block-list'] }],
    ['buttons', { elements: ['div'], classNames: flexClasses('buttons') }],
    ['social-links', { elements: ['ul'], classNames: flexClasses('social-links') }],
  ])

/** The classes of the layout that these blocks have unless their attributes say another one. */
function flexClasses(name: string): readonly string[] {
  return ['is-layout-flex', `cms-block-${name}-is-layout-flex`]
}

/** Choice: buttons and social links with another layout get no classes for it: one of them would follow from a style sheet. */
const hasOtherLayout = (block: Block): boolean => {
  if (block.name !== 'buttons' && block.name !== 'social-links') return false
  const { layout } = attributesOf(block)
  return layout !== undefined && JSON.stringify(layout) !== '{"type":"flex"}'
}

/** Interface: a picture block on one of these sides has a box around its figure, and the box takes the class of the block. */
const BOXED_SIDES: ReadonlySet<unknown> = new Set(['left', 'center', 'right'])
const BOX_CLASS = 'cms-block-image'

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
  /** True until the classes are added. */
  isClassless: boolean
  /** Whether a picture gets a box; `open`: it has begun. */
  box: 'none' | 'wanted' | 'open'
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
    const isClassless = CLASSED.has(block.name) && !hasOtherLayout(block)
    const box = block.name === 'image' && BOXED_SIDES.has(attributesOf(block)['align']) ? 'wanted' : 'none'
    this.#frames.push({ block, start: this.#pieces.length, isClassless, box, hasPicture: false, hasText: false })
    // The start of a box, once the picture is found.
    if (box === 'wanted') this.#pieces.push('')
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
    if (frame.box === 'wanted' && token.lowerName === 'figure') this.#openBox(frame, token)
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
    this.#pieces.push(withClasses(this.#content, tag, (classes) => [...new Set([...classes, ...wanted.classNames])]))
  }

  #openBox(frame: Frame, tag: OpenTag): void {
    frame.box = 'open'
    this.#pieces[frame.start] = `<div class="${BOX_CLASS}">`
    this.stray(tag)
    this.#pieces.push(withClasses(this.#content, tag, (classes) => classes.filter((name) => name !== BOX_CLASS)))
  }

  #leave(frame: Frame): void {
    const needed = VANISHING.get(frame.block.name)
    if (needed !== undefined && !frame[needed]) this.#pieces.length = frame.start
    else if (frame.box === 'open') this.#pieces.push('</div>')
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

/** Returns the source of a tag with other classes; all else of the tag stays byte for byte. */
function withClasses(html: string, tag: OpenTag, change: (classes: readonly string[]) => readonly string[]): string {
  const given = tag.attributes.find(({ name }) => name.toLowerCase() === 'class')
  const before = (given?.value ?? '').split(BLANKS).filter((one) => one !== '')
  const after = change(before)
  if (after.length === before.length) return html.slice(tag.start, tag.end)
  const list = after.join(' ').replaceAll('"', '&quot;')
  const nameEnd = tag.start + 1 + tag.name.length
  const [start, end] = given === undefined ? [nameEnd, nameEnd] : [given.start, given.end]
  const blank = given === undefined ? ' ' : ''
  return `${html.slice(tag.start, start)}${blank}class="${list}"${html.slice(end, tag.end)}`
}
