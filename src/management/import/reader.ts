/** Parses an export file (XML) as a stream into records of authors, terms and items; holds one record and one chunk. */

import { Parser } from 'htmlparser2'
import { lookupTable } from '../../contract/lookup-table.ts'
import type { Json } from '../../contract/storage.ts'
import { createLineCounter, type LineCounter, type Position } from './line-counter.ts'
import type { ImportReport } from './report.ts'

/** An author, term or item of the file; its texts are not interpreted yet. */
export interface FileRecord {
  /** `comment`: one that does not come with its post. */
  readonly kind: 'author' | 'category' | 'tag' | 'term' | 'item' | 'comment'
  readonly line: number
  /** The texts of child elements, by name. Of a repeated element the last one counts. */
  readonly fields: { readonly [element: string]: string }
  /** Texts, which may be serialized, or values that a running site has given. */
  readonly meta: readonly (readonly [key: string, value: Json])[]
  readonly terms: readonly { readonly domain: string; readonly slug: string; readonly name: string }[]
  readonly comments: readonly FileComment[]
}

export interface FileComment {
  /** The texts of its elements. */
  readonly fields: { readonly [element: string]: string }
  readonly meta: readonly (readonly [key: string, value: Json])[]
}

/** The channel elements before the first item; filled while the file is read. */
export interface FileHead {
  version: string
  title: string
  /** The tagline. */
  description?: string
  /** A language tag such as `en-US`. */
  language?: string
  /** The URL of the exported site. */
  site: string
  /** The address of the network of sites that it is a part of; its own where it is none. */
  network?: string
  /** The addresses of all sites in the file: of joined files there are several. */
  sites?: readonly string[]
  /** Other addresses that its guids begin with. */
  addresses?: readonly string[]
}

export type FileSource = AsyncIterable<Uint8Array | string>

/** The file can not be parsed from this position on. */
export class ImportFileError extends Error {
  readonly code = 'import_file'
  readonly line: number
  /** The offset from the start of the file. */
  readonly byte: number
  /** Counts the rows that were imported before this position. */
  report?: ImportReport
  constructor(problem: string, { line, byte }: Position) {
    super(`line ${line}, byte ${byte}: ${problem}`)
    this.name = 'ImportFileError'
    this.line = line
    this.byte = byte
  }
}

/** The limit for one element and for one record. */
const maxCharacters = 64 * 1024 * 1024
const maxDepth = 100
const maxSites = 100

/**
 * Yields the records that each chunk completes, with the bytes read so far. Throws an ImportFileError after the last good
 * record if the rest can not be parsed.
 */
