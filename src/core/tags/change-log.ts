/**
 * Reads the tags of all transactions since a place in their log. The place may have been kept outside of the storage, for days and by
 * another process: it counts only where the log still has it and every transaction after it.
 */
import type { Storage, StoredRecord } from '../../contract/storage.ts'
import { allAnswers } from './tag-names.ts'
import { keptRows, sweepInterval, touchedTags } from './touched-tags.ts'

/** The last transaction that is known. */
export interface LogPlace {
  readonly position: number
  readonly row: number
  /** Tells the row from that of another history, such as that of a restored copy. */
  readonly uid: string
}

/** Lists the tags of all that was committed since a place. */
export interface LoggedChanges {
  /** Where the log ends; undefined: the last transaction is not in it. */
  readonly at: LogPlace | undefined
  /** Undefined: anything may have changed. */
  readonly tags: ReadonlySet<string> | undefined
}

/** Reads the log from a place to its end. Rows that are read later are not older than the end. */
export async function changesSince(
  storage: Pick<Storage, 'records' | 'readChanges'>,
  since: LogPlace | undefined,
): Promise<LoggedChanges> {
  const { records } = storage
  const position = (await storage.readChanges?.())?.position
  if (position === undefined) return { at: undefined, tags: undefined }
  const { rows: latest } = await records.query(touchedTags, { order: [{ by: 'id', descending: true }], limit: 100 })
  const last = latest.find((row) => Number(row['position']) === position)
  const at = last && { position, row: last.id, uid: String(last['uid']) }
  if (!since || !at || at.position < since.position) return { at, tags: undefined }
  const { rows } = await records.query(touchedTags, {
    where: { field: 'id', from: since.row },
    order: [{ by: 'id' }],
    limit: keptRows + sweepInterval,
  })
  return { at, tags: tagsBetween(rows, since, position) }
}

function tagsBetween(
  rows: readonly StoredRecord[],
  since: LogPlace,
  position: number,
): ReadonlySet<string> | undefined {
  const [first] = rows
  if (first?.id !== since.row || first['uid'] !== since.uid || first['position'] !== since.position) return undefined
  const after = rows.slice(1)
  // Transactions that share a commit have one position.
  const positions = new Set(after.map((row) => Number(row['position'])))
  for (let at = since.position + 1; at <= position; at++) if (!positions.has(at)) return undefined
  const tags = new Set<string>()
  for (const { tags: touched } of after) {
    if (!Array.isArray(touched)) return undefined
    for (const tag of touched) tags.add(String(tag))
  }
  return tags.has(allAnswers) ? undefined : tags
}
