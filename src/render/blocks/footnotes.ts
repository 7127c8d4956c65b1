/** Writes the footnotes of a post from its meta value `footnotes`: JSON text, `[{ "id": "…", "content": "<html>" }]`. */
import { escapeHtml } from '../../core/runtime/escape-html.ts'
import type { BlockAttributes } from '../../html/block-markers.ts'

interface Footnote {
  readonly id: string
  readonly content: string
}

/** Writes the notes in the order of the value; nothing without notes. Their HTML was filtered when it was saved. */
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

/** Leaves out notes without an id or a content; text that does not parse contains none. */
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
