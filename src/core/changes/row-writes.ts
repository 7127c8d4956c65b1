/** How inserts, updates and removals of rows are recorded, whatever their store. */

import { andThen } from '../../contract/maybe-promise.ts'
import type { MaybePromise, MetaOwner, Storage } from '../../contract/storage.ts'
import type { Subject } from './change-log.ts'
import { definedIn, type Recorder, type Rows, rounds } from './recorder.ts'

interface Row {
  readonly id: number
}

/** One store of rows, or one collection. */
export interface RowKind<R extends Row> {
  readonly keyOf: (id: number) => string
  readonly subjectOf: (id: number) => Subject
  readonly isWanted: boolean
  /** The collection. */
  readonly name?: string
  /** Rows that are not known yet. */
  readonly read: (ids: readonly number[]) => MaybePromise<readonly R[]>
  /** Members that an update sets besides its changes. */
  readonly updated?: (row: R) => object
}

export const ownerOf = { posts: 'post', terms: 'term', users: 'user' } as const satisfies {
  readonly [store: string]: MetaOwner
}

export function rowKind<R extends Row>(
  { options }: Recorder,
  store: keyof typeof ownerOf,
  parts: Pick<RowKind<R>, 'read' | 'updated'>,
): RowKind<R> {
  return {
    ...parts,
    keyOf: (id) => `${store} ${id}`,
    subjectOf: (id) => ({ store, id }),
    isWanted: options.wants(store),
  }
}

export function remember<R extends Row>(recorder: Recorder, kind: RowKind<R>, rows: readonly R[]): void {
  if (kind.isWanted) for (const row of rows) recorder.log.remember(kind.keyOf(row.id), row)
}

/** The rows with these ids as they are now, by key; those that do not exist are left out. */
export function rowsBefore<R extends Row>(
  recorder: Recorder,
  kind: RowKind<R>,
  ids: readonly number[],
): MaybePromise<Rows> {
  if (!kind.isWanted || recorder.log.isFull) return new Map()
  return recorder.known(ids, kind.keyOf, (missing) =>
    andThen(kind.read(missing), (rows) => rows.map((row) => [kind.keyOf(row.id), row] as const)),
  )
}

export const insertRows = <R extends Row>(
  recorder: Recorder,
  kind: RowKind<R>,
  insert: () => MaybePromise<number[]>,
  valuesAt: (at: number) => object,
  noteNew: (id: number) => void = () => undefined,
): Promise<number[]> =>
  recorder.write(
    () => undefined,
    insert,
    (_, ids) => {
      for (const [at, id] of ids.entries()) {
        if (kind.isWanted) {
          const row = { id, ...definedIn(valuesAt(at)) }
          recorder.log.change(kind.keyOf(id), kind.subjectOf(id), undefined, () => row)
        }
        noteNew(id)
      }
    },
    kind.name,
  )

/** Storages may look at how many arguments a call has. */
export const given = (ids: readonly number[] | undefined): readonly [] | readonly [readonly number[]] =>
  ids ? [ids] : []

interface RowUpdate extends Row {
  readonly changes: object
}

export async function updateRows<R extends Row, U extends RowUpdate>(
  recorder: Recorder,
  kind: RowKind<R>,
  updates: readonly U[],
  update: (storage: Storage, some: readonly U[]) => MaybePromise<number[]>,
): Promise<number[]> {
  const applied = await recorder.write(
    () => rowsBefore(recorder, kind, idsOf(updates)),
    () => inRounds(recorder.storage, updates, update),
    (before, done) => {
      for (const [at, some] of rounds(updates).entries()) noteUpdated(recorder, kind, some, done[at] ?? [], before)
    },
    kind.name,
  )
  return applied.flat()
}

const idsOf = (rows: readonly Row[]) => rows.map(({ id }) => id)

function noteUpdated<R extends Row>(
  recorder: Recorder,
  kind: RowKind<R>,
  updates: readonly RowUpdate[],
  applied: readonly number[],
  before: Rows,
): void {
  if (!kind.isWanted) return
  const ids = new Set(applied)
  for (const { id, changes } of updates) {
    if (!ids.has(id)) continue
    const copy = definedIn(changes)
    recorder.log.change(kind.keyOf(id), kind.subjectOf(id), before.get(kind.keyOf(id)), (now) => ({
      ...(now as R),
      ...copy,
      ...kind.updated?.(now as R),
    }))
  }
}

export function noteRemoved<R extends Row>(recorder: Recorder, kind: RowKind<R>, rows: Rows): void {
  if (!kind.isWanted) return
  for (const row of rows.values()) {
    // The cast: these are rows of the kind, undefined when they are gone already.
    const { id } = (row ?? { id: 0 }) as R
    if (row) recorder.log.change(kind.keyOf(id), kind.subjectOf(id), row, () => undefined)
  }
}

/** Updates of one row in one call are separate calls: only so is it known which of them were applied. */
function inRounds<U extends Row>(
  storage: Storage,
  updates: readonly U[],
  update: (storage: Storage, some: readonly U[]) => MaybePromise<number[]>,
): MaybePromise<number[][]> {
  const lists = rounds(updates)
  if (lists.length === 1) return andThen(update(storage, updates), (ids) => [ids])
  const all = async (inside: Storage) => {
    const applied: number[][] = []
    for (const some of lists) applied.push(await update(inside, some))
    return applied
  }
  return storage.atomic ? storage.atomic(all) : all(storage)
}
