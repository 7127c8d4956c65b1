/** Meta: the values of an owner are one row, kept in the order of their keys. */
import type { MetaOwner, MetaStore } from '../contract.ts'
import type { OwnerMeta, State } from './state.ts'
import type { Table } from './table.ts'
import type { Access } from './transactions.ts'
import { frozen, plainText } from './values.ts'
import { compareValues } from './paging.ts'

export function metaStore(state: State, access: Access): MetaStore {
  return {
    read: (owner, ids, keys) =>
      access.read((depth) => {
        const table = tableOf(state, owner)
        const entries = [...new Set(ids)].sort((a, b) => a - b).flatMap((id) => table.get(id, depth)?.entries ?? [])
        return keys === undefined ? entries : entries.filter((entry) => keys.includes(entry.key))
      }),
    write: (owner, entries) =>
      access.write((depth) => {
        const table = tableOf(state, owner)
        for (const { id, key, value } of entries) {
          const others = (table.get(id, depth)?.entries ?? []).filter((entry) => entry.key !== plainText(key))
          if (value !== null) others.push(Object.freeze({ id, key, value: frozen(value) }))
          if (others.length === 0) table.delete(id)
          else table.put(id, { entries: others.sort((a, b) => compareValues(a.key, b.key)) })
        }
      }),
  }
}

function tableOf(state: State, owner: MetaOwner): Table<number, OwnerMeta> {
  if (!Object.hasOwn(state.meta, owner)) throw new TypeError(`${String(owner)} has no meta`)
  return state.meta[owner]
}
