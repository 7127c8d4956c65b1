/** Gives posts their terms: one statement adds those of all posts, another one removes what they had before. */
import { sql } from 'kysely'
import { all, andThen, sequence } from '../../../contract/maybe-promise.ts'
import type { MaybePromise } from '../../../contract/storage.ts'
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
  const { pipeline } = session
  const assigned =
    pipeline !== undefined && assignments.every(({ terms }) => terms.length > 0)
      ? sequence(setsOf(assignments), (set) => sendSet(statements, pipeline, set))
      : session.atomic((transaction) => sequence(setsOf(assignments), (set) => assignSet(statements, transaction, set)))
  return andThen(assigned, () => undefined)
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

function assignSet(statements: Statements, session: Session, set: readonly Assignment[]): MaybePromise<unknown> {
  const pairs = pairsOf(set)
  // A new post has none that would have to be removed; to ask is cheap where no network is between.
  const hadTerms = session.isAsync || haveTerms(statements, session, set)
  const emptied = new Set(set.filter(({ terms }) => terms.length === 0).map(({ post }) => post))
  const added = pairs.length === 0 ? 0 : session.run(insertion(statements), [rowsText(pairs)])
  const found = emptied.size === 0 ? 0 : countPosts(statements, session, [...emptied])
  return andThen(all([hadTerms, added, found]), ([isChange, changed, posts]) => {
    if (changed < pairs.length || posts < emptied.size) {
      return sequence(set, (assignment) => assertExists(statements, session, assignment))
    }
    return isChange ? session.run(deletion(statements), deletionValues(set, pairs)) : undefined
  })
}

/** Whether one of the posts has a term. */
function haveTerms(statements: Statements, session: Session, set: readonly Assignment[]): MaybePromise<boolean> {
  const statement = statements.get('terms.any-of', (db) =>
    sql`select 1 from post_terms where ${statements.dialect.inList(sql`post_id`, 0, 'integer')} limit 1`.compile(db),
  )
  const posts = JSON.stringify([...new Set(set.map(({ post }) => post))])
  return andThen(session.all(statement, [posts]), (rows) => rows.length > 0)
}

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
  return get('terms.assign', (db) => {
    const pairs = dialect.rowTable(0, { post: 'integer', term: 'integer', taxonomy: 'text' })
    return sql`insert into post_terms (post_id, term_id, type, status, date, author)
      select p.id, t.id, p.type, p.status, p.date, p.author from ${pairs} n
        ${dialect.joinById('posts', 'p', sql`n.post`)} ${dialect.joinById('terms', 't', sql`n.term`)}
      where t.taxonomy = n.taxonomy
      on conflict (post_id, term_id) do update set date = excluded.date`.compile(db)
  })
}

function deletion({ dialect, get }: Statements) {
  return get('terms.unassign', (db) => {
    const assigned = dialect.rowTable(0, { post: 'integer', taxonomy: 'text' })
    const pairs = dialect.rowTable(1, { post: 'integer', term: 'integer' })
    return sql`delete from post_terms where ${dialect.inList(sql`post_id`, 2, 'integer')}
      and (post_id, term_id) not in (select n.post, n.term from ${pairs} n)
      and (post_id, (select t.taxonomy from terms t where t.id = post_terms.term_id))
        in (select a.post, a.taxonomy from ${assigned} a)`.compile(db)
  })
}

/** The number of these posts that exist. */
function countPosts(statements: Statements, session: Session, posts: readonly number[]): MaybePromise<number> {
  const statement = statements.get('terms.posts', (db) =>
    sql`select count(*) from posts where ${statements.dialect.inList(sql`id`, 0, 'integer')}`.compile(db),
  )
  return andThen(session.all(statement, [JSON.stringify(posts)]), countOf)
}

/** Throws an error that names a missing post or term. */
function assertExists(
  statements: Statements,
  session: Session,
  { post, taxonomy, terms }: Assignment,
): MaybePromise<void> {
  const statement = statements.get('terms.existing', (db) =>
    sql`select id from terms where taxonomy = ${parameter(0)} and ${statements.dialect.inList(sql`id`, 1, 'integer')}`.compile(
      db,
    ),
  )
  const values: SqlValue[] = [taxonomy, JSON.stringify(terms)]
  return andThen(all([countPosts(statements, session, [post]), session.all(statement, values)]), ([posts, rows]) => {
    if (posts === 0) throw new TypeError(`there is no post ${post}`)
    const existing = new Set(rows.map(([id]) => id))
    const missing = terms.find((term) => !existing.has(term))
    if (missing !== undefined) throw new TypeError(`${taxonomy} has no term ${missing}`)
  })
}
