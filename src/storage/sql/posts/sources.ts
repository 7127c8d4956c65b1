/**
 * Where the rows of a post query come from: the scan of an index, or a lookup. Each scan names its index, because SQLite's planner
 * has no statistics here.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { and, type Condition } from '../engine/conditions.ts'
import type { Dialect } from '../engine/dialect.ts'
import { parameter } from '../engine/statements.ts'
import { filterConditions, scopeConditions } from './conditions.ts'
import { indexAlong, usualFormat } from './lookups.ts'
import type { Branch, OrderShape, PostQueryShape } from './query-shape.ts'

export interface Source {
  readonly from: RawBuilder<unknown>
  readonly where: readonly Condition[]
  readonly id: RawBuilder<unknown>
  /** Set where the source lacks the table `p`: the column that replaces the key. */
  readonly key?: RawBuilder<unknown>
}

export const postId = sql`p.id`

/** The condition of the partial indexes. */
export const isUnusual = sql<SqlBool>`p.format <> ${sql.lit(usualFormat)}`

/** The orders by one column are called like their fields. */
export const columnOf = (by: OrderShape['by']) => (by === 'menuOrder' ? 'menu_order' : by)

/** The rows of one type, one status and at most one author: a scan of the index in the requested order. */
export function branchSource(dialect: Dialect, shape: PostQueryShape, branch: Branch): Source {
  if (shape.term !== undefined) return termSource(dialect, shape, branch, shape.term)
  const { type, status } = branch
  const { ofPost, ofId } = filterConditions(dialect, shape, postId)
  return {
    from: dialect.withIndex(sql`posts p`, indexOf(shape, branch)),
    where: [
      sql`p.type = ${parameter(type)}`,
      sql`p.status = ${parameter(status)}`,
      ...authorIs(branch),
      ...formatIs(branch),
      ...ofId,
      ...ofPost,
    ],
    id: postId,
  }
}

/** The posts of one term by date; reads the posts themselves only for conditions on them. */
function termSource(dialect: Dialect, shape: PostQueryShape, branch: Branch, term: number): Source {
  const termPost = sql`d.post_id`
  const filters = filterConditions(dialect, shape, termPost)
  const ofPost = [...authorIs(branch), ...filters.ofPost]
  const scan: Condition[] = [
    sql`d.term_id = ${parameter(term)}`,
    sql`d.type = ${parameter(branch.type)}`,
    sql`d.status = ${parameter(branch.status)}`,
  ]
  const terms = dialect.withIndex(sql`post_terms d`, 'post_terms_by_date')
  return {
    from: ofPost.length === 0 ? terms : sql`${terms} ${dialect.orderedJoin} posts p on p.id = d.post_id`,
    where: [...scan, ...filters.ofId, ...ofPost],
    id: termPost,
    key: sql`d.date`,
  }
}

function authorIs({ author }: Branch): Condition[] {
  return author === undefined ? [] : [sql`p.author = ${parameter(author)}`]
}

const formatIs = ({ format }: Branch): Condition[] =>
  format === undefined ? [] : [sql`p.format = ${parameter(format)}`, isUnusual]

function indexOf({ order, filters, along }: PostQueryShape, { author, format }: Branch): string {
  if (format !== undefined) return formatIndexes[order.by] ?? 'posts_by_format'
  if (filters.sticky) return 'posts_sticky'
  if (along !== undefined) return indexAlong[along]
  if (order.by === 'author') return 'posts_in_author_order'
  return author === undefined ? `posts_by_${columnOf(order.by)}` : 'posts_by_author'
}

/** The index of formats in other orders than by id. */
const formatIndexes: { readonly [order: string]: string } = {
  date: 'posts_by_format_date',
  modified: 'posts_by_format_modified',
  title: 'posts_by_format_title',
  slug: 'posts_by_format_slug',
  author: 'posts_by_format_author',
}

/** The rows that the access path looks up; they are sorted afterwards. */
export function lookupSource(dialect: Dialect, shape: PostQueryShape): Source {
  const { ofPost, ofId } = filterConditions(dialect, shape, shape.path === 'terms' ? sql`d.post_id` : postId)
  const where = [...scopeConditions(dialect, shape), ...ofId, ...ofPost]
  const { path, types } = shape
  // The cast: each of these paths has a start; a table scan does not read it.
  const start = shape.start as number
  const posts = sql`${dialect.orderedJoin} posts p on`
  const byType = (index: string) =>
    sql`${dialect.listTable(types, 'text')} t ${dialect.orderedJoin} ${dialect.listTable(start, index === 'posts_by_slug' ? 'text' : 'integer')} l on 1 = 1
      ${dialect.orderedJoin} ${dialect.withIndex(sql`posts p`, index)} on p.type = t.value`
  switch (path) {
    case 'ids':
      return { from: sql`${dialect.listTable(start, 'integer')} l ${posts} p.id = l.value`, where, id: postId }
    case 'slugs':
      return { from: sql`${byType('posts_by_slug')} and p.slug = l.value`, where, id: postId }
    case 'parents':
      return { from: sql`${byType('posts_by_parent')} and p.parent = l.value`, where, id: postId }
    case 'mime': {
      const ofFiles: readonly Condition[] = [
        dialect.inList(sql`p.type`, types, 'text'),
        dialect.inList(sql`p.mime_type`, start, 'text'),
        // The condition of the partial index.
        sql<SqlBool>`p.mime_type <> ''`,
      ]
      return { from: dialect.withIndex(sql`posts p`, 'posts_by_mime'), where: [...ofFiles, ...where], id: postId }
    }
    case 'featured': {
      const medium = dialect.withIndex(sql`posts p`, 'posts_featured')
      // The condition of the partial index.
      const from = sql`${dialect.listTable(start, 'integer')} l ${dialect.orderedJoin} ${medium} on p.featured_media = l.value and p.featured_media > 0`
      return { from, where, id: postId }
    }
    case 'terms': {
      const { anyAuthor, byAuthor = [] } = shape.statuses ?? {}
      // The index has type and status, too: other posts are not read.
      const isOfAll = anyAuthor === undefined || byAuthor.length > 0
      const scan = [
        dialect.inList(sql`d.term_id`, start, 'integer'),
        dialect.inList(sql`d.type`, types, 'text'),
        ...(isOfAll ? [] : [dialect.inList(sql`d.status`, anyAuthor, 'text')]),
      ]
      const terms = dialect.withIndex(sql`post_terms d`, 'post_terms_by_date')
      if (shape.hasOneTerm)
        return { from: sql`${terms} ${posts} p.id = d.post_id`, where: [...scan, ...where], id: postId }
      const ids = sql`select distinct d.post_id from ${terms} where ${and(scan)}`
      return { from: sql`(${ids}) d ${posts} p.id = d.post_id`, where, id: postId }
    }
    case 'search': {
      if (dialect.search === undefined) throw new Error('there is no search index')
      return { from: sql`${dialect.search.candidates(start)} f ${posts} p.id = f.id`, where, id: postId }
    }
    default:
      return { from: sql`posts p`, where, id: postId }
  }
}
