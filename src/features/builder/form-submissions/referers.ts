/** Counts the submissions of each page from which forms were submitted, so that the list of pages costs one read. */

import type { Storage } from '../../../contract/storage.ts'
import { fold } from '../../../contract/text-fold.ts'
import { sha256Of } from '../../../core/runtime/crypto.ts'
import { tryInsert } from '../../shared/try-insert.ts'
import { referersCollection, type Submission } from './model.ts'

type Referer = Pick<Submission, 'referer' | 'refererTitle'>
interface CountChange extends Referer {
  readonly change: number
}

const keyOf = ({ referer, refererTitle }: Referer): string => sha256Of(`${referer}\n${refererTitle ?? ''}`).slice(0, 32)

/** An attempt fails only when another writer has changed a count, so some writer always makes progress. */
const maxAttempts = 20

/** Adds submissions to the counts of their pages, or subtracts them with -1. Pages with a count of 0 are removed. */
export async function countReferers(storage: Storage, submissions: readonly Referer[], by: 1 | -1): Promise<void> {
  let pending = new Map<string, CountChange>()
  for (const { referer, refererTitle } of submissions) {
    const key = keyOf({ referer, refererTitle })
    pending.set(key, { referer, refererTitle, change: (pending.get(key)?.change ?? 0) + by })
  }
  for (let attempt = 1; pending.size > 0; attempt++) {
    pending = await applyChanges(storage, pending)
    if (attempt === maxAttempts && pending.size > 0) throw new Error('the pages of forms change too often')
  }
}

/** Returns the changes that failed because of a concurrent write. */
async function applyChanges(
  storage: Storage,
  changes: ReadonlyMap<string, CountChange>,
): Promise<Map<string, CountChange>> {
  const { records } = storage
  const { rows } = await records.query(referersCollection, { where: { field: 'key', in: [...changes.keys()] } })
  const idsByKey = new Map(rows.map((row) => [String(row['key']), row.id]))
  const changedIds = await records.update(
    referersCollection,
    rows.map((row) => ({
      id: row.id,
      changes: { uses: Number(row['uses']) + (changes.get(String(row['key']))?.change ?? 0) },
      when: { field: 'uses', is: Number(row['uses']) },
    })),
  )
  await records.remove(referersCollection, {
    every: [
      { field: 'id', in: changedIds },
      { field: 'uses', to: 0 },
    ],
  })
  const failed = new Map(
    [...changes].filter(([key]) => idsByKey.has(key) && !changedIds.includes(idsByKey.get(key) ?? 0)),
  )
  const added = [...changes].filter(([key, { change }]) => !idsByKey.has(key) && change > 0)
  if (!(await insertReferers(storage, added))) for (const [key, change] of added) failed.set(key, change)
  return failed
}

/** False when another writer has inserted one of the pages; then none is inserted. */
async function insertReferers(storage: Storage, added: readonly (readonly [string, CountChange])[]): Promise<boolean> {
  const rows = added.map(([key, { referer, refererTitle, change }]) => ({
    key,
    referer,
    uses: change,
    title: refererTitle,
  }))
  if (rows.length === 0) return true
  return (await tryInsert(storage, referersCollection, rows)) === undefined
}

/** Interface: with `value` the argument `search` is ignored. */
export async function listReferers(
  { records }: Storage,
  { search = '', value = '' }: { readonly search?: string | undefined; readonly value?: string | undefined },
) {
  const where = value === '' ? ({ field: 'title', holds: search } as const) : ({ field: 'referer', is: value } as const)
  const { rows } = await records.query(referersCollection, fold(search) === '' && value === '' ? {} : { where })
  return rows.map((row) => ({ label: String(row['title'] ?? row['referer']), value: String(row['referer']) }))
}
