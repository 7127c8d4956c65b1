/** The list of a post's footnotes, from its meta value `footnotes`: JSON in a text, `[{ "id": "…", "content": "<html>" }]`. */
import { escapeHtml } from '../../core/runtime/escape-html.ts'
import type { BlockAttributes } from './markers.ts'

interface Footnote {
  readonly id: string
  readonly content: string
}

/** In the order of the value; nothing without notes. The contents are HTML that was filtered when it was stored. */
export function footnotesHtml(stored: string | undefined, { className }: BlockAttributes): string {
  const notes = readFootnotes(stored)
  if (notes.length === 0) return ''
  const own = typeof className === 'string' ? `${escapeHtml(className.trim())} ` : ''
  return `<ol class="${own.trimStart()}cms-block-footnotes">${notes.map(noteHtml).join('')}</ol>`
}

function noteHtml({ id, content }: Footnote, index: number): string {
  const target = escapeHtml(id)
  const label = `Back to note ${index + 1} in the text`
  return `<li id="${target}">${content} <a href="#${target}-link" aria-label="${label}">\u21a9\ufe0e</a></li>`
}

/** Notes without an id or a content are left out, and a text that does not parse has none. */
function readFootnotes(stored: string | undefined): Footnote[] {
  if (!stored) return []
  let notes: unknown
  try {
    notes = JSON.parse(stored)
  } catch {
    return []
  }
  return Array.isArray(notes) ? notes.filter(isFootnote) : []
}

function isFootnote(note: unknown): note is Footnote {
  if (typeof note !== 'object' || note === null) return false
  const { id, content } = note as { readonly id?: unknown; readonly content?: unknown }
  return typeof id === 'string' && id !== '' && typeof content === 'string' && content !== ''
}
