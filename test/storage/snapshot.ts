/** All rows of a storage by key, and what a list of changes makes of them. */
import { equalJson } from '../../src/contract/equal-json.ts'
import type { Collection, Storage } from '../../src/contract/storage.ts'
import type { RowChange } from '../../src/core/changes/row-change.ts'

export type Snapshot = Map<string, unknown>

const ids = Array.from({ length: 60 }, (_, at) => at + 1)
const all = { order: { by: 'id', descending: false }, offset: 0, limit: 1000 } as const

export async function snapshotOf(storage: Storage, collection: Collection): Promise<Snapshot> {
  const found: Snapshot = new Map()
  for (const post of await storage.posts.read(ids)) found.set(`posts ${post.id}`, post)
  for (const { count: _, ...term } of (await storage.terms.query(all)).rows) found.set(`terms ${term.id}`, term)
  for (const user of (await storage.users.query(all)).rows) found.set(`users ${user.id}`, user)
  for (const owner of ['post', 'term', 'user'] as const) {
    for (const { id, key, value } of await storage.meta.read(owner, ids)) found.set(`meta ${owner} ${id} ${key}`, value)
  }
  for (const [name, value] of Object.entries(await storage.options.read())) found.set(`options ${name}`, value)
  for (const row of (await storage.records.query(collection, {})).rows) found.set(`records ${row.id}`, row)
  for (const { post, taxonomy, term } of await storage.terms.of(ids)) {
    const key = `assignments ${post} ${taxonomy}`
    found.set(key, [...((found.get(key) ?? []) as number[]), term])
  }
  return found
}

function keyOf(change: RowChange): string {
  if (change.store === 'meta') return `meta ${change.owner} ${change.id} ${change.key}`
  if (change.store === 'assignments') return `assignments ${change.post} ${change.taxonomy}`
  return change.store === 'options' ? `options ${change.name}` : `${change.store} ${change.id}`
}

const isNothing = (value: unknown) =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0)

/** Applies the changes; throws where the row before is another one than the change says. */
export function applied(before: Snapshot, changes: readonly RowChange[]): Snapshot {
  const rows = new Map(before)
  for (const change of changes) {
    const key = keyOf(change)
    const [now, said] = [rows.get(key), change.before]
    const isRight = equalJson(now, said) || (isNothing(now) && isNothing(said))
    if (!isRight) throw new Error(`${key} was ${JSON.stringify(now)}, the change says ${JSON.stringify(said)}`)
    if (isNothing(change.after)) rows.delete(key)
    else rows.set(key, change.after)
  }
  return rows
}

export const sortedRows = (rows: Snapshot) => Object.fromEntries([...rows].sort(([a], [b]) => (a < b ? -1 : 1)))
