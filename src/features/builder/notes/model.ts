/** What a note is, who may do what with it, and how notes follow the posts they lie on. */

import type { Actor } from '../../../core/declare/actor.ts'
import type { Context } from '../../../core/declare/context.ts'
import type { PersistedCollection } from '../../../core/declare/feature.ts'
import { andThen, type MaybePromise, sequence } from '../../../core/runtime/maybe-promise.ts'
import type { Collection, Post, RecordValues, Storage, StoredRecord, Where } from '../../../storage/contract.ts'
import { mayReadPost } from '../../content/posts/model.ts'

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

/** Who read a note, and who is mentioned in it. */
export const marksCollection: Collection = {
  name: 'note_marks',
  fields: { note: 'integer', user: 'integer', kind: 'text' },
  indexed: ['note', 'user'],
  unique: [['note', 'user', 'kind']],
}

export const keptCollections: readonly PersistedCollection[] = [
  {
    collection: notesCollection,
    references: { post_id: 'post', route_post_id: 'post', parent_id: 'notes', author_id: 'user' },
  },
  { collection: marksCollection, references: { note: 'notes', user: 'user' } },
]

export interface Note {
  readonly id: number
  readonly postId: number
  readonly elementId: string
  /** 0: a thread; anything else: a reply in it. */
  readonly parentId: number
  readonly authorId: number
  /** Kept for the day when the account is gone. */
  readonly authorName: string
  readonly routePostId: number | null
  readonly routeUrl: string | null
  readonly routeTitle: string | null
  readonly status: string
  readonly x: number
  readonly y: number
  /** With HTML entities encoded. */
  readonly content: string
  readonly isResolved: boolean
  readonly isPublic: boolean
  readonly createdAt: string
  readonly updatedAt: string
  readonly lastActivityAt: string
}

/** A note with the users to tell about it: those of its thread, never the one who acted. */
interface NoteEvent {
  readonly note: Note
  readonly notify: readonly number[]
}

/** What it tells listeners. */
export interface NotesEvents {
  'note.created': NoteEvent
  'note.updated': { readonly note: Note }
  'note.resolved': NoteEvent
  'note.deleted': { readonly note: Note }
  /** `notify` are those who were not mentioned before. */
  'note.mentioned': NoteEvent
}

declare module '../../../core/declare/events.ts' {
  interface EventPayloads extends NotesEvents {}
}

