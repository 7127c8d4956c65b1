/** Filters comments. Block markers keep their form; strings in their attributes are filtered like texts. */
import { escapeJson, type Marker, readMarker } from '../../html/block-markers.ts'

export type Filter = (text: string) => string

/** Two dashes in a row could end the comment early. */
const DASHES = /--+/g

/**
 * Filters the text of a comment. The result may be a block marker, so `readAgain` reads it first. Interface: a comment that
 * contains a listed element becomes text.
 */
export function safeComment(
  text: string,
  filterInside: Filter,
  readAgain: (text: string) => string | undefined,
): string {
  const inside = filterInside(text)
  if (inside.includes('<')) return `&lt;!--${inside}--&gt;`
  const safe = inside.replace(DASHES, '-')
  return readAgain(safe) ?? `<!--${safe}-->`
}

/** Tracks the markers of a text, so that each block that starts also ends. */
export class OpenBlocks {
  readonly #names: string[] = []
  /** A count per name detects a stray end without searching the open blocks. */
  readonly #counts = new Map<string, number>()

  /** Returns the source of the marker, preceded by ends for blocks that it leaves open. */
  write({ kind, name }: Marker, source: string): string {
    const count = this.#counts.get(name) ?? 0
    if (kind === 'end') return (count > 0 ? this.#endInside(name) : '') + source
    if (kind === 'start') {
      this.#names.push(name)
      this.#counts.set(name, count + 1)
    }
    return source
  }

  /** Returns the ends of all blocks that are still open. */
  end(): string {
    let ends = ''
    while (this.#names.length > 0) ends += endOf(this.#leave())
    return ends
  }

  #endInside(name: string): string {
    let ends = ''
    for (let inner = this.#leave(); inner !== name; inner = this.#leave()) ends += endOf(inner)
    return ends
  }

  #leave(): string {
    // The casts: callers have checked that a block is open, and it was counted when it was opened.
    const name = this.#names.pop() as string
    this.#counts.set(name, (this.#counts.get(name) as number) - 1)
    return name
  }
}

const endOf = (name: string) => `<!-- /cms:${name} -->`

/**
 * HTML blanks separate the parts of a marker. Some editors also accept blanks of Unicode, so markers with those are filtered
 * too.
 */
const ANY_BLANKS = /^\s+(\/?cms:[a-z][a-z0-9_/-]*)\s+/

interface SafeMarker {
  readonly marker: Marker
  readonly source: string
}

/** Returns the marker in a comment, and the comment with filtered attributes; undefined for other comments. */
export function safeMarker(comment: string, filter: Filter): SafeMarker | undefined {
  const text = readMarker(comment) ? comment : comment.replace(ANY_BLANKS, ' $1 ')
  const marker = readMarker(text)
  if (marker === undefined) return undefined
  const { json } = marker
  if (json === '') return { marker, source: `<!--${text}-->` }
  const start = text.indexOf(json)
  const before = text.slice(0, start)
  const after = text.slice(start + json.length)
  const safe = safeJson(json, filter)
  return { marker, source: safe === '' ? `<!--${before.trimEnd()}${after}-->` : `<!--${before}${safe}${after}-->` }
}

const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/g

/**
 * Filters the strings of JSON and nothing else, so that numbers, blanks and names keep their bytes. Returns an empty text for
 * broken JSON.
 */
function safeJson(json: string, filter: Filter): string {
  if (!isJson(json)) return ''
  return json.replace(STRING, (literal) => {
    // The cast: the text is a JSON string literal.
    const text = JSON.parse(literal) as string
    const safe = filter(text)
    return safe === text && !/[<>&]|\\"/.test(literal) ? literal : escapeJson(JSON.stringify(safe))
  })
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
