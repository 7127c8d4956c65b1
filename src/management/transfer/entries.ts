/** Helpers for writing the entries of a document. */
import { blankPost } from '../../contract/fields/blank.ts'
import type { Json, MetaOwner, Storage } from '../../contract/storage.ts'
import { windowsOf } from '../context.ts'
import type { Meta } from './references.ts'

/** Interface: files are open for comments, whatever the default for posts. */
export const blankFile = { ...blankPost, commentStatus: 'open' }

/** The meta of these rows, by id. */
export async function metaOf(
  storage: Storage,
  owner: MetaOwner,
  rows: readonly { readonly id: number }[],
): Promise<Map<number, Meta>> {
  const entriesById = new Map<number, [string, Json][]>()
  for (const window of windowsOf(rows)) {
    const ids = window.map(({ id }) => id)
    for (const { id, key, value } of await storage.meta.read(owner, ids)) {
      const entries = entriesById.get(id) ?? []
      entries.push([key, value])
      entriesById.set(id, entries)
    }
  }
  return new Map([...entriesById].map(([id, entries]) => [id, Object.fromEntries(entries)]))
}

/** Leaves out null, undefined, and empty texts, lists and objects. */
export function withoutEmpty<T extends object>(members: T): Partial<T> {
  const filled = Object.entries(members).filter(([, value]) => {
    if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0
    return value !== '' && value !== null && value !== undefined
  })
  // The cast: members were only removed.
  return Object.fromEntries(filled) as Partial<T>
}
