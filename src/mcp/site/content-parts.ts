/** The outermost blocks of a text, so that an agent can name and change one of them. A text without blocks is one part for each outermost tag. */
import { toMarkdown } from '../markdown/from-html.ts'

interface ContentPart {
  /** Its number in the text, from 1. */
  readonly part: number
  /** The block's name; a text between blocks has the name `html`. */
  readonly name: string
  readonly from: number
  readonly to: number
  readonly markdown: string
}

interface Marker {
  readonly kind: 'start' | 'end' | 'void'
  readonly name: string
  readonly from: number
  readonly to: number
}

/** Stops at a comment that does not end, so that the work is linear. */
function* markersOf(content: string): Generator<Marker> {
  const opening = /<!--\s+(\/?)[a-z]+:([a-z][\w/-]*)\s/g
  for (let found = opening.exec(content); found; found = opening.exec(content)) {
    const [, slash, name = ''] = found
    const end = content.indexOf('-->', opening.lastIndex - 1)
    if (end === -1) return
    opening.lastIndex = end + 3
    const kind = slash === '/' ? 'end' : content[end - 1] === '/' ? 'void' : 'start'
    yield { kind, name, from: found.index, to: end + 3 }
  }
}

type Piece = Omit<ContentPart, 'part' | 'markdown'>

export function partsOf(content: string): readonly ContentPart[] {
  const pieces: Piece[] = []
  let depth = 0
  let [from, end] = [0, 0]
  for (const marker of markersOf(content)) {
    if (depth === 0 && marker.kind !== 'end') {
      pieces.push(...betweenBlocks(content, end, marker.from))
      from = marker.from
    }
    depth = Math.max(0, depth + depthChange[marker.kind])
    if (depth > 0) continue
    end = marker.to
    pieces.push({ name: marker.name, from, to: end })
  }
  pieces.push(...betweenBlocks(content, depth === 0 ? end : from, content.length))
  return pieces.map((piece, at) => ({
    ...piece,
    part: at + 1,
    markdown: toMarkdown(content.slice(piece.from, piece.to)),
  }))
}

const depthChange = { start: 1, end: -1, void: 0 } as const

/** Tags of the blocks that a text without markers consists of. */
const blockTag = /<(\/?)(?:p|h[1-6]|ul|ol|blockquote|pre|figure|table|hr)\b/gi

/** Divides a text between blocks: each outermost tag is a part, and each paragraph without one. */
function betweenBlocks(content: string, from: number, to: number): readonly Piece[] {
  const text = content.slice(from, to)
  const starts = [0]
  let depth = 0
  for (const { index, 0: tag, 1: slash } of text.matchAll(blockTag)) {
    if (slash === '/') depth = Math.max(0, depth - 1)
    else {
      if (depth === 0 && index > 0) starts.push(index)
      if (!/^<hr/i.test(tag)) depth++
    }
  }
  return starts.flatMap((start, at) => paragraphsOf(text.slice(start, starts[at + 1] ?? text.length), from + start))
}

/** Splits a text at its empty lines, unless it begins with a tag. */
function paragraphsOf(text: string, from: number): readonly Piece[] {
  const gaps = text.trimStart().startsWith('<') ? [] : [...text.matchAll(/\n[^\S\n]*\n/g)]
  const starts = [0, ...gaps.map(({ index, 0: gap }) => index + gap.length)]
  return starts
    .map((start, at) => ({ name: 'html', from: from + start, to: from + (starts[at + 1] ?? text.length) }))
    .filter((piece) => text.slice(piece.from - from, piece.to - from).trim() !== '')
}
