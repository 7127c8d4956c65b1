/**
 * Renders content with blocks as HTML: markers are removed, the markup between them stays byte for byte, and a few blocks are
 * generated. Choice: responses of the API have no layout classes and no inner containers, which only the style sheet of a theme
 * uses; the site's own pages ask for the classes.
 */

import { escapeHtml } from '../../core/runtime/escape-html.ts'
import { attributesOf } from '../../html/block-markers.ts'
import { tokenize } from '../../html/tokenize.ts'
import type { OpenTag, Token } from '../../html/tokens.ts'
import type { ContentDrawer, RenderContext } from '../render.ts'
import { paragraphs } from '../text/paragraphs.ts'
import { type Block, type BlockVisitor, type Span, walkBlocks } from './blocks.ts'
import { footnotesHtml } from './footnotes.ts'
import { layoutOf } from './layout.ts'
import { socialLinkHtml } from './social-links.ts'

interface BlocksContext {
  /** The meta value `footnotes` of the post, as JSON text. */
  readonly footnotes?: string | undefined
  /** Whether blocks get the classes and custom properties of their layouts. Default: false. */
  readonly hasLayout?: boolean | undefined
  readonly inside?: RenderContext['inside']
  readonly draw?: ContentDrawer | undefined
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
  /** True until the first element has the layout. */
  isUnplaced: boolean
  /** Whether a picture gets a box; `open`: it has begun. */
  box: 'none' | 'wanted' | 'open'
  hasPicture: boolean
  hasText: boolean
}

/** HTML with gaps, which rules for texts do not change, and the drawn blocks that fill them. */
interface RenderedBlocks {
  readonly html: string
  readonly drawn: readonly string[]
}

export function renderBlocks(content: string, context: BlocksContext = {}): string {
  const { html, drawn } = renderWithGaps(content, context)
  return withDrawnBlocks(html, drawn)
}

/** The cost is linear in the length of the content, however deep its blocks are nested. */
export function renderWithGaps(content: string, context: BlocksContext): RenderedBlocks {
  // No stored text has the character that marks gaps.
  const source = context.draw && content.includes('\0') ? content.replaceAll('\0', '') : content
  const renderer = new BlockRenderer(source, context)
  walkBlocks(tokenize(source), renderer)
  return { html: renderer.toString(), drawn: renderer.drawn }
}

const GAP = /<!--\0(\d+)-->/g

/** Fills the gaps: drawn blocks are HTML already, so typography and shortcodes do not apply to them. */
export const withDrawnBlocks = (html: string, drawn: readonly string[]): string =>
  drawn.length === 0 ? html : html.replace(GAP, (_gap, index: string) => drawn[Number(index)] ?? '')

/** Collects the HTML of a content while its blocks are walked. */
class BlockRenderer implements BlockVisitor {
  readonly #content: string
  readonly #pieces: string[] = []
  readonly #frames: Frame[] = []
  /** The text up to the next change is copied in one piece. */
  #copied = 0
  #openShortcodes = 0
  #footnotes: string | undefined
  readonly drawn: string[] = []
  readonly #hasLayout: boolean
  readonly #draw: ContentDrawer | undefined
  /** How many open blocks there are from a drawn one inwards: it gets its inner source, and draws the blocks in it itself. */
  #openInDrawn = 0
  #innerStart = 0

  constructor(content: string, { footnotes, hasLayout = false, inside, draw }: BlocksContext) {
    this.#content = content
    this.#hasLayout = hasLayout
    this.#footnotes = footnotes
    this.#draw = draw
    if (inside) this.#enter({ name: inside.name, json: JSON.stringify(inside.attributes) })
  }

