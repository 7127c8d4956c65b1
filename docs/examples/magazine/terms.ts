/** Terms: documents, and their assignments to the articles. A view counts the published articles of each. */
import { type Collection, identityFold, type Term, type TermQuery, type TermStore } from 'site-api/storage'
import { recordStore } from './records.ts'
import {
  contains,
  foldedText,
  given,
  hasIdOf,
  hasNoIdOf,
  identityOf,
  isOneOf,
  orderBy,
  readPage,
  textOf,
} from './rows.ts'
import type { Session } from './session.ts'
import { and, column, or, type Sql, sql } from './sql.ts'

const collection: Collection = {
  name: 'site.terms',
  fields: { taxonomy: 'text', slug: 'text', name: 'text', description: 'text', parent: 'integer' },
  unique: [['slug', 'taxonomy']],
}

type Assignment = Parameters<TermStore['assign']>[0][number]

export function termStore(session: Session): TermStore {
  const documents = recordStore(session)
  return {
    query: async (query) =>
      readPage<Term>(session, {
        from: sql`site_terms`,
        where: conditionOf(query),
        order: orderOfTerms(query.order),
        page: query,
      }),
    insert: (rows) =>
      documents.insert(
        collection,
        rows.map((row) => ({ ...row })),
      ),
    update: (updates) =>
      documents.update(
        collection,
        updates.map(({ id, changes }) => ({ id, changes: { ...changes } })),
      ),
    remove: (ids) =>
      session.atomic(async (inside) => {
        for (const id of ids) await removeTerm(inside, id)
      }),
    below: async (ids) => {
      const rows = await session.query<{ id: number }>(
        sql`with recursive below as (
            select id from site_terms where parent = any(${ids}::bigint[])
            union select child.id from site_terms child join below on child.parent = below.id
          ) select id from below order by id`,
      )
      return rows.map(({ id }) => id)
    },
    of: (posts) =>
      session.query(
        sql`select post, term, taxonomy from site_post_terms join site_terms on site_terms.id = term
          where post = any(${posts}::bigint[]) order by post, term`,
      ),
    assign: (assignments) =>
      session.atomic(async (inside) => {
        for (const assignment of assignments) await assignTerms(inside, assignment)
      }),
  }
}

/** Its children move to its parent. Triggers remove the meta and the assignments. */
async function removeTerm(session: Session, id: number): Promise<void> {
  await session.query(
    sql`update site_documents child set body = child.body || jsonb_build_object('parent', removed.body -> 'parent')
      from site_documents removed where removed.id = ${id}::bigint and removed.collection = ${collection.name}
      and child.collection = removed.collection and child.body @> jsonb_build_object('parent', removed.id)`,
  )
  await session.query(sql`delete from site_documents where id = ${id}::bigint and collection = ${collection.name}`)
}

async function assignTerms(session: Session, { post, taxonomy, terms }: Assignment): Promise<void> {
  const ofTaxonomy = sql`select id from site_terms where taxonomy = ${taxonomy}`
  const [found] = await session.query<{ posts: number; terms: number }>(
    sql`select (select count(*) from site_posts where id = ${post}::bigint) as posts,
      (select count(*) from (${ofTaxonomy} and id = any(${terms}::bigint[])) known) as terms`,
  )
  if (found?.posts !== 1) throw new TypeError(`there is no post ${post}`)
  if (found.terms !== new Set(terms).size) throw new TypeError(`${taxonomy} lacks one of the terms ${terms}`)
  await session.query(
    sql`delete from site_post_terms where post = ${post} and term in (${ofTaxonomy}) and term <> all(${terms}::bigint[])`,
  )
  await session.query(
    sql`insert into site_post_terms select ${post}, unnest(${terms}::integer[]) on conflict do nothing`,
  )
}

function conditionOf(query: TermQuery): Sql {
  return and([
    isOneOf(sql`taxonomy`, query.taxonomies),
    hasIdOf(sql`id`, query.ids),
    hasNoIdOf(sql`id`, query.notIds),
    isOneOf(sql`slug`, query.slugs),
    isOneOf(identityOf('name'), query.names?.map(identityFold)),
    hasIdOf(sql`parent`, query.parents),
    given(query.posts, (posts) => sql`id in (select term from site_post_terms where ${hasIdOf(sql`post`, posts)})`),
    given(query.search, ({ text, fields }) => or(fields.map((field) => matches(field, text)))),
    given(query.usedBy, ({ types, statuses }) => {
      const where = and([isOneOf(sql`type`, types), isOneOf(sql`status`, statuses)])
      return sql`id in (select term from site_post_terms join site_posts on site_posts.id = post where ${where})`
    }),
    given(query.counted, isCounted),
  ])
}

function matches(field: string, text: string): Sql {
  if (field !== 'name' && field !== 'slug') throw new TypeError(`unknown field ${field}`)
  return contains(field === 'name' ? foldedText(field) : column(field), text)
}

function isCounted(counted: NonNullable<TermQuery['counted']>): Sql {
  if (counted === 'itself') return sql`count > 0`
  if (counted !== 'orBelow') throw new TypeError(`unknown value ${String(counted)}`)
  return sql`id in (with recursive counted as (
      select id, parent from site_terms where count > 0
      union select above.id, above.parent from site_terms above join counted on above.id = counted.parent
    ) select id from counted)`
}

function orderOfTerms(order: TermQuery['order']): Sql {
  switch (order.by) {
    case 'name':
      return orderBy(foldedText('name'), order)
    case 'slug':
    case 'description':
      return orderBy(textOf(order.by), order)
    case 'id':
    case 'count':
      return orderBy(column(order.by), order)
    default:
      throw new TypeError(`unknown field ${String(order.by)}`)
  }
}
