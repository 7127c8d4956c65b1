/** Gives posts their terms: one statement adds those of all posts, another one removes what they had before. */
import { all, andThen, sequence } from '../../../contract/maybe-promise.ts'
import type { MaybePromise } from '../../../contract/storage.ts'
import type { Dialect } from '../engine/dialect.ts'
import { countOf, type Fragment, raw, sql } from '../engine/fragments.ts'
import type { Session } from '../engine/session.ts'

interface Assignment {
  readonly post: number
  readonly taxonomy: string
  readonly terms: readonly number[]
}

/** Replaces the terms of a taxonomy. Throws for a post or a term that does not exist. */
export function assignTerms(session: Session, assignments: readonly Assignment[]): MaybePromise<void> {
  if (assignments.length === 0) return
  return andThen(assign(session, setsOf(assignments)), () => undefined)
}

function assign(session: Session, sets: readonly Assignment[][]): MaybePromise<unknown> {
  const [only] = sets
  if (session.together === undefined) {
    const send = (transaction: Session) => sequence(sets, (set) => sendSet(transaction, set))
    return session.known === undefined ? session.atomic(send) : send(session)
  }
  if (only !== undefined && sets.length === 1) return session.together((transaction) => assignAtOnce(transaction, only))
  return session.atomic((transaction) => sequence(sets, (set) => assignAtOnce(transaction, set)))
}

const MAX_SET = 500

/** Assignments that two statements can make: each taxonomy of a post once. */
function setsOf(assignments: readonly Assignment[]): Assignment[][] {
  const sets: Assignment[][] = []
  let keys = new Set<string>()
  for (const assignment of assignments) {
    const key = `${assignment.post} ${assignment.taxonomy}`
    if (sets.length === 0 || keys.has(key) || keys.size >= MAX_SET) {
      sets.push([])
      keys = new Set()
    }
    sets.at(-1)?.push(assignment)
    keys.add(key)
  }
  return sets
}

/** Where each statement is a round trip: a term that does not exist ends the transaction, and so does a post that is to get terms. */
function sendSet(session: Session, set: readonly Assignment[]): MaybePromise<unknown> {
  const pairs = pairsOf(set)
  const emptied = emptiedIn(set)
  const missing = andThen(emptied.length === 0 ? 0 : countPosts(session, emptied), (found) => emptied.length - found)
  return andThen(missing, (number) => {
    if (number > 0) return assertExist(session, set)
    const added = pairs.length === 0 ? undefined : session.send(insertion(session.dialect, pairs), pairs.length)
    return andThen(added, () => session.send(deletion(session.dialect, set, pairs)))
  })
}

/**
 * Where statements are answered at once: reads what the posts have, and writes the difference. The set is checked before its first write.
 */
function assignAtOnce(session: Session, set: readonly Assignment[]): MaybePromise<unknown> {
  const { newPosts } = session
  // `delete`, not `has`: it is no new post any more, even if the assignment fails.
  const posts = [...new Set(set.map(({ post }) => post))].filter((post) => !newPosts?.delete(post))
  if (posts.length === 0) return assignToNew(session, set)
  return andThen(termsOfPosts(session, posts), (before) => {
    const pairs = pairsOf(set)
    const had = new Set(before.map(({ post, term, taxonomy }) => keyOf(post, term, taxonomy)))
    const added = pairs.filter((pair) => !had.has(keyOf(...pair)))
    const areKnown = emptiedIn(set).every((post) => before.some((each) => each.post === post))
    const checked = areKnown ? undefined : assertExist(session, set)
    const add = () => (added.length === 0 ? 0 : session.run(addition(session.dialect, added, { isWhole: true })))
    return andThen(andThen(checked, add), (count) => {
      if (count < added.length) return assertExist(session, set)
      const kept = new Set(pairs.map((pair) => keyOf(...pair)))
      const assigned = new Set(set.map(({ post, taxonomy }) => keyOf(post, taxonomy)))
      const removed = before.filter(
        ({ post, term, taxonomy }) => assigned.has(keyOf(post, taxonomy)) && !kept.has(keyOf(post, term, taxonomy)),
      )
      if (removed.length === 0) return undefined
      const pairsOfRemoved = session.dialect.rowTable(
        removed.map(({ post, term }) => [post, term]),
        { post: 'integer', term: 'integer' },
      )
      return session.run(
        sql`delete from post_terms where (post_id, term_id) in (select n.post, n.term from ${pairsOfRemoved} n)`,
      )
    })
  })
}

/** New posts have no terms before. So the statement counts nothing first, and removing all of theirs undoes it. */
function assignToNew(session: Session, set: readonly Assignment[]): MaybePromise<unknown> {
  const pairs = pairsOf(set)
  if (pairs.length === 0) return undefined
  return andThen(session.run(addition(session.dialect, pairs)), (count) => {
    if (count === pairs.length) return undefined
    const isOfSet = session.dialect.inList('post_id', [...new Set(set.map(({ post }) => post))])
    return andThen(session.run(sql`delete from post_terms where ${isOfSet}`), () => assertExist(session, set))
  })
}

