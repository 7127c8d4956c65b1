/** Writes items in batches, each in one transaction. Items of an earlier import are recognised by their meta. */

import type { Json } from '../../contract/storage.ts'
import {
  inOneTransaction,
  type ManagementContext,
  nowGmt,
  postTypesOf,
  taxonomiesOf,
  windowSize,
  windowsOf,
} from '../context.ts'
import type { Authors } from './authors.ts'
import { checkItems } from './checks/items.ts'
import type { RecordCheck } from './checks/record-check.ts'
import { createCommentImport, type LooseComment, looseItem } from './comments.ts'
import { createDeferredReferences, deferredKey, readDeferred } from './deferred-references.ts'
import { createDocumentIds, unlinkedKey } from './document-ids.ts'
import { countOf, createItemBatches, type WriteBatch } from './item-batches.ts'
import { createItemIds } from './item-ids.ts'
import { createItemRows } from './item-rows.ts'
import { importKey, type MappedItem } from './map.ts'
import type { MappedComment } from './map-comments.ts'
import type { Rewrite } from './media/rewrite.ts'
import type { ReportBuilder } from './report.ts'
import type { TermImport } from './terms.ts'

interface ItemWriter {
  /** Reads which items were imported before. `sites` are the URLs of the exported site. */
  begin(sites: readonly string[]): Promise<void>
  write(items: readonly MappedItem[]): Promise<void>
  /** Comments that come without their posts. */
  writeComments(comments: readonly LooseComment[]): Promise<void>
  /** For each record that was imported, what was to be written and what is stored. */
  check(items: readonly MappedItem[], rewrite: Rewrite | undefined): Promise<RecordCheck[]>
  checkComments(comments: readonly LooseComment[]): Promise<RecordCheck[]>
  /** Completes deferred references where their items exist, reports the others, and links documents. */
  finish(): Promise<void>
}

interface WriterOptions {
  readonly context: ManagementContext
  readonly authors: Authors
  readonly terms: TermImport
  readonly report: ReportBuilder
  /** The permalink structure of the site; it reserves some slugs. */
  readonly permalink: string
  /** The category of posts without any; 0: none. */
  readonly defaultCategory: number
  /** Whether existing items are overwritten with the values of the file. */
  readonly update: boolean
}

export function createItemWriter({
  context,
  authors,
  terms,
  report,
  permalink,
  defaultCategory,
  update,
}: WriterOptions): ItemWriter {
  const { storage } = context
  const ids = createItemIds()
  const deferred = createDeferredReferences(report)
  const documents = createDocumentIds({ context, ids, terms, authors, report })
  const rows = createItemRows({ authors, terms, ids, defaultCategory, taxonomies: taxonomiesOf(context), documents })
  const comments = createCommentImport(context, { authors, report, now: () => nowGmt(context) })
  const { insert, change, extend } = createItemBatches({ ids, rows, deferred, report, permalink, comments, documents })

  async function write(items: readonly MappedItem[]): Promise<void> {
    await authors.ensure(items)
    await terms.ensure(items.flatMap((item) => item.terms))
    // A batch may have the same item twice: the last one counts.
    const distinct = [...new Map(items.map((item) => [item.guid, item])).values()]
    const existing = distinct.filter(({ guid }) => ids.ofGuid(guid) !== undefined)
    const fresh = distinct.filter(({ guid }) => ids.ofGuid(guid) === undefined)
    for (const item of existing) ids.note(item, ids.ofGuid(item.guid) ?? 0)
    if (fresh.length > 0) await writeOrSplit(fresh, insert)
    const changing = update ? existing : existing.filter((item) => item.comments.length > 0)
    if (changing.length > 0) await writeOrSplit(changing, update ? change : extend)
    const untouched = items.filter((item) => !distinct.includes(item) || (!update && existing.includes(item)))
    for (const { row } of untouched) report.count(countOf(row.type), 'existing')
    await settle(items.map(({ number }) => number))
  }

  async function settle(numbers: readonly number[]): Promise<void> {
    const due = numbers.filter((number) => deferred.isWanted(number) && ids.ofNumber(number) !== undefined)
    if (due.length > 0)
      await inOneTransaction(storage, async (transaction) => deferred.settle(transaction, due, ids.ofNumber))
  }

  /** When a batch fails, its items are written one by one, so that only the bad ones are left out. */
  async function writeOrSplit(items: readonly MappedItem[], writeBatch: WriteBatch): Promise<void> {
    try {
      for (const afterCommit of await inOneTransaction(storage, (transaction) => writeBatch(transaction, items)))
        afterCommit()
    } catch (error) {
      // Without transactions a part of the batch may be stored: a retry would create duplicates.
      if (!storage.atomic) throw error
      const [only] = items
      if (items.length === 1 && only) return skip(only, error)
      for (const item of items) await writeOrSplit([item], writeBatch)
      return
    }
    failuresInRow = 0
  }

  /** Reports an item that can not be written. Throws the error again when too many items in a row fail. */
  function skip({ line, row }: MappedItem, error: unknown): void {
    if (failuresInRow++ >= maxFailures) throw error
    const reason = error instanceof Error ? error.message : String(error)
    report.add('not-written', reason.slice(0, 200), { line, what: row.title })
  }
  let failuresInRow = 0

  /** What an earlier import noted of a post. */
  function remember({ id, key, value }: { id: number; key: string; value: Json }, sites: readonly string[]): void {
    if (key === importKey) ids.remember(String(value), id, sites)
    else if (key === unlinkedKey) documents.note(id)
    else deferred.add(id, readDeferred(value), 0)
  }

  return {
    async begin(sites) {
      const types = postTypesOf(context).filter((type) => type !== 'revision')
      const order = { by: 'id', descending: false } as const
      let offset = 0
      for (;;) {
        const { heads } = await storage.posts.query({ types, order, offset, limit: windowSize })
        for (const { id, key, value } of await storage.meta.read(
          'post',
          heads.map((head) => head.id),
          [importKey, deferredKey, unlinkedKey],
        )) {
          remember({ id, key, value }, sites)
        }
        if (heads.length < windowSize) return
        offset += windowSize
      }
    },
    write,
    async writeComments(loose) {
      const known = byPost(loose).flatMap((one) => {
        const post = ids.ofNumber(one.post)
        if (post === undefined) report.add('missing-post', 'post of a comment', { line: 0, what: String(one.post) })
        return post === undefined ? [] : [{ post, item: looseItem(one) }]
      })
      const afterCommit = await inOneTransaction(storage, (transaction) => comments.write(transaction, known))
      afterCommit()
    },
    check: (items, rewrite) => checkItems({ storage, ids, rows, documents }, items, rewrite),
    checkComments: (loose) => comments.check(storage, loose, ids.ofNumber),
    async finish() {
      for (const numbers of windowsOf(deferred.numbers)) await settle(numbers)
      deferred.reportMissing()
      await documents.finish()
    },
  }
}

/** Together, so that an answer finds the comment that it answers. */
function byPost(loose: readonly LooseComment[]): readonly LooseComment[] {
  const posts = new Map<number, MappedComment[]>()
  for (const { post, comments } of loose) posts.set(post, [...(posts.get(post) ?? []), ...comments])
  return [...posts].map(([post, comments]) => ({ post, comments }))
}

/** After this many failures in a row the storage itself is taken to be failing. */
const maxFailures = 20
