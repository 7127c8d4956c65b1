/** The note record, the permissions on notes, and how notes change with the posts that they belong to. */

import type { Collection, Post, RecordValues, Storage, StoredRecord, Where } from '../../../contract/storage.ts'
import type { Actor } from '../../../core/declare/actor.ts'
import type { Context } from '../../../core/declare/context.ts'
import type { PersistedCollection } from '../../../core/declare/feature.ts'
import { mayReadPost } from '../../content/posts/model.ts'
import { elementsOf, walk } from '../../shared/elements.ts'

export const notesCollection: Collection = {
  name: 'notes',
  fields: {
    post_id: 'integer',
    element_id: 'text',
    parent_id: 'integer',
    author_id: 'integer',
    author_name: 'text',
    route_post_id: 'integer',
    route_url: 'text',
    route_title: 'text',
    status: 'text',
    trashed_with_post: 'boolean',
    x: 'number',
    y: 'number',
    content: 'text',
    is_resolved: 'boolean',
    is_public: 'boolean',
    created_at: 'text',
    updated_at: 'text',
    last_activity_at: 'text',
  },
  indexed: ['post_id', 'parent_id', 'route_url', 'last_activity_at', 'created_at'],
}

/** One row for each user who has read a note, and for each user that it mentions. */
export const receiptsCollection: Collection = {
  name: 'note_marks',
  fields: { note: 'integer', user: 'integer', kind: 'text' },
  indexed: ['note', 'user'],
  unique: [['note', 'user', 'kind']],
}

export const persistedCollections: readonly PersistedCollection[] = [
  {
    collection: notesCollection,
    references: { post_id: 'post', route_post_id: 'post', parent_id: 'notes', author_id: 'user' },
  },
  { collection: receiptsCollection, references: { note: 'notes', user: 'user' } },
]

export interface Note {
  readonly id: number
  readonly postId: number
  readonly elementId: string
  /** 0: a thread; anything else: a reply in it. */
  readonly parentId: number
  readonly authorId: number
  /** The display name when the note was written; shown after the account is removed. */
  readonly authorName: string
  readonly routePostId: number | null
  readonly routeUrl: string | null
  readonly routeTitle: string | null
  readonly status: string
  readonly x: number
  readonly y: number
  /** The text has its HTML entities encoded. */
  readonly content: string
  readonly isResolved: boolean
  readonly isPublic: boolean
  readonly createdAt: string
  readonly updatedAt: string
  readonly lastActivityAt: string
}

/** A note with the ids of the users to notify: its thread contains them, and the acting user is left out. */
interface NoteEvent {
  readonly note: Note
  readonly notify: readonly number[]
}

/** Events of this feature. */
export interface NotesEvents {
  'note.created': NoteEvent
  'note.updated': { readonly note: Note }
  'note.resolved': NoteEvent
  'note.deleted': { readonly note: Note }
  /** `notify` holds only users who were not mentioned before. */
  'note.mentioned': NoteEvent
}

export function toNote(row: StoredRecord): Note {
  const textOrNull = (field: string) => (typeof row[field] === 'string' ? row[field] : null)
  const text = (field: string) => textOrNull(field) ?? ''
  return {
    id: row.id,
    postId: Number(row['post_id']),
    elementId: text('element_id'),
    parentId: Number(row['parent_id']),
    authorId: Number(row['author_id']),
    authorName: text('author_name'),
    routePostId: typeof row['route_post_id'] === 'number' ? row['route_post_id'] : null,
    routeUrl: textOrNull('route_url'),
    routeTitle: textOrNull('route_title'),
    status: textOrNull('status') ?? 'publish',
    x: Number(row['x']),
    y: Number(row['y']),
    content: text('content'),
    isResolved: row['is_resolved'] === true,
    isPublic: row['is_public'] === true,
    createdAt: text('created_at'),
    updatedAt: text('updated_at'),
    lastActivityAt: text('last_activity_at'),
  }
}

export const isReply = ({ parentId }: Pick<Note, 'parentId'>) => parentId !== 0

/** ISO 8601 in UTC, to the second. */
export const timeOf = ({ clock }: Context['app']): string => `${new Date(clock()).toISOString().slice(0, 19)}+00:00`

export const isLive: Where = { not: { field: 'status', is: 'trash' } }

// ---------------------------------------------------------------- rights

export const capabilities = {
  create: 'create_notes_builder-pro',
  read: 'read_notes_builder-pro',
  edit: 'edit_notes_builder-pro',
  delete: 'delete_notes_builder-pro',
  editOthers: 'edit_others_notes_builder-pro',
  deleteOthers: 'delete_others_notes_builder-pro',
  readPrivate: 'read_others_private_notes_builder-pro',
} as const

/** The records that permissions on notes depend on, read for several notes together. */
export interface RelatedRecords {
  /** The existing posts that the notes refer to. */
  readonly posts: ReadonlyMap<number, Post>
  /** The threads of those notes that are replies. */
  readonly threads: ReadonlyMap<number, Note>
}

export const owns = (user: Actor, { authorId }: Pick<Note, 'authorId'>) => user.id !== 0 && user.id === authorId

export const mayReadPosts = (user: Actor, ids: readonly (number | null)[], { posts }: Pick<RelatedRecords, 'posts'>) =>
  ids.every((id) => {
    const post = posts.get(id ?? 0)
    return post === undefined || mayReadPost(user, post)
  })

/**
 * Every permission on a note requires this. Choice: a reply is as private as its thread, and users cannot edit or
 * delete notes that they may not see.
 */
