/** The collection of the history, and the option that says from when on it is whole. */

import type { Collection, Storage, StoredRecord } from '../../../contract/storage.ts'
import { randomId } from '../../../core/runtime/crypto.ts'
import type { FeatureOption } from '../../../site/settings.ts'

/** One row for each record that a transaction has changed, with the way back to the record before. */
export const siteHistory: Collection = {
  name: 'site_history',
  fields: {
    /** `post:12`, `term:3`, `option:name`; a record of a collection: `old_slugs:4`. */
    record: 'text',
    /** The type of a post, the taxonomy of a term; two types with a comma, where the change is from one to the other. Texts would be stored twice, for searches. */
    type: 'json',
    /** Who has changed it; 0: the program. */
    user: 'integer',
    /** An `Undo` of contract/undo.ts. */
    undo: 'json',
    /** Milliseconds since 1970. */
    at: 'integer',
  },
  // Each index costs each write: times follow the ids, so that no index has them.
  indexed: ['record'],
}

/** ISO, in GMT. */
export const writtenAt = (row: StoredRecord): string => new Date(Number(row['at'])).toISOString()

/** ISO, in GMT: no earlier moment can be read. */
export const historySince: FeatureOption = { name: 'history_since' }

/**
 * The newest restoration, by which the response to one has the tag that the history has after it: its rows are written later, at the end
 * of the transaction.
 */
export const historyRestored: FeatureOption = { name: 'history_restored' }

/** A type, because an interface is no `Json`. */
type NewestRestoration = {
  readonly token: string
  /** The ids of its rows; null: they are not written yet. */
  readonly from: number | null
  readonly to: number | null
}

export async function markRestored(storage: Storage): Promise<void> {
  const mark: NewestRestoration = { token: randomId(), from: null, to: null }
  await storage.options.write({ [historyRestored.name]: mark })
}

/** Completes the mark, at the end of the transaction of a restoration. */
export async function completeMark(transaction: Storage, ids: readonly number[]): Promise<void> {
  const mark = await readMark(transaction)
  if (!mark) return
  const completed: NewestRestoration = { ...mark, from: ids[0] ?? 0, to: ids.at(-1) ?? 0 }
  await transaction.options.write({ [historyRestored.name]: completed })
}

// The cast: only this file writes it.
const readMark = async (storage: Storage) =>
  (await storage.options.read([historyRestored.name]))[historyRestored.name] as NewestRestoration | undefined

/** The state of a record, undefined: of the site, is its newest change. */
export async function newestChange(storage: Storage, record: string | undefined): Promise<number | string> {
  const { rows } = await storage.records.query(siteHistory, {
    ...(record === undefined ? {} : { where: { field: 'record', is: record } }),
    order: [{ by: 'id', descending: true }],
    limit: 1,
  })
  const newest = rows[0]?.id ?? 0
  const mark = await readMark(storage)
  if (!mark) return newest
  const isOfMark = mark.from === null || mark.to === null || (newest >= mark.from && newest <= mark.to)
  return isOfMark ? mark.token : newest
}