  start(block: Block, marker: Span): void {
    if (this.#openInDrawn > 0 || this.#draw?.draws(block.name)) {
      if (this.#openInDrawn === 0) this.#enterDrawn(marker)
      this.#openInDrawn++
      return
    }
    this.stray(marker)
    this.#enter(block)
    if (block.name === 'shortcode') this.#openShortcodes++
    const html = blockHtml(block, this.#footnotes)
    if (html !== '') this.#pieces.push(html)
    // Choice: only the first footnotes block of a content shows the list, because ids are unique in a page.
    if (block.name === 'footnotes') this.#footnotes = undefined
  }

  #enter(block: Block): void {
    const isClassless = CLASSED.has(block.name) && !hasOtherLayout(block)
    const box = block.name === 'image' && BOXED_SIDES.has(attributesOf(block)['align']) ? 'wanted' : 'none'
    const isUnplaced = this.#hasLayout
    const start = this.#pieces.length
    this.#frames.push({ ...{ block, start, isClassless, isUnplaced, box }, hasPicture: false, hasText: false })
    // The start of a box, once the picture is found.
    if (box === 'wanted') this.#pieces.push('')
  }

  end(block: Block, marker: Span): void {
    if (this.#openInDrawn > 0) {
      this.#openInDrawn--
      if (this.#openInDrawn === 0) this.#leaveDrawn(block, marker)
      return
    }
    this.stray(marker)
    // The cast: each end has its start.
    this.#leave(this.#frames.pop() as Frame)
  }

  #enterDrawn(marker: Span): void {
    this.stray(marker)
    this.#innerStart = marker.end
  }

  #leaveDrawn(block: Block, marker: Span): void {
    const inner = this.#content.slice(this.#innerStart, marker.start)
    const html = this.#draw?.block({ name: block.name, attributes: attributesOf(block), inner }) ?? ''
    this.#copied = marker.end
    if (html === '') return
    this.#pieces.push(`<!--\0${this.drawn.length}-->`)
    this.drawn.push(html)
    const frame = this.#frames.at(-1)
    if (frame) frame.hasText = true
  }

  /** Leaves a marker out. */
  stray(marker: Span): void {
    if (this.#openInDrawn > 0) return
    this.#copyTo(marker.start)
    this.#copied = marker.end
  }

  token(token: Token): void {
    const frame = this.#frames.at(-1)
    if (frame === undefined || this.#openInDrawn > 0) return
    if (token.kind === 'text') frame.hasText ||= !isBlank(this.#content, token)
    if (token.kind !== 'open') return
    if (frame.isClassless || frame.isUnplaced) this.#addClass(frame, token)
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
    const wanted = frame.isClassless ? CLASSED.get(frame.block.name) : undefined
    const isWanted = wanted?.elements.includes(tag.lowerName) === true
    const { block, isUnplaced } = frame
    const layout = isUnplaced ? layoutOf(block.name, () => attributesOf(block)) : undefined
    frame.isUnplaced = false
    if (isWanted) frame.isClassless = false
    if (!isWanted && layout === undefined) return
    const added = [...(isWanted ? wanted.classNames : []), ...(layout?.classNames ?? [])]
    this.stray(tag)
    const edits = [classEdit(tag, (classes) => [...new Set([...classes, ...added])]), styleEdit(tag, layout?.style)]
    this.#pieces.push(withEdits(this.#content, tag, edits))
  }

  #openBox(frame: Frame, tag: OpenTag): void {
    frame.box = 'open'
    this.#pieces[frame.start] = `<div class="${BOX_CLASS}">`
    this.stray(tag)
    const edits = [classEdit(tag, (classes) => classes.filter((name) => name !== BOX_CLASS))]
    this.#pieces.push(withEdits(this.#content, tag, edits))
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

interface Edit extends Span {
  readonly text: string
}

/** Returns undefined when the classes stay. */
function classEdit(tag: OpenTag, change: (classes: readonly string[]) => readonly string[]): Edit | undefined {
  const before = (attributeOf(tag, 'class')?.value ?? '').split(BLANKS).filter((one) => one !== '')
  const after = change(before)
  return after.length === before.length ? undefined : attributeEdit(tag, 'class', after.join(' '))
}

/** Adds declarations in front, so that those of the author win. */
function styleEdit(tag: OpenTag, style = ''): Edit | undefined {
  const own = attributeOf(tag, 'style')?.value ?? ''
  return style === '' ? undefined : attributeEdit(tag, 'style', `${escapeHtml(style)}${own === '' ? '' : `;${own}`}`)
}

const attributeOf = ({ attributes }: OpenTag, name: string) => attributes.find((one) => one.name.toLowerCase() === name)

/** `value` is source: its references stay. */
function attributeEdit(tag: OpenTag, name: string, value: string): Edit {
  const given = attributeOf(tag, name)
  const nameEnd = tag.start + 1 + tag.name.length
  const written = `${name}="${value.replaceAll('"', '&quot;')}"`
  return given === undefined
    ? { start: nameEnd, end: nameEnd, text: ` ${written}` }
    : { start: given.start, end: given.end, text: written }
}

/** Returns the source of a tag with changed attributes; all else stays byte for byte. */
function withEdits(html: string, tag: OpenTag, edits: readonly (Edit | undefined)[]): string {
  let source = ''
  let copied = tag.start
  const found = edits.filter((edit) => edit !== undefined)
  for (const { start, end, text } of found.sort((one, other) => one.start - other.start)) {
    source += html.slice(copied, start) + text
    copied = end
  }
  return source + html.slice(copied, tag.end)
}
