/** Inserts planned rows of collections. Rows that they refer to may follow them: the returned rows are completed afterwards. */
import type { Collection, Storage } from '../../../contract/storage.ts'
import { windowsOf } from '../../context.ts'
import { idsOf } from '../given-ids.ts'
import type { PlannedRecord } from '../plan-records.ts'
import { type ReferenceIds, setIds } from './ids.ts'

export type OpenRecord = Pick<PlannedRecord, 'reference' | 'references'>

export async function insertRecords(
  storage: Storage,
  collection: Collection,
  rows: readonly PlannedRecord[],
  ids: ReferenceIds,
): Promise<OpenRecord[]> {
  const isUnknown = (target: string) => ids.of(target) === 0
  const open = rows.filter(({ references }) => Object.values(references).some(isUnknown))
  const values = rows.map(({ values, references }) => ({ ...values, ...ids.ofAll(references) }))
  setIds(ids, rows, await storage.records.insert(collection, values, idsOf(rows)))
  return open.map(({ reference, references }) => ({ reference, references }))
}

export async function completeRecords(
  storage: Storage,
  collection: Collection,
  rows: readonly OpenRecord[],
  ids: ReferenceIds,
): Promise<void> {
  for (const window of windowsOf(rows)) {
    const updates = window.map(({ reference, references }) => ({
      id: ids.of(reference),
      changes: ids.ofAll(references),
    }))
    await storage.records.update(collection, updates)
  }
}
