/**
 * The ids inside documents of the page builder: media, posts, templates, terms and users. Documents are stored with the ids of the
 * file and a mark; once all items are written, the ids are led to the rows of this site and the mark goes. An import that is
 * interrupted in between goes on with the marked ones.
 */
import type { Json, Storage } from '../../contract/storage.ts'
import { embeddedReferencesOf, inOneTransaction, type ManagementContext, windowsOf } from '../context.ts'
import type { Authors } from './authors.ts'
import type { ItemIds } from './item-ids.ts'
import type { ReportBuilder } from './report.ts'
import type { TermImport } from './terms.ts'

/** The meta key of the mark. */
export const unlinkedKey = '_import_unlinked'

interface DocumentIdsOptions {
  readonly context: ManagementContext
  readonly ids: ItemIds
  readonly terms: TermImport
  readonly authors: Authors
  readonly report: ReportBuilder
}

export interface DocumentIds {
  hasDocuments(meta: { readonly [key: string]: Json }): boolean
  /** Notes a stored post whose documents have the ids of the file. */
  note(id: number): void
  /** A value of meta with the ids of this site. An id of nothing is 0: here it would name something else. */
  linked(key: string, value: Json): Json
  /** Links the documents of all noted posts. */
  finish(): Promise<void>
}

type Kind = 'post' | 'term' | 'user'

export function createDocumentIds({ context, ids, terms, authors, report }: DocumentIdsOptions): DocumentIds {
  const embedded = embeddedReferencesOf(context)
  const keys = Object.keys(embedded)
  const noted = new Set<number>()

  const rowOf = (kind: Kind, number: number): number | undefined => {
    if (kind === 'post') return ids.ofNumber(number)
    return (kind === 'term' ? terms.idOfNumber(number) : authors.idOfNumber(number)) || undefined
  }

  function linked(key: string, value: Json, missing: (kind: Kind, number: number) => void = () => undefined): Json {
    const references = Object.hasOwn(embedded, key) ? embedded[key] : undefined
    if (!references) return value
    const named = references.withReferences(value, (kind, number) => {
      const id = rowOf(kind, number)
      if (id === undefined) missing(kind, number)
      return id === undefined ? undefined : String(id)
    })
    return references.withIds(named, Number)
  }

  async function link(transaction: Storage, posts: readonly number[]): Promise<void> {
    const stored = await transaction.meta.read('post', posts, [unlinkedKey, ...keys])
    const marked = new Set(stored.flatMap(({ id, key }) => (key === unlinkedKey ? [id] : [])))
    const missing = (kind: Kind, number: number) =>
      report.add('missing-post', `${kind} in a document`, { line: 0, what: String(number) })
    const changed = stored
      .filter(({ id, key }) => marked.has(id) && key !== unlinkedKey)
      .map(({ id, key, value }) => ({ id, key, value: linked(key, value, missing) }))
    const unmarked = [...marked].map((id) => ({ id, key: unlinkedKey, value: null }))
    await transaction.meta.write('post', [...changed, ...unmarked])
    // The version of a post is that of all that belongs to it.
    await transaction.posts.update([...marked].map((id) => ({ id, changes: {} })))
  }

  return {
    hasDocuments: (meta) => keys.some((key) => Object.hasOwn(meta, key)),
    note: (id) => void noted.add(id),
    linked: (key, value) => linked(key, value),
    async finish() {
      for (const posts of windowsOf([...noted])) {
        await inOneTransaction(context.storage, (transaction) => link(transaction, posts))
      }
      noted.clear()
    },
  }
}
