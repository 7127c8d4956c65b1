/** Keeps meta in memory: one row per owner, its entries sorted by key. */

import { compareValues } from '../../contract/row-order.ts'
import type { MetaOwner, MetaStore } from '../../contract/storage.ts'
import { checkedText } from '../checked-text.ts'
import type { OwnerMeta, State } from './state.ts'
import type { Table } from './table.ts'
import type { Access } from './transactions.ts'
import { frozen } from './values.ts'

export function metaStore(state: State, access: Access): MetaStore {
  return {
    read: (owner, ids, keys) =>
      access.read((depth) => {
        const sortedIds = [...ids].sort((a, b) => a - b)
        const entries = tableOf(state, owner)
          .getMany(sortedIds, depth)
          .flatMap((row) => row.entries)
        return keys === undefined ? entries : entries.filter((entry) => keys.includes(entry.key))
      }),
    write: (owner, entries) =>
      access.write((depth) => {
        const table = tableOf(state, owner)
        for (const { id, key, value } of entries) {
          checkedText(key)
          const others = (table.get(id, depth)?.entries ?? []).filter((entry) => entry.key !== key)
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
