/**
 * Reads an export file piece by piece: XML in, one record for each author, term and item out. At no time more than one
 * record and one chunk are held.
 */
import { Parser } from 'htmlparser2'
import { createLineCounter, type Position } from './line-counter.ts'
import type { ImportReport } from './report.ts'

/** A part of the file as it stands there; nothing is interpreted yet. */
export interface FileRecord {
  readonly kind: 'author' | 'category' | 'tag' | 'term' | 'item'
  readonly line: number
  /** The texts of the elements inside, by name; of one that is repeated the last. */
  readonly fields: { readonly [element: string]: string }
  readonly meta: readonly (readonly [key: string, value: string])[]
  readonly terms: readonly { readonly domain: string; readonly slug: string; readonly name: string }[]
  readonly comments: number
}

/** What stands above all items, as far as it has been read. */
export interface FileHead {
  version: string
  title: string
  /** The address of the site that the file comes from. */
  site: string
}

export type FileSource = AsyncIterable<Uint8Array | string>

/** The file can not be read on from here. */
export class ImportFileError extends Error {
  readonly code = 'import_file'
  readonly line: number
  /** Counted from the start of the file. */
  readonly byte: number
  /** What was taken over before this place. */
  report?: ImportReport
  constructor(problem: string, { line, byte }: Position) {
    super(`line ${line}, byte ${byte}: ${problem}`)
    this.name = 'ImportFileError'
    this.line = line
    this.byte = byte
  }
}

/** Of one element, and of one record with all that is in it; what is longer is nothing that a site holds. */
const maxCharacters = 64 * 1024 * 1024
const maxDepth = 100

/**
 * Answers the records that each chunk completes, with the bytes read so far. After the last good record it throws an
 * ImportFileError when the rest can not be understood.
 */
export async function* readExportFile(
  source: FileSource,
  head: FileHead,
): AsyncGenerator<{ readonly records: FileRecord[]; readonly bytes: number }> {
  const places = createLineCounter()
  const decoder = new TextDecoder()
  const document = createDocument(head, places.at)
  const { parser } = document
  const step = (text: string, bytes: number): ImportFileError | undefined => {
    places.add(text, bytes)
    try {
      parser.write(text)
      if (places.length - parser.startIndex > maxCharacters) {
        throw new ImportFileError('an element is too long to be text', places.at(parser.startIndex))
      }
      return undefined
    } catch (error) {
      if (error instanceof ImportFileError) return error
      throw error
    }
  }
  let bytes = 0
  for await (const chunk of source) {
    const size = typeof chunk === 'string' ? new TextEncoder().encode(chunk).length : chunk.byteLength
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
    const problem = step(text, size)
    bytes += size
    yield { records: document.taken(), bytes }
    if (problem) throw problem
  }
  const unfinished = document.unfinished()
  if (unfinished) throw new ImportFileError(unfinished, places.at(places.length))
}

// ---------------------------------------------------------------- elements

const kinds: { readonly [element: string]: FileRecord['kind'] | undefined } = {
  'wp:author': 'author',
  'wp:category': 'category',
  'wp:tag': 'tag',
  'wp:term': 'term',
  item: 'item',
}

interface OpenRecord {
  readonly kind: FileRecord['kind']
  readonly line: number
  /** How many elements lie around it. */
  readonly depth: number
  readonly fields: { [element: string]: string }
  readonly meta: (readonly [string, string])[]
  readonly terms: { domain: string; slug: string; name: string }[]
  comments: number
  size: number
}

/** XML 1.0 forbids them, and no storage takes a NUL. */
const controls = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]/g
const cleaned = (text: string) => (text.search(controls) === -1 ? text : text.replace(controls, ''))

function createDocument(head: FileHead, placeAt: (index: number) => Position) {
  let records: FileRecord[] = []
  const path: string[] = []
  let record: OpenRecord | undefined
  let text = ''
  let attributes: { readonly [name: string]: string } = {}
  let metaKey = ''
  let metaValue = ''
  let hasEnded = false

  const fail = (problem: string): never => {
    throw new ImportFileError(problem, placeAt(parser.endIndex))
  }

  const parser: Parser = new Parser(
    {
      onopentag(name, given) {
        if (path.length === maxDepth) fail('elements lie too deep in each other')
        if (path.length === 0 && hasEnded) fail(`<${name}> stands behind the end`)
        if (path.length === 0 && name !== 'rss') fail(`this is no export file: it begins with <${name}>, not <rss>`)
        const kind = path.length === 2 && path[1] === 'channel' && Object.hasOwn(kinds, name) ? kinds[name] : undefined
        if (kind) {
          if (head.version === '') fail('this is a feed, but no export file: wp:wxr_version is missing')
          const { line } = placeAt(parser.startIndex)
          record = { kind, line, depth: path.length, fields: {}, meta: [], terms: [], comments: 0, size: 0 }
        }
        path.push(name)
        grow(name.length)
        text = ''
        attributes = given
      },
      ontext(piece) {
        if (!isWanted()) return
        text += piece
        grow(piece.length)
      },
      onclosetag(name, isImplied) {
        // At the end all that is open is closed; anywhere else it is a mistake.
        if (isImplied) {
          if (hasEnded) return
          fail(`<${name}> is not closed`)
        }
        path.pop()
        if (path.length === 0) hasEnded = true
        if (record) closeInside(record, name)
        else if (path.length === 2 && path[1] === 'channel') readHead(name)
        text = ''
      },
    },
    { xmlMode: true },
  )

  function grow(characters: number): void {
    if (record) record.size += characters
    if ((record?.size ?? 0) > maxCharacters) fail('a record is too long')
  }

  /** Comments are counted, not read. */
  function isWanted(): boolean {
    if (!record) return path.length === 3
    const inside = path.length - record.depth
    return inside === 2 || (inside === 3 && path[record.depth + 1] === 'wp:postmeta')
  }

  function readHead(name: string): void {
    if (name === 'wp:wxr_version') head.version = text.trim()
    else if (name === 'title') head.title = cleaned(text).trim()
    else if (name === 'wp:base_blog_url' || (name === 'link' && head.site === '')) head.site = text.trim()
  }

  function closeInside(open: OpenRecord, name: string): void {
    const inside = path.length - open.depth
    if (inside === 0) {
      records.push(open)
      record = undefined
    } else if (inside === 2 && path.at(-1) === 'wp:postmeta') {
      if (name === 'wp:meta_key') metaKey = cleaned(text).trim()
      if (name === 'wp:meta_value') metaValue = cleaned(text)
    } else if (inside === 1) {
      closeField(open, name)
    }
  }

  function closeField(open: OpenRecord, name: string): void {
    if (name === 'wp:comment') {
      open.comments++
    } else if (name === 'wp:postmeta') {
      if (metaKey !== '') open.meta.push([metaKey, metaValue])
      metaKey = ''
      metaValue = ''
    } else if (name === 'category' && open.kind === 'item') {
      const { domain = 'category', nicename = '' } = attributes
      open.terms.push({ domain, slug: cleaned(nicename).trim(), name: cleaned(text).trim() })
    } else {
      open.fields[name] = cleaned(text)
    }
  }

  return {
    parser,
    taken(): FileRecord[] {
      const done = records
      records = []
      return done
    },
    /** What is wrong with a file that ends here. */
    unfinished(): string | undefined {
      if (hasEnded) return undefined
      if (path.length === 0) return 'this is no export file: it has no <rss>'
      const began = record ? `, which began at line ${record.line}` : ''
      return `the file ends inside <${record ? path[record.depth] : path.at(-1)}>${began}`
    },
  }
}