export function maySee(user: Actor, note: Note, related: RelatedRecords): boolean {
  if (!mayReadPosts(user, [note.postId, note.routePostId], related)) return false
  if (owns(user, note) || user.can(capabilities.readPrivate)) return true
  const thread = related.threads.get(note.parentId)
  return note.isPublic && (thread === undefined || thread.isPublic || owns(user, thread))
}

export const mayRead = (user: Actor, note: Note, related: RelatedRecords) =>
  user.can(capabilities.read) && maySee(user, note, related)

export const mayReply = (user: Actor, thread: Note, related: RelatedRecords) =>
  user.can(capabilities.create) && maySee(user, thread, related)

export const mayEdit = (user: Actor, note: Note, related: RelatedRecords) =>
  user.can(capabilities.edit) && maySee(user, note, related) && (owns(user, note) || user.can(capabilities.editOthers))

export const mayDelete = (user: Actor, note: Note, related: RelatedRecords) =>
  user.can(capabilities.delete) &&
  maySee(user, note, related) &&
  (owns(user, note) || user.can(capabilities.deleteOthers))

// ---------------------------------------------------------------- changes of posts

/** Changed posts, by kind of change. */
interface PostsChange {
  readonly trashed?: readonly number[]
  readonly restored?: readonly number[]
  readonly deleted?: readonly number[]
  /** Finds the builder elements of saved posts, as the JSON text in their meta. */
  readonly saved?: readonly { readonly post: number; readonly elements: string }[]
}

type NoteWriteContext = Pick<Context, 'storage' | 'app' | 'emit'>

/** Trashes, restores and removes the notes of changed posts. Runs in the transaction of the change. */
export async function updateNotesOfPosts(
  context: NoteWriteContext,
  { trashed, restored, deleted, saved }: PostsChange,
): Promise<void> {
  if (trashed?.length) {
    await updateStatuses(context, trashed, isLive, { status: 'trash', trashed_with_post: true })
  }
  if (restored?.length) {
    // Interface: restored notes are published.
    // Choice: only notes that were trashed with their post are restored with it.
    const trashedWithPost: Where = { field: 'trashed_with_post', is: true }
    await updateStatuses(context, restored, trashedWithPost, { status: 'publish', trashed_with_post: false })
  }
  if (deleted?.length) await removeNotes(context, await readNotesOfPosts(context, deleted))
  if (saved?.length) {
    const elementsByPost = new Map(saved.map(({ post, elements }) => [post, elementIds(elements)]))
    const notes = await readNotesOfPosts(context, [...elementsByPost.keys()])
    const isOrphan = ({ postId, elementId }: Note) => elementsByPost.get(postId)?.has(elementId) === false
    await removeNotes(context, notes.filter(isOrphan))
  }
}

async function readNotesOfPosts(
  { storage }: NoteWriteContext,
  posts: readonly number[],
  condition?: Where,
): Promise<Note[]> {
  const ofPosts: Where = { field: 'post_id', in: posts }
  const where = condition ? { every: [ofPosts, condition] } : ofPosts
  const { rows } = await storage.records.query(notesCollection, { where })
  return rows.map(toNote)
}

async function updateStatuses(
  context: NoteWriteContext,
  posts: readonly number[],
  condition: Where,
  status: RecordValues,
): Promise<void> {
  const changes = { ...status, updated_at: timeOf(context.app) }
  const notes = await readNotesOfPosts(context, posts, condition)
  await context.storage.records.update(
    notesCollection,
    notes.map(({ id }) => ({ id, changes })),
  )
}

/** Removes notes permanently, with their replies and receipts. */
export async function removeNotes({ storage, emit }: NoteWriteContext, notes: readonly Note[]): Promise<void> {
  if (notes.length === 0) return
  const notesAndReplies: Where = {
    some: [
      { field: 'id', in: notes.map(({ id }) => id) },
      { field: 'parent_id', in: notes.map(({ id }) => id) },
    ],
  }
  const { rows } = await storage.records.query(notesCollection, { where: notesAndReplies })
  const ids = rows.map(({ id }) => id)
  for (const row of rows) emit('note.deleted', { note: toNote(row) })
  await storage.records.remove(receiptsCollection, { field: 'note', in: ids })
  await storage.records.remove(notesCollection, { field: 'id', in: ids })
}

/** The ids of all elements at any depth. Undefined when the text is not a list of elements. */
function elementIds(json: string): ReadonlySet<unknown> | undefined {
  const elements = elementsOf(json)
  return elements && new Set([...walk(elements)].map(({ id }) => id))
}

/** Two reads for any number of notes. `morePosts`: further posts to read; null entries are skipped. */
export async function readRelatedRecords(
  storage: Storage,
  notes: readonly Note[],
  morePosts: readonly (number | null)[] = [],
): Promise<RelatedRecords> {
  const parentIds = [...new Set(notes.filter(isReply).map(({ parentId }) => parentId))]
  const postIds = [...notes.flatMap(({ postId, routePostId }) => [postId, routePostId]), ...morePosts]
  const [posts, { rows }] = await Promise.all([
    storage.posts.read([...new Set(postIds.filter((id) => id !== null))]),
    storage.records.query(notesCollection, { where: { field: 'id', in: parentIds } }),
  ])
  return {
    posts: new Map(posts.map((post) => [post.id, post])),
    threads: new Map(rows.map(toNote).map((note) => [note.id, note])),
  }
}
