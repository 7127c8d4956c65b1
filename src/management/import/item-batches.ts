/** Inserts and changes batches of items inside a transaction. */

import type { Post, PostValues, Storage } from '../../contract/storage.ts'
import { attachedFileKey, attachmentMetadataKey, importedStoredKey } from '../../site/post-keys.ts'
import { clearedDerivedOptions } from '../context.ts'
import type { CommentImport } from './comments.ts'
import { type DeferredReferences, isDescendant } from './deferred-references.ts'
import type { DocumentIds } from './document-ids.ts'
import type { ItemIds } from './item-ids.ts'
import type { ItemRows } from './item-rows.ts'
import type { MappedItem } from './map.ts'
import type { ReportBuilder } from './report.ts'
import { createSlugChooser } from './slugs.ts'

/** Returns callbacks to run after the commit. */
export type WriteBatch = (transaction: Storage, items: readonly MappedItem[]) => Promise<(() => void)[]>

interface ItemBatchesOptions {
  readonly ids: ItemIds
  readonly rows: ItemRows
  readonly deferred: DeferredReferences
  readonly report: ReportBuilder
  readonly comments: CommentImport
  readonly documents: DocumentIds
  /** The permalink structure of the site; it reserves some slugs. */
  readonly permalink: string
}

export function createItemBatches({ ids, rows, deferred, report, permalink, comments, documents }: ItemBatchesOptions) {
  const slugs = createSlugChooser()

  const insert: WriteBatch = async (transaction, items) => {
    const uniqueSlugs = await slugs.choose(
      transaction,
      items.map(({ row }) => row),
      permalink,
    )
    const inserted = await transaction.posts.insert(
      items.map((item, index) => rows.rowOf(item, uniqueSlugs[index] ?? '')),
    )
    const meta = items.flatMap((item, index) => rows.metaOf(item, inserted[index] ?? 0))
    await transaction.meta.write('post', meta)
    await transaction.terms.assign(
      items.flatMap((item, index) => rows.termsOf(item, inserted[index] ?? 0, { evenEmpty: false })),
    )
    const reportComments = await comments.write(
      transaction,
      items.map((item, index) => ({ item, post: inserted[index] ?? 0 })),
    )
    if (items.some(({ row }) => row.status === 'future')) await transaction.options.write(clearedDerivedOptions)
    return [
      ...items.map((item, index) => afterWrite(item, inserted[index] ?? 0, uniqueSlugs[index] ?? '', 'created')),
      reportComments,
    ]
  }

  const change: WriteBatch = async (transaction, items) => {
    const stored = new Map(
      (await transaction.posts.read(items.map(({ guid }) => ids.ofGuid(guid) ?? 0))).map((row) => [row.id, row]),
    )
    const matches = items.flatMap((item) => {
      const row = stored.get(ids.ofGuid(item.guid) ?? 0)
      return row ? [{ item, row }] : []
    })
    const requests = matches.map(({ item, row }) => {
      const { type, slug } = item.row
      return { type, slug, ...(type === row.type ? { own: row.slug } : {}) }
    })
    const uniqueSlugs = await slugs.choose(transaction, requests, permalink)
    const withFile = await withStoredFile(transaction, [...stored.keys()])
    // One after another: two items may name each other as parent.
    for (const [index, { item, row }] of matches.entries()) {
      await transaction.posts.update([
        {
          id: row.id,
          changes: {
            ...(await changesOf(transaction, item, row, uniqueSlugs[index] ?? '')),
            ...(withFile.has(row.id) ? { mimeType: row.mimeType } : {}),
          },
        },
      ])
    }
    await transaction.meta.write(
      'post',
      matches
        .flatMap(({ item, row }) => rows.metaOf(item, row.id))
        .filter(({ id, key }) => !withFile.has(id) || !fileKeys.has(key)),
    )
    await transaction.terms.assign(matches.flatMap(({ item, row }) => rows.termsOf(item, row.id, { evenEmpty: true })))
    const reportComments = await comments.write(
      transaction,
      matches.map(({ item, row }) => ({ item, post: row.id })),
    )
    await transaction.options.write(clearedDerivedOptions)
    return [
      ...matches.map(({ item, row }, index) => afterWrite(item, row.id, uniqueSlugs[index] ?? '', 'updated')),
      reportComments,
    ]
  }

  async function changesOf(transaction: Storage, item: MappedItem, row: Post, slug: string): Promise<PostValues> {
    const values = rows.rowOf(item, slug)
    if (values.parent === 0 || !(await isDescendant(transaction, values.parent, row.id))) return values
    report.add('parent-circle', 'item', { line: item.line, what: item.row.title })
    return { ...values, parent: 0 }
  }

  function afterWrite(item: MappedItem, id: number, slug: string, how: 'created' | 'updated'): () => void {
    // Before the ids of this batch are noted, so that it equals what was written.
    const wanted = rows.wantedOf(item)
    return () => {
      ids.note(item, id)
      const example = { line: item.line, what: item.row.slug }
      if (slug !== item.row.slug) report.add('slug-changed', item.row.type, example)
      report.count(countOf(item.row.type), how)
      if (documents.hasDocuments(item.meta)) documents.note(id)
      if (Object.keys(wanted).length > 0) deferred.add(id, wanted, item.line)
    }
  }

  /** Items that stay as they are may have new comments. */
  const extend: WriteBatch = async (transaction, items) => [
    await comments.write(
      transaction,
      items.flatMap((item) => ({ item, post: ids.ofGuid(item.guid) ?? 0 })),
    ),
  ]

  return { insert, change, extend }
}

/** What the file says of a file is overruled once that is stored here. */
const fileKeys: ReadonlySet<string> = new Set([attachedFileKey, attachmentMetadataKey])

const withStoredFile = async (transaction: Storage, ids: readonly number[]): Promise<ReadonlySet<number>> =>
  new Set((await transaction.meta.read('post', ids, [importedStoredKey])).map(({ id }) => id))

/** The name under which the report counts items of a type. */
export function countOf(type: string): string {
  if (type === 'attachment') return 'media'
  return type === 'post' || type === 'page' ? `${type}s` : type
}
