/** Makes rows of the history from the changes of a transaction. */
import type { Collection, Json, RecordValues } from '../../../contract/storage.ts'
import { type Undo, type UndoneMembers, undoOf, undoOfMembers } from '../../../contract/undo.ts'
import type { RowChange } from '../../../core/changes/row-change.ts'

/** The options and collections that the history keeps. */
export interface HistoryScope {
  readonly collections: ReadonlyMap<string, Collection>
  /** Options that features store for themselves, such as locks and keys, and the roles: rights are never restored. */
  readonly leftOutOptions: ReadonlySet<string>
  /** Options that features compute from other rows: a restoration removes them, as a seed does. */
  readonly derivedOptions: readonly string[]
}

/** How long changes are kept. */
export interface HistoryRetention {
  /** The most changes of records that are kept. Default: 50,000. */
  readonly count: number
  /** Older changes are removed. Default: 90. */
  readonly days: number
}

export const defaultRetention: HistoryRetention = { count: 50_000, days: 90 }

interface Entry {
  readonly type: string
  readonly undo: Undo
}

interface Row {
  readonly [member: string]: Json
}

type Entries = Map<string, Entry>

/** The rows of a transaction, without the moment and the user. The changes are those that the recorder wants. */
export function historyRows(changes: readonly RowChange[], scope: HistoryScope): RecordValues[] {
  const entries: Entries = new Map()
  for (const change of changes) enter(entries, change, scope)
  for (const change of changes) joinRevision(entries, change)
  return [...entries].map(([record, { type, undo }]) => ({
    record,
    type,
    undo: undo.row === null ? { row: null } : undo,
  }))
}

/** A save makes a revision: it shares the row of its post, because each row costs a write of its indexes. */
function joinRevision(entries: Entries, change: RowChange): void {
  if (change.store !== 'posts' || change.before || change.after?.type !== 'revision') return
  const parent = `post:${change.after.parent}`
  const undo = entries.get(parent)?.undo
  if (!undo || undo.row === null) return
  join(entries, parent, { revisions: [...(undo.revisions ?? []), change.id] })
  entries.delete(`post:${change.id}`)
}

function enter(entries: Entries, change: RowChange, scope: HistoryScope): void {
  switch (change.store) {
    case 'posts':
      enterRow(entries, `post:${change.id}`, change, typesOf(change.before?.type, change.after?.type))
      break
    case 'terms':
      enterRow(entries, `term:${change.id}`, change, change.before?.taxonomy ?? change.after?.taxonomy)
      break
    case 'meta':
      join(entries, `${change.owner}:${change.id}`, { meta: { [change.key]: undoOfValue(change) } })
      break
    case 'assignments':
      join(entries, `post:${change.post}`, { terms: { [change.taxonomy]: change.before } })
      break
    case 'options':
      if (!scope.leftOutOptions.has(change.name)) {
        join(entries, `option:${change.name}`, { value: undoOfValue(change) })
      }
      break
    case 'records':
      if (scope.collections.has(change.collection)) enterRow(entries, `${change.collection}:${change.id}`, change)
  }
}

/** Null is the stored form of no value. */
const undoOfValue = ({ before, after }: { readonly before: Json; readonly after: Json }) =>
  undoOf(before ?? undefined, after ?? undefined)

interface RowPair {
  readonly before?: object | undefined
  readonly after?: object | undefined
}

function typesOf(before: string | undefined, after: string | undefined): string {
  return [...new Set([before, after])].filter((type) => type !== undefined).join()
}

function enterRow(entries: Entries, record: string, { before, after }: RowPair, type = ''): void {
  // The casts: rows are JSON.
  if (before === undefined) {
    join(entries, record, { row: null }, type)
    return
  }
  const row = undoOfMembers(before as Row, (after ?? {}) as Row)
  if (row) join(entries, record, after === undefined ? { row, isRemoved: true } : { row }, type)
}

function join(entries: Entries, record: string, undo: Undo, type = ''): void {
  const known = entries.get(record)
  const meta: UndoneMembers | undefined = merged(known?.undo.meta, undo.meta)
  const terms = merged(known?.undo.terms, undo.terms)
  entries.set(record, {
    type: known?.type || type,
    undo: { ...known?.undo, ...undo, ...(meta ? { meta } : {}), ...(terms ? { terms } : {}) },
  })
}

const merged = <T extends object>(a: T | undefined, b: T | undefined): T | undefined =>
  a && b ? { ...a, ...b } : (a ?? b)
