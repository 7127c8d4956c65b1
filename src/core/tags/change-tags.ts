/** The tags that a transaction touches, from the rows that it changes. */
import type { Collection, Json, Post, PostQuery, Storage } from '../../contract/storage.ts'
import type { RowChange } from '../changes/row-change.ts'
import type { PostMove, Touch } from './list-reads.ts'
import { type PostState, tagsOfPostChange, watchedStatus } from './post-tags.ts'
import { tagsOfRecordChange } from './record-tags.ts'
import { tagsOfColumns } from './row-tags.ts'
import {
  allOptions,
  allSettings,
  any,
  anyColumn,
  assignedTag,
  authorsPart,
  byColumn,
  columnTag,
  metaKeyTag,
  metaTag,
  optionTag,
  postsTag,
  recordsTag,
  termsTag,
  usedPart,
} from './tag-names.ts'
import { tagsOfTermChange, tagsOfUserChange } from './term-tags.ts'

/** Has the facts of a site that decide about the tags of its changes. */
export interface TagRules {
  /** The declared collections, by name. */
  readonly collections: ReadonlyMap<string, Collection>
  /** The options that responses show through the settings. */
  readonly shownOptions: ReadonlySet<string>
  /** Parts of options that are read alone, by the name of the option. */
  /** Whether all terms of a changed post of a type are to be known. */
  readonly needsTerms?: (type: string) => boolean
  readonly optionParts?: ReadonlyMap<string, { readonly part: string; readonly of: (value: Json) => unknown }>
}

type ChangeOf<S extends RowChange['store']> = Extract<RowChange, { readonly store: S }>

/** Returns what these changes touch. `transaction` is read for the terms of posts that move between lists, and for their authors. */
export async function tagsOfChanges(
  changes: readonly RowChange[],
  transaction: Pick<Storage, 'posts' | 'terms' | 'isRemote'>,
  rules: TagRules,
): Promise<Touch> {
  const tags = new Set<string>()
  for (const change of changes) for (const tag of tagsOfRow(change, rules)) tags.add(tag)
  const posts = await addPosts(tags, changes, transaction, rules)
  const terms = changes.filter((change) => change.store === 'terms')
  const users = changes.filter((change) => change.store === 'users')
  return { tags, moves: { posts, terms, users } }
}

function tagsOfRow(change: RowChange, rules: TagRules): Iterable<string> {
  switch (change.store) {
    case 'terms':
      return tagsOfTermChange(change.id, change.before, change.after)
    case 'users':
      return tagsOfUserChange(change.id, change.before, change.after)
    case 'records': {
      const { collection, before, after } = change
      const declared = rules.collections.get(collection)
      return declared ? tagsOfRecordChange(declared, [before, after]) : [recordsTag(collection)]
    }
    case 'meta': {
      const { owner, id, key } = change
      return [metaTag(owner, id, key), metaTag(owner, id, any), metaKeyTag(owner, key)]
    }
    case 'options': {
      const own = [optionTag(change.name), allOptions, ...partTags(change, rules)]
      return rules.shownOptions.has(change.name) ? [...own, allSettings] : own
    }
    case 'assignments':
      return [assignedTag(change.post)]
    case 'posts':
      return tagsOfColumns('post', change.id, change.before, change.after)
  }
}

function partTags({ name, before, after }: ChangeOf<'options'>, { optionParts }: TagRules): readonly string[] {
  const found = optionParts?.get(name)
  return found && JSON.stringify(found.of(before)) !== JSON.stringify(found.of(after)) ? [optionTag(found.part)] : []
}

// ---------------------------------------------------------------- posts and their terms

