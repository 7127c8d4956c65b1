/** Posts, in the articles of the magazine. */
import {
  type IdsPageEntry,
  maxRankedWords,
  type Post,
  type PostOrder,
  type PostQuery,
  type PostStore,
  type TermTree,
  type TextSearch,
} from 'site-api/storage'
import {
  contains,
  foldedText,
  given,
  hasIdOf,
  hasNoIdOf,
  insertRows,
  isOneOf,
  orderBy,
  orderOf,
  type RowUpdate,
  readPage,
  textOf,
  updateRows,
  type View,
} from './rows.ts'
import type { Session } from './session.ts'
import { and, column, or, type Sql, sql } from './sql.ts'

const view: View = {
  name: 'site_posts',
  fields: {
    type: 'text',
    status: 'text',
    slug: 'text',
    title: 'text',
    content: 'text',
    excerpt: 'text',
    author: 'integer',
    parent: 'integer',
    date: 'text',
    dateGmt: 'text',
    modified: 'text',
    modifiedGmt: 'text',
    password: 'text',
    commentStatus: 'text',
    pingStatus: 'text',
    format: 'text',
    sticky: 'boolean',
    template: 'text',
    featuredMedia: 'integer',
    mimeType: 'text',
    menuOrder: 'integer',
  },
}

export function postStore(session: Session): PostStore {
  return {
    query: async (query) => {
      const { rows: idsPage, total } = await readPage<IdsPageEntry>(session, {
        columns: sql`id, type, status, author, parent, version`,
        from: sql`site_posts`,
        where: conditionOf(query),
        order: orderOfPosts(query),
        page: query,
      })
      return { idsPage, total }
    },
    read: (ids) =>
      session.query<Post>(
        sql`select * from site_posts where ${hasIdOf(sql`id`, ids)} order by ${orderOf(ids, sql`id`)}`,
      ),
    insert: (rows) => session.atomic((inside) => insertRows(inside, view, rows)),
    update: (updates) =>
      session.atomic((inside) =>
        updateRows(
          inside,
          view,
          updates.map(({ id, changes, when }): RowUpdate => {
            const conditions = [
              given(when?.version, (version) => sql`stored.version = ${version}`),
              given(when?.status, (status) => sql`stored.status = ${status}`),
            ]
            return { id, changes, when: and(conditions) }
          }),
        ),
      ),
    // Triggers remove the meta and the assignments.
    remove: async (ids) => {
      await session.atomic((inside) => inside.query(sql`delete from site_posts where id = any(${ids}::bigint[])`))
    },
    takenSlugs: async (type, slugs, parent) => {
      const below = given(parent, (id) => sql`parent = ${id}`)
      const where = and([sql`type = ${type}`, isOneOf(sql`slug`, slugs), below])
      const rows = await session.query<{ slug: string }>(sql`select distinct slug from site_posts where ${where}`)
      return rows.map(({ slug }) => slug)
    },
    childCounts: (type, parents) =>
      session.query(
        sql`select parent, count(*), max(id) as latest from site_posts
          where type = ${type} and parent = any(${parents}::bigint[]) group by parent`,
      ),
  }
}

function conditionOf(query: PostQuery): Sql {
  return and([
    isOneOf(sql`type`, query.types),
    given(query.statuses, (statuses) => or(statuses.map(hasStatus))),
    hasIdOf(sql`id`, query.ids),
    hasNoIdOf(sql`id`, query.notIds),
    hasIdOf(sql`author`, query.authors),
    hasNoIdOf(sql`author`, query.notAuthors),
    hasIdOf(sql`parent`, query.parents),
    hasNoIdOf(sql`parent`, query.notParents),
    hasIdOf(sql`"menuOrder"`, query.menuOrders),
    isOneOf(sql`"mimeType"`, query.mimeTypes),
    hasIdOf(sql`"featuredMedia"`, query.featuredMedia),
    isOneOf(sql`slug`, query.slugs),
    given(query.sticky, (sticky) => sql`sticky = ${sticky}`),
    given(query.withPassword, (withPassword) => sql`(password <> '') = ${withPassword}`),
    ...(query.dates ?? []).map(isInRange),
    given(query.terms, hasTerms),
    given(query.search, matches),
  ])
}

