/**
 * Opens what a seed reads: a site document, or several that complete each other, as lists whose entries are read in windows, as
 * often as needed. A document is a value, or a file of which only one window is in memory.
 */

import type { Json } from '../../contract/storage.ts'
import type { Arg } from '../../core/declare/args.ts'
import type { DocumentSection } from '../../core/declare/feature.ts'
import { windowSize } from '../context.ts'
import { checked, storable } from './check.ts'
import { documentSchema, entrySchema, joinedOptions, type SiteDocument } from './document.ts'
import { SiteDocumentError } from './document-error.ts'
import { type DocumentFile, type Extents, indexDocument, readText, textOf } from './json-index.ts'

/** An entry, and its path for messages. */
export interface Located<E> {
  readonly entry: E
  readonly path: string
}

export interface EntryList {
  readonly length: number
  /** `first`: the number of entries of earlier documents, which counts in paths. */
  windows<E>(first?: number): AsyncIterable<readonly Located<E>[]>
}

/** One of the documents. */
export interface SourcePart {
  readonly options: NonNullable<SiteDocument['options']>
  /** An empty list for a member that is absent. Those of collections are `records.notes`. */
  list(member: string): EntryList
  /** The names of the collections that have rows. */
  readonly collections: readonly string[]
}

export interface SiteSource {
  readonly parts: readonly SourcePart[]
  /** Of options with one name the last wins. */
  readonly options: NonNullable<SiteDocument['options']>
  readonly sections: readonly DocumentSection[]
}

/** Throws a SiteDocumentError that names the position of the first mistake. Whether keys exist is not checked here. */
export async function openSource(documents: unknown, sections: readonly DocumentSection[]): Promise<SiteSource> {
  const parts: SourcePart[] = []
  for (const document of Array.isArray(documents) && documents.length > 0 ? documents : [documents]) {
    const raw = isFile(document) ? await rawFile(document) : rawValue(storable(document))
    parts.push(await checkedPart(raw, sections))
  }
  return { parts, options: joinedOptions(parts.map(({ options }) => options)), sections }
}

const isFile = (document: unknown): document is DocumentFile =>
  typeof document === 'object' &&
  document !== null &&
  !Array.isArray(document) &&
  typeof (document as Partial<DocumentFile>).size === 'number' &&
  typeof (document as Partial<DocumentFile>).slice === 'function'

/** A document whose entries are not checked yet. `skeleton` is the document with empty lists. */
interface RawDocument {
  readonly skeleton: Json
  readonly lists: ReadonlyMap<string, EntryList>
}

type Members = { readonly [name: string]: Json }

const isObject = (value: Json | undefined): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function rawValue(document: Json): RawDocument {
  const lists = new Map<string, EntryList>()
  const withoutLists = (members: Members, prefix: string): Members =>
    Object.fromEntries(
      Object.entries(members).map(([name, value]) => {
        if (prefix === '' && name === 'records' && isObject(value)) return [name, withoutLists(value, 'records.')]
        if (!Array.isArray(value)) return [name, value]
        lists.set(prefix + name, listOfValues(prefix + name, value))
        return [name, []]
      }),
    )
  return { skeleton: isObject(document) ? withoutLists(document, '') : document, lists }
}

async function rawFile(file: DocumentFile): Promise<RawDocument> {
  const { values, lists } = await indexDocument(file)
  const members = new Map<string, Json>()
  const records = new Map<string, Json>()
  const set = (name: string, value: Json) =>
    name.startsWith('records.') ? records.set(name.slice('records.'.length), value) : members.set(name, value)
  for (const [name, extent] of values) set(name, storable(parsed(await readText(file, extent), name), name, 1))
  for (const name of lists.keys()) set(name, [])
  if (records.size > 0) members.set('records', Object.fromEntries(records))
  const entries = [...lists].map(([name, extents]) => [name, listOfFile(name, file, extents)] as const)
  return { skeleton: Object.fromEntries(members), lists: new Map(entries) }
}

async function checkedPart(
  { skeleton, lists }: RawDocument,
  sections: readonly DocumentSection[],
): Promise<SourcePart> {
  const { options = {}, records = {} } = checked(documentSchema(sections), skeleton, '')
  for (const [member, list] of lists) await checkEntries(list, entrySchema(member, sections))
  return {
    options,
    list: (member) => lists.get(member) ?? listOfValues(member, []),
    collections: Object.keys(records),
  }
}

async function checkEntries(list: EntryList, schema: Arg): Promise<void> {
  for await (const window of list.windows<unknown>()) {
    for (const { entry, path } of window) checked(schema, storable(entry, path, 2), path)
  }
}

// The casts of both lists: `openSource` checks each entry before others read it.

function listOfValues(member: string, values: readonly Json[]): EntryList {
  return {
    length: values.length,
    async *windows<E>(first = 0) {
      for (let from = 0; from < values.length; from += windowSize) {
        const window = values.slice(from, from + windowSize)
        yield window.map((entry, index) => ({ entry: entry as E, path: `${member}[${first + from + index}]` }))
      }
    },
  }
}

/** Entries that are read at once have at most this many bytes, unless a single one has more. */
const windowBytes = 1 << 20

function listOfFile(member: string, file: DocumentFile, extents: Extents): EntryList {
  return {
    length: extents.length,
    async *windows<E>(first = 0) {
      for (let from = 0; from < extents.length; ) {
        const to = windowEnd(extents, from)
        const { start } = extents.at(from)
        const bytes = await file.slice(start, extents.at(to - 1).end).arrayBuffer()
        const window: Located<E>[] = []
        for (let index = from; index < to; index++) {
          const extent = extents.at(index)
          const path = `${member}[${first + index}]`
          const text = textOf(bytes, { start: extent.start - start, end: extent.end - start })
          window.push({ entry: parsed(text, path) as E, path })
        }
        yield window
        from = to
      }
    },
  }
}

function windowEnd(extents: Extents, from: number): number {
  const { start } = extents.at(from)
  const last = Math.min(extents.length, from + windowSize)
  let to = from + 1
  while (to < last && extents.at(to).end - start <= windowBytes) to++
  return to
}

function parsed(text: string, path: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch (error) {
    throw new SiteDocumentError(path, `is not valid JSON: ${(error as Error).message}`)
  }
}