const keyOf = (...parts: readonly (number | string)[]) => parts.join(' ')

const emptiedIn = (set: readonly Assignment[]): number[] => [
  ...new Set(set.filter(({ terms }) => terms.length === 0).map(({ post }) => post)),
]

const assertExist = (session: Session, set: readonly Assignment[]) =>
  sequence(set, (assignment) => assertExists(session, assignment))

type Pair = readonly [post: number, term: number, taxonomy: string]

const pairsOf = (set: readonly Assignment[]): Pair[] =>
  set.flatMap(({ post, taxonomy, terms }) => [...new Set(terms)].map((term) => [post, term, taxonomy] as const))

/** Writes existing assignments again, so that the number of changed rows shows whether every post and term exists. */
function insertion(dialect: Dialect, pairs: readonly Pair[]): Fragment {
  return sql`insert into post_terms (post_id, term_id, type, status, date, author)
      select p.id, t.id, p.type, p.status, p.date, p.author from ${dialect.rowTable(pairs, pairColumns)} ${raw(knownPairs(dialect))}
      on conflict (post_id, term_id) do update set date = excluded.date`
}

const pairColumns = { post: 'integer', term: 'integer', taxonomy: 'text' } as const

/** Follows rows of `pairColumns`: those whose post and term exist. */
const knownPairs = ({ joinById }: Dialect): string =>
  `n ${joinById('posts', 'p', 'n.post')} ${joinById('terms', 't', 'n.term')} where t.taxonomy = n.taxonomy`

/** More pairs are one JSON text, which costs as much as so many parameters. */
const mostListed = 8

/** Adds the pairs that are not there yet and whose post and term exist. `isWhole`: none of them if one is missing. */
function addition(dialect: Dialect, pairs: readonly Pair[], { isWhole = false } = {}): Fragment {
  const rows: Fragment =
    pairs.length > mostListed
      ? sql`select * from ${dialect.rowTable(pairs, pairColumns)}`
      : { text: `values ${pairs.map(() => '(?, ?, ?)').join(', ')}`, values: pairs.flat() }
  const known = raw(knownPairs(dialect))
  const areAllKnown = isWhole ? sql` and (select count(*) from n ${known}) = ${pairs.length}` : raw('')
  return sql`with n (post, term, taxonomy) as (${rows})
      insert or ignore into post_terms (post_id, term_id, type, status, date, author)
      select p.id, t.id, p.type, p.status, p.date, p.author from n ${known}${areAllKnown}`
}

interface PostTerm {
  readonly post: number
  readonly term: number
  readonly taxonomy: string
}

/** The terms of posts, in order. */
export function termsOfPosts(session: Session, posts: readonly number[]): MaybePromise<PostTerm[]> {
  if (posts.length === 0) return []
  const rows =
    session.all(sql`select x.post_id, x.term_id, t.taxonomy from post_terms x join terms t on t.id = x.term_id
      where ${session.dialect.inList('x.post_id', posts)} order by x.post_id, x.term_id`)
  return andThen(rows, (found) =>
    found.map(([post, term, taxonomy]) => ({ post: Number(post), term: Number(term), taxonomy: String(taxonomy) })),
  )
}

function deletion({ rowTable, inList }: Dialect, set: readonly Assignment[], pairs: readonly Pair[]): Fragment {
  const assigned = rowTable(
    set.map(({ post, taxonomy }) => [post, taxonomy]),
    { post: 'integer', taxonomy: 'text' },
  )
  const kept = rowTable(pairs, { post: 'integer', term: 'integer' })
  return sql`delete from post_terms where ${inList('post_id', [...new Set(set.map(({ post }) => post))])}
      and (post_id, term_id) not in (select n.post, n.term from ${kept} n)
      and (post_id, (select t.taxonomy from terms t where t.id = post_terms.term_id))
        in (select a.post, a.taxonomy from ${assigned} a)`
}

/** The number of these posts that exist. */
const countPosts = (session: Session, posts: readonly number[]): MaybePromise<number> =>
  andThen(session.all(sql`select count(*) from posts where ${session.dialect.inList('id', posts)}`), countOf)

/** Throws an error that names a missing post or term. */
function assertExists(session: Session, { post, taxonomy, terms }: Assignment): MaybePromise<void> {
  const isOneOf = session.dialect.inList('id', terms)
  const existing = session.all(sql`select id from terms where taxonomy = ${taxonomy} and ${isOneOf}`)
  return andThen(all([countPosts(session, [post]), existing]), ([posts, rows]) => {
    if (posts === 0) throw new TypeError(`there is no post ${post}`)
    const found = new Set(rows.map(([id]) => id))
    const missing = terms.find((term) => !found.has(term))
    if (missing !== undefined) throw new TypeError(`${taxonomy} has no term ${missing}`)
  })
}
