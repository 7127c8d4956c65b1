/**
 * Block markers: HTML comments of the form `<!-- cms:name {"key":"value"} -->`, `<!-- /cms:name -->` and, for a block
 * without content, `<!-- cms:name /-->`.
 */

export interface Marker {
  readonly kind: 'start' | 'end' | 'void'
  /** Without the `core/` of blocks that every site knows. */
  readonly name: string
  /** The source of the attributes; empty without any. */
  readonly json: string
}

const NAME = /[a-z][a-z0-9_-]*(?:\/[a-z][a-z0-9_-]*)?/y
const BLANK = /[\t\n\f\r ]/
const PREFIX = 'cms:'
const KNOWN = 'core/'

/** What a comment with this text between `<!--` and `-->` marks; undefined for other comments. Linear. */
export function readMarker(comment: string): Marker | undefined {
  const at = skipBlanks(comment, 0)
  const isEnd = comment[at] === '/'
  const nameStart = at + (isEnd ? 1 : 0) + PREFIX.length
  if (at === 0 || !comment.startsWith(PREFIX, nameStart - PREFIX.length)) return undefined
  NAME.lastIndex = nameStart
  const written = NAME.exec(comment)?.[0]
  if (written === undefined || !BLANK.test(comment.charAt(nameStart + written.length))) return undefined
  const name = written.startsWith(KNOWN) ? written.slice(KNOWN.length) : written
  const rest = comment.slice(nameStart + written.length).trim()
  if (isEnd) return rest === '' ? { kind: 'end', name, json: '' } : undefined
  const isVoid = rest.endsWith('/')
  const json = isVoid ? rest.slice(0, -1).trim() : rest
  if (json !== '' && !(json.startsWith('{') && json.endsWith('}'))) return undefined
  return { kind: isVoid ? 'void' : 'start', name, json }
}

function skipBlanks(text: string, from: number): number {
  let at = from
  while (at < text.length && BLANK.test(text.charAt(at))) at++
  return at
}

export type BlockAttributes = { readonly [name: string]: unknown }

/** The attributes of a marker; none when they do not parse. */
export function attributesOf({ json }: Pick<Marker, 'json'>): BlockAttributes {
  if (json === '') return {}
  try {
    // The cast: text in braces that parses is an object.
    return JSON.parse(json) as BlockAttributes
  } catch {
    return {}
  }
}
