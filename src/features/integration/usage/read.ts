/** Asks the graph of use for the users of a record, the reach of a change, records that nothing names, and names of missing records. */
import { lookupTable } from '../../../contract/lookup-table.ts'
import type { Post, Storage, StoredRecord } from '../../../contract/storage.ts'
import { attachedFileKey } from '../../../site/post-keys.ts'
import { componentType } from '../../builder/components/model.ts'
import { byId, colors, typography } from '../../builder/globals/model.ts'
import { variablesPart } from '../../builder/variables/model.ts'
import { storedPart } from '../../shared/kit.ts'
import { conditionsKey } from '../../shared/templates/template-context.ts'
import { usageEdges } from './model.ts'
import { fileOfMeta, liveClasses } from './targets.ts'

/** A record that another one names, or that names it. */
export interface RecordUse {
  readonly record: string
  /** Where the name is: `row`, `terms:category`, `meta:_builder_data`, `value`. */
  readonly parts: readonly string[]
  /** The type of a post: `page`, `attachment`. */
  readonly type?: string
  readonly title?: string
  readonly status?: string
}

/** The neighbours of a record in the graph of use. */
export interface Usage {
  readonly record: string
  /** The records that this one names. */
  readonly uses: readonly RecordUse[]
  /** The records that name this one. A medium is also named by the address of its file. */
  readonly usedBy: readonly RecordUse[]
}

const words: { readonly [word: string]: string } = lookupTable({
  ...{ page: 'post', media: 'post', template: 'post', component: 'post', document: 'post', block: 'post' },
  ...{ category: 'term', tag: 'term', menu: 'term' },
})

const kinds = [
  'post',
  'term',
  'user',
  'class',
  'variable',
  'color',
  'typography',
  'shortcode',
  'file',
  'option',
] as const

/** `media:5` and `page:5` are `post:5`, `menu:3` is `term:3`. Undefined for a text that names no record. */
export function recordNamed(text: string): string | undefined {
  const [, word = '', id = ''] = /^([a-z]+):(.+)$/s.exec(text) ?? []
  const kind = Object.hasOwn(words, word) ? words[word] : word
  if (!kinds.some((known) => known === kind)) return undefined
  const isNumbered = kind === 'post' || kind === 'term' || kind === 'user'
  return isNumbered && !/^[1-9]\d{0,14}$/.test(id) ? undefined : `${kind}:${id}`
}

/** One record is named by this many others at most in an answer. */
const mostUses = 1000

export async function usageOf(storage: Storage, record: string): Promise<Usage> {
  const names = await namesOf(storage, record)
  const [uses, usedBy] = await Promise.all([edges(storage, 'source', [record]), edges(storage, 'target', names)])
  return {
    record,
    uses: await described(storage, grouped(uses, 'target')),
    usedBy: await described(storage, grouped(usedBy, 'source')),
  }
}

/** A medium has a second name: its file. */
async function namesOf(storage: Storage, record: string): Promise<string[]> {
  if (!record.startsWith('post:')) return [record]
  const meta = await storage.meta.read('post', [numberOf(record)], [attachedFileKey])
  return [record, ...meta.flatMap(({ key, value }) => fileOfMeta(key, value) ?? [])]
}

const numberOf = (record: string): number => Number(record.slice(record.indexOf(':') + 1))

async function edges(storage: Storage, field: 'source' | 'target', names: readonly string[]) {
  const { rows } = await storage.records.query(usageEdges, {
    where: { field, in: names },
    order: [{ by: 'id' }],
    limit: mostUses,
  })
  return rows
}

function grouped(rows: readonly StoredRecord[], field: 'source' | 'target'): RecordUse[] {
  const parts = Map.groupBy(rows, (row) => String(row[field]))
  return [...parts].map(([record, ofRecord]) => ({ record, parts: ofRecord.map(({ part }) => String(part)) }))
}

