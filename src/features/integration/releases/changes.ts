/** The changes of a release, record by record: what they are, and how the changes of a write are added to them. Pure. */
import { isSameJson } from '../../../contract/equal-json.ts'
import type { Json } from '../../../contract/storage.ts'
import type { RowChange } from '../../../core/changes/row-change.ts'
import { oldSlugs } from '../../../site/addresses/old-slugs.ts'
import { revisionType } from '../../content/revisions/model.ts'

/** Null: there is none. */
export type MemberChange = {
  /** The value of the site when the release changed it first. */
  readonly base: Json
  readonly value: Json
}

/**
 * A record of a release. Members are columns, `meta.key`, `terms.taxonomy`, and `value` of an option. A type, because an interface is
 * no `Json`.
 */
export type ReleaseChange = {
  readonly change: 'added' | 'changed' | 'removed'
  /** The type of a post; two with a comma, where it changes. The taxonomy of a term. */
  readonly type: string
  readonly members: { readonly [member: string]: MemberChange }
}

/** The changes of one write to one record. */
interface RecordEdit {
  readonly record: string
  readonly change: ReleaseChange['change']
  readonly type: string
  readonly members: ReadonlyMap<string, { readonly before: Json; readonly after: Json }>
}

/** Each write changes these members: no two of them are in conflict, and they alone are no change. */
export const bookkeeping: ReadonlySet<string> = new Set(['modified', 'modifiedGmt'])

/** Revisions and old slugs come and go with their posts. */
export const followsPost = (record: string, { type }: Pick<ReleaseChange, 'type'>): boolean =>
  type === revisionType || record.startsWith(`${oldSlugs.name}:`)

/** The post that a new revision or an old slug comes and goes with; undefined for all other records. */
export function postOf(record: string, { change, type, members }: ReleaseChange): number | undefined {
  if (change !== 'added' || !followsPost(record, { type })) return undefined
  return Number(members[type === revisionType ? 'parent' : 'post']?.value)
}

interface GrowingEdit {
  change: ReleaseChange['change']
  type: string
  readonly members: Map<string, { readonly before: Json; readonly after: Json }>
}

/** Sorts the changes of a transaction by their records. */
export function editsOf(changes: readonly RowChange[]): RecordEdit[] {
  const edits = new Map<string, GrowingEdit>()
  const editOf = (record: string): GrowingEdit => {
    const edit = edits.get(record) ?? { change: 'changed', type: '', members: new Map() }
    edits.set(record, edit)
    return edit
  }
  for (const change of changes) {
    if (change.store === 'meta') {
      editOf(`${change.owner}:${change.id}`).members.set(`meta.${change.key}`, change)
    } else if (change.store === 'assignments') {
      const { before, after } = change
      editOf(`post:${change.post}`).members.set(`terms.${change.taxonomy}`, { before, after })
    } else if (change.store === 'options') editOf(`option:${change.name}`).members.set('value', change)
    else enterRow(editOf(recordOfRow(change)), change)
  }
  return [...edits].map(([record, edit]) => ({ record, ...edit }))
}

type RowOf = Exclude<RowChange, { readonly store: 'meta' | 'assignments' | 'options' }>

const kinds = { posts: 'post', terms: 'term', users: 'user' } as const

const recordOfRow = (change: RowOf): string =>
  change.store === 'records' ? `${change.collection}:${change.id}` : `${kinds[change.store]}:${change.id}`

function enterRow(edit: GrowingEdit, change: RowOf): void {
  // The casts: rows are JSON.
  const before = columnsOf(change.before as Row | undefined)
  const after = columnsOf(change.after as Row | undefined)
  edit.change = change.before === undefined ? 'added' : change.after === undefined ? 'removed' : 'changed'
  edit.type = [...new Set([typeOf(change.before), typeOf(change.after)])].filter((type) => type !== '').join()
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was = null, is = null] = [before[name], after[name]]
    if (edit.change !== 'changed' || !isSameJson(was, is)) edit.members.set(name, { before: was, after: is })
  }
}

interface Row {
  readonly [member: string]: Json
}

/** The id names the row, and versions are those of the storage. */
export function columnsOf(row: Row | undefined): Row {
  const { id: _id, version: _version, ...columns } = row ?? {}
  return columns
}

const typeOf = (row: object | undefined): string => {
  const { type, taxonomy } = (row ?? {}) as { readonly type?: unknown; readonly taxonomy?: unknown }
  return typeof type === 'string' ? type : typeof taxonomy === 'string' ? taxonomy : ''
}

/**
 * The change of the record with a further edit; undefined: the record is as before the release. `baseOf` has the base that a member is
 * to have from now on: of one that was merged with a change of the site, that one.
 */
export function withEdit(
  known: ReleaseChange | undefined,
  edit: RecordEdit,
  baseOf: (member: string) => Json | undefined,
): ReleaseChange | undefined {
  const type = [...new Set([...(known?.type ?? '').split(','), ...edit.type.split(',')])].filter(Boolean).join()
  if (known?.change === 'added') {
    if (edit.change === 'removed') return undefined
    return { change: 'added', type, members: { ...known.members, ...editedMembers(edit, () => null) } }
  }
  const edited = editedMembers(edit, (member, before) => (isNew(known, edit) ? null : (baseOf(member) ?? before)))
  const members = { ...(edit.change === 'removed' ? withoutValues(known?.members ?? {}) : known?.members), ...edited }
  if (isNew(known, edit) || edit.change === 'removed') return { change: edit.change, type, members }
  const changed = Object.entries(members).filter(([, { base, value }]) => !isSameJson(base, value))
  if (!changed.some(([name]) => !bookkeeping.has(name))) return undefined
  return { change: 'changed', type, members: Object.fromEntries(changed) }
}

const isNew = (known: ReleaseChange | undefined, edit: RecordEdit): boolean => edit.change === 'added' && !known

const editedMembers = (
  { members }: RecordEdit,
  baseOf: (member: string, before: Json) => Json,
): ReleaseChange['members'] =>
  Object.fromEntries(
    [...members].map(([name, { before, after }]) => [name, { base: baseOf(name, before), value: after }]),
  )

const withoutValues = (members: ReleaseChange['members']): ReleaseChange['members'] =>
  Object.fromEntries(Object.entries(members).map(([name, { base }]) => [name, { base, value: null }]))
