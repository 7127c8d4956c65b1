/** Writes items in batches, each whole or not at all. An item that an earlier import has written is known by its meta. */
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
  liesBelow,
  readDeferred,
} from './deferred-references.ts'
import { importKey, type MappedItem } from './map.ts'
import type { ReportBuilder } from './report.ts'
import { createSlugChoice } from './slugs.ts'
import type { Terms } from './terms.ts'

export interface ItemWriter {
  /** Finds out what was imported before from the site with this address. */
  begin(site: string): Promise<void>
  write(items: readonly MappedItem[]): Promise<void>
  /** Gives items what they waited for, as far as it is there. */
  finish(): Promise<void>
}

export interface WriterParts {
  readonly parts: ManagementContext
  readonly people: Authors
  readonly terms: Terms
  readonly report: ReportBuilder
  /** The shape of the site's addresses: it rules out some slugs. */
  readonly permalink: string
  /** Whether items that are there already take on what the file says. */
  readonly update: boolean
}

export function createItemWriter({ parts, people, terms, report, permalink, update }: WriterParts): ItemWriter {
  const { storage } = parts
  const known = new Map<string, number>()
  /** By their number in the file. */
  const ids = new Map<number, number>()
  const slugs = createSlugChoice()
  const waiting = createDeferredReferences(report)

  async function write(items: readonly MappedItem[]): Promise<void> {
    await people.ensure(items)
    await terms.ensure(items.flatMap((item) => item.terms))
    // An item may stand there twice: the second one meets the first.
    const last = [...new Map(items.map((item) => [item.guid, item])).values()]
    const old = last.filter(({ guid }) => known.has(guid))
    const fresh = last.filter(({ guid }) => !known.has(guid))
    for (const item of old) note(item, known.get(item.guid) ?? 0)
    if (fresh.length > 0) await written(fresh, insert)
    if (old.length > 0 && update) await written(old, change)
    const untouched = items.filter((item) => !last.includes(item) || (!update && old.includes(item)))
    for (const { row } of untouched) report.count(countOf(row.type), 'existing')
    await settle(items.map(({ number }) => number))
  }

  const idOf = (number: number) => ids.get(number)

  async function settle(numbers: readonly number[]): Promise<void> {
    const due = numbers.filter((number) => waiting.isWanted(number) && ids.has(number))
    if (due.length > 0) await inOneTransaction(storage, async (inside) => waiting.settle(inside, due, idOf))
  }

  function note({ guid, number }: MappedItem, id: number): void {
    known.set(guid, id)
    if (number > 0) ids.set(number, id)
  }

  /** One bad item must not take the others of its batch with it. */
  async function written(items: readonly MappedItem[], work: Work): Promise<void> {
    try {
      for (const after of await inOneTransaction(storage, (inside) => work(inside, items))) after()
    } catch (error) {
      // Half a batch may be there: writing it once more would make doubles.
      if (!storage.atomic) throw error
      const [only] = items
      if (items.length === 1 && only) {
        if (failuresInRow++ >= maxFailures) throw error
        const why = error instanceof Error ? error.message : String(error)
        report.add('not-written', why.slice(0, 200), { line: only.line, what: only.row.title })
        return
      }
      for (const item of items) await written([item], work)
      return
    }
    failuresInRow = 0
  }
  let failuresInRow = 0

  /** Answers what is to be done once the work is committed. */
  type Work = (inside: Storage, items: readonly MappedItem[]) => Promise<(() => void)[]>

  const insert: Work = async (inside, items) => {
    const chosen = await slugs.choose(
      inside,
      items.map(({ row }) => row),
      permalink,
    )
    const made = await inside.posts.insert(items.map((item, index) => rowOf(item, chosen[index] ?? '')))
    const meta = items.flatMap((item, index) => metaOf(item, made[index] ?? 0))
    await inside.meta.write('post', meta)
    await inside.terms.assign(items.flatMap((item, index) => termsOf(item, made[index] ?? 0, false)))
    if (items.some(({ row }) => row.status === 'future')) await inside.options.write(clearedDerivedOptions)
    return items.map((item, index) => done(item, made[index] ?? 0, chosen[index] ?? '', 'created'))
  }

  const change: Work = async (inside, items) => {
    const rows = new Map(
      (await inside.posts.read(items.map(({ guid }) => known.get(guid) ?? 0))).map((row) => [row.id, row]),
    )
    const there = items.flatMap((item) => {
      const row = rows.get(known.get(item.guid) ?? 0)
      return row ? [{ item, row }] : []
    })
    const wishes = there.map(({ item, row }) => {
      const { type, slug } = item.row
      return { type, slug, ...(type === row.type ? { own: row.slug } : {}) }
    })
    const chosen = await slugs.choose(inside, wishes, permalink)
    // One after another: two of them may want to lie below each other.
    for (const [index, { item, row }] of there.entries()) {
      await inside.posts.update([{ id: row.id, changes: await changesOf(inside, item, row, chosen[index] ?? '') }])
    }
    await inside.meta.write(
      'post',
      there.flatMap(({ item, row }) => metaOf(item, row.id)),
    )
    await inside.terms.assign(there.flatMap(({ item, row }) => termsOf(item, row.id, true)))
    await inside.options.write(clearedDerivedOptions)
    return there.map(({ item, row }, index) => done(item, row.id, chosen[index] ?? '', 'updated'))
  }

  async function changesOf(inside: Storage, item: MappedItem, row: Post, slug: string): Promise<PostValues> {
    const values = rowOf(item, slug)
    if (values.parent === 0 || !(await liesBelow(inside, values.parent, row.id))) return values
    report.add('parent-circle', 'item', { line: item.line, what: item.row.title })
    return { ...values, parent: 0 }
  }

  function done(item: MappedItem, id: number, slug: string, how: 'created' | 'updated'): () => void {
    // As long as none of this batch is known: that is what was written.
    const wanted = wantedOf(item)
    return () => {
      note(item, id)
      const example = { line: item.line, what: item.row.slug }
      if (slug !== item.row.slug) report.add('slug-changed', item.row.type, example)
      report.count(countOf(item.row.type), how)
      if (Object.keys(wanted).length > 0) waiting.add(id, wanted, item.line)
    }
  }

  const rowOf = ({ row, author, parent, thumbnail }: MappedItem, slug: string): PostValues => ({
    ...row,
    slug,
    author: people.idOf(author),
    parent: idOf(parent) ?? 0,
    featuredMedia: idOf(thumbnail) ?? 0,
  })

  /** What is not there yet. */
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

  const termsOf = ({ terms: named }: MappedItem, post: number, evenNone: boolean) =>
    [categories, tags]
      .map((taxonomy) => ({ post, taxonomy, terms: terms.idsOf(named, taxonomy) }))
      .filter((one) => evenNone || one.terms.length > 0)

  return {
    async begin(site) {
      const types = postTypesOf(parts).filter((type) => type !== 'revision')
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
          else waiting.add(id, readDeferred(value), 0)
        }
        if (heads.length < windowSize) return
        offset += windowSize
      }
    },
    write,
    async finish() {
      for (const numbers of windowsOf(waiting.numbers)) await settle(numbers)
      waiting.tell()
    },
  }

  function remember(guid: string, id: number, site: string): void {
    known.set(guid, id)
    const [number = '', address = ''] = guid.split(' ', 2)
    if (site !== '' && address.startsWith(site)) ids.set(Number(number), id)
  }
}

/** So many one after another: it is not the items, it is the storage. */
const maxFailures = 20

function countOf(type: string): string {
  if (type === 'attachment') return 'media'
  return type === 'post' || type === 'page' ? `${type}s` : type
}
