/** What entries of a document are made of when one is written. */
import type { Json, MetaOwner, Storage } from '../../storage/contract.ts'
import { windowsOf } from '../context.ts'
import type { Meta } from './references.ts'

/** The meta of these rows, by id. */
export async function metaOf(
  storage: Storage,
  owner: MetaOwner,
  rows: readonly { readonly id: number }[],
): Promise<Map<number, Meta>> {
  const found = new Map<number, [string, Json][]>()
  for (const window of windowsOf(rows)) {
    const ids = window.map(({ id }) => id)
    for (const { id, key, value } of await storage.meta.read(owner, ids)) {
      const entries = found.get(id) ?? []
      entries.push([key, value])
      found.set(id, entries)
    }
  }
  return new Map([...found].map(([id, entries]) => [id, Object.fromEntries(entries)]))
}

/** Members that say something: no empty texts, lists and objects. */
export function withoutEmpty<T extends object>(members: T): Partial<T> {
  const filled = Object.entries(members).filter(([, value]) => {
    if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0
    return value !== '' && value !== null && value !== undefined
  })
  // The cast: a part of what came in.
  return Object.fromEntries(filled) as Partial<T>
}
