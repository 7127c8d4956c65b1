/** Storage of remediations: changes that are applied to one page, or to all pages, before they are sent to visitors. */

import type { Collection, RecordValues, Storage, StoredRecord, Where } from '../../../contract/storage.ts'
import type { Context } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { tryInsert } from '../../shared/try-insert.ts'
import { dropCachedHtml } from './html-cache.ts'

/** Events of this feature. */
export interface AccessibilityEvents {
  /** The remediations of these pages changed, so copies of their HTML are outdated. */
  'accessibility.changed': { readonly urls: readonly string[] | 'all'; readonly by: number }
  'accessibility.page-registered': { readonly id: number; readonly url: string; readonly by: number }
  'accessibility.reviewed': {
    readonly id: number
    readonly rating: number
    readonly feedback: string
    readonly user: number
  }
  /** The alternative text of a medium changed. */
  'media.described': { readonly id: number; readonly by: number }
}

export const remediations: Collection = {
  name: 'a11y_remediations',
  fields: {
    /** The page on which it was created. Global ones apply to all pages. */
    url: 'text',
    category: 'text',
    rule: 'text',
    group: 'text',
    /** JSON text. */
    content: 'text',
    active: 'boolean',
    global: 'boolean',
    /** Who wrote the content: it may do what this user may write. Null: not known. */
    author: 'integer',
    created_at: 'text',
    updated_at: 'text',
  },
  indexed: ['url', 'global'],
}

/** Overrides switch a global remediation on or off on one page. */
export const overrides: Collection = {
  name: 'a11y_overrides',
  fields: { remediation: 'integer', url: 'text', active: 'boolean' },
  indexed: ['url', 'remediation'],
  unique: [['remediation', 'url']],
}

/** Lists are not paged, so this limits the remediations of each page and the global ones. */
export const maxRemediations = 2000

type WriteContext = Pick<Context, 'storage' | 'app' | 'user' | 'emit'>

// ---------------------------------------------------------------- reading

const ofGroup = (group: string | undefined): readonly Where[] =>
  group === undefined ? [] : [{ field: 'group', is: group }]

const whereOnPage = (url: string, group?: string): Where => ({
  every: [{ field: 'url', is: url }, { field: 'global', is: false }, ...ofGroup(group)],
})
const whereGlobal = (group?: string): Where => ({ every: [{ field: 'global', is: true }, ...ofGroup(group)] })

async function queryRemediations({ records }: Storage, where: Where): Promise<readonly StoredRecord[]> {
  return (await records.query(remediations, { where })).rows
}

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

/** The overrides of a page by the id of the remediation. */
export async function readOverrides({ records }: Storage, url: string): Promise<ReadonlyMap<number, boolean>> {
  const { rows } = await records.query(overrides, { where: { field: 'url', is: url } })
  return new Map(rows.map((row) => [Number(row['remediation']), row['active'] === true]))
}

// ---------------------------------------------------------------- writing

/** The current time as `2026-01-05 09:00:00`, in UTC. */
export const nowText = ({ app }: Pick<Context, 'app'>): string =>
  new Date(app.clock()).toISOString().slice(0, 19).replace('T', ' ')

/** Removes the cached HTML of the pages and emits `accessibility.changed`, so that hosts clear their caches too. */
export async function invalidatePages(context: WriteContext, urls: readonly string[] | 'all'): Promise<void> {
  await dropCachedHtml(context.storage, urls)
  context.emit('accessibility.changed', { urls, by: context.user.id })
}

interface NewRemediation extends RecordValues {
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
  const values = rows.map((row) => ({
    ...row,
    active: true,
    author: authorOf(context),
    created_at: now,
    updated_at: now,
  }))
  const ids = await records.insert(remediations, values)
  return values.map((row, index) => ({ ...row, id: ids[index] ?? 0 }))
}

/** Calls of the host have no user. */
export const authorOf = ({ user }: Pick<Context, 'user'>): number | null => (user.id > 0 ? user.id : null)

export const updateRemediations = (context: WriteContext, rows: readonly StoredRecord[], changes: RecordValues) =>
  context.storage.records.update(
    remediations,
    rows.map(({ id }) => ({ id, changes: { ...changes, updated_at: nowText(context) } })),
  )

/** Removes the overrides of the remediations too. */
export async function removeRemediations({ records }: Storage, rows: readonly StoredRecord[]): Promise<void> {
  if (rows.length === 0) return
  const ids = rows.map(({ id }) => id)
  await records.remove(remediations, { field: 'id', in: ids })
  await records.remove(overrides, { field: 'remediation', in: ids })
}

export const removeOverrides = ({ records }: Storage, rows: readonly StoredRecord[]) =>
  records.remove(overrides, { field: 'remediation', in: rows.map(({ id }) => id) })

/** Switches remediations on all pages, and sets existing overrides to the same value. */
export async function switchGlobalRemediations(
  context: WriteContext,
  rows: readonly StoredRecord[],
  active: boolean,
): Promise<void> {
  const { records } = context.storage
  await updateRemediations(context, rows, { active })
  const where: Where = { field: 'remediation', in: rows.map(({ id }) => id) }
  const { rows: existing } = await records.query(overrides, { where })
  await records.update(
    overrides,
    existing.map(({ id }) => ({ id, changes: { active } })),
  )
}

const maxRounds = 100

/** Switches global remediations on one page, by overrides. Repeats when a parallel request inserted one of them. */
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
    const { rows: existing } = await storage.records.query(overrides, { where })
    await storage.records.update(
      overrides,
      existing.map(({ id }) => ({ id, changes: { active } })),
    )
    const overridden = new Set(existing.map((row) => row['remediation']))
    const missing = rows.filter(({ id }) => !overridden.has(id)).map(({ id }) => ({ remediation: id, url, active }))
    const conflict = missing.length > 0 && (await tryInsert(storage, overrides, missing))
    if (!conflict) return
    if (round === maxRounds) throw conflict
  }
}
