/** Terms in SQL: the terms, their hierarchy, and which of them posts have. */

import { termFields } from '../../../contract/fields/terms.ts'
import { lookupTable } from '../../../contract/lookup-table.ts'
import { andThen, sequence } from '../../../contract/maybe-promise.ts'
import type { MaybePromise, Term, TermQuery, TermStore } from '../../../contract/storage.ts'
import { rowReader } from '../engine/fields.ts'
import { raw, some, sql } from '../engine/fragments.ts'
import type { Session } from '../engine/session.ts'
import { parameter, type Statements } from '../engine/statements.ts'
import { ListConditions, listRows } from './listing.ts'
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
    count: sql`(select coalesce(sum(c.count), 0) from term_counts c where c.term_id = terms.id and c.status = 'publish')`,
  },
} as const

export function termStore(statements: Statements, session: Session): TermStore {
  return {
    query: (query) => queryTerms(statements, session, query),
    insert: (rows, ids) => insertRows(statements, session, terms, rows, { ids }),
    update: (updates) => updateRows(statements, session, terms, updates),
    remove: (ids) => removeTerms(statements, session, ids),
    below: (ids) => descendants(statements, session, ids),
    of: (posts) => termsOfPosts(statements, session, posts),
    assign: (assignments) => assignTerms(statements, session, assignments),
  }
}

function queryTerms(
  statements: Statements,
  session: Session,
  query: TermQuery,
): MaybePromise<{ rows: Term[]; total: number }> {
  const { dialect } = statements
  const conditions = new ListConditions(dialect)
  // A post has few terms.
  conditions.inList('taxonomy', query.taxonomies, 'text', { isUnindexed: query.posts !== undefined })
  conditions.inList('id', query.ids, 'integer')
  conditions.inList('slug', query.slugs, 'text')
  conditions.inList('parent', query.parents, 'integer')
  conditions.notInList('id', query.notIds)
  conditions.inList('name_folded', query.names, 'text')
  if (query.search !== undefined) {
    const { text, fields } = query.search
    conditions.contains(
      fields.map((field) => searchColumn(field)),
      text,
    )
  }
  addPostConditions(conditions, statements, query)
  return listRows(statements, session, terms, conditions, query)
}

const searchColumns: { readonly [field: string]: string } = lookupTable({ name: 'name_folded', slug: 'slug' })

function searchColumn(field: string): string {
  const column = searchColumns[field]
  if (column === undefined) throw new TypeError(`unknown field ${field}`)
  return column
}

/** That posts have the term: some posts, posts of some kind, published ones. */
function addPostConditions(conditions: ListConditions, { dialect }: Statements, query: TermQuery): void {
  if (query.posts !== undefined) {
    const posts = conditions.values.addList(query.posts)
    conditions.add(
      'of posts',
      () => sql`id in (select x.term_id from post_terms x where ${dialect.inList(sql`x.post_id`, posts, 'integer')})`,
    )
  }
  if (query.usedBy !== undefined) {
    const types = conditions.values.addList(query.usedBy.types)
    const statuses = conditions.values.addList(query.usedBy.statuses)
    conditions.add(
      'used by',
      () => sql`exists (select 1 from term_counts c where c.term_id = terms.id and c.count > 0
        and ${dialect.inList(sql`c.type`, types, 'text')} and ${dialect.inList(sql`c.status`, statuses, 'text')})`,
    )
  }
  if (query.counted === undefined) return
  const { counted } = query
  if (counted !== 'itself' && counted !== 'orBelow') throw new TypeError(`unknown value ${String(counted)}`)
  conditions.add(`counted ${counted}`, () =>
    counted === 'itself' ? isUsed('terms.id') : some([isUsed('terms.id'), isUsedBelow]),
  )
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
function removeTerms(statements: Statements, session: Session, ids: readonly number[]): MaybePromise<void> {
  if (ids.length === 0) return
  const moveChildren = statements.get(
    'terms.move-children',
    () =>
      sql`update terms set parent = (select t.parent from terms t where t.id = ${parameter(0)})
      where parent = ${parameter(0)} and id <> ${parameter(0)} and exists (select 1 from terms t where t.id = ${parameter(0)})`,
  )
  const remove = statements.get('terms.remove', () => sql`delete from terms where id = ${parameter(0)}`)
  const removal = session.atomic((transaction) =>
    sequence(ids, (id) => andThen(transaction.run(moveChildren, [id]), () => transaction.run(remove, [id]))),
  )
  return andThen(removal, () => undefined)
}

function descendants(statements: Statements, session: Session, ids: readonly number[]): MaybePromise<number[]> {
  if (ids.length === 0) return []
  // `union`, not `union all`: ends the recursion if parents form a cycle.
  const statement = statements.get(
    'terms.below',
    () =>
      sql`with recursive descendants (id) as (
        select id from terms where ${statements.dialect.inList(sql`parent`, 0, 'integer')}
        union select t.id from terms t join descendants d on t.parent = d.id
      ) select id from descendants order by id`,
  )
  return andThen(session.all(statement, [JSON.stringify(ids)]), (rows) => rows.map(([id]) => Number(id)))
}