async function described(storage: Storage, uses: readonly RecordUse[]): Promise<RecordUse[]> {
  const posts = await postsNamed(
    storage,
    uses.map(({ record }) => record),
  )
  return uses.map((use) => {
    const post = posts.get(use.record)
    return post ? { ...use, type: post.type, title: post.title, status: post.status } : use
  })
}

async function postsNamed(storage: Storage, records: readonly string[]): Promise<Map<string, Post>> {
  const ids = records.filter((record) => record.startsWith('post:')).map(numberOf)
  const posts = ids.length === 0 ? [] : await storage.posts.read(ids)
  return new Map(posts.map((post) => [`post:${post.id}`, post]))
}

// ---------------------------------------------------------------- impact

const mostReached = 10_000

/** The records that show these ones, also through others, nearest first. */
export async function reachedBy(storage: Storage, records: readonly string[]): Promise<RecordUse[]> {
  const reached = new Map<string, RecordUse>()
  let next: readonly string[] = records
  while (next.length > 0 && reached.size < mostReached) {
    const names = (await Promise.all(next.map((record) => namesOf(storage, record)))).flat()
    const users = grouped(await edges(storage, 'target', names), 'source')
    const fresh = users.filter(({ record }) => !reached.has(record) && !records.includes(record))
    for (const user of fresh) reached.set(user.record, user)
    next = fresh.map(({ record }) => record)
  }
  return described(storage, [...reached.values()])
}

// ---------------------------------------------------------------- records that nothing names

export const orphanKinds = ['media', 'templates', 'components', 'classes', 'variables'] as const
export type OrphanKind = (typeof orphanKinds)[number]

const windowSize = 200

/** The records of a kind that nothing names, oldest first; at most `limit`. */
export async function orphansOf(storage: Storage, kind: OrphanKind, limit: number): Promise<RecordUse[]> {
  if (kind === 'classes' || kind === 'variables') {
    const names = kind === 'classes' ? await classNames(storage) : await variableNames(storage)
    const used = await namedAmong(storage, names)
    return names
      .filter((name) => !used.has(name))
      .slice(0, limit)
      .map(unnamed)
  }
  const type = { media: 'attachment', templates: 'builder_library', components: componentType }[kind]
  const found: RecordUse[] = []
  for (let offset = 0; ; offset += windowSize) {
    const order = { by: 'id', descending: false } as const
    const { idsPage } = await storage.posts.query({ types: [type], order, offset, limit: windowSize })
    const ids = idsPage.map(({ id }) => id)
    found.push(...(await unnamedPosts(storage, ids)).map(unnamed))
    if (idsPage.length < windowSize || found.length >= limit) return described(storage, found.slice(0, limit))
  }
}

const unnamed = (record: string): RecordUse => ({ record, parts: [] })

/** A template with display conditions is shown by them. */
async function unnamedPosts(storage: Storage, ids: readonly number[]): Promise<string[]> {
  if (ids.length === 0) return []
  const meta = await storage.meta.read('post', ids, [attachedFileKey, conditionsKey])
  const files = new Map(
    meta.flatMap(({ id, key, value }) => {
      const file = fileOfMeta(key, value)
      return file === undefined ? [] : [[id, file] as const]
    }),
  )
  const shown = new Set(
    meta
      .filter(({ key, value }) => key === conditionsKey && Array.isArray(value) && value.length > 0)
      .map(({ id }) => id),
  )
  const used = await namedAmong(storage, [...ids.map((id) => `post:${id}`), ...files.values()])
  return ids
    .filter((id) => !shown.has(id) && !used.has(`post:${id}`) && !used.has(files.get(id) ?? ''))
    .map((id) => `post:${id}`)
}

async function namedAmong(storage: Storage, names: readonly string[]): Promise<Set<string>> {
  const { rows } = await storage.records.query(usageEdges, { where: { field: 'target', in: names } })
  return new Set(rows.map(({ target }) => String(target)))
}

// ---------------------------------------------------------------- records that are missing

