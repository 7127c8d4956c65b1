/** The changes of a write that its caller may read, without secrets. */

import { isSameJson } from '../../../contract/equal-json.ts'
import type { Post, Storage } from '../../../contract/storage.ts'
import type { RowChange } from '../../changes/row-change.ts'
import type { Actor } from '../../declare/actor.ts'
import type { PersistedData } from '../../declare/feature.ts'
import type { ChangedRecord, ReportedChange } from './report.ts'

interface Row {
  readonly [member: string]: unknown
}

/** The rows that belong to the machinery of a site, such as locks and sent events, are none that people know. */
export interface KnownData {
  readonly collections: ReadonlySet<string>
  readonly internalOptions: ReadonlySet<string>
}

export const knownDataOf = (persisted: readonly PersistedData[]): KnownData => ({
  collections: new Set(persisted.flatMap((one) => one.collections ?? []).map(({ collection }) => collection.name)),
  internalOptions: new Set(persisted.flatMap((one) => one.options ?? []).map(({ name }) => name)),
})

const secretName = /password|secret|token|digest|nonce|session|(?:api|private|site|license|access)_?key/i

/** A copy without the members whose names say that they are secrets. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (typeof value !== 'object' || value === null) return value
  const open = Object.entries(value).filter(([name]) => !secretName.test(name))
  return Object.fromEntries(open.map(([name, inner]) => [name, withoutSecrets(inner)]))
}

/** Changes of posts that the storage has, or had before. */
export async function visibleChanges(
  changes: readonly RowChange[],
  user: Actor,
  transaction: Storage,
  known: KnownData,
): Promise<ReportedChange[]> {
  const posts = await postsOf(changes, transaction)
  const reader: Reader = { user, known, posts }
  return changes.flatMap((change) => (isVisible(change, reader) ? reportOf(change, posts) : []))
}

interface Reader {
  readonly user: Actor
  readonly known: KnownData
  readonly posts: ReadonlyMap<number, readonly Post[]>
}

/** The posts whose meta and terms change, each as it was and as it would be. */
async function postsOf(changes: readonly RowChange[], transaction: Storage): Promise<Reader['posts']> {
  const images = changes.flatMap((change) => (change.store === 'posts' ? [change.before, change.after] : []))
  const found = Map.groupBy(
    images.filter((row) => row !== undefined),
    ({ id }) => id,
  )
  const owners = changes.flatMap((change) => {
    if (change.store === 'assignments') return [change.post]
    return change.store === 'meta' && change.owner === 'post' ? [change.id] : []
  })
  const missing = [...new Set(owners)].filter((id) => !found.has(id))
  for (const row of missing.length === 0 ? [] : await transaction.posts.read(missing)) found.set(row.id, [row])
  return found
}

export function isKnown(change: RowChange, { collections, internalOptions }: KnownData): boolean {
  if (change.store === 'options') return !internalOptions.has(change.name)
  return change.store !== 'records' || collections.has(change.collection)
}

function isVisible(change: RowChange, reader: Reader): boolean {
  const { user, known } = reader
  if (!isKnown(change, known)) return false
  switch (change.store) {
    case 'posts':
      return maySeePost(change.id, reader)
    case 'assignments':
      return maySeePost(change.post, reader)
    case 'terms':
      return true
    case 'users':
      return maySeeUser(change.id, user)
    case 'meta':
      if (secretName.test(change.key)) return false
      if (change.owner === 'term') return true
      return change.owner === 'user' ? maySeeUser(change.id, user) : maySeePost(change.id, reader)
    case 'options':
      return user.can('manage_options') && !secretName.test(change.name)
    case 'records':
      return user.can('manage_options') || isOwn(change, user)
  }
}

function maySeePost(id: number, { user, posts }: Reader): boolean {
  if (user.can('edit_others_posts')) return true
  const images = posts.get(id) ?? []
  return images.length > 0 && images.every(({ author }) => author === user.id)
}

const maySeeUser = (id: number, user: Actor) => id === user.id || user.can('list_users')

function isOwn({ before, after }: { readonly before?: Row; readonly after?: Row }, { id }: Actor): boolean {
  const images = [before, after].filter((row) => row !== undefined)
  return id !== 0 && images.every((row) => row['author'] === id || row['user'] === id)
}

function reportOf(change: RowChange, posts: Reader['posts']): ReportedChange[] {
  const record = recordOf(change, posts)
  const [before, after] = [imageOf(change, 'before'), imageOf(change, 'after')]
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  const members = names.filter((name) => !isSameJson(before?.[name], after?.[name]))
  // All members that differ are secrets: the change is one, too.
  if (members.length === 0) return []
  return [{ record, members, before: picked(before, members), after: picked(after, members) }]
}

const picked = (row: Row | null, members: readonly string[]) =>
  row && Object.fromEntries(members.filter((name) => Object.hasOwn(row, name)).map((name) => [name, row[name]]))

function recordOf(change: RowChange, posts: Reader['posts']): ChangedRecord {
  switch (change.store) {
    case 'posts':
      return { store: 'posts', id: change.id, ...typeOf(change.id, posts) }
    case 'records':
      return { store: 'records', collection: change.collection, id: change.id }
    case 'meta': {
      const type = change.owner === 'post' ? typeOf(change.id, posts) : {}
      return { store: 'meta', owner: change.owner, id: change.id, ...type, key: change.key }
    }
    case 'assignments':
      return { store: 'assignments', id: change.post, ...typeOf(change.post, posts), taxonomy: change.taxonomy }
    case 'options':
      return { store: 'options', key: change.name }
    default:
      return { store: change.store, id: change.id }
  }
}

function typeOf(id: number, posts: Reader['posts']): { readonly type?: string } {
  const type = posts.get(id)?.at(-1)?.type
  return type === undefined ? {} : { type }
}

/** Values have one member: that of the key, the option or the taxonomy. */
function imageOf(change: RowChange, side: 'before' | 'after'): Row | null {
  switch (change.store) {
    case 'meta':
      return valueImage(change.key, change[side])
    case 'options':
      return valueImage(change.name, change[side])
    case 'assignments':
      return { [change.taxonomy]: change[side] }
    default:
      // The cast: rows are objects.
      return (withoutSecrets(change[side]) as Row | undefined) ?? null
  }
}

const valueImage = (name: string, value: unknown): Row | null =>
  value === null ? null : { [name]: withoutSecrets(value) }
