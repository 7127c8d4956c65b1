/** Selects the parts of a content with blocks that belong to its excerpt. */
import type { Token } from '../../html/tokens.ts'
import { type BlockVisitor, walkBlocks } from './blocks.ts'

/** Text blocks. A text block that contains a block of another kind is left out whole. */
const COUNTED: ReadonlySet<string> = new Set([
  ...['freeform', 'heading', 'html', 'list', 'media-text', 'paragraph', 'preformatted', 'pullquote', 'quote', 'table'],
  'verse',
])
/** Blocks whose inner blocks are judged one by one; their own markup is left out. */
const CONTAINERS: ReadonlySet<string> = new Set(['column', 'columns', 'group'])

/**
 * An open block: `counted` adds its tokens, `container` judges its blocks one by one, `skipped` adds nothing. `start` is the
 * index of its first token.
 */
interface Frame {
  kind: 'counted' | 'container' | 'skipped'
  readonly start: number
}

/** Returns the tokens of counted blocks and those between the outermost blocks, in order and without markers. */
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

/** Inside a counted block only counted blocks are counted. */
function kindOf(name: string, parent: Frame | undefined): Frame['kind'] {
  if (parent?.kind === 'skipped') return 'skipped'
  if (COUNTED.has(name)) return 'counted'
  return CONTAINERS.has(name) && parent?.kind !== 'counted' ? 'container' : 'skipped'
}
