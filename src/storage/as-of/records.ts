/** Records of collections as they were. */
import type { Past } from '../../contract/past.ts'
import type { RecordStore, Storage, StoredRecord, Where } from '../../contract/storage.ts'
import { storedRecord } from '../field-kinds.ts'
import { recordOrder } from '../memory/records.ts'
import { whereTest } from '../memory/where.ts'
import { readsOnly } from './reads-only.ts'
import { mergedPage, PastRows } from './rows.ts'

export function pastRecords({ records }: Storage, past: Past): RecordStore {
  return {
    async query(collection, query) {
      const changes = past.records.get(collection.name)
      if (!changes) return records.query(collection, query)
      const rowsOf = new PastRows<StoredRecord>(changes, async (ids) => {
        const { rows } = await records.query(collection, { where: { field: 'id', in: ids } })
        return rows
      })
      const ids = rowsOf.ids()
      const { where, order = [], offset = 0, limit = Number.MAX_SAFE_INTEGER, total } = query
      const test = where === undefined ? () => true : whereTest(collection, where)
      const then = (await rowsOf.of(ids)).flatMap(({ was }) => was ?? [])
      const matches = then
        .map((row) => storedRecord(collection, row.id, row))
        .filter((row) => test({ id: row.id, values: row }))
      const others: Where = { not: { field: 'id', in: ids } }
      const byOrder = recordOrder(collection, order)
      return mergedPage(
        { offset, limit, ...(total ? { total } : {}) },
        matches,
        (a, b) => byOrder({ id: a.id, values: a }, { id: b.id, values: b }),
        async (paging) =>
          records.query(collection, { ...query, ...paging, where: where ? { every: [where, others] } : others }),
      )
    },
    insert: readsOnly,
    update: readsOnly,
    remove: readsOnly,
  }
}
