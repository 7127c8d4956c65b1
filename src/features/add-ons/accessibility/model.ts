/** Remediations: what is changed on a page, or on all of them, before people see it. How they are stored and found. */
import type { Context } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { andThen, type MaybePromise } from '../../../core/runtime/maybe-promise.ts'
import type { Collection, RecordValues, Storage, StoredRecord, Where } from '../../../storage/contract.ts'
import { dropCachedHtml } from './html-cache.ts'

/** What it tells listeners. */
export interface AccessibilityEvents {
  /** Pages look different from now on. */
  'accessibility.changed': { readonly urls: readonly string[] | 'all'; readonly by: number }
  'accessibility.page-registered': { readonly id: number; readonly url: string; readonly by: number }
  'accessibility.reviewed': {
    readonly id: number
    readonly rating: number
    readonly feedback: string
    readonly user: number
  }
  /** A medium has another alternative text. */
  'media.described': { readonly id: number; readonly by: number }
}

declare module '../../../core/declare/events.ts' {
  interface EventPayloads extends AccessibilityEvents {}
}

export const remediations: Collection = {
  name: 'a11y_remediations',
  fields: {
    /** The page on which it was made; a global one is for all pages. */
    url: 'text',
    category: 'text',
    rule: 'text',
    group: 'text',
    /** JSON text. */
    content: 'text',
    active: 'boolean',
    global: 'boolean',
    created_at: 'text',
    updated_at: 'text',
  },
  indexed: ['url', 'global'],
}

/** A page on which a global remediation is switched on or off. */
export const overrides: Collection = {
  name: 'a11y_overrides',
  fields: { remediation: 'integer', url: 'text', active: 'boolean' },
  indexed: ['url', 'remediation'],
  unique: [['remediation', 'url']],
}

/** They are listed as a whole, so there is an end to them: on one page, and for all pages. */
const maxRemediations = 2000

export type WriteContext = Pick<Context, 'storage' | 'app' | 'user' | 'emit'>

// ---------------------------------------------------------------- finding

const ofGroup = (group: string | undefined): readonly Where[] =>
  group === undefined ? [] : [{ field: 'group', is: group }]

const whereOnPage = (url: string, group?: string): Where => ({
  every: [{ field: 'url', is: url }, { field: 'global', is: false }, ...ofGroup(group)],
})
const whereGlobal = (group?: string): Where => ({ every: [{ field: 'global', is: true }, ...ofGroup(group)] })

const queryRemediations = ({ records }: Storage, where: Where): MaybePromise<readonly StoredRecord[]> =>
  andThen(records.query(remediations, { where }), ({ rows }) => rows)

export const listPageRemediations = (storage: Storage, url: string, group?: string) =>
  queryRemediations(storage, whereOnPage(url, group))
export const listGlobalRemediations = (storage: Storage, group?: string) =>
  queryRemediations(storage, whereGlobal(group))

export async function findRemediation(
  storage: Storage,
  id: number,
  { isGlobal }: { readonly isGlobal?: boolean } = {},
): Promise<StoredRecord | undefined> {
  const scope: readonly Where[] = isGlobal === undefined ? [] : [{ field: 'global', is: isGlobal }]
  return (await queryRemediations(storage, { every: [{ field: 'id', is: id }, ...scope] }))[0]
}

/** By remediation. */
export const readOverrides = (storage: Storage, url: string): MaybePromise<ReadonlyMap<number, boolean>> =>
  andThen(
    storage.records.query(overrides, { where: { field: 'url', is: url } }),
    ({ rows }) => new Map(rows.map((row) => [Number(row['remediation']), row['active'] === true])),
  )

// ---------------------------------------------------------------- changing

/** `2026-01-05 09:00:00` */
export const nowText = ({ app }: Pick<Context, 'app'>): string =>
  new Date(app.clock()).toISOString().slice(0, 19).replace('T', ' ')