/** A part of a record names one that is not there. */
export interface BrokenReference {
  readonly source: string
  readonly part: string
  /** The record that is not there. */
  readonly target: string
}

/** The edges whose target is not there, oldest first; at most `limit`. */
export async function brokenReferences(storage: Storage, limit: number): Promise<BrokenReference[]> {
  const broken: BrokenReference[] = []
  const inKit = await kitRecords(storage)
  for (let last = 0; ; ) {
    const { rows } = await storage.records.query(usageEdges, {
      where: { field: 'id', above: last },
      order: [{ by: 'id' }],
      limit: windowSize,
    })
    const isThere = await existing(
      storage,
      rows.map(({ target }) => String(target)),
      inKit,
    )
    for (const { source, part, target } of rows) {
      if (isThere(String(target))) continue
      broken.push({ source: String(source), part: String(part), target: String(target) })
    }
    if (rows.length < windowSize || broken.length >= limit) return broken.slice(0, limit)
    last = rows.at(-1)?.id ?? last
  }
}

/** Those of these records that are not there. */
export async function missingAmong(storage: Storage, targets: readonly string[]): Promise<ReadonlySet<string>> {
  const inKit = targets.some((target) => kitKinds.test(target)) ? await kitRecords(storage) : new Set<string>()
  const isThere = await existing(storage, targets, inKit)
  return new Set(targets.filter((target) => !isThere(target)))
}

const kitKinds = /^(?:class|variable|color|typography):/

async function existing(
  storage: Storage,
  targets: readonly string[],
  inKit: ReadonlySet<string>,
): Promise<(target: string) => boolean> {
  const idsOf = (kind: string) => [...new Set(targets.filter((target) => target.startsWith(`${kind}:`)).map(numberOf))]
  const [posts, terms, users] = [idsOf('post'), idsOf('term'), idsOf('user')]
  const byIdAscending = { order: { by: 'id', descending: false }, offset: 0 } as const
  const [foundPosts, foundTerms, foundUsers] = await Promise.all([
    posts.length === 0 ? [] : storage.posts.read(posts),
    terms.length === 0 ? [] : rowsOf(storage.terms.query({ ids: terms, ...byIdAscending, limit: terms.length })),
    users.length === 0 ? [] : rowsOf(storage.users.query({ ids: users, ...byIdAscending, limit: users.length })),
  ])
  const found = new Set([
    ...foundPosts.map(({ id }) => `post:${id}`),
    ...foundTerms.map(({ id }) => `term:${id}`),
    ...foundUsers.map(({ id }) => `user:${id}`),
  ])
  return (target) => {
    const kind = target.slice(0, target.indexOf(':'))
    if (kind === 'post' || kind === 'term' || kind === 'user') return found.has(target)
    // Files are looked for by no storage, and any word in square brackets may be text.
    return kind === 'file' || kind === 'shortcode' || inKit.has(target)
  }
}

const rowsOf = async <R>(query: PromiseLike<{ rows: R[] }> | { rows: R[] }): Promise<R[]> => (await query).rows

async function kitRecords(storage: Storage): Promise<Set<string>> {
  const options = await storage.options.read([colors.part.option, typography.part.option])
  const named = (kind: string, { part }: typeof colors) =>
    Object.keys(byId(storedPart(part, options))).map((id) => `${kind}:${id}`)
  return new Set([
    ...(await classNames(storage)),
    ...(await variableNames(storage)),
    ...named('color', colors),
    ...named('typography', typography),
  ])
}

async function classNames(storage: Storage): Promise<string[]> {
  const { builder_kit_global_classes: classes } = await storage.options.read(['builder_kit_global_classes'])
  return Object.keys(liveClasses(classes)).map((id) => `class:${id}`)
}

async function variableNames(storage: Storage): Promise<string[]> {
  const { list } = storedPart(variablesPart, await storage.options.read([variablesPart.option]))
  return list.filter(({ deletedAt }) => deletedAt === undefined).map(({ id }) => `variable:${id}`)
}
