/** The member `comments` of site documents. */
import type { Json } from '../../../contract/storage.ts'
import { nullable, object, oneOf, required, str } from '../../../core/declare/args.ts'
import type { DocumentSection } from '../../../core/declare/feature.ts'
import { sha256Of } from '../../../core/runtime/crypto.ts'
import { commentsCollection } from '../../../site/comments/comment.ts'

const members = {
  key: required(str({ minLength: 1 })),
  /** The key has its kind: `post.hello`. */
  post: required(str({ minLength: 1 })),
  /** The key of another comment. */
  parent: nullable(str()),
  author: nullable(str()),
  author_name: str(),
  author_email: str(),
  author_url: str(),
  author_ip: str(),
  author_user_agent: str(),
  /** The site time, for readers; `date_gmt` counts. */
  date: str(),
  date_gmt: required(
    str({ pattern: '\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}', description: 'a time like 2024-05-31T09:30:00' }),
  ),
  content: required(str()),
  status: oneOf(['approved', 'hold', 'spam', 'trash', 'post-trashed']),
  type: str(),
  note_status: str(),
  /** The values of fields that the site declares. */
  meta: nullable(object({}, { additionalProperties: true })),
}

interface Entry extends Readonly<Record<'key' | 'post' | 'date_gmt' | 'content', string>> {
  readonly parent?: string | null
  readonly author?: string | null
  readonly date?: string
  readonly status?: string
  readonly type?: string
  readonly meta?: { readonly [key: string]: Json } | null
  /** The texts of the author, and what a note does. */
  readonly [name: `author_${string}` | `note_${string}`]: string | undefined
}

export const commentsSection: DocumentSection = {
  member: 'comments',
  entry: object(members, { additionalProperties: false }),
  expand: ({
    key,
    post,
    parent,
    author,
    date: _,
    date_gmt: date,
    content,
    status,
    type,
    meta = null,
    ...texts
  }: Entry) => ({
    records: [
      {
        kind: 'comment',
        key,
        collection: commentsCollection.name,
        row: {
          ...Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text ?? ''])),
          post,
          parent: parent ? `comment.${parent}` : 0,
          author: author ? `user.${author}` : 0,
          date,
          content,
          content_digest: sha256Of(content),
          status: status ?? 'approved',
          type: type || 'comment',
          meta,
        },
      },
    ],
  }),
}