const hasStatus = ({ status, author }: NonNullable<PostQuery['statuses']>[number]): Sql =>
  and([sql`status = ${status}`, hasIdOf(sql`author`, author === undefined ? undefined : [author])])

const dateFields: readonly string[] = ['date', 'dateGmt', 'modified']

function isInRange({ field, after, before }: NonNullable<PostQuery['dates']>[number]): Sql {
  if (!dateFields.includes(field)) throw new TypeError(`unknown field ${field}`)
  const date = textOf(field)
  return and([
    sql`${date} is not null`,
    given(after, (bound) => sql`${date} > ${bound}`),
    given(before, (bound) => sql`${date} < ${bound}`),
  ])
}

function hasTerms(tree: TermTree): Sql {
  if ('every' in tree) return and(tree.every.map(hasTerms))
  if ('some' in tree) return or(tree.some.map(hasTerms))
  if ('formats' in tree) return sql`format = any(${tree.formats}::text[])`
  const terms = [...new Set(tree.terms)]
  const count = sql`(select count(*) from site_post_terms where post = site_posts.id and term = any(${terms}::bigint[]))`
  switch (tree.has) {
    case 'any':
      return sql`${count} > 0`
    case 'none':
      return sql`${count} = 0`
    case 'all':
      return sql`${count} = ${terms.length}`
  }
}

const textColumns: readonly string[] = ['title', 'content', 'excerpt']

/** Each search reads and folds the texts of the posts that fit otherwise. */
function matches({ every, none, columns, meta = [], exact }: TextSearch): Sql {
  for (const field of columns) if (!textColumns.includes(field)) throw new TypeError(`unknown field ${field}`)
  // In meta only the case of ASCII letters is folded.
  const inMeta = (key: string) => sql`(select lower(value #>> '{}' collate "C") from site_values
    where owner = 'post' and id = site_posts.id and key = ${key} and json_typeof(value) = 'string')`
  const texts = [...columns.map(foldedText), ...meta.map(inMeta)]
  const isIn = (wanted: string): Sql =>
    or(texts.map((text) => sql`coalesce(${exact ? sql`${text} = ${wanted}` : contains(text, wanted)}, false)`))
  return and([...every.map(isIn), ...none.map((unwanted) => sql`not ${isIn(unwanted)}`)])
}

export const holds = (text: Sql, part: string): Sql => sql`strpos(${text}, ${part}) > 0`

function orderOfPosts({ order, ids, slugs }: PostQuery): Sql {
  switch (order.by) {
    case 'ids':
      return orderOf(ids, sql`id`)
    case 'slugs':
      return orderOf(slugs, sql`slug`)
    case 'relevance':
      return sql`${rankOf(order)}, date collate "C" desc, id desc`
    case 'title':
      return orderBy(foldedText('title'), order)
    case 'slug':
    case 'date':
    case 'modified':
      return orderBy(textOf(order.by), order)
    case 'id':
    case 'author':
    case 'parent':
    case 'menuOrder':
      return orderBy(column(order.by), order)
    default:
      throw new TypeError(`unknown field ${String((order as { readonly by: unknown }).by)}`)
  }
}

/** `rank` of site-api/storage as an expression. */
function rankOf({ phrase, words }: Extract<PostOrder, { by: 'relevance' }>): Sql {
  const title = sql`site_fold(title)`
  const hasPhrase = (text: Sql): Sql => and([sql`${phrase} <> ''`, contains(text, phrase)])
  const held = words.length > maxRankedWords ? [] : words.map((word) => contains(title, word))
  return sql`case
    when ${hasPhrase(title)} then 1
    when ${held.length > 0} and ${and(held)} then 2
    when ${or(held)} then 3
    when ${hasPhrase(sql`site_fold(excerpt)`)} then 4
    when ${hasPhrase(sql`site_fold(content)`)} then 5
    else 6 end`
}