export async function* readExportFile(
  source: FileSource,
  head: FileHead,
): AsyncGenerator<{ readonly records: FileRecord[]; readonly bytes: number }> {
  const lines = createLineCounter()
  const decoder = new TextDecoder()
  const document = createDocument(head, lines)
  const { parser } = document
  const parse = (text: string, bytes: number): ImportFileError | undefined => {
    lines.add(text, bytes)
    try {
      parser.write(text)
      if (lines.length - parser.startIndex > maxCharacters) {
        throw new ImportFileError('an element is too long to be text', lines.at(parser.startIndex))
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
    const problem = parse(text, size)
    bytes += size
    yield { records: document.takeRecords(), bytes }
    if (problem) throw problem
  }
  const unfinished = document.unfinished()
  if (unfinished) throw new ImportFileError(unfinished, lines.at(lines.length))
}

// ---------------------------------------------------------------- elements

const kinds: { readonly [element: string]: FileRecord['kind'] | undefined } = lookupTable({
  'wp:author': 'author',
  'wp:category': 'category',
  'wp:tag': 'tag',
  'wp:term': 'term',
  item: 'item',
})

interface OpenRecord {
  readonly kind: FileRecord['kind']
  readonly line: number
  /** The number of enclosing elements. */
  readonly depth: number
  readonly fields: { [element: string]: string }
  readonly meta: (readonly [string, Json])[]
  readonly terms: { domain: string; slug: string; name: string }[]
  readonly comments: FileComment[]
  size: number
}

interface OpenComment {
  readonly fields: { [element: string]: string }
  readonly meta: (readonly [string, Json])[]
}

/** XML 1.0 does not allow these characters, and storages do not accept NUL. */
const controls = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]/g
const withoutControls = (text: string) => (text.search(controls) === -1 ? text : text.replace(controls, ''))

/** The state of the parser at the current position. */
interface DocumentState {
  readonly head: FileHead
  /** The names of the open elements. */
  readonly path: string[]
  /** The completed records that are not taken yet. */
  records: FileRecord[]
  record: OpenRecord | undefined
  text: string
  attributes: { readonly [name: string]: string }
  metaKey: string
  metaValue: string
  comment: OpenComment
  hasEnded: boolean
  /** Throws an ImportFileError for the current position. */
  readonly fail: (problem: string) => never
}

function createDocument(head: FileHead, lines: LineCounter) {
  const state: DocumentState = {
    head,
    path: [],
    records: [],
    record: undefined,
    text: '',
    attributes: {},
    metaKey: '',
    metaValue: '',
    comment: { fields: {}, meta: [] },
    hasEnded: false,
    fail(problem) {
      throw new ImportFileError(problem, lines.at(parser.endIndex))
    },
  }
  /** Where the element that was opened last begins. */
  let openedAt = -1
  const parser: Parser = new Parser(
    {
      onopentag(name, attributes) {
        openedAt = parser.startIndex
        openElement(state, name, () => lines.lineAt(parser.startIndex))
        state.attributes = attributes
      },
      ontext(piece) {
        if (!isWanted(state)) return
        state.text += piece
        grow(state, piece.length)
      },
      onclosetag(name, isImplied) {
        // The parser closes open elements at the end of the file; anywhere else an unclosed element is a mistake. It says the
        // same of an element that closes itself (`<x/>`), but at the place where it opened.
        if (isImplied && parser.startIndex !== openedAt) {
          if (state.hasEnded) return
          state.fail(`<${name}> is not closed`)
        }
        closeElement(state, name)
      },
    },
    { xmlMode: true },
  )
  return {
    parser,
    takeRecords(): FileRecord[] {
      const completed = state.records
      state.records = []
      return completed
    },
    /** The problem of a file that ends here; undefined if it is complete. */
    unfinished(): string | undefined {
      const { hasEnded, path, record } = state
      if (hasEnded) return undefined
      if (path.length === 0) return 'this is no export file: it has no <rss>'
      const began = record ? `, which began at line ${record.line}` : ''
      return `the file ends inside <${record ? path[record.depth] : path.at(-1)}>${began}`
    },
  }
}

function openElement(state: DocumentState, name: string, lineOf: () => number): void {
  const { path, head, fail } = state
  if (path.length === maxDepth) fail('elements lie too deep in each other')
  if (path.length === 0) checkRoot(state, name)
  const kind = path.length === 2 && path[1] === 'channel' && Object.hasOwn(kinds, name) ? kinds[name] : undefined
  if (kind) {
    if (head.version === '') fail('this is a feed, but no export file: wp:wxr_version is missing')
    state.record = { kind, line: lineOf(), depth: path.length, fields: {}, meta: [], terms: [], comments: [], size: 0 }
  }
  path.push(name)
  grow(state, name.length)
  state.text = ''
}

function checkRoot({ hasEnded, fail }: DocumentState, name: string): void {
  if (hasEnded) fail(`<${name}> stands behind the end`)
  if (name !== 'rss') fail(`this is no export file: it begins with <${name}>, not <rss>`)
}

function grow({ record, fail }: DocumentState, characters: number): void {
  if (record) record.size += characters
  if ((record?.size ?? 0) > maxCharacters) fail('a record is too long')
}

function isWanted({ record, path }: DocumentState): boolean {
  if (!record) return path.length === 3
  const depth = path.length - record.depth
  const [outer = '', inner] = path.slice(record.depth + 1)
  if (depth === 4) return outer === 'wp:comment' && inner === commentMeta
  return depth === 2 || (depth === 3 && /^wp:(?:postmeta|termmeta|comment)$/.test(outer))
}

function closeElement(state: DocumentState, name: string): void {
  const { path, record } = state
  path.pop()
  if (path.length === 0) state.hasEnded = true
  if (record) closeInRecord(state, record, name)
  else if (path.length === 2 && path[1] === 'channel') readHead(state, name)
  state.text = ''
}

function readHead({ head, text }: DocumentState, name: string): void {
  if (name === 'wp:wxr_version') head.version = text.trim()
  else if (name === 'title') head.title = withoutControls(text).trim()
  else if (name === 'description' || name === 'language') head[name] = withoutControls(text).trim()
  else if (name === 'wp:base_site_url') head.network = text.trim()
  else if (name === 'wp:base_blog_url') {
    head.site = text.trim()
    const { sites = [] } = head
    if (sites.length < maxSites && !sites.includes(head.site)) head.sites = [...sites, head.site]
  } else if (name === 'link' && head.site === '') head.site = text.trim()
}

/** Closes the open record itself or an element inside it. */
function closeInRecord(state: DocumentState, open: OpenRecord, name: string): void {
  const { path, text } = state
  const depth = path.length - open.depth
  if (depth === 0) {
    state.records.push(open)
    state.record = undefined
  } else if ((depth === 2 && isMeta(path.at(-1))) || (depth === 3 && path.at(-1) === commentMeta)) {
    if (name === 'wp:meta_key') state.metaKey = withoutControls(text).trim()
    if (name === 'wp:meta_value') state.metaValue = withoutControls(text)
  } else if (depth === 2 && path.at(-1) === 'wp:comment') {
    if (name === commentMeta) closeMeta(state, state.comment.meta)
    else state.comment.fields[name] = withoutControls(text)
  } else if (depth === 1) {
    closeField(state, open, name)
  }
}

const isMeta = (name: string | undefined) => name === 'wp:postmeta' || name === 'wp:termmeta'
const commentMeta = 'wp:commentmeta'

function closeMeta(state: DocumentState, meta: OpenRecord['meta']): void {
  if (state.metaKey !== '') meta.push([state.metaKey, state.metaValue])
  state.metaKey = ''
  state.metaValue = ''
}

function closeField(state: DocumentState, open: OpenRecord, name: string): void {
  const { text } = state
  if (name === 'wp:comment') {
    open.comments.push(state.comment)
    state.comment = { fields: {}, meta: [] }
  } else if (isMeta(name)) {
    closeMeta(state, open.meta)
  } else if (name === 'category' && open.kind === 'item') {
    const { domain = 'category', nicename = '' } = state.attributes
    open.terms.push({ domain, slug: withoutControls(nicename).trim(), name: withoutControls(text).trim() })
  } else {
    open.fields[name] = withoutControls(text)
  }
}
