/** Terms in SQL: the terms, their hierarchy, and which of them posts have. */

import { termFields } from '../../../contract/fields/terms.ts'
import { andThen, sequence } from '../../../contract/maybe-promise.ts'
import type { MaybePromise, TermQuery, TermStore } from '../../../contract/storage.ts'
import { identityFold } from '../../../contract/text-fold.ts'
import type { Dialect } from '../engine/dialect.ts'
import { rowReader } from '../engine/fields.ts'
import { type Fragment, raw, some, sql } from '../engine/fragments.ts'
import type { Session } from '../engine/session.ts'
import { containsIn, hasNoneOf, isOneOf, listRows } from './listing.ts'
import { insertRows, updateRows } from './rows.ts'
import { assignTerms, termsOfPosts } from './term-assignments.ts'

const integer = { kind: 'integer' } as const

const terms = {
  name: 'terms',
  fields: termFields,
  reader: rowReader({ id: { ...integer, column: 'id' }, ...termFields, count: { ...integer, column: 'count' } }),
  orders: { id: 'id', name: 'name_folded', slug: 'slug', description: 'description', count: 'count' },
  longTexts: ['name_folded', 'description'],
  /** The published posts of a term, from the counters that triggers keep. */
  computed: {
    count: `(select coalesce(sum(c.count), 0) from term_counts c where c.term_id = terms.id and c.status = 'publish')`,
  },
} as const

export function termStore(session: Session): TermStore {
  return {
    query: (query) => listRows(session, terms, conditionsOf(session.dialect, query), query),
    insert: (rows, ids) => insertRows(session, terms, rows, { ids }),
    update: (updates) => updateRows(session, terms, updates),
    remove: (ids) => removeTerms(session, ids),
    below: (ids) => descendants(session, ids),
    of: (posts) => termsOfPosts(session, posts),
    assign: (assignments) => assignTerms(session, assignments),
  }
}

function conditionsOf(dialect: Dialect, query: TermQuery): Fragment[] {
  const { search } = query
  // A post has few terms.
  const taxonomy = query.posts === undefined ? 'taxonomy' : `${dialect.unindexed}taxonomy`
  return [
    ...isOneOf(dialect, taxonomy, query.taxonomies),
    ...isOneOf(dialect, 'id', query.ids),
    ...isOneOf(dialect, 'slug', query.slugs),
    ...isOneOf(dialect, 'parent', query.parents),
    ...hasNoneOf(dialect, query.notIds),
    ...isNamed(dialect, query.names),
    ...(search === undefined ? [] : [containsIn(dialect, searchColumns, search)]),
    ...postConditions(dialect, query),
  ]
}

/** An index may store prefixes of names only. */
function isNamed(dialect: Dialect, given: TermQuery['names']): readonly Fragment[] {
  const names = given?.map(identityFold)
  const isPrefixed = names && dialect.prefixes ? [dialect.prefixes.inList('name_identity', names)] : []
  return [...isPrefixed, ...isOneOf(dialect, 'name_identity', names)]
}

const searchColumns = { name: 'name_folded', slug: 'slug' }

/** That posts have the term: some posts, posts of some kind, published ones. */
function postConditions({ inList }: Dialect, { posts, usedBy, counted }: TermQuery): Fragment[] {
  const found: Fragment[] = []
  if (posts !== undefined) {
    found.push(sql`id in (select x.term_id from post_terms x where ${inList('x.post_id', posts)})`)
  }
  if (usedBy !== undefined) {
    found.push(sql`exists (select 1 from term_counts c where c.term_id = terms.id and c.count > 0
        and ${inList('c.type', usedBy.types)} and ${inList('c.status', usedBy.statuses)})`)
  }
  if (counted === 'itself') found.push(isUsed('terms.id'))
  else if (counted === 'orBelow') found.push(some([isUsed('terms.id'), isUsedBelow]))
  else if (counted !== undefined) throw new TypeError(`unknown value ${String(counted)}`)
  return found
}

/** That published posts have the term. */
const isUsed = (id: string) =>
  sql`exists (select 1 from term_counts c where c.term_id = ${raw(id)} and c.status = 'publish' and c.count > 0)`

/** That they have a term below it. `union`, not `union all`: parents may form a circle. */
const isUsedBelow = sql`exists (
  with recursive below (id) as (
    select t.id from terms t where t.parent = terms.id union select t.id from terms t join below b on t.parent = b.id
  ) select 1 from below where ${isUsed('below.id')})`

/** The order makes a child of two removed terms move up past both. */
function removeTerms(session: Session, ids: readonly number[]): MaybePromise<void> {
  if (ids.length === 0) return
  const removal = session.atomic((transaction) =>
    sequence(ids, (id) => {
      const moveChildren = sql`update terms set parent = (select t.parent from terms t where t.id = ${id})
      where parent = ${id} and id <> ${id} and exists (select 1 from terms t where t.id = ${id})`
      return andThen(transaction.run(moveChildren), () => transaction.run(sql`delete from terms where id = ${id}`))
    }),
  )
  return andThen(removal, () => undefined)
}

function descendants(session: Session, ids: readonly number[]): MaybePromise<number[]> {
  if (ids.length === 0) return []
  // `union`, not `union all`: ends the recursion if parents form a cycle.
  const rows = session.all(sql`with recursive descendants (id) as (
        select id from terms where ${session.dialect.inList('parent', ids)}
        union select t.id from terms t join descendants d on t.parent = d.id
      ) select id from descendants order by id`)
  return andThen(rows, (found) => found.map(([id]) => Number(id)))
}