async function addPosts(
  tags: Set<string>,
  changes: readonly RowChange[],
  transaction: Pick<Storage, 'posts' | 'terms' | 'isRemote'>,
  rules: TagRules,
): Promise<readonly PostMove[]> {
  const rows = new Map(changes.flatMap((change) => (change.store === 'posts' ? [[change.id, change] as const] : [])))
  const assigned = changes.filter((change) => change.store === 'assignments')
  const stored = await storedStates(rows, assigned, transaction, rules)
  const taxonomies = new Map(stored.taxonomies)
  for (const { taxonomy, before, after } of assigned)
    for (const term of [...before, ...after]) taxonomies.set(term, taxonomy)
  const moves: PostMove[] = []
  const states: StateMove[] = []
  for (const id of new Set([...rows.keys(), ...assigned.map(({ post }) => post)])) {
    const ofPost = assigned.filter(({ post }) => post === id)
    const now = stored.terms.get(id) ?? ofPost.flatMap(({ after }) => after)
    const earlier = termsBefore(now, ofPost)
    const row = rows.get(id)
    const [before, after] = row ? [row.before, row.after] : [stored.posts.get(id), stored.posts.get(id)]
    const [from, to] = [stateOf(before, earlier), stateOf(after, now)]
    for (const tag of tagsOfPostChange(from, to)) tags.add(tag)
    for (const tag of countTags(from, to, taxonomies)) tags.add(tag)
    states.push([from, to])
    const others = partlyKnown(ofPost)
    moves.push({
      before,
      after,
      terms: stored.terms.has(id) || isNewOrGone(row) ? { before: earlier, after: now } : others,
    })
  }
  const ids = new Set(moves.flatMap(({ before, after }) => (before ?? after)?.id ?? []))
  const found = await Promise.all([
    authorTags(moves, ids, transaction),
    usedTags(states, { moved: ids, taxonomies }, transaction),
  ])
  for (const tag of found.flat()) tags.add(tag)
  return moves
}

type StateMove = readonly [from: PostState | undefined, to: PostState | undefined]

/** More authors, and more terms, are not asked for. */
const mostOwners = 10

/**
 * Tells for each of these lists whether it has another post than the moved ones. Where the storage calls a network, the commit does not
 * wait for one more answer: there no list is known to have one.
 */
function haveOthers(
  lists: readonly Pick<PostQuery, 'types' | 'authors' | 'terms'>[],
  moved: ReadonlySet<number>,
  { posts, isRemote }: Pick<Storage, 'posts' | 'isRemote'>,
): Promise<readonly boolean[]> | readonly boolean[] {
  if (isRemote || lists.length > mostOwners) return lists.map(() => false)
  return Promise.all(
    lists.map(async (list) => {
      // By date, the page follows an index of authors or of terms; without the moved posts, it would read all.
      const order = { by: 'date', descending: true } as const
      const statuses = [{ status: watchedStatus }]
      const { idsPage } = await posts.query({ ...list, statuses, order, offset: 0, limit: moved.size + 1 })
      return idsPage.some(({ id }) => !moved.has(id))
    }),
  )
}

/** The tags of authors who got their first post of a type, or lost their last. */
async function authorTags(
  moves: readonly PostMove[],
  moved: ReadonlySet<number>,
  transaction: Pick<Storage, 'posts' | 'isRemote'>,
): Promise<readonly string[]> {
  const listsOf = (rows: readonly (Post | undefined)[]) =>
    new Map(
      rows.flatMap((row) =>
        row?.status === watchedStatus ? [[`${row.author} ${row.type}`, { author: row.author, type: row.type }]] : [],
      ),
    )
  const [had, has] = [listsOf(moves.map(({ before }) => before)), listsOf(moves.map(({ after }) => after))]
  const changed = [...had, ...has].filter(([key]) => had.has(key) !== has.has(key)).map(([, list]) => list)
  const others = await haveOthers(
    changed.map(({ author, type }) => ({ types: [type], authors: [author] })),
    moved,
    transaction,
  )
  return changed
    .filter((_, at) => !others[at])
    .flatMap(({ author, type }) =>
      [authorsPart(), authorsPart(author)].map((part) => postsTag(type, watchedStatus, part)),
    )
}

