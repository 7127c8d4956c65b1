/** Writes items in batches, each in one transaction. Items of an earlier import are recognised by their meta. */
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
import { createCommentImport } from './comments.ts'
import { createDeferredReferences, deferredKey, readDeferred } from './deferred-references.ts'
import { countOf, createItemBatches, type WriteBatch } from './item-batches.ts'
import { createItemIds } from './item-ids.ts'
import { createItemRows } from './item-rows.ts'
import { importKey, type MappedItem } from './map.ts'
import type { ReportBuilder } from './report.ts'
import type { TermImport } from './terms.ts'

interface ItemWriter {
  /** Reads which items were imported before. `site` is the URL of the exported site. */
  begin(site: string): Promise<void>
  write(items: readonly MappedItem[]): Promise<void>
  /** Completes deferred references where their items exist, and reports the others. */
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
  const rows = createItemRows({ authors, terms, ids, defaultCategory, taxonomies: taxonomiesOf(context) })
  const comments = createCommentImport(context, { authors, report, now: () => nowGmt(context) })
  const { insert, change, extend } = createItemBatches({ ids, rows, deferred, report, permalink, comments })

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

  return {
    async begin(site) {
      const types = postTypesOf(context).filter((type) => type !== 'revision')
      const order = { by: 'id', descending: false } as const
      let offset = 0
      for (;;) {
        const { heads } = await storage.posts.query({ types, order, offset, limit: windowSize })
        for (const { id, key, value } of await storage.meta.read(
          'post',
          heads.map((head) => head.id),
          [importKey, deferredKey],
        )) {
          if (key === importKey) ids.remember(String(value), id, site)
          else deferred.add(id, readDeferred(value), 0)
        }
        if (heads.length < windowSize) return
        offset += windowSize
      }
    },
    write,
    async finish() {
      for (const numbers of windowsOf(deferred.numbers)) await settle(numbers)
      deferred.reportMissing()
    },
  }
}

/** After this many failures in a row the storage itself is taken to be failing. */
const maxFailures = 20
