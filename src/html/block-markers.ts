/**
 * Reads block markers: HTML comments of the form `<!-- cms:name {"key":"value"} -->`, `<!-- /cms:name -->` and, for a block
 * without content, `<!-- cms:name /-->`.
 */

export interface Marker {
  readonly kind: 'start' | 'end' | 'void'
  /** The name without the prefix `core/`, which every site knows. */
  readonly name: string
  /** The source of the attributes; empty without any. */
  readonly json: string
}

const PREFIX = 'cms:'
const KNOWN = 'core/'
const SLASH = 47

/** Reads the text between `<!--` and `-->`; undefined for comments that are no markers. The cost is linear. */
export function readMarker(comment: string): Marker | undefined {
  const at = skipBlanks(comment, 0)
  const isEnd = comment.charCodeAt(at) === SLASH
  const nameStart = at + (isEnd ? 1 : 0) + PREFIX.length
  if (at === 0 || !comment.startsWith(PREFIX, nameStart - PREFIX.length)) return undefined
  const nameEnd = endOfName(comment, nameStart)
  if (nameEnd === nameStart || !isBlank(comment.charCodeAt(nameEnd))) return undefined
  const name = comment.slice(comment.startsWith(KNOWN, nameStart) ? nameStart + KNOWN.length : nameStart, nameEnd)
  const rest = comment.slice(nameEnd).trim()
  if (isEnd) return rest === '' ? { kind: 'end', name, json: '' } : undefined
  const isVoid = rest.endsWith('/')
  const json = isVoid ? rest.slice(0, -1).trim() : rest
  if (json !== '' && !(json.startsWith('{') && json.endsWith('}'))) return undefined
  return { kind: isVoid ? 'void' : 'start', name, json }
}

const isBlank = (code: number): boolean => code === 32 || code === 10 || code === 9 || code === 13 || code === 12

const isLetter = (code: number): boolean => code >= 97 && code <= 122

/** Accepts digits, `-` and `_` too. */
const isOfWord = (code: number): boolean => isLetter(code) || (code >= 48 && code <= 57) || code === 45 || code === 95

function skipBlanks(text: string, from: number): number {
  let at = from
  while (isBlank(text.charCodeAt(at))) at++
  return at
}

/** Returns the offset after a word, or after two words with a slash between them; `start` when there is none. */
function endOfName(text: string, start: number): number {
  const end = endOfWord(text, start)
  if (end === start || text.charCodeAt(end) !== SLASH) return end
  const behind = endOfWord(text, end + 1)
  return behind === end + 1 ? end : behind
}

function endOfWord(text: string, start: number): number {
  if (!isLetter(text.charCodeAt(start))) return start
  let end = start
  while (isOfWord(text.charCodeAt(end))) end++
  return end
}

export type BlockAttributes = { readonly [name: string]: unknown }

/** Parses the attributes of a marker; empty when they do not parse. */
export function attributesOf({ json }: Pick<Marker, 'json'>): BlockAttributes {
  if (json === '') return {}
  try {
    // The cast: text in braces that parses is an object.
    return JSON.parse(json) as BlockAttributes
  } catch {
    return {}
  }
}

/** Writes attributes as a marker has them: characters with a meaning in HTML, and dashes in a row, are escaped. */
export const writeAttributes = (attributes: BlockAttributes): string => escapeJson(JSON.stringify(attributes))

/** Escapes the same in any JSON: outside of its strings there is nothing to escape. */
export const escapeJson = (json: string): string => json.replace(ESCAPED, (found) => ESCAPES.get(found) ?? found)

const ESCAPED = /\\"|\\.|[&<>]|--/g

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\\"', '\\u0022'],
  ['&', '\\u0026'],
  ['<', '\\u003c'],
  ['>', '\\u003e'],
  ['--', '\\u002d\\u002d'],
])
