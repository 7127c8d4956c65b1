/** Merges a text that two have changed, word by word. */
import { readMarker } from '../../../html/block-markers.ts'
import { tokenize } from '../../../html/tokenize.ts'
import { balanced } from '../../../render/builder/html/balance.ts'
import { wordDifference } from '../difference/words.ts'
import type { Versions } from './versions.ts'

/** Replaces a part of the base, from one sign up to another. */
interface Edit {
  readonly from: number
  readonly to: number
  readonly text: string
}

/**
 * Undefined: both have changed the same words, or words side by side; the text has no sentences, as a colour or an address; or the tags of
 * both, each right by itself, would no longer enclose each other.
 */
export function mergedText({ base, mine, theirs }: Versions<string>): string | undefined {
  if (!isProse(base)) return undefined
  const edits = joined(editsOf(base, mine), editsOf(base, theirs))
  if (!edits) return undefined
  const text = applied(base, edits)
  return isNested(text) || !isNested(mine) || !isNested(theirs) ? text : undefined
}

/** Has three words, and is no function of a style sheet. Lengths such as 2px are no words. */
const isProse = (text: string): boolean =>
  (text.slice(0, 10_000).match(/(?<![\p{N}#.-])\p{L}{2,}/gu)?.length ?? 0) >= 3 && !/^\s*[\w-]+\(/.test(text)

function editsOf(base: string, changed: string): Edit[] {
  const edits: Edit[] = []
  let at = 0
  let open: Edit | undefined
  for (const { change, text } of wordDifference(base, changed)) {
    if (change === 'same') {
      if (open) edits.push(open)
      open = undefined
      at += text.length
      continue
    }
    open ??= { from: at, to: at, text: '' }
    if (change === 'added') open = { ...open, text: open.text + text }
    else {
      at += text.length
      open = { ...open, to: at }
    }
  }
  return open ? [...edits, open] : edits
}

/** The edits of both in order; undefined where two different ones meet. */
function joined(mine: readonly Edit[], theirs: readonly Edit[]): Edit[] | undefined {
  const all = [...mine, ...theirs].sort((a, b) => a.from - b.from || a.to - b.to)
  const edits: Edit[] = []
  for (const edit of all) {
    const last = edits.at(-1)
    if (last && last.from === edit.from && last.to === edit.to && last.text === edit.text) continue
    if (last && edit.from <= last.to) return undefined
    edits.push(edit)
  }
  return edits
}

function applied(base: string, edits: readonly Edit[]): string {
  let at = 0
  const parts: string[] = []
  for (const { from, to, text } of edits) {
    parts.push(base.slice(at, from), text)
    at = to
  }
  return parts.join('') + base.slice(at)
}

/** Whether each tag that opens also closes, within the one around it, and so with blocks. */
const isNested = (text: string): boolean => !text.includes('<') || (balanced(text) === text && areBlocksNested(text))

function areBlocksNested(text: string): boolean {
  const open: string[] = []
  for (const token of text.includes('<!--') ? tokenize(text) : []) {
    const marker = token.kind === 'comment' ? readMarker(token.text) : undefined
    if (marker?.kind === 'start') open.push(marker.name)
    else if (marker?.kind === 'end' && open.pop() !== marker.name) return false
  }
  return open.length === 0
}
