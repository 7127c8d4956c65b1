/** Finds posts, terms and users by a part of their name, among those that the caller may see. */

import type {
  Json,
  MetaOwner,
  Post,
  PostQuery,
  Storage,
  Term,
  TermQuery,
  User,
  UserQuery,
} from '../../../contract/storage.ts'
import { fold } from '../../../contract/text-fold.ts'
import type { Actor } from '../../../core/declare/actor.ts'
import type { Context } from '../../../core/declare/context.ts'
import { withReferences } from '../../../site/term-name.ts'
import { contentTaxonomies, contentTypes, editorOf } from '../../content/content-types/model.ts'
import { keysOf, type MetaTree, matchesTree } from './meta-conditions.ts'
import { type TermConditions, toTermTree } from './term-conditions.ts'

type ReadContext = Pick<Context, 'storage' | 'user'>

interface PickerQuery {
  /** Never empty. */
  readonly term: string
  readonly count: number
}

interface FilteredQuery extends PickerQuery {
  readonly included: readonly string[] | undefined
  readonly excluded: readonly string[]
  readonly meta: MetaTree | undefined
}

/** The term as an id, if it is a number. */
const idsIn = (term: string): readonly number[] => (/^\d{1,15}$/.test(term) ? [Number(term)] : [])

const byId = { by: 'id', descending: false } as const

const allowedNames = (names: Iterable<string>, { included, excluded }: Pick<FilteredQuery, 'included' | 'excluded'>) =>
  [...names].filter((name) => (included?.includes(name) ?? true) && !excluded.includes(name))

/** Merges the rows found by name and by id, in the order of their ids. */
function merge<T extends { readonly id: number }>(lists: readonly (readonly T[])[], count: number): T[] {
  const rows = new Map(lists.flat().map((row) => [row.id, row]))
  return [...rows.values()].sort((a, b) => a.id - b.id).slice(0, count)
}

// ---------------------------------------------------------------- posts

interface PostPickerQuery extends FilteredQuery {
  readonly onlyPublic: boolean
  readonly terms: TermConditions | undefined
}

export async function pickPosts({ storage, user }: ReadContext, query: PostPickerQuery): Promise<Post[]> {
  const { term, count, meta, onlyPublic } = query
  const types = allowedNames(
    contentTypes.map(({ name }) => name),
    query,
  )
  if (types.length === 0) return []
  const terms = query.terms ? await toTermTree(storage, query.terms) : undefined
  const filter = {
    types,
    statuses: onlyPublic ? [{ status: 'publish' }] : statusesFor(user, types),
    ...(terms ? { terms } : {}),
    order: byId,
  } satisfies Partial<PostQuery>
  const find = (condition: Partial<PostQuery>) =>
    matchingRows(storage, 'post', { count, meta }, async (offset, limit) => {
      const { idsPage } = await storage.posts.query({ ...filter, ...condition, offset, limit })
      return idsPage
    })
  const columns = ['title'] as const
  const lists = await Promise.all([
    find({ search: { every: [fold(term)], none: [], columns, exact: false } }),
    find({ ids: idsIn(term) }),
  ])
  return storage.posts.read(merge(lists, count).map(({ id }) => id))
}

/** Every user finds published posts; others only their author and users who may edit or read them. */
function statusesFor(user: Actor, types: readonly string[]): NonNullable<PostQuery['statuses']> {
  const may = (capability: string) => types.every((name) => editorOf(user, name).can(capability))
  const own = { author: user.id }
  const ofOthers = may('edit_others_posts') ? {} : own
  return [
    { status: 'publish' },
    { status: 'private', ...(may('read_private_posts') ? {} : own) },
    ...['draft', 'pending', 'future', 'inherit'].map((status) => ({ status, ...ofOthers })),
  ]
}

// ---------------------------------------------------------------- terms

interface TermPickerQuery extends FilteredQuery {
  readonly onlyUsed: boolean
}

export async function pickTerms({ storage }: ReadContext, query: TermPickerQuery): Promise<Term[]> {
  const { term, count, meta, onlyUsed } = query
  const types = contentTypes.map(({ name }) => name)
  const filter = {
    taxonomies: allowedNames(contentTaxonomies.keys(), query),
    ...(onlyUsed ? { usedBy: { types, statuses: ['publish'] } } : {}),
    order: byId,
  } satisfies Partial<TermQuery>
  const find = (condition: Partial<TermQuery>) =>
    matchingRows(storage, 'term', { count, meta }, async (offset, limit) => {
      const { rows } = await storage.terms.query({ ...filter, ...condition, offset, limit })
      return rows
    })
  return merge(
    await Promise.all([
      find({ search: { text: fold(withReferences(term)), fields: ['name'] } }),
      find({ ids: idsIn(term) }),
    ]),
    count,
  )
}

// ---------------------------------------------------------------- users

/** Choice: only users with `list_users` search logins and e-mails; others could guess them character by character. */
export async function pickUsers({ storage, user }: ReadContext, { term, count }: PickerQuery): Promise<User[]> {
  const fields = user.can('list_users')
    ? (['login', 'slug', 'email', 'displayName'] as const)
    : (['slug', 'displayName'] as const)
  const find = async (condition: Partial<UserQuery>) => {
    const { rows } = await storage.users.query({ ...condition, order: byId, offset: 0, limit: count })
    return rows
  }
  return merge(await Promise.all([find({ search: { text: fold(term), fields } }), find({ ids: idsIn(term) })]), count)
}

// ---------------------------------------------------------------- conditions on meta

const windowSize = 1000

/** Reads rows in windows and evaluates the conditions on meta here, until `count` rows match. */
async function matchingRows<T extends { readonly id: number }>(
  storage: Storage,
  owner: MetaOwner,
  { count, meta }: Pick<FilteredQuery, 'count' | 'meta'>,
  find: (offset: number, limit: number) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  if (!meta) return find(0, count)
  const keys = [...new Set(keysOf(meta))]
  const matches: T[] = []
  for (let offset = 0; ; offset += windowSize) {
    const rows = await find(offset, windowSize)
    const values = await readMetaValues(storage, owner, rows, keys)
    matches.push(...rows.filter(({ id }) => matchesTree(meta, values.get(id) ?? new Map())))
    if (matches.length >= count || rows.length < windowSize) return matches.slice(0, count)
  }
}

async function readMetaValues(
  storage: Storage,
  owner: MetaOwner,
  rows: readonly { readonly id: number }[],
  keys: readonly string[],
): Promise<ReadonlyMap<number, ReadonlyMap<string, Json>>> {
  const entries = await storage.meta.read(
    owner,
    rows.map(({ id }) => id),
    keys,
  )
  const valuesById = new Map<number, Map<string, Json>>()
  for (const { id, key, value } of entries) {
    valuesById.set(id, (valuesById.get(id) ?? new Map<string, Json>()).set(key, value))
  }
  return valuesById
}