/** The tags of taxonomies of which a term got its first post of a type, or lost its last. */
async function usedTags(
  moves: readonly StateMove[],
  { moved, taxonomies }: { readonly moved: ReadonlySet<number>; readonly taxonomies: ReadonlyMap<number, string> },
  transaction: Pick<Storage, 'posts' | 'isRemote'>,
): Promise<readonly string[]> {
  const listsOf = (state: PostState | undefined) =>
    state?.row.status === watchedStatus ? state.terms.map((term) => ({ type: state.row.type, term })) : []
  const changed = new Map<string, { readonly type: string; readonly term: number }>()
  for (const [from, to] of moves) {
    const [had, has] = [listsOf(from), listsOf(to)]
    const isIn = (lists: typeof had, one: (typeof had)[number]) =>
      lists.some(({ type, term }) => type === one.type && term === one.term)
    for (const one of [...had.filter((each) => !isIn(has, each)), ...has.filter((each) => !isIn(had, each))])
      changed.set(`${one.term} ${one.type}`, one)
  }
  const lists = [...changed.values()]
  const others = await haveOthers(
    lists.map(({ type, term }) => ({ types: [type], terms: { terms: [term], has: 'any' } })),
    moved,
    transaction,
  )
  return lists
    .filter((_, at) => !others[at])
    .flatMap(({ type, term }) =>
      [any, taxonomies.get(term) ?? any].map((taxonomy) => postsTag(type, watchedStatus, usedPart(taxonomy))),
    )
}

const termsBefore = (now: readonly number[], changes: readonly ChangeOf<'assignments'>[]): readonly number[] => [
  ...now.filter((term) => !changes.some(({ after }) => after.includes(term))),
  ...changes.flatMap(({ before }) => before),
]

const partlyKnown = (changes: readonly ChangeOf<'assignments'>[]) => (changes.length > 0 ? 'changed' : 'same')

/** All its terms are in the changes then. */
const isNewOrGone = (change: ChangeOf<'posts'> | undefined): boolean =>
  change !== undefined && (!change.before || !change.after)

const stateOf = (row: Post | undefined, terms: readonly number[]): PostState | undefined => row && { row, terms }

/** Reads what the changes do not tell: the terms of posts that move, and the rows of posts whose terms alone change. */
async function storedStates(
  rows: ReadonlyMap<number, ChangeOf<'posts'>>,
  assigned: readonly ChangeOf<'assignments'>[],
  { posts, terms }: Pick<Storage, 'posts' | 'terms'>,
  { needsTerms = () => false }: TagRules,
) {
  const moved = [...rows.values()].filter(
    ({ before, after }) =>
      before && after && (before.type !== after.type || before.status !== after.status || needsTerms(after.type)),
  )
  const alone = [...new Set(assigned.map(({ post }) => post))].filter((id) => !rows.has(id))
  const [found, foundRows] = await Promise.all([
    moved.length > 0 ? terms.of(moved.map(({ id }) => id)) : [],
    alone.length > 0 ? posts.read(alone) : [],
  ])
  const byPost = new Map(moved.map(({ id }): [number, number[]] => [id, []]))
  for (const { post, term } of found) byPost.get(post)?.push(term)
  const taxonomies = found.map(({ term, taxonomy }) => [term, taxonomy] as const)
  return { taxonomies, terms: byPost, posts: new Map(foundRows.map((row) => [row.id, row])) }
}

/** The counts of terms are those of published posts. */
function countTags(
  from: PostState | undefined,
  to: PostState | undefined,
  taxonomies: ReadonlyMap<number, string>,
): readonly string[] {
  const counted = (state: PostState | undefined) => new Set(state?.row.status === 'publish' ? state.terms : [])
  const [had, has] = [counted(from), counted(to)]
  const changed = [...new Set([...had, ...has])].filter((term) => had.has(term) !== has.has(term))
  const lists = changed.length === 0 ? [] : [any, ...new Set(changed.map((term) => taxonomies.get(term) ?? any))]
  const columns = [...changed].flatMap((term) => ['count', anyColumn].map((column) => columnTag('term', term, column)))
  return [...columns, ...lists.map((taxonomy) => termsTag(taxonomy, byColumn('count')))]
}
