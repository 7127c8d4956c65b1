/** Comments as a site stores them: their collection, and a row as a value. */
import type { Collection, Json, StoredRecord } from '../../contract/storage.ts'

/** The fields that a list is filtered by. Times are in GMT. */
export const commentsCollection: Collection = {
  name: 'comments',
  fields: {
    post: 'integer',
    parent: 'integer',
    author: 'integer',
    author_name: 'text',
    author_email: 'text',
    author_url: 'text',
    author_ip: 'text',
    author_user_agent: 'text',
    date: 'text',
    content: 'text',
    status: 'text',
    type: 'text',
    status_before: 'text',
    status_before_post: 'text',
    note_status: 'text',
    /** The fields that the host declares. */
    meta: 'json',
    /** Finds a comment that is sent again, however many the author has. */
    content_digest: 'text',
  },
  orders: [
    ['post', 'parent', 'type', 'status', 'date'],
    ['post', 'type', 'status', 'date'],
    ['post', 'date'],
    ['parent', 'type', 'status', 'date'],
    ['author', 'type', 'status', 'date'],
    ['author', 'date'],
    ['author_email', 'type', 'status', 'date'],
    ['content_digest', 'post', 'author', 'date'],
    ['type', 'status', 'date'],
    ['date'],
  ],
  isSearched: true,
}

/** `post-trashed`: the post is in the trash. */
export type CommentStatus = 'approved' | 'hold' | 'spam' | 'trash' | 'post-trashed'

/** A stored comment. Dates are ISO texts without an offset. */
export interface Comment {
  readonly id: number
  /** 0: of no post. */
  readonly post: number
  /** 0: the comment begins a thread. */
  readonly parent: number
  /** 0: a visitor. */
  readonly author: number
  /** The name that a user had when the comment was written; empty where only the account is known. */
  readonly authorName: string
  readonly authorEmail: string
  readonly authorUrl: string
  readonly authorIp: string
  readonly authorUserAgent: string
  /** GMT, `YYYY-MM-DDTHH:MM:SS`. */
  readonly date: string
  readonly content: string
  readonly status: CommentStatus
  /** `comment`; `note`: a remark on a block, for those who may edit the post; others come from imports. */
  readonly type: string
  /** The status before spam or trash; empty for others. */
  readonly statusBefore: string
  /** The status before the post went into the trash; empty for others. */
  readonly statusBeforePost: string
  /** `resolved` or `reopen`: what a reply to a note has done; empty for others. */
  readonly noteStatus: string
  /** The values of the fields that the host declares; absent: none is stored. */
  readonly meta?: { readonly [key: string]: Json }
}

export function toComment(row: StoredRecord): Comment {
  const text = (field: string) => (typeof row[field] === 'string' ? row[field] : '')
  const number = (field: string) => (typeof row[field] === 'number' ? row[field] : 0)
  return {
    id: row.id,
    post: number('post'),
    parent: number('parent'),
    author: number('author'),
    authorName: text('author_name'),
    authorEmail: text('author_email'),
    authorUrl: text('author_url'),
    authorIp: text('author_ip'),
    authorUserAgent: text('author_user_agent'),
    date: text('date'),
    content: text('content'),
    // The cast: only this feature writes it.
    status: (text('status') || 'hold') as CommentStatus,
    type: text('type') || 'comment',
    statusBefore: text('status_before'),
    statusBeforePost: text('status_before_post'),
    noteStatus: text('note_status'),
    ...(isObject(row['meta']) ? { meta: row['meta'] } : {}),
  }
}

const isObject = (value: Json | undefined): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
