/** The total of a post query: one statement that adds and subtracts what counters and indexes hold. */
import { type Kysely, sql } from 'kysely'
import { all, andThen } from '../../../contract/maybe-promise.ts'
import type { MaybePromise, PostQuery } from '../../../contract/storage.ts'
import type { Schema } from '../engine/schema.ts'
import type { Session } from '../engine/session.ts'
import { countOf, type Extent, type Statements, Values } from '../engine/statements.ts'
import { type AccessPath, accessPathOfTotal, chooseAccessPath } from './access-path.ts'
import { countTerms } from './lookups.ts'
import { matchesNothing, type PostQueryShape, shapePostQuery } from './query-shape.ts'
import { totalOf, usesCounters } from './select.ts'
import { conjuncts, splitTotal, type TotalPart, termsOf } from './split-total.ts'

/** `pagePath` is the path of the page where it is known: a path that took reads is not chosen twice. */
export function countPosts(
  statements: Statements,
  session: Session,
  query: PostQuery,
  pagePath?: AccessPath,
): MaybePromise<number> {
  const isShared = query.search !== undefined || query.parents !== undefined || query.mimeTypes !== undefined
  return andThen(partsOf(statements, session, query), (parts) => {
    const known = isShared && parts.length === 1 ? pagePath : undefined
    const paths = all(parts.map((part) => pathOf(statements, session, part.query, known)))
    return andThen(paths, (chosen) => {
      const values = new Values()
      const shaped = parts.flatMap((part, at) => shapeOf(part, chosen[at] as AccessPath, values))
      return runTotal(statements, session, query, shaped, values)
    })
  })
}

/** Which term is the most frequent decides only between alternatives. */
function partsOf(statements: Statements, session: Session, query: PostQuery): MaybePromise<readonly TotalPart[]> {
  const hasAlternatives = conjuncts(query.terms).some((tree) => 'terms' in tree && tree.terms.length > 1)
  if (!hasAlternatives) return splitTotal(query, new Map())
  const counts = countTerms(statements, session, query, termsOf(query.terms))
  return andThen(counts, (found) => splitTotal(query, found))
}

interface ShapedPart {
  readonly sign: 1 | -1
  readonly shape: PostQueryShape
}

function pathOf(
  statements: Statements,
  session: Session,
  query: PostQuery,
  known: AccessPath | undefined,
): MaybePromise<AccessPath> {
  return andThen(known ?? chooseAccessPath(statements, session, query), (path) =>
    accessPathOfTotal(statements, session, query, path),
  )
}

/** Adds the values of the part to those of the statement. */
function shapeOf({ sign, query }: TotalPart, path: AccessPath, values: Values): readonly ShapedPart[] {
  const { shape } = shapePostQuery(query, path, values)
  return matchesNothing(query, shape) ? [] : [{ sign, shape }]
}

function runTotal(
  statements: Statements,
  session: Session,
  { types }: PostQuery,
  parts: readonly ShapedPart[],
  values: Values,
): MaybePromise<number> {
  if (parts.length === 0) return 0
  const extent = extentOf(parts)
  const build = (db: Kysely<Schema>) => {
    const terms = parts.map(({ sign, shape }, at) => {
      const operator = sign === 1 ? (at === 0 ? sql`` : sql`+ `) : sql`- `
      return sql`${operator}(${totalOf(statements.dialect, shape)})`
    })
    return sql`select ${sql.join(terms, sql` `)}`.compile(db)
  }
  const statement = statements.get(`posts.total:${JSON.stringify(parts)}`, build, extent)
  const count = () => andThen(session.all(statement, values.list), countOf)
  if (session.cached === undefined || extent === undefined) return count()
  return session.cached(`${statement.sql} ${JSON.stringify(values.list)}`, count, types)
}

function extentOf(parts: readonly ShapedPart[]): Extent | undefined {
  if (parts.every(({ shape }) => usesCounters(shape))) return undefined
  return parts.some(({ shape }) => shape.filters.search !== undefined) ? 'search' : 'list'
}
