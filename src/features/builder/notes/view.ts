/** Responses of the note routes and their schemas. */

import { lookupTable } from '../../../contract/lookup-table.ts'
import type { Post, User } from '../../../contract/storage.ts'
import { actorOf } from '../../../core/declare/actor.ts'
import { type Arg, bool, dateTime, int, list, nullable, num, oneOf, str } from '../../../core/declare/args.ts'
import { either, emptyList, fields, sometimes } from '../../../core/declare/response-schema.ts'
import type { Settings } from '../../../site/settings.ts'
import { mayEditPost } from '../../content/posts/model.ts'
import { avatarUrls, avatarUrlsSchema } from '../../content/users/model.ts'
import { envelopedSchema } from '../../shared/envelope.ts'
import { capabilities, type Note } from './model.ts'

type UserView = ReturnType<typeof userView>

/** Contains neither e-mail nor login. With a post: also whether the user may edit it. */
export function userView(user: User, settings: Pick<Settings, 'roles' | 'apiRoot'>, post?: Post) {
  const actor = actorOf(user, settings.roles)
  return {
    id: user.id,
    name: user.displayName,
    url: user.url,
    slug: user.slug,
    avatar_urls: avatarUrls(user, settings),
    capabilities: {
      notes: { can_read: actor.can(capabilities.read) },
      ...(post ? { post: { can_edit: mayEditPost(actor, post) } } : {}),
    },
  }
}

/** Makes the views of users, by id. */
export function userViews(users: readonly User[], settings: Settings): ReadonlyMap<number, UserView> {
  return new Map(users.map((user) => [user.id, userView(user, settings)]))
}

/** Values beside the note's own. Only the route of a single note has all of them. */
interface NoteDetails {
  readonly users: ReadonlyMap<number, UserView>
  readonly isRead: boolean
  readonly replies?: readonly object[]
  readonly repliesCount?: number
  readonly unreadRepliesCount?: number
  readonly readers?: readonly UserView[]
  readonly document?: DocumentView | null
  readonly userCan?: { readonly edit: boolean; readonly delete: boolean }
}

export function noteView(note: Note, { users, isRead, ...details }: NoteDetails) {
  const author = users.get(note.authorId) ?? null
  return {
    id: note.id,
    post_id: note.postId,
    element_id: note.elementId,
    parent_id: note.parentId,
    author_id: note.authorId,
    author_display_name: author ? null : note.authorName || null,
    route_post_id: note.routePostId,
    route_url: note.routeUrl,
    route_title: note.routeTitle,
    status: note.status,
    position: { x: note.x, y: note.y },
    content: note.content,
    is_resolved: note.isResolved,
    is_public: note.isPublic,
    is_read: isRead,
    replies: details.replies ?? [],
    mentions: [],
    author,
    document: details.document ?? null,
    replies_count: details.repliesCount ?? 0,
    unread_replies_count: details.unreadRepliesCount ?? 0,
    readers: details.readers ?? [],
    created_at: note.createdAt,
    updated_at: note.updatedAt,
    last_activity_at: note.lastActivityAt,
    // Interface: a map without entries is sent as a list.
    user_can: details.userCan ?? [],
  }
}

export interface DocumentView {
  readonly id: number
  readonly type: string
  readonly type_title: string
}

const titlesByType: { readonly [type: string]: string } = lookupTable({ 'wp-post': 'Post', 'wp-page': 'Page' })

export const documentView = (id: number, type: string): DocumentView => ({
  id,
  type,
  type_title: titlesByType[type] ?? type.split(/[-_]/).map(capitalize).join(' '),
})

const capitalize = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1)

// ---------------------------------------------------------------- schemas

export const userSchema = fields(
  {
    id: int(),
    name: str(),
    url: str(),
    slug: str({ description: 'By it the user is mentioned.' }),
    avatar_urls: avatarUrlsSchema,
    capabilities: fields({
      notes: fields({ can_read: bool() }),
      post: sometimes(fields({ can_edit: bool() }, { description: 'There if a post was asked about.' })),
    }),
  },
  { title: 'Note user' },
)

const noteSchemaOf = <T>(title: string, replies: Arg<T>) =>
  fields(
    {
      id: int(),
      post_id: int({ description: 'The document that the note lies on.' }),
      element_id: str({ description: 'The element that the note lies on.' }),
      parent_id: int({ description: 'The note that is replied to; 0 for a thread.' }),
      author_id: int(),
      author_display_name: nullable(str({ description: 'There when the account of the author is gone.' })),
      route_post_id: nullable(int({ description: 'The document of the page on which the note was made.' })),
      route_url: nullable(str({ description: 'The page on which the note was made, without its host.' })),
      route_title: nullable(str()),
      status: oneOf(['publish', 'draft']),
      position: fields({ x: num(), y: num() }, { description: 'The place inside the element, in percent.' }),
      content: str({ description: 'A text with HTML entities encoded.' }),
      is_resolved: bool(),
      is_public: bool({ description: 'Whether others may see the note.' }),
      is_read: bool({ description: 'Whether the caller has read the note.' }),
      replies,
      mentions: emptyList(),
      author: nullable(userSchema),
      document: nullable(
        fields({ id: int(), type: str(), type_title: str() }, { description: 'Only with a note of its own.' }),
      ),
      replies_count: int(),
      unread_replies_count: int(),
      readers: list(userSchema, { description: 'Only with a note of its own.' }),
      created_at: dateTime(),
      updated_at: dateTime(),
      last_activity_at: dateTime({ description: 'When somebody last replied or settled the matter.' }),
      user_can: either(fields({ edit: bool(), delete: bool() }), emptyList()),
    },
    { title },
  )

export const noteSchema = noteSchemaOf(
  'Note',
  list(noteSchemaOf('Note reply', emptyList()), { description: 'Only with a note of its own.' }),
)

export const summarySchema = envelopedSchema(
  list(
    fields(
      {
        url: nullable(str({ description: 'The page, without its host.' })),
        full_url: str(),
        title: nullable(str()),
        notes_count: int(),
      },
      { title: 'Page notes' },
    ),
  ),
)
