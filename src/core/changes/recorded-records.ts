/** Records the writes of records. */

import { andThen } from '../../contract/maybe-promise.ts'
import type { Collection, RecordStore, StoredRecord } from '../../contract/storage.ts'
import type { Recorder } from './recorder.ts'
import { given, insertRows, noteRemoved, type RowKind, remember, updateRows } from './row-writes.ts'

export function recordedRecords(recorder: Recorder): Partial<RecordStore> {
  const { records } = recorder.storage
  const isWanted = ({ name }: Collection) => recorder.options.wants('records', name)
  return {
    query: (collection, query) =>
      isWanted(collection)
        ? andThen(records.query(collection, query), (found) => {
            remember(recorder, kindOf(recorder, collection), found.rows)
            return found
          })
        : records.query(collection, query),
    insert: (collection, rows, ids) =>
      isWanted(collection)
        ? insertRows(
            recorder,
            kindOf(recorder, collection),
            () => records.insert(collection, rows, ...given(ids)),
            (at) => ({ ...unset(collection), ...rows[at] }),
          )
        : recorder.pass(() => records.insert(collection, rows, ...given(ids)), collection.name),
    update: (collection, updates) =>
      isWanted(collection)
        ? updateRows(recorder, kindOf(recorder, collection), updates, (storage, some) =>
            storage.records.update(collection, some),
          )
        : recorder.pass(() => records.update(collection, updates), collection.name),
    remove: (collection, where) => {
      if (!isWanted(collection) || recorder.log.isFull)
        return recorder.pass(() => records.remove(collection, where), collection.name)
      const kind = kindOf(recorder, collection)
      const { limit } = recorder.options
      return recorder.write(
        async () => {
          const { rows } = await records.query(collection, { where, limit: limit + 1 })
          if (rows.length > limit) recorder.log.overflow()
          return new Map(rows.map((row) => [kind.keyOf(row.id), row]))
        },
        () => records.remove(collection, where),
        (rows) => noteRemoved(recorder, kind, rows),
        collection.name,
      )
    },
  }
}

const unset = ({ fields }: Collection) => Object.fromEntries(Object.keys(fields).map((field) => [field, null]))

const kindOf = ({ storage }: Recorder, collection: Collection): RowKind<StoredRecord> => ({
  isWanted: true,
  name: collection.name,
  keyOf: (id) => `records ${collection.name} ${id}`,
  subjectOf: (id) => ({ store: 'records', collection: collection.name, id }),
  read: (ids) =>
    andThen(storage.records.query(collection, { where: { field: 'id', in: [...ids] } }), ({ rows }) => rows),
})
