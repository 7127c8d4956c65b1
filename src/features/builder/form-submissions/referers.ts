/** The pages from which forms were sent, with how many submissions name each: so that a choice of them costs one read. */
import { sha256Of } from '../../../core/runtime/crypto.ts'
import { fold } from '../../../site/text-fold.ts'
import type { Storage } from '../../../storage/contract.ts'
import { referersCollection, type Submission } from './model.ts'

type Named = Pick<Submission, 'referer' | 'refererTitle'>

const keyOf = ({ referer, refererTitle }: Named): string => sha256Of(`${referer}\n${refererTitle ?? ''}`).slice(0, 32)

/** Each lost race is somebody else's progress. */
const maxRounds = 20

/** Counts submissions that came, or with -1 those that went. A page that no submission names is forgotten. */
export async function countReferers(storage: Storage, submissions: readonly Named[], by: 1 | -1): Promise<void> {
  let waiting = new Map<string, Named & { readonly count: number }>()
  for (const named of submissions) {
    const key = keyOf(named)
    waiting.set(key, { ...named, count: (waiting.get(key)?.count ?? 0) + by })
  }
  for (let round = 1; waiting.size > 0; round++) {
    waiting = await countOnce(storage, waiting)
    if (round === maxRounds && waiting.size > 0) throw new Error('the pages of forms change too often')
  }
}

type Waiting = Map<string, Named & { readonly count: number }>

/** Answers those for which somebody else was faster. */
async function countOnce(storage: Storage, waiting: Waiting): Promise<Waiting> {
  const { records } = storage
  const { rows } = await records.query(referersCollection, { where: { field: 'key', in: [...waiting.keys()] } })
  const known = new Map(rows.map((row) => [String(row['key']), row]))
  const changed = await records.update(
    referersCollection,
    rows.map((row) => ({
      id: row.id,
      changes: { uses: Number(row['uses']) + (waiting.get(String(row['key']))?.count ?? 0) },
      when: { field: 'uses', is: Number(row['uses']) },
    })),
  )
  await records.remove(referersCollection, {
    every: [
      { field: 'id', in: changed },
      { field: 'uses', to: 0 },
    ],
  })
  const left = new Map([...waiting].filter(([key]) => known.has(key) && !changed.includes(known.get(key)?.id ?? 0)))
  const added = [...waiting].filter(([key, { count }]) => !known.has(key) && count > 0)
  for (const [key, named] of (await insertNew(storage, added)) ? [] : added) left.set(key, named)
  return left
}

async function insertNew(storage: Storage, added: readonly (readonly [string, Named & { readonly count: number }])[]) {
  const rows = added.map(([key, { referer, refererTitle, count }]) => ({
    ...{ key, referer, uses: count },
    title: refererTitle,
  }))
  if (rows.length === 0) return true
  try {
    // In a savepoint: a refused row must not end the whole transaction.
    const insert = (inside: Storage) => inside.records.insert(referersCollection, rows)
    await (storage.atomic ? storage.atomic(insert) : insert(storage))
    return true
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'storage_conflict') throw error
    return false
  }
}

/** Interface: with an address given, the text that was searched for does not count. */
export async function listReferers(
  { records }: Storage,
  { search = '', value = '' }: { readonly search?: string | undefined; readonly value?: string | undefined },
) {
  const where = value === '' ? ({ field: 'title', holds: search } as const) : ({ field: 'referer', is: value } as const)
  const { rows } = await records.query(referersCollection, fold(search) === '' && value === '' ? {} : { where })
  return rows.map((row) => ({ label: String(row['title'] ?? row['referer']), value: String(row['referer']) }))
}
