/** Finding posts, terms and users by a part of their name, within what the caller may see. */

import type { Actor } from '../../../core/declare/actor.ts'
import type { Context } from '../../../core/declare/context.ts'
import { all, andThen, type MaybePromise } from '../../../core/runtime/maybe-promise.ts'
import { fold } from '../../../site/text-fold.ts'
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
} from '../../../storage/contract.ts'
import { contentTaxonomies, contentTypes, editorOf } from '../../content/content-types/model.ts'
import { fulfils, keysOf, type MetaTree } from './meta-conditions.ts'
import { type TermConditions, toTermTree } from './term-conditions.ts'

type PickCall = Pick<Context, 'storage' | 'user'>

interface Wanted {
  /** Never empty. */
  readonly term: string
  readonly count: number
}

interface Narrowed extends Wanted {
  readonly included: readonly string[] | undefined
  readonly excluded: readonly string[]
  readonly meta: MetaTree | undefined
}

/** An id, when the text is one. */
const idsIn = (term: string): readonly number[] => (/^\d{1,15}$/.test(term) ? [Number(term)] : [])

const byId = { by: 'id', descending: false } as const

const allowed = (known: Iterable<string>, { included, excluded }: Pick<Narrowed, 'included' | 'excluded'>) =>
  [...known].filter((name) => (included?.includes(name) ?? true) && !excluded.includes(name))

/** What was found by name and what was found by id, as one list in the order of the ids. */
function merged<T extends { readonly id: number }>(lists: readonly (readonly T[])[], count: number): T[] {
  const rows = new Map(lists.flat().map((row) => [row.id, row]))
  return [...rows.values()].sort((a, b) => a.id - b.id).slice(0, count)
}

// ---------------------------------------------------------------- posts

export interface WantedPosts extends Narrowed {
  readonly onlyPublic: boolean
  readonly terms: TermConditions | undefined
}

export function pickPosts({ storage, user }: PickCall, asked: WantedPosts): MaybePromise<Post[]> {
  const { term, count, meta, onlyPublic } = asked
  const types = allowed(
    contentTypes.map(({ name }) => name),
    asked,
  )
  if (types.length === 0) return []
  return andThen(asked.terms ? toTermTree(storage, asked.terms) : undefined, (terms) => {
    const narrowed = {
      types,
      statuses: onlyPublic ? [{ status: 'publish' }] : statusesFor(user, types),
      ...(terms ? { terms } : {}),
      order: byId,
    } satisfies Partial<PostQuery>
    const find = (more: Partial<PostQuery>) =>
      inWindows(storage, 'post', { count, meta }, (offset, limit) =>
        andThen(storage.posts.query({ ...narrowed, ...more, offset, limit }), ({ heads }) => heads),
      )
    const columns = ['title'] as const
    const found = all([
      find({ search: { every: [fold(term)], none: [], columns, exact: false } }),
      find({ ids: idsIn(term) }),
    ])
    return andThen(found, (lists) => storage.posts.read(merged(lists, count).map(({ id }) => id)))
  })
}

/** Published posts are everybody's; others are their author's, and those who may edit or read them anyway. */
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

export interface WantedTerms extends Narrowed {
  readonly onlyUsed: boolean
}

export function pickTerms({ storage }: PickCall, asked: WantedTerms): MaybePromise<Term[]> {
  const { term, count, meta, onlyUsed } = asked
  const types = contentTypes.map(({ name }) => name)
  const narrowed = {
    taxonomies: allowed(contentTaxonomies.keys(), asked),
    ...(onlyUsed ? { usedBy: { types, statuses: ['publish'] } } : {}),
    order: byId,
  } satisfies Partial<TermQuery>
  const find = (more: Partial<TermQuery>) =>
    inWindows(storage, 'term', { count, meta }, (offset, limit) =>
      andThen(storage.terms.query({ ...narrowed, ...more, offset, limit }), ({ rows }) => rows),
    )
  return andThen(all([find({ search: fold(term) }), find({ ids: idsIn(term) })]), (lists) => merged(lists, count))
}

// ---------------------------------------------------------------- users

/** Choice: logins and e-mails are matched only for those who may list users; others could guess them sign by sign. */
export function pickUsers({ storage, user }: PickCall, { term, count }: Wanted): MaybePromise<User[]> {
  const fields = user.can('list_users')
    ? (['login', 'slug', 'email', 'displayName'] as const)
    : (['slug', 'displayName'] as const)
  const find = (more: Partial<UserQuery>) =>
    andThen(storage.users.query({ ...more, order: byId, offset: 0, limit: count }), ({ rows }) => rows)
  const found = all([find({ search: { text: fold(term), fields } }), find({ ids: idsIn(term) })])
  return andThen(found, (lists) => merged(lists, count))
}

// ---------------------------------------------------------------- conditions on meta

const windowSize = 1000

/** Conditions on meta are judged here, over windows of what the storage finds, until enough rows fulfil them. */
function inWindows<T extends { readonly id: number }>(
  storage: Storage,
  owner: MetaOwner,
  { count, meta }: Pick<Narrowed, 'count' | 'meta'>,
  find: (offset: number, limit: number) => MaybePromise<readonly T[]>,
): MaybePromise<readonly T[]> {
  if (!meta) return find(0, count)
  const keys = [...new Set(keysOf(meta))]
  const from = (offset: number, before: readonly T[]): MaybePromise<readonly T[]> =>
    andThen(find(offset, windowSize), (rows) => {
      const ids = rows.map(({ id }) => id)
      return andThen(storage.meta.read(owner, ids, keys), (entries) => {
        const stored = new Map<number, Map<string, Json>>()
        for (const { id, key, value } of entries) stored.set(id, (stored.get(id) ?? new Map()).set(key, value))
        const found = [...before, ...rows.filter(({ id }) => fulfils(meta, stored.get(id) ?? new Map()))]
        return found.length >= count || rows.length < windowSize
          ? found.slice(0, count)
          : from(offset + windowSize, found)
      })
    })
  return from(0, [])
}
