/** Marks: who read which note, and who is mentioned in it. */
import type { MaybePromise } from '../../../core/runtime/maybe-promise.ts'
import { andThen } from '../../../core/runtime/maybe-promise.ts'
import type { Storage, Where } from '../../../storage/contract.ts'
import { marksCollection } from './model.ts'

export type MarkKind = 'read' | 'mention'

export interface Mark {
  readonly note: number
  readonly user: number
  readonly kind: MarkKind
}

/** Of everybody, unless one user is named. */
export function readMarks(storage: Storage, notes: readonly number[], user?: number): MaybePromise<readonly Mark[]> {
  const ofNotes: Where = { field: 'note', in: notes }
  const where: Where = user === undefined ? ofNotes : { every: [ofNotes, { field: 'user', is: user }] }
  return andThen(storage.records.query(marksCollection, { where }), ({ rows }) =>
    rows.map((row) => ({
      note: Number(row['note']),
      user: Number(row['user']),
      kind: row['kind'] === 'read' ? 'read' : 'mention',
    })),
  )
}

const keyOf = ({ note, user, kind }: Mark) => `${note} ${user} ${kind}`
const maxRounds = 10

/** Adds those that are not there yet. A mark that somebody else sets at the same moment counts as set. */
export async function addMarks(storage: Storage, marks: readonly Mark[]): Promise<void> {
  // Nobody has the id 0: the host's own calls leave no marks.
  const wanted = new Map(marks.filter(({ user }) => user !== 0).map((mark) => [keyOf(mark), mark]))
  if (wanted.size === 0) return
  const notes = [...new Set([...wanted.values()].map(({ note }) => note))]
  for (let round = 1; ; round++) {
    for (const mark of await readMarks(storage, notes)) wanted.delete(keyOf(mark))
    const missing = [...wanted.values()].map(({ note, user, kind }) => ({ note, user, kind }))
    try {
      // In a savepoint: a refused row must not end the whole transaction.
      await (storage.atomic
        ? storage.atomic((inside) => inside.records.insert(marksCollection, missing))
        : storage.records.insert(marksCollection, missing))
      return
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'storage_conflict' || round === maxRounds) throw error
    }
  }
}

export function removeMarks(
  storage: Storage,
  {
    notes,
    users,
    kind,
  }: { readonly notes: readonly number[]; readonly users: readonly number[]; readonly kind: MarkKind },
): MaybePromise<unknown> {
  return storage.records.remove(marksCollection, {
    every: [
      { field: 'note', in: notes },
      { field: 'user', in: users },
      { field: 'kind', is: kind },
    ],
  })
}
