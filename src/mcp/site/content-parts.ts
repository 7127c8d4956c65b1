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

/** Paragraphs, headings and the like outside blocks; each begins a line or follows the end of another. */
function betweenBlocks(content: string, from: number, to: number): readonly Piece[] {
  const text = content.slice(from, to)
  if (text.trim() === '') return []
  const starts = [
    ...text.matchAll(/(?:^|\n\s*\n|(?<=>)\s*)(?=\s*<(?:p|h[1-6]|ul|ol|blockquote|pre|figure|table|hr)\b|\s*[^<\s])/g),
  ]
    .map(({ index, 0: { length } }) => index + length)
    .filter((at, index, all) => at !== all[index - 1])
  const bounds = starts.length === 0 ? [0] : starts
  return bounds
    .map((start, at) => ({ name: 'html', from: from + start, to: from + (bounds[at + 1] ?? text.length) }))
    .filter((one) => content.slice(one.from, one.to).trim() !== '')
}