export function toNote(row: StoredRecord): Note {
  const text = (field: string) => (typeof row[field] === 'string' ? row[field] : null)
  return {
    id: row.id,
    postId: Number(row['post_id']),
    elementId: text('element_id') ?? '',
    parentId: Number(row['parent_id']),
    authorId: Number(row['author_id']),
    authorName: text('author_name') ?? '',
    routePostId: typeof row['route_post_id'] === 'number' ? row['route_post_id'] : null,
    routeUrl: text('route_url'),
    routeTitle: text('route_title'),
    status: text('status') ?? 'publish',
    x: Number(row['x']),
    y: Number(row['y']),
    content: text('content') ?? '',
    isResolved: row['is_resolved'] === true,
    isPublic: row['is_public'] === true,
    createdAt: text('created_at') ?? '',
    updatedAt: text('updated_at') ?? '',
    lastActivityAt: text('last_activity_at') ?? '',
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

/** What the rights on notes depend on, read for all of them at once. */
export interface Surroundings {
  /** The posts that the notes name, as far as they exist. */
  readonly posts: ReadonlyMap<number, Post>
  /** The threads of the replies among them. */
  readonly threads: ReadonlyMap<number, Note>
}

export const owns = (user: Actor, { authorId }: Pick<Note, 'authorId'>) => user.id !== 0 && user.id === authorId

export const mayReadPosts = (user: Actor, ids: readonly (number | null)[], { posts }: Pick<Surroundings, 'posts'>) =>
  ids.every((id) => {
    const post = id === null ? undefined : posts.get(id)
    return post === undefined || mayReadPost(user, post)
  })

/**
 * Whether a note is there for this user, whatever is to be done with it. Choice: a reply is as private as its thread,
 * and nobody edits or deletes what they may not see.
 */
export function maySee(user: Actor, note: Note, around: Surroundings): boolean {
  if (!mayReadPosts(user, [note.postId, note.routePostId], around)) return false
  if (owns(user, note) || user.can(capabilities.readPrivate)) return true
  const thread = around.threads.get(note.parentId)
  return note.isPublic && (thread === undefined || thread.isPublic || owns(user, thread))
}

export const mayRead = (user: Actor, note: Note, around: Surroundings) =>
  user.can(capabilities.read) && maySee(user, note, around)

export const mayReply = (user: Actor, thread: Note, around: Surroundings) =>
  user.can(capabilities.create) && maySee(user, thread, around)

export const mayEdit = (user: Actor, note: Note, around: Surroundings) =>
  user.can(capabilities.edit) && maySee(user, note, around) && (owns(user, note) || user.can(capabilities.editOthers))

export const mayDelete = (user: Actor, note: Note, around: Surroundings) =>
  user.can(capabilities.delete) &&
  maySee(user, note, around) &&
  (owns(user, note) || user.can(capabilities.deleteOthers))

// ---------------------------------------------------------------- following posts

/** What happened to posts, by id. */
export interface PostsChange {
  readonly trashed?: readonly number[]
  readonly restored?: readonly number[]
  readonly deleted?: readonly number[]
  /** The builder's elements of posts that were saved, as the JSON text in their meta. */
  readonly saved?: readonly { readonly post: number; readonly elements: string }[]
}

type Follower = Pick<Context, 'storage' | 'app' | 'emit'>

/** Keeps notes with their posts. Called by whoever changes posts, in the same transaction. */
export function followPosts(
  context: Follower,
  { trashed, restored, deleted, saved }: PostsChange,
): MaybePromise<unknown> {
  const steps: (() => MaybePromise<unknown>)[] = []
  if (trashed?.length) {
    steps.push(() => setStatuses(context, trashed, isLive, { status: 'trash', trashed_with_post: true }))
  }
  if (restored?.length) {
    // Interface: they come back published. Choice: only those that went with the post.
    const gone: Where = { field: 'trashed_with_post', is: true }
    steps.push(() => setStatuses(context, restored, gone, { status: 'publish', trashed_with_post: false }))
  }
  if (deleted?.length) steps.push(() => andThen(notesOn(context, deleted), (notes) => removeNotes(context, notes)))
  if (saved?.length) {
    const elements = new Map(saved.map((one) => [one.post, elementIds(one.elements)]))
    const isLost = ({ postId, elementId }: Note) => elements.get(postId)?.has(elementId) === false
    steps.push(() =>
      andThen(notesOn(context, [...elements.keys()]), (notes) => removeNotes(context, notes.filter(isLost))),
    )
  }
  return sequence(steps, (step) => step())
}

function notesOn({ storage }: Follower, posts: readonly number[], where?: Where): MaybePromise<Note[]> {
  const onPosts: Where = { field: 'post_id', in: posts }
  const found = storage.records.query(notesCollection, { where: where ? { every: [onPosts, where] } : onPosts })
  return andThen(found, ({ rows }) => rows.map(toNote))
}

function setStatuses(context: Follower, posts: readonly number[], where: Where, status: RecordValues) {
  const changes = { ...status, updated_at: timeOf(context.app) }
  return andThen(notesOn(context, posts, where), (notes) =>
    context.storage.records.update(
      notesCollection,
      notes.map(({ id }) => ({ id, changes })),
    ),
  )
}

/** For good, with their replies and marks. */
export function removeNotes({ storage, emit }: Follower, notes: readonly Note[]): MaybePromise<unknown> {
  if (notes.length === 0) return undefined
  const family: Where = {
    some: [
      { field: 'id', in: notes.map(({ id }) => id) },
      { field: 'parent_id', in: notes.map(({ id }) => id) },
    ],
  }
  return andThen(storage.records.query(notesCollection, { where: family }), ({ rows }) => {
    const ids = rows.map(({ id }) => id)
    for (const row of rows) emit('note.deleted', { note: toNote(row) })
    return andThen(storage.records.remove(marksCollection, { field: 'note', in: ids }), () =>
      storage.records.remove(notesCollection, { field: 'id', in: ids }),
    )
  })
}

/** The ids of all elements, however deep; undefined for a text that holds no elements: then nothing is known. */
function elementIds(json: string): ReadonlySet<string> | undefined {
  let elements: unknown
  try {
    elements = JSON.parse(json)
  } catch {
    return undefined
  }
  if (!Array.isArray(elements)) return undefined
  const ids = new Set<string>()
  const waiting: unknown[] = [...elements]
  while (waiting.length > 0) {
    const element = waiting.pop() as { id?: unknown; elements?: unknown } | null | undefined
    if (typeof element?.id === 'string') ids.add(element.id)
    if (Array.isArray(element?.elements)) for (const inner of element.elements) waiting.push(inner)
  }
  return ids
}

/** The threads of replies and the posts of notes: two reads, however many notes. */
export function readSurroundings(
  storage: Storage,
  notes: readonly Note[],
  morePosts: readonly (number | null)[] = [],
): MaybePromise<Surroundings> {
  const parents = [...new Set(notes.filter(isReply).map(({ parentId }) => parentId))]
  const ids = [...notes.flatMap(({ postId, routePostId }) => [postId, routePostId]), ...morePosts]
  const posts = storage.posts.read([...new Set(ids.filter((id) => id !== null))])
  const threads = storage.records.query(notesCollection, { where: { field: 'id', in: parents } })
  return andThen(posts, (foundPosts) =>
    andThen(threads, ({ rows }) => ({
      posts: new Map(foundPosts.map((post) => [post.id, post])),
      threads: new Map(rows.map(toNote).map((note) => [note.id, note])),
    })),
  )
}
