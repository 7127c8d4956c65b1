/** The tags that a transaction touches, from the rows that it changes. */
import type { Collection, Json, Post, PostQuery, Storage } from '../../contract/storage.ts'
import type { RowChange } from '../changes/row-change.ts'
import type { PostMove, Touch } from './list-reads.ts'
import { type PostState, tagsOfPostChange, watchedStatus } from './post-tags.ts'
import { tagsOfRecordChange } from './record-tags.ts'
import { tagsOfColumns, wholeRowTag } from './row-tags.ts'
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
  readonly optionParts?: ReadonlyMap<string, { readonly part: string; readonly of: (value: Json) => unknown }>
}

/** Says which rows a commit reads beside those that it changes: the more it knows, the fewer answers end. */
interface Reads {
  /** Whether all terms of a changed post of a type are to be known. */
  readonly needsTerms: (type: string) => boolean
  /** Whether the other posts of an author or of a term are asked for. */
  readonly looksForOthers: boolean
}

type ChangeOf<S extends RowChange['store']> = Extract<RowChange, { readonly store: S }>

/** Returns what these changes touch. `transaction` is read for the terms of posts that move between lists, and for their authors. */
export async function tagsOfChanges(
  changes: readonly RowChange[],
  transaction: Pick<Storage, 'posts' | 'terms'>,
  rules: TagRules & Reads,
): Promise<Touch> {
  const tags = new Set<string>()
  for (const change of changes) for (const tag of tagsOfRow(change, rules)) tags.add(tag)
  const posts = await addPosts(tags, changes, transaction, rules)
  const terms = changes.filter((change) => change.store === 'terms')
  const users = changes.filter((change) => change.store === 'users')
  // A long answer names rows as a whole.
  for (const row of new Set([...tags].map(wholeRowTag))) if (row !== undefined) tags.add(row)
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
  transaction: Pick<Storage, 'posts' | 'terms'>,
  reads: Reads,
): Promise<readonly PostMove[]> {
  const rows = new Map(changes.flatMap((change) => (change.store === 'posts' ? [[change.id, change] as const] : [])))
  const assigned = changes.filter((change) => change.store === 'assignments')
  const stored = await storedStates(rows, assigned, transaction, reads)
  const taxonomies = new Map(stored.taxonomies)
  for (const { taxonomy, before, after } of assigned)
    for (const term of [...before, ...after]) taxonomies.set(term, taxonomy)
  const moves: PostMove[] = []
  const states: [from: PostState | undefined, to: PostState | undefined][] = []
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
  for (const tag of await ownerTags(states, taxonomies, { ...reads, posts: transaction.posts })) tags.add(tag)
  return moves
}

/** An author or a term with a list of posts, and the tags that are touched when the list gets its first post or loses its last. */
interface Owner {
  readonly key: string
  readonly list: Pick<PostQuery, 'types' | 'authors' | 'terms'>
  readonly tags: readonly string[]
}

function ownersOf({ row, terms }: PostState, taxonomies: ReadonlyMap<number, string>): readonly Owner[] {
  const { type, author } = row
  const tagsOf = (parts: readonly string[]) => parts.map((part) => postsTag(type, watchedStatus, part))
  return [
    {
      key: `author ${author} ${type}`,
      list: { types: [type], authors: [author] },
      tags: tagsOf([authorsPart(), authorsPart(author)]),
    },
    ...terms.map((term) => ({
      key: `term ${term} ${type}`,
      list: { types: [type], terms: { terms: [term], has: 'any' as const } },
      tags: tagsOf([usedPart(any), usedPart(taxonomies.get(term) ?? any)]),
    })),
  ]
}

/** More owners are not asked for. */
const mostOwners = 20

/**
 * The tags of authors and terms that got their first post of a type, or lost their last; where no others are looked for, of all whose posts
 * have come or gone.
 */
async function ownerTags(
  states: readonly (readonly [from: PostState | undefined, to: PostState | undefined])[],
  taxonomies: ReadonlyMap<number, string>,
  { posts, looksForOthers }: Pick<Storage, 'posts'> & Pick<Reads, 'looksForOthers'>,
): Promise<readonly string[]> {
  const ownersIn = (rows: readonly (PostState | undefined)[]) => {
    const owners = rows.flatMap((state) => (state?.row.status === watchedStatus ? ownersOf(state, taxonomies) : []))
    return new Map(owners.map((owner) => [owner.key, owner]))
  }
  const [had, has] = [ownersIn(states.map(([from]) => from)), ownersIn(states.map(([, to]) => to))]
  const changed = [...had, ...has].filter(([key]) => had.has(key) !== has.has(key)).map(([, owner]) => owner)
  const moved = new Set(states.flatMap(([from, to]) => (from ?? to)?.row.id ?? []))
  const haveOthers = await Promise.all(
    changed.map(async ({ list }) => {
      if (!looksForOthers || changed.length > mostOwners) return false
      // By date, the page follows an index of authors or of terms; without the moved posts, it would read all.
      const order = { by: 'date', descending: true } as const
      const statuses = [{ status: watchedStatus }]
      const { idsPage } = await posts.query({ ...list, statuses, order, offset: 0, limit: moved.size + 1 })
      return idsPage.some(({ id }) => !moved.has(id))
    }),
  )
  return changed.filter((_, at) => !haveOthers[at]).flatMap(({ tags }) => tags)
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
  { needsTerms }: Reads,
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
