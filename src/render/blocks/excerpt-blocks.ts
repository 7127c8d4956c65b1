/** Which parts of a content in blocks count for its excerpt. */
import type { Token } from '../../html/tokens.ts'
import { type BlockVisitor, walkBlocks } from './blocks.ts'

/** Blocks of text. One of them that holds any other block is left out whole. */
const COUNTED: ReadonlySet<string> = new Set([
  ...['freeform', 'heading', 'html', 'list', 'media-text', 'paragraph', 'preformatted', 'pullquote', 'quote', 'table'],
  'verse',
])
/** Blocks whose inner blocks count each for themselves; their own markup does not. */
const CONTAINERS: ReadonlySet<string> = new Set(['column', 'columns', 'group'])

/**
 * An open block: `counted` adds its tokens, `container` judges its blocks one by one, `skipped` adds nothing. `start` says
 * where its tokens begin.
 */
interface Frame {
  kind: 'counted' | 'container' | 'skipped'
  readonly start: number
}

/** The tokens of counted blocks and those between the outermost blocks, in order and without markers. */
export function countedTokens(tokens: readonly Token[]): Token[] {
  const kept: Token[] = []
  const frames: Frame[] = []

  const visitor: BlockVisitor = {
    start({ name }) {
      const kind = kindOf(name, frames.at(-1))
      frames.push({ kind, start: kept.length })
    },
    end() {
      const frame = frames.pop() as Frame
      const parent = frames.at(-1)
      if (frame.kind !== 'skipped' || parent?.kind !== 'counted') return
      parent.kind = 'skipped'
      kept.length = parent.start
    },
    token(token) {
      if (frames.length === 0 || frames.at(-1)?.kind === 'counted') kept.push(token)
    },
    stray() {},
  }
  walkBlocks(tokens, visitor)
  return kept
}

/** Inside a counted block only counted blocks count. */
function kindOf(name: string, parent: Frame | undefined): Frame['kind'] {
  if (parent?.kind === 'skipped') return 'skipped'
  if (COUNTED.has(name)) return 'counted'
  return CONTAINERS.has(name) && parent?.kind !== 'counted' ? 'container' : 'skipped'
}
