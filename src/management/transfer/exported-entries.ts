/** The entries of an exported document, in the order of its text. Only keys are kept of the rows that were written. */
import type { Json } from '../../contract/storage.ts'
import type { SiteDocument } from './document.ts'

/** `options` is one value; every other member has its entries one by one, those of `records` by collection. */
export type ExportedEntry =
  | { readonly member: 'options'; readonly entry: Json }
  | { readonly member: ListMember; readonly entry: object }
  | { readonly member: 'records'; readonly collection: string; readonly entry: object }

type ListMember = Exclude<keyof SiteDocument, 'options' | 'records'>

/** Members that a document has even if there are none of them. */
const always: readonly ListMember[] = ['users', 'categories', 'tags', 'media', 'pages', 'posts']
const members = ['options', 'users', 'categories', 'tags', 'terms', 'media', 'pages', 'posts', 'documents'] as const

export async function collectDocument(entries: AsyncIterable<ExportedEntry>): Promise<SiteDocument> {
  const lists = new Map<string, unknown>(always.map((member) => [member, []]))
  const records = new Map<string, object[]>()
  for await (const exported of entries) {
    if (exported.member === 'options') lists.set('options', exported.entry)
    else if (exported.member === 'records') listOf(records, exported.collection).push(exported.entry)
    // The cast: all members but options and records are lists.
    else listOf(lists as Map<string, object[]>, exported.member).push(exported.entry)
  }
  const inOrder = members.filter((member) => lists.has(member)).map((member) => [member, lists.get(member)])
  const tables = records.size === 0 ? [] : [['records', Object.fromEntries(records)]]
  // The cast: the entries are those of a document.
  return Object.fromEntries([...inOrder, ...tables]) as SiteDocument
}

function listOf(lists: Map<string, object[]>, name: string): object[] {
  const list = lists.get(name) ?? []
  lists.set(name, list)
  return list
}

/** Yields the text of the document piece by piece. It equals `JSON.stringify(document, null, 2)` with a line end. */
export async function* documentText(entries: AsyncIterable<ExportedEntry>): AsyncGenerator<string> {
  const writer = new TextWriter()
  for await (const exported of entries) {
    if (exported.member === 'options') yield writer.member('options') + indented(exported.entry, '  ')
    else if (exported.member === 'records') yield writer.row(exported.collection, exported.entry)
    else yield writer.entry(exported.member, exported.entry)
  }
  yield writer.end()
}

/** Writes brackets, commas and indentation. */
class TextWriter {
  #open: string | undefined
  #isEmpty = true
  #collection: string | undefined
  readonly #missing = new Set<ListMember>(always)

  member(name: string): string {
    const text = `${this.#close()}${this.#isEmpty ? '{' : ','}\n  ${JSON.stringify(name)}: `
    this.#isEmpty = false
    return text
  }

  entry(member: ListMember, entry: object): string {
    if (this.#open === member) return `,\n    ${indented(entry, '    ')}`
    const text = `${this.#emptyBefore(member)}${this.member(member)}[\n    ${indented(entry, '    ')}`
    this.#open = member
    this.#missing.delete(member)
    return text
  }

  row(collection: string, entry: object): string {
    const text = indented(entry, '      ')
    if (this.#collection === collection) return `,\n      ${text}`
    const start = this.#collection === undefined ? `${this.#emptyBefore()}${this.member('records')}{` : '\n    ],'
    this.#collection = collection
    return `${start}\n    ${JSON.stringify(collection)}: [\n      ${text}`
  }

  end(): string {
    const empty = this.#collection === undefined ? this.#emptyBefore() : '\n    ]\n  }'
    return `${empty}${this.#close()}\n}\n`
  }

  #close(): string {
    const text = this.#open === undefined ? '' : '\n  ]'
    this.#open = undefined
    return text
  }

  /** The lists without entries that come before this member. */
  #emptyBefore(member?: ListMember): string {
    const before = [...this.#missing].filter(
      (name) => member === undefined || members.indexOf(name) < members.indexOf(member),
    )
    return before
      .map((name) => {
        this.#missing.delete(name)
        return `${this.member(name)}[]`
      })
      .join('')
  }
}

/** Line ends of a JSON text are never inside its strings. */
const indented = (value: unknown, indent: string): string =>
  JSON.stringify(value, null, 2).replaceAll('\n', `\n${indent}`)
