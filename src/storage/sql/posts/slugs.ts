/** Which slugs are taken, and which ones a transaction knows to be free. */

import { typesWithFreeSlugs } from '../../../contract/fields/posts.ts'
import { andThen } from '../../../contract/maybe-promise.ts'
import type { MaybePromise, PostValues } from '../../../contract/storage.ts'
import { type Fragment, raw, sql } from '../engine/fragments.ts'
import type { KnownRows, Session } from '../engine/session.ts'

interface SlugQuery {
  readonly type: string
  readonly slugs: readonly string[]
  /** Undefined: anywhere. */
  readonly parent: number | undefined
}

/** Returns the slugs that are taken. A transaction on a server remembers the others. */
export function takenSlugs(session: Session, query: SlugQuery): MaybePromise<string[]> {
  const free = session.known?.freeSlugs
  const found = readTakenSlugs(session, query)
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

function readTakenSlugs(session: Session, { type, slugs, parent }: SlugQuery): MaybePromise<string[]> {
  const [only] = slugs
  if (only === undefined) return []
  if (parent === undefined && slugs.length === 1) {
    // The common case: one slug, and it is not taken.
    const found = session.all(sql`select 1 from posts p where p.type = ${type} and ${isSlug(sql`${only}`)}`)
    return andThen(found, (rows) => (rows.length > 0 ? [only] : []))
  }
  const isBelow = parent === undefined ? raw('') : sql` and p.parent = ${parent}`
  const found = session.all(sql`select l.value from ${session.dialect.listTable(slugs, 'text')} l
      where (select 1 from posts p where p.type = ${type}${isBelow} and ${isSlug(raw('l.value'))}) is not null`)
  return andThen(found, (rows) => {
    const taken = new Set(rows.map(([slug]) => slug))
    return [...new Set(slugs)].filter((slug) => taken.has(slug))
  })
}

/**
 * Bounds and the order of the index of slugs: a planner that takes the table for empty would find each index as good, and would read all
 * rows of the type for as long as it keeps the plan.
 */
const isSlug = (slug: Fragment) => sql`p.slug >= ${slug} and p.slug <= ${slug} order by p.slug, p.id limit 1`
