/** Writes items in batches, each in one transaction. Items of an earlier import are recognised by their meta. */
import { categories, tags } from '../../site/post-keys.ts'
import type { Json, Post, PostValues, Storage } from '../../storage/contract.ts'
import {
  clearedDerivedOptions,
  inOneTransaction,
  type ManagementContext,
  postTypesOf,
  windowSize,
  windowsOf,
} from '../context.ts'
import type { Authors } from './authors.ts'
import {
  createDeferredReferences,
  type DeferredReference,
  deferredKey,
  isDescendant,
  readDeferred,
} from './deferred-references.ts'
import { importKey, type MappedItem } from './map.ts'
import type { ReportBuilder } from './report.ts'
import { createSlugChooser } from './slugs.ts'
import type { TermImport } from './terms.ts'

export interface ItemWriter {
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
  /** Whether existing items are overwritten with the values of the file. */
  readonly update: boolean
}

export function createItemWriter({ context, authors, terms, report, permalink, update }: WriterOptions): ItemWriter {
  const { storage } = context
  const idByGuid = new Map<string, number>()
  /** By file id. */
  const ids = new Map<number, number>()
  const slugs = createSlugChooser()
  const deferred = createDeferredReferences(report)

  async function write(items: readonly MappedItem[]): Promise<void> {
    await authors.ensure(items)
    await terms.ensure(items.flatMap((item) => item.terms))
    // A batch may have the same item twice: the last one counts.
    const distinct = [...new Map(items.map((item) => [item.guid, item])).values()]
    const existing = distinct.filter(({ guid }) => idByGuid.has(guid))
    const fresh = distinct.filter(({ guid }) => !idByGuid.has(guid))
    for (const item of existing) note(item, idByGuid.get(item.guid) ?? 0)
    if (fresh.length > 0) await writeOrSplit(fresh, insert)
    if (existing.length > 0 && update) await writeOrSplit(existing, change)
    const untouched = items.filter((item) => !distinct.includes(item) || (!update && existing.includes(item)))
    for (const { row } of untouched) report.count(countOf(row.type), 'existing')
    await settle(items.map(({ number }) => number))
  }

  const idOf = (number: number) => ids.get(number)

  async function settle(numbers: readonly number[]): Promise<void> {
    const due = numbers.filter((number) => deferred.isWanted(number) && ids.has(number))
    if (due.length > 0) await inOneTransaction(storage, async (transaction) => deferred.settle(transaction, due, idOf))
  }

  function note({ guid, number }: MappedItem, id: number): void {
    idByGuid.set(guid, id)
    if (number > 0) ids.set(number, id)
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

  /** Returns callbacks to run after the commit. */
  type WriteBatch = (transaction: Storage, items: readonly MappedItem[]) => Promise<(() => void)[]>

  const insert: WriteBatch = async (transaction, items) => {
    const uniqueSlugs = await slugs.choose(
      transaction,
      items.map(({ row }) => row),
      permalink,
    )
    const inserted = await transaction.posts.insert(items.map((item, index) => rowOf(item, uniqueSlugs[index] ?? '')))
    const meta = items.flatMap((item, index) => metaOf(item, inserted[index] ?? 0))
    await transaction.meta.write('post', meta)
    await transaction.terms.assign(
      items.flatMap((item, index) => termsOf(item, inserted[index] ?? 0, { evenEmpty: false })),
    )
    if (items.some(({ row }) => row.status === 'future')) await transaction.options.write(clearedDerivedOptions)
    return items.map((item, index) => afterWrite(item, inserted[index] ?? 0, uniqueSlugs[index] ?? '', 'created'))
  }

  const change: WriteBatch = async (transaction, items) => {
    const rows = new Map(
      (await transaction.posts.read(items.map(({ guid }) => idByGuid.get(guid) ?? 0))).map((row) => [row.id, row]),
    )
    const matches = items.flatMap((item) => {
      const row = rows.get(idByGuid.get(item.guid) ?? 0)
      return row ? [{ item, row }] : []
    })
    const requests = matches.map(({ item, row }) => {
      const { type, slug } = item.row
      return { type, slug, ...(type === row.type ? { own: row.slug } : {}) }
    })
    const uniqueSlugs = await slugs.choose(transaction, requests, permalink)
    // One after another: two items may name each other as parent.
    for (const [index, { item, row }] of matches.entries()) {
      await transaction.posts.update([
        { id: row.id, changes: await changesOf(transaction, item, row, uniqueSlugs[index] ?? '') },
      ])
    }
    await transaction.meta.write(
      'post',
      matches.flatMap(({ item, row }) => metaOf(item, row.id)),
    )
    await transaction.terms.assign(matches.flatMap(({ item, row }) => termsOf(item, row.id, { evenEmpty: true })))
    await transaction.options.write(clearedDerivedOptions)
    return matches.map(({ item, row }, index) => afterWrite(item, row.id, uniqueSlugs[index] ?? '', 'updated'))
  }

  async function changesOf(transaction: Storage, item: MappedItem, row: Post, slug: string): Promise<PostValues> {
    const values = rowOf(item, slug)
    if (values.parent === 0 || !(await isDescendant(transaction, values.parent, row.id))) return values
    report.add('parent-circle', 'item', { line: item.line, what: item.row.title })
    return { ...values, parent: 0 }
  }

  function afterWrite(item: MappedItem, id: number, slug: string, how: 'created' | 'updated'): () => void {
    // Before the ids of this batch are noted, so that it equals what was written.
    const wanted = wantedOf(item)
    return () => {
      note(item, id)
      const example = { line: item.line, what: item.row.slug }
      if (slug !== item.row.slug) report.add('slug-changed', item.row.type, example)
      report.count(countOf(item.row.type), how)
      if (Object.keys(wanted).length > 0) deferred.add(id, wanted, item.line)
    }
  }

  const rowOf = ({ row, author, parent, thumbnail }: MappedItem, slug: string): PostValues => ({
    ...row,
    slug,
    author: authors.idOf(author),
    parent: idOf(parent) ?? 0,
    featuredMedia: idOf(thumbnail) ?? 0,
  })

  /** The references to items that are not imported yet. */
  const wantedOf = ({ parent, thumbnail }: MappedItem): DeferredReference => ({
    ...(parent > 0 && idOf(parent) === undefined ? { parent } : {}),
    ...(thumbnail > 0 && idOf(thumbnail) === undefined ? { thumbnail } : {}),
  })

  function metaOf(item: MappedItem, id: number) {
    const wanted = wantedOf(item)
    const own: { readonly [key: string]: Json } = {
      [importKey]: item.guid,
      [deferredKey]: Object.keys(wanted).length > 0 ? { ...wanted } : null,
    }
    return [...Object.entries(item.meta), ...Object.entries(own)].map(([key, value]) => ({ id, key, value }))
  }

  const termsOf = ({ terms: named }: MappedItem, post: number, { evenEmpty }: { readonly evenEmpty: boolean }) =>
    [categories, tags]
      .map((taxonomy) => ({ post, taxonomy, terms: terms.idsOf(named, taxonomy) }))
      .filter((assignment) => evenEmpty || assignment.terms.length > 0)

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
          if (key === importKey) remember(String(value), id, site)
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

  function remember(guid: string, id: number, site: string): void {
    idByGuid.set(guid, id)
    const [number = '', address = ''] = guid.split(' ', 2)
    if (site !== '' && address.startsWith(site)) ids.set(Number(number), id)
  }
}

/** After this many failures in a row the storage itself is taken to be failing. */
const maxFailures = 20

function countOf(type: string): string {
  if (type === 'attachment') return 'media'
  return type === 'post' || type === 'page' ? `${type}s` : type
}
