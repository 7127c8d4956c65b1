/** Which slugs are taken, and which ones a transaction knows to be free. */
import { andThen } from '../../../contract/maybe-promise.ts'
import { type MaybePromise, type PostValues, typesWithFreeSlugs } from '../../../contract/storage.ts'
import { type Fragment, sql } from '../engine/fragments.ts'
import type { KnownRows, Session } from '../engine/session.ts'
import { parameter, type Row, type Statements } from '../engine/statements.ts'

interface SlugQuery {
  readonly type: string
  readonly slugs: readonly string[]
  /** Undefined: anywhere. */
  readonly parent: number | undefined
}

/** Returns the slugs that are taken. A transaction on a server remembers the others. */
export function takenSlugs(statements: Statements, session: Session, query: SlugQuery): MaybePromise<string[]> {
  const free = session.pipeline?.known.freeSlugs
  const found = readTakenSlugs(statements, session, query)
  if (free === undefined) return found
  return andThen(found, (taken) => {
    for (const slug of query.slugs) if (!taken.includes(slug)) free.add(slugKey(query.type, slug, query.parent))
    return taken
  })
}

/** Whether all slugs of new rows are known to be free; from now on they are not. */
export function claimSlugs({ freeSlugs }: KnownRows, rows: readonly PostValues[]): boolean {
  return rows.every(({ type, slug, parent }) => {
    if (typesWithFreeSlugs.includes(type) || slug === '') return true
    const claimed = [slugKey(type, slug), slugKey(type, slug, parent)].map((key) => freeSlugs.delete(key))
    return claimed.includes(true)
  })
}

/** Without a parent the key means: below every parent. */
const slugKey = (type: string, slug: string, parent?: number) => JSON.stringify([type, slug, parent])

function readTakenSlugs(
  statements: Statements,
  session: Session,
  { type, slugs, parent }: SlugQuery,
): MaybePromise<string[]> {
  const [only] = slugs
  if (only === undefined) return []
  if (parent !== undefined) return takenSlugsBelow(statements, session, type, slugs, parent)
  if (slugs.length === 1) {
    return andThen(session.all(hasSlug(statements), [type, only]), (rows) => (rows.length > 0 ? [only] : []))
  }
  const statement = statements.get(
    'posts.taken-slugs',
    () =>
      sql`select l.value from ${statements.dialect.listTable(1, 'text')} l
      where (select 1 from posts p where p.type = ${parameter(0)} and ${isSlug(sql`l.value`)}) is not null`,
  )
  return andThen(session.all(statement, [type, JSON.stringify(slugs)]), (rows) => takenOf(slugs, rows))
}

function takenSlugsBelow(
  statements: Statements,
  session: Session,
  type: string,
  slugs: readonly string[],
  parent: number,
): MaybePromise<string[]> {
  const statement = statements.get(
    'posts.taken-slugs-below',
    () =>
      sql`select l.value from ${statements.dialect.listTable(2, 'text')} l
      where (select 1 from posts p where p.type = ${parameter(0)} and p.parent = ${parameter(1)} and ${isSlug(sql`l.value`)}) is not null`,
  )
  return andThen(session.all(statement, [type, parent, JSON.stringify(slugs)]), (rows) => takenOf(slugs, rows))
}

function takenOf(slugs: readonly string[], rows: readonly Row[]): string[] {
  const taken = new Set(rows.map(([slug]) => slug))
  return [...new Set(slugs)].filter((slug) => taken.has(slug))
}

/** The common case: one slug, and it is not taken. */
function hasSlug(statements: Statements) {
  return statements.get(
    'posts.has-slug',
    () => sql`select 1 from posts p where p.type = ${parameter(0)} and ${isSlug(parameter(1))}`,
  )
}

/**
 * Bounds and the order of the index of slugs: a planner that takes the table for empty would find each index as good, and would read all
 * rows of the type for as long as it keeps the plan.
 */
const isSlug = (slug: Fragment) => sql`p.slug >= ${slug} and p.slug <= ${slug} order by p.slug, p.id limit 1`
