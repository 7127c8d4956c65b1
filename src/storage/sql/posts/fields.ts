/** The columns of posts, and their conversion to posts and heads. */
import type { Post, PostHead } from '../../../contract/storage.ts'
import { type Fields, fieldsOf } from '../engine/fields.ts'
import type { Row } from '../engine/statements.ts'

const text = { kind: 'text' } as const
const integer = { kind: 'integer' } as const

export const postFields: Fields = fieldsOf({
  type: text,
  status: text,
  slug: text,
  title: { kind: 'text', folded: 'title_folded' },
  content: { kind: 'text', folded: 'content_folded' },
  excerpt: { kind: 'text', folded: 'excerpt_folded' },
  author: integer,
  parent: integer,
  date: text,
  dateGmt: { kind: 'text', isNullable: true },
  modified: text,
  modifiedGmt: text,
  password: text,
  commentStatus: text,
  pingStatus: text,
  format: text,
  sticky: { kind: 'boolean' },
  template: text,
  featuredMedia: integer,
  mimeType: text,
  menuOrder: integer,
})

/** The columns that `postOf` reads, in order. */
export const postColumns = [
  'id',
  'type',
  'status',
  'slug',
  'title',
  'content',
  'excerpt',
  'author',
  'parent',
  'date',
  'date_gmt',
  'modified',
  'modified_gmt',
  'password',
  'comment_status',
  'ping_status',
  'format',
  'sticky',
  'template',
  'featured_media',
  'mime_type',
  'version',
  'menu_order',
] as const

/** Written out, not `rowObject`: every read of a post runs it. */
export function postOf(row: Row): Post {
  // The cast: the schema types the columns, and strict tables enforce them.
  const post = {
    id: row[0],
    type: row[1],
    status: row[2],
    slug: row[3],
    title: row[4],
    content: row[5],
    excerpt: row[6],
    author: row[7],
    parent: row[8],
    date: row[9],
    dateGmt: row[10],
    modified: row[11],
    modifiedGmt: row[12],
    password: row[13],
    commentStatus: row[14],
    pingStatus: row[15],
    format: row[16],
    sticky: row[17] === 1,
    template: row[18],
    featuredMedia: row[19],
    mimeType: row[20],
    menuOrder: row[22],
    version: row[21],
  }
  return post as Post
}

export const headColumns = ['id', 'type', 'status', 'author', 'parent', 'version'] as const

export function headOf(row: Row): PostHead {
  const head = { id: row[0], type: row[1], status: row[2], author: row[3], parent: row[4], version: row[5] }
  // The cast: as in `postOf`.
  return head as PostHead
}
