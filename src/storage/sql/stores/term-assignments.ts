/** Gives posts their terms: one statement adds those of all posts, another one removes what they had before. */
import { all, andThen, sequence } from '../../../contract/maybe-promise.ts'
import type { MaybePromise } from '../../../contract/storage.ts'
import { joined, sql } from '../engine/fragments.ts'
import type { PipelinedWrites, Session } from '../engine/session.ts'
import { countOf, parameter, rowsText, type SqlValue, type Statements } from '../engine/statements.ts'

interface Assignment {
  readonly post: number
  readonly taxonomy: string
  readonly terms: readonly number[]
}

/** Replaces the terms of a taxonomy. Throws for a post or a term that does not exist. */
export function assignTerms(
  statements: Statements,
  session: Session,
  assignments: readonly Assignment[],
): MaybePromise<void> {
  if (assignments.length === 0) return
  return andThen(assign(statements, session, setsOf(assignments)), () => undefined)
}

function assign(statements: Statements, session: Session, sets: readonly Assignment[][]): MaybePromise<unknown> {
  const { pipeline } = session
  const [only] = sets
  if (session.together !== undefined) {
    if (only !== undefined && sets.length === 1) {
      return session.together((transaction) => assignAtOnce(statements, transaction, only))
    }
    return session.atomic((transaction) => sequence(sets, (set) => assignAtOnce(statements, transaction, set)))
  }
  if (pipeline !== undefined && sets.every((set) => set.every(({ terms }) => terms.length > 0))) {
    return sequence(sets, (set) => sendSet(statements, pipeline, set))
  }
  return session.atomic((transaction) => sequence(sets, (set) => assignSet(statements, transaction, set)))
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

/** A post or a term that does not exist ends the transaction. */
function sendSet(statements: Statements, pipeline: PipelinedWrites, set: readonly Assignment[]): MaybePromise<void> {
  const pairs = pairsOf(set)
  return andThen(pipeline.run(insertion(statements), [rowsText(pairs)], pairs.length), () =>
    pipeline.run(deletion(statements), deletionValues(set, pairs)),
  )
}

/** Where each statement is a round trip: all are sent at once. */
function assignSet(statements: Statements, session: Session, set: readonly Assignment[]): MaybePromise<unknown> {
  const pairs = pairsOf(set)
  const emptied = emptiedIn(set)
  const added = pairs.length === 0 ? 0 : session.run(insertion(statements), [rowsText(pairs)])
  const found = emptied.length === 0 ? 0 : countPosts(statements, session, emptied)
  return andThen(all([added, found]), ([changed, posts]) => {
    if (changed < pairs.length || posts < emptied.length) return assertExist(statements, session, set)
    return session.run(deletion(statements), deletionValues(set, pairs))
  })
}

/**
 * Where statements are answered at once: reads what the posts have, and writes the difference. The set is checked before its first write.
 */
function assignAtOnce(statements: Statements, session: Session, set: readonly Assignment[]): MaybePromise<unknown> {
  const { newPosts } = session
  // `delete`, not `has`: it is no new post any more, even if the assignment fails.
  const posts = [...new Set(set.map(({ post }) => post))].filter((post) => !newPosts?.delete(post))
  return andThen(termsOfPosts(statements, session, posts), (before) => {
    const pairs = pairsOf(set)
    const had = new Set(before.map(({ post, term, taxonomy }) => keyOf(post, term, taxonomy)))
    const added = pairs.filter((pair) => !had.has(keyOf(...pair)))
    const areKnown = emptiedIn(set).every((post) => before.some((each) => each.post === post))
    const checked = areKnown ? undefined : assertExist(statements, session, set)
    const add = () => (added.length === 0 ? 0 : addAll(statements, session, added))
    return andThen(andThen(checked, add), (count) => {
      if (count < added.length) return assertExist(statements, session, set)
      const kept = new Set(pairs.map((pair) => keyOf(...pair)))
      const assigned = new Set(set.map(({ post, taxonomy }) => keyOf(post, taxonomy)))
      const removed = before.filter(
        ({ post, term, taxonomy }) => assigned.has(keyOf(post, taxonomy)) && !kept.has(keyOf(post, term, taxonomy)),
      )
      if (removed.length === 0) return undefined
      return session.run(removal(statements), [rowsText(removed.map(({ post, term }) => [post, term]))])
    })
  })
}

const keyOf = (...parts: readonly (number | string)[]) => parts.join(' ')

const emptiedIn = (set: readonly Assignment[]): number[] => [
  ...new Set(set.filter(({ terms }) => terms.length === 0).map(({ post }) => post)),
]

const assertExist = (statements: Statements, session: Session, set: readonly Assignment[]) =>
  sequence(set, (assignment) => assertExists(statements, session, assignment))

type Pair = readonly [post: number, term: number, taxonomy: string]

const pairsOf = (set: readonly Assignment[]): Pair[] =>
  set.flatMap(({ post, taxonomy, terms }) => [...new Set(terms)].map((term) => [post, term, taxonomy] as const))

const deletionValues = (set: readonly Assignment[], pairs: readonly Pair[]): string[] => [
  rowsText(set.map(({ post, taxonomy }) => [post, taxonomy])),
  rowsText(pairs),
  JSON.stringify([...new Set(set.map(({ post }) => post))]),
]

/** Writes existing assignments again, so that the number of changed rows shows whether every post and term exists. */
function insertion({ dialect, get }: Statements) {
  return get('terms.assign', () => {
    const pairs = dialect.rowTable(0, { post: 'integer', term: 'integer', taxonomy: 'text' })
    return sql`insert into post_terms (post_id, term_id, type, status, date, author)
      select p.id, t.id, p.type, p.status, p.date, p.author from ${pairs} n
        ${dialect.joinById('posts', 'p', sql`n.post`)} ${dialect.joinById('terms', 't', sql`n.term`)}
      where t.taxonomy = n.taxonomy
      on conflict (post_id, term_id) do update set date = excluded.date`
  })
}

/** More pairs are one JSON text, which costs as much as so many parameters. */
const mostListed = 8

/** Adds all pairs that are not there yet, or none if a post or a term is missing. Returns the number of new rows. */
function addAll(statements: Statements, session: Session, pairs: readonly Pair[]): MaybePromise<number> {
  if (pairs.length > mostListed) return session.run(addition(statements), [rowsText(pairs), pairs.length])
  return session.run(addition(statements, pairs.length), [...pairs.flat(), pairs.length])
}

/** Adds `listed` pairs, which are parameters; without a number the pairs are a JSON text. The last parameter counts the pairs. */
function addition({ dialect, get }: Statements, listed?: number) {
  return get(`terms.add:${listed}`, () => {
    const row = (at: number) => sql`(${parameter(at)}, ${parameter(at + 1)}, ${parameter(at + 2)})`
    const pairs =
      listed === undefined
        ? sql`select * from ${dialect.rowTable(0, { post: 'integer', term: 'integer', taxonomy: 'text' })}`
        : sql`values ${joined(
            Array.from({ length: listed }, (_, at) => row(3 * at)),
            ', ',
          )}`
    const count = parameter(listed === undefined ? 1 : 3 * listed)
    const known = sql`n ${dialect.joinById('posts', 'p', sql`n.post`)} ${dialect.joinById('terms', 't', sql`n.term`)}
      where t.taxonomy = n.taxonomy`
    return sql`with n (post, term, taxonomy) as (${pairs})
      insert or ignore into post_terms (post_id, term_id, type, status, date, author)
      select p.id, t.id, p.type, p.status, p.date, p.author from ${known} and (select count(*) from ${known}) = ${count}`
  })
}

function removal({ dialect, get }: Statements) {
  return get('terms.remove-pairs', () => {
    const pairs = dialect.rowTable(0, { post: 'integer', term: 'integer' })
    return sql`delete from post_terms where (post_id, term_id) in (select n.post, n.term from ${pairs} n)`
  })
}

interface PostTerm {
  readonly post: number
  readonly term: number
  readonly taxonomy: string
}

/** The terms of posts, in order. */
export function termsOfPosts(
  statements: Statements,
  session: Session,
  posts: readonly number[],
): MaybePromise<PostTerm[]> {
  const [only] = posts
  if (only === undefined) return []
  const { dialect, get } = statements
  const isOne = posts.length === 1
  const statement = get(isOne ? 'terms.of-one' : 'terms.of', () => {
    const isOfPosts = isOne ? sql`x.post_id = ${parameter(0)}` : dialect.inList(sql`x.post_id`, 0, 'integer')
    return sql`select x.post_id, x.term_id, t.taxonomy from post_terms x join terms t on t.id = x.term_id
      where ${isOfPosts} order by x.post_id, x.term_id`
  })
  return andThen(session.all(statement, [isOne ? only : JSON.stringify(posts)]), (rows) =>
    rows.map(([post, term, taxonomy]) => ({ post: Number(post), term: Number(term), taxonomy: String(taxonomy) })),
  )
}

function deletion({ dialect, get }: Statements) {
  return get('terms.unassign', () => {
    const assigned = dialect.rowTable(0, { post: 'integer', taxonomy: 'text' })
    const pairs = dialect.rowTable(1, { post: 'integer', term: 'integer' })
    return sql`delete from post_terms where ${dialect.inList(sql`post_id`, 2, 'integer')}
      and (post_id, term_id) not in (select n.post, n.term from ${pairs} n)
      and (post_id, (select t.taxonomy from terms t where t.id = post_terms.term_id))
        in (select a.post, a.taxonomy from ${assigned} a)`
  })
}

/** The number of these posts that exist. */
function countPosts(statements: Statements, session: Session, posts: readonly number[]): MaybePromise<number> {
  const statement = statements.get(
    'terms.posts',
    () => sql`select count(*) from posts where ${statements.dialect.inList(sql`id`, 0, 'integer')}`,
  )
  return andThen(session.all(statement, [JSON.stringify(posts)]), countOf)
}

/** Throws an error that names a missing post or term. */
function assertExists(
  statements: Statements,
  session: Session,
  { post, taxonomy, terms }: Assignment,
): MaybePromise<void> {
  const statement = statements.get(
    'terms.existing',
    () =>
      sql`select id from terms where taxonomy = ${parameter(0)} and ${statements.dialect.inList(sql`id`, 1, 'integer')}`,
  )
  const values: SqlValue[] = [taxonomy, JSON.stringify(terms)]
  return andThen(all([countPosts(statements, session, [post]), session.all(statement, values)]), ([posts, rows]) => {
    if (posts === 0) throw new TypeError(`there is no post ${post}`)
    const existing = new Set(rows.map(([id]) => id))
    const missing = terms.find((term) => !existing.has(term))
    if (missing !== undefined) throw new TypeError(`${taxonomy} has no term ${missing}`)
  })
}
