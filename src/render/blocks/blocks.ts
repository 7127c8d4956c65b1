/** Finds the blocks of a content by their markers. It does not decide how a block is rendered. */

import { type Marker, readMarker } from '../../html/block-markers.ts'
import { tokenize } from '../../html/tokenize.ts'
import type { Token } from '../../html/tokens.ts'

const MARKER_START = '<!-- cms:'

/** Returns whether the content has blocks: then it gets no paragraphs, even when its markers are broken. */
export const hasBlocks = (content: string): boolean => content.includes(MARKER_START)

/** Returns 1 for content with blocks, 0 for other content. */
export const blockVersion = (content: string): 0 | 1 => (hasBlocks(content) ? 1 : 0)

export type Block = Pick<Marker, 'name' | 'json'>

/** Receives the parts that `walkBlocks` finds. Each `start` has an `end`, and they are well nested. */
export interface BlockVisitor {
  start(block: Block, marker: Span): void
  /** The span is empty when no marker closes the block. */
  end(block: Block, marker: Span): void
  /** Receives every token between markers. */
  token(token: Token): void
  /** Receives a marker that closes no block. */
  stray(marker: Span): void
}

export interface Span {
  readonly start: number
  readonly end: number
}

/**
 * Reports blocks and the tokens between their markers in source order, at a cost that is linear in the source. Choice: an end
 * marker closes the nearest open block of its name and the blocks inside it; unclosed blocks end with the content; an end
 * marker without a start is dropped.
 */
export function walkBlocks(tokens: readonly Token[], visitor: BlockVisitor): void {
  const stack = new OpenBlocks(visitor)
  for (const token of tokens) {
    const marker = token.kind === 'comment' ? readMarker(token.text) : undefined
    if (marker === undefined) visitor.token(token)
    else if (marker.kind === 'end') stack.close(marker.name, token)
    else {
      visitor.start(marker, token)
      if (marker.kind === 'void') visitor.end(marker, { start: token.end, end: token.end })
      else stack.open(marker)
    }
  }
  const end = tokens.at(-1)?.end ?? 0
  stack.closeAll({ start: end, end })
}

/** The source of a block that no other one contains, or of the markup between two of them, whose name is empty. */
interface BlockPiece {
  readonly name: string
  readonly source: string
}

export function piecesOf(content: string): readonly BlockPiece[] {
  const pieces: BlockPiece[] = []
  let [depth, start] = [0, 0]
  const cut = (name: string, end: number) => {
    const source = content.slice(start, end)
    if (name !== '' || source.trim() !== '') pieces.push({ name, source })
    start = end
  }
  walkBlocks(tokenize(content), {
    start: (_, marker) => {
      if (depth === 0) cut('', marker.start)
      depth++
    },
    end: ({ name }, marker) => {
      depth--
      if (depth === 0) cut(name, marker.end)
    },
    token: () => {},
    stray: () => {},
  })
  cut('', content.length)
  return pieces
}

/** Holds the open blocks, with a count per name, so that a stray end is detected without a search. */
class OpenBlocks {
  readonly #visitor: BlockVisitor
  readonly #open: Block[] = []
  readonly #counts = new Map<string, number>()

  constructor(visitor: BlockVisitor) {
    this.#visitor = visitor
  }

  open(block: Block): void {
    this.#open.push(block)
    this.#count(block.name, 1)
  }

  close(name: string, token: Token): void {
    if (!this.#counts.get(name)) {
      this.#visitor.stray(token)
      return
    }
    while (this.#open.at(-1)?.name !== name) this.#closeLast({ start: token.start, end: token.start })
    this.#closeLast(token)
  }

  closeAll(marker: Span): void {
    while (this.#open.length > 0) this.#closeLast(marker)
  }

  #closeLast(marker: Span): void {
    // The cast: callers have checked that a block is open.
    const block = this.#open.pop() as Block
    this.#count(block.name, -1)
    this.#visitor.end(block, marker)
  }

  #count(name: string, change: number): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + change)
  }
}
