/**
 * Forms, columns and rows of an export. Rows are read in windows with keyset conditions: memory is bounded by the
 * window, and new submissions do not shift the rows.
 */
import type { RecordQuery, Storage, Where } from '../../../contract/storage.ts'
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
  // The number of a value begins with the id of its submission, so this order is the order of the ids.
  const byId = { by: 'id', descending }
  return by === 'created_at' ? [{ by, descending }, byId] : [byId]
}

// ---------------------------------------------------------------- rows

const windowSize = 500

export async function querySubmissions({ records }: Storage, query: RecordQuery): Promise<Submission[]> {
  const { rows } = await records.query(submissionsCollection, query)
  return rows.map(toSubmission)
}

/** Matches the rows after this one in the order; `inclusive`: this one too. */
function after(
  { id, createdAt }: Submission,
  { order, order_by: by }: Sorting,
  { inclusive = false }: { readonly inclusive?: boolean } = {},
): Where {
  const isDescending = order === 'desc'
  const strictlyAfter = (field: string, value: string | number): Where =>
    isDescending ? { field, below: value } : { field, above: value }
  const atOrAfter = (field: string, value: string | number): Where =>
    isDescending ? { field, to: value } : { field, from: value }
  const byId = inclusive ? atOrAfter('id', id) : strictlyAfter('id', id)
  if (by !== 'created_at') return byId
  const tied: Where = { every: [{ field: by, is: createdAt }, byId] }
  // The first condition is redundant, but the storage can use an index for it.
  return { every: [atOrAfter(by, createdAt), { some: [strictlyAfter(by, createdAt), tied] }] }
}

const reversed = (sorting: Sorting): Sorting => ({ ...sorting, order: sorting.order === 'desc' ? 'asc' : 'desc' })

/** Matches the rows from `first` to `last`, both included; without `last` to the end. */
export const between = (first: Submission, last: Submission | undefined, sorting: Sorting): Where => {
  const from = after(first, sorting, { inclusive: true })
  return last ? { every: [from, after(last, reversed(sorting), { inclusive: true })] } : from
}

/** Yields at most `count` rows, in windows. */
export async function* windowsOf(
  storage: Storage,
  where: Where,
  sorting: Sorting,
  count = Number.MAX_SAFE_INTEGER,
): AsyncGenerator<readonly Submission[]> {
  let condition = where
  for (let remaining = count; remaining > 0; ) {
    const limit = Math.min(windowSize, remaining)
    const rows = await querySubmissions(storage, { where: condition, order: orderOf(sorting), limit })
    const last = rows.at(-1)
    if (!last) return
    yield rows
    if (rows.length < limit) return
    remaining -= rows.length
    condition = { every: [where, after(last, sorting)] }
  }
}

// ---------------------------------------------------------------- forms

/** The forms that have at least one of the rows, in the order of their first submission. */
export async function readExportedForms(storage: Storage, where: Where): Promise<ExportedForm[]> {
  const snapshotsByElement = Map.groupBy(await readSnapshots(storage), ({ elementId }) => elementId)
  const forms: ExportedForm[] = []
  for (const [elementId, snapshots] of snapshotsByElement) {
    const ofForm: Where = { every: [{ field: 'element_id', is: elementId }, where] }
    const rows = await querySubmissions(storage, { where: ofForm, limit: 1 })
    if (rows.length === 1) forms.push(toForm(elementId, snapshots))
  }
  return forms
}

/** Interface: the columns are the fields of the form in their order, then all other keys of its submissions. */
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
