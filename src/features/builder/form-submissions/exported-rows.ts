/**
 * Which forms, columns and rows an export has. Rows are read in windows, each beginning behind the last row of the one
 * before: ten thousand need no more memory than five hundred, and what comes in meanwhile moves none of them.
 */
import { andThen, type MaybePromise, sequence } from '../../../core/runtime/maybe-promise.ts'
import type { RecordQuery, Storage, Where } from '../../../storage/contract.ts'
import { type FormSnapshot, readSnapshots, type Submission, submissionsCollection, toSubmission } from './model.ts'
import { formLabel } from './view.ts'

export interface ExportedForm {
  readonly elementId: string
  readonly label: string
  readonly columns: readonly Column[]
}

export interface Column {
  readonly key: string
  readonly label: string
  readonly isNumber: boolean
}

export interface Sorting {
  readonly order: 'asc' | 'desc'
  readonly order_by: 'created_at' | 'id' | 'main_meta_id'
}

export const orderOf = ({ order, order_by: by }: Sorting) => {
  const descending = order === 'desc'
  // Values are numbered by their submission, so the two orders are one.
  const byId = { by: 'id', descending }
  return by === 'created_at' ? [{ by, descending }, byId] : [byId]
}

// ---------------------------------------------------------------- rows

const windowSize = 500

export function querySubmissions({ records }: Storage, query: RecordQuery): MaybePromise<Submission[]> {
  return andThen(records.query(submissionsCollection, query), ({ rows }) => rows.map(toSubmission))
}

/** The rows behind this one in the order, with it if `inclusive`. */
export function behind(
  { id, createdAt }: Submission,
  { order, order_by: by }: Sorting,
  { inclusive = false }: { readonly inclusive?: boolean } = {},
): Where {
  const isDown = order === 'desc'
  const beyond = (field: string, value: string | number): Where =>
    isDown ? { field, below: value } : { field, above: value }
  const upTo = (field: string, value: string | number): Where =>
    isDown ? { field, to: value } : { field, from: value }
  const byId = inclusive ? upTo('id', id) : beyond('id', id)
  if (by !== 'created_at') return byId
  const tied: Where = { every: [{ field: by, is: createdAt }, byId] }
  // The first part says less than the second, but an index leads to it.
  return { every: [upTo(by, createdAt), { some: [beyond(by, createdAt), tied] }] }
}

const reversed = (sorting: Sorting): Sorting => ({ ...sorting, order: sorting.order === 'desc' ? 'asc' : 'desc' })

/** The rows from one to another, both included. */
export const between = (first: Submission, last: Submission | undefined, sorting: Sorting): Where => {
  const from = behind(first, sorting, { inclusive: true })
  return last ? { every: [from, behind(last, reversed(sorting), { inclusive: true })] } : from
}

/** At most `count` rows. */
export async function* windowsOf(
  storage: Storage,
  where: Where,
  sorting: Sorting,
  count = Number.MAX_SAFE_INTEGER,
): AsyncGenerator<readonly Submission[]> {
  let condition = where
  for (let left = count; left > 0; ) {
    const limit = Math.min(windowSize, left)
    const rows = await querySubmissions(storage, { where: condition, order: orderOf(sorting), limit })
    const last = rows.at(-1)
    if (!last) return
    yield rows
    if (rows.length < limit) return
    left -= rows.length
    condition = { every: [where, behind(last, sorting)] }
  }
}

// ---------------------------------------------------------------- forms

/** Those that have at least one of the rows, in the order of their first submission ever. */
export function formsAmong(storage: Storage, where: Where): MaybePromise<ExportedForm[]> {
  return andThen(readSnapshots(storage), (snapshots) => {
    const byElement = [...Map.groupBy(snapshots, ({ elementId }) => elementId)]
    const asked = sequence(byElement, ([elementId]) =>
      querySubmissions(storage, { where: { every: [{ field: 'element_id', is: elementId }, where] }, limit: 1 }),
    )
    return andThen(asked, (found) =>
      byElement.filter((_, index) => found[index]?.length === 1).map(([id, own]) => toForm(id, own)),
    )
  })
}

/** Interface: the fields of the form in their order, then every other key that it has ever sent. */
function toForm(elementId: string, snapshots: readonly FormSnapshot[]): ExportedForm {
  const fields = new Map(
    snapshots.flatMap((snapshot) =>
      snapshot.fields.map(({ id, label, type }): [string, Column] => [
        id,
        { key: id, label: label || id, isNumber: type === 'number' },
      ]),
    ),
  )
  const keys = new Set([...fields.keys(), ...snapshots.flatMap((snapshot) => snapshot.keys)])
  return {
    elementId,
    label: formLabel({ name: snapshots[0]?.name ?? '', elementId }),
    columns: [...keys].map((key) => fields.get(key) ?? { key, label: key, isNumber: false }),
  }
}
