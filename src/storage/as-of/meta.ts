/** Meta as it was: of posts and terms. */
import type { Past } from '../../contract/past.ts'
import type { Json, MetaOwner, MetaStore, Storage } from '../../contract/storage.ts'
import { compareText } from '../../contract/text-fold.ts'
import { type Undo, undone } from '../../contract/undo.ts'
import { readsOnly } from './reads-only.ts'

type Values = Map<string, Json>

export function pastMeta({ meta }: Storage, past: Past): MetaStore {
  const changesOf = (owner: MetaOwner): ReadonlyMap<number, readonly Undo[]> =>
    owner === 'post' ? past.posts : owner === 'term' ? past.terms : new Map()
  return {
    async read(owner, ids, keys) {
      const stored = await meta.read(owner, ids, keys)
      const changes = changesOf(owner)
      const changed = new Set(ids.filter((id) => changes.get(id)?.some(hasMeta)))
      if (changed.size === 0) return stored
      const kept = stored.filter(({ id }) => !changed.has(id))
      const isWanted = keys && new Set(keys)
      for (const id of changed) {
        const values: Values = new Map(stored.filter((one) => one.id === id).map(({ key, value }) => [key, value]))
        for (const undo of changes.get(id) ?? []) undoMeta(values, undo, isWanted)
        for (const [key, value] of values) kept.push({ id, key, value })
      }
      return kept.sort((a, b) => a.id - b.id || compareText(a.key, b.key))
    },
    write: readsOnly,
  }
}

const hasMeta = ({ row, meta }: Undo): boolean => meta !== undefined || row === null

function undoMeta(values: Values, { row, meta = {} }: Undo, isWanted: ReadonlySet<string> | undefined): void {
  if (row === null) values.clear()
  else {
    for (const [key, undo] of Object.entries(meta)) {
      if (isWanted && !isWanted.has(key)) continue
      const value = undone(values.get(key), undo)
      if (value === undefined) values.delete(key)
      else values.set(key, value)
    }
  }
}