/** What was made of the pages is dropped, and whoever keeps them elsewhere is told. */
export async function invalidatePages(context: WriteContext, urls: readonly string[] | 'all'): Promise<void> {
  await dropCachedHtml(context.storage, urls)
  context.emit('accessibility.changed', { urls, by: context.user.id })
}

export interface NewRemediation extends RecordValues {
  readonly url: string
  readonly category: string
  readonly rule: string
  readonly group: string
  readonly content: string
  readonly global: boolean
}

export async function addRemediations(context: WriteContext, rows: readonly NewRemediation[]): Promise<StoredRecord[]> {
  const [first] = rows
  if (!first) return []
  const { records } = context.storage
  const where = first.global ? whereGlobal() : whereOnPage(first.url)
  const { total } = await records.query(remediations, { where, limit: 0, total: true })
  if (total + rows.length > maxRemediations) {
    throw new ApiError('conflict', `There are at most ${maxRemediations} remediations of a page.`, 409)
  }
  const now = nowText(context)
  const made = rows.map((row) => ({ ...row, active: true, created_at: now, updated_at: now }))
  const ids = await records.insert(remediations, made)
  return made.map((row, index) => ({ ...row, id: ids[index] ?? 0 }))
}

export const updateRemediations = (context: WriteContext, rows: readonly StoredRecord[], changes: RecordValues) =>
  context.storage.records.update(
    remediations,
    rows.map(({ id }) => ({ id, changes: { ...changes, updated_at: nowText(context) } })),
  )

/** With what pages say otherwise about them. */
export async function removeRemediations({ records }: Storage, rows: readonly StoredRecord[]): Promise<void> {
  if (rows.length === 0) return
  const ids = rows.map(({ id }) => id)
  await records.remove(remediations, { field: 'id', in: ids })
  await records.remove(overrides, { field: 'remediation', in: ids })
}

export const removeOverrides = ({ records }: Storage, rows: readonly StoredRecord[]) =>
  records.remove(overrides, { field: 'remediation', in: rows.map(({ id }) => id) })

/** Everywhere: the pages that say otherwise are brought along. */
export async function switchGlobalRemediations(
  context: WriteContext,
  rows: readonly StoredRecord[],
  active: boolean,
): Promise<void> {
  const { records } = context.storage
  await updateRemediations(context, rows, { active })
  const where: Where = { field: 'remediation', in: rows.map(({ id }) => id) }
  const { rows: others } = await records.query(overrides, { where })
  await records.update(
    overrides,
    others.map(({ id }) => ({ id, changes: { active } })),
  )
}

const maxRounds = 100

/** On one page only. */
export async function switchOnPage(
  { storage }: Pick<Context, 'storage'>,
  url: string,
  rows: readonly StoredRecord[],
  active: boolean,
): Promise<void> {
  if (rows.length === 0) return
  const where: Where = {
    every: [
      { field: 'url', is: url },
      { field: 'remediation', in: rows.map(({ id }) => id) },
    ],
  }
  for (let round = 1; ; round++) {
    const { rows: known } = await storage.records.query(overrides, { where })
    await storage.records.update(
      overrides,
      known.map(({ id }) => ({ id, changes: { active } })),
    )
    const there = new Set(known.map((row) => row['remediation']))
    const missing = rows.filter(({ id }) => !there.has(id)).map(({ id }) => ({ remediation: id, url, active }))
    if (missing.length === 0 || (await tryInsert(storage, overrides, missing, round))) return
  }
}

/** False when somebody else inserted one of them at the same moment. */
export async function tryInsert(
  storage: Storage,
  collection: Collection,
  rows: readonly RecordValues[],
  round = 1,
): Promise<boolean> {
  try {
    // In a savepoint: a refused row must not end the whole transaction.
    await (storage.atomic
      ? storage.atomic((inside) => inside.records.insert(collection, rows))
      : storage.records.insert(collection, rows))
    return true
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'storage_conflict' || round >= maxRounds) throw error
    return false
  }
}
