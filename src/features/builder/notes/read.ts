/** Reads notes for lists, summaries and single views. The number of storage reads does not grow with the notes. */

import type { Storage, User, Where } from '../../../contract/storage.ts'
import type { Actor } from '../../../core/declare/actor.ts'
import type { Context } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { storedState } from '../../../core/pipeline/etag.ts'
import { templateTypeKey } from '../../shared/elements.ts'
import type { NoteFilters } from './args.ts'
import { cleanRouteUrl } from './cleaning.ts'
import {
  capabilities,
  isLive,
  isReply,
  mayDelete,
  mayEdit,
  maySee,
  type Note,
  notesCollection,
  owns,
  type RelatedRecords,
  readRelatedRecords,
  toNote,
} from './model.ts'
import { type NoteReceipt, readReceipts } from './read-receipts.ts'
import { type DocumentView, documentView, noteView, userViews } from './view.ts'

type ReadContext = Pick<Context, 'storage' | 'user' | 'settings'>

/** A note outside the trash, with the records that its permissions depend on. */
export interface NoteResource {
  readonly note: Note
  readonly related: RelatedRecords
}

/** Choice: an unknown note and a note in the trash are 404 for every user, before the permission check. */
export const noSuchNote = () => new ApiError('not-found', 'There is no such note.', 404)

/** The resource of the routes of one note. Throws 404 for an unknown note. */
interface FindContext {
  readonly args: { readonly id: number }
  readonly storage: Storage
}

export async function findNote({ args, storage }: FindContext): Promise<NoteResource> {
  const [note] = await readLiveNotes(storage, [args.id])
  if (!note) throw noSuchNote()
  return { note, related: await readRelatedRecords(storage, [note]) }
}

/** For conditions. Without the time of the last activity: a reply fails no save of its thread. */
export async function storedNote({ args, storage }: FindContext) {
  const [note] = await readLiveNotes(storage, [args.id])
  return storedState(note && { ...note, lastActivityAt: null })
}

/** The notes with these ids that are not in the trash. */
export async function readLiveNotes(storage: Storage, ids: readonly number[]): Promise<Note[]> {
  const where: Where = { every: [{ field: 'id', in: ids }, isLive] }
  const { rows } = await storage.records.query(notesCollection, { where })
  return rows.map(toNote)
}

/** The replies in these threads, oldest first. */
export async function readReplies(storage: Storage, threads: readonly Note[]): Promise<Note[]> {
  const parents = threads.filter((note) => !isReply(note)).map(({ id }) => id)
  const where: Where = { every: [{ field: 'parent_id', in: parents }, isLive] }
  const order = [{ by: 'created_at' }, { by: 'id' }]
  const { rows } = await storage.records.query(notesCollection, { where, order })
  return rows.map(toNote)
}

export async function readUsers(storage: Storage, ids: readonly number[]): Promise<User[]> {
  const unique = [...new Set(ids)]
  const order = { by: 'id', descending: false } as const
  const { rows } = await storage.users.query({ ids: unique, order, offset: 0, limit: unique.length })
  return rows
}

// ---------------------------------------------------------------- several notes

interface NoteList {
  /** The notes that match the filters and that the user may see, in order. */
  readonly notes: readonly Note[]
  /** The visible replies, by thread. */
  readonly replies: ReadonlyMap<number, readonly Note[]>
  readonly isRead: (note: Note) => boolean
}

async function queryNotes({ storage, user }: ReadContext, filters: NoteFilters): Promise<NoteList> {
  const descending = filters.order === 'desc'
  const { rows } = await storage.records.query(notesCollection, {
    where: toWhere(filters, user),
    order: [
      { by: filters.order_by, descending },
      { by: 'id', descending },
    ],
  })
  const candidates = rows.map(toNote)
  const allReplies = await readReplies(storage, candidates)
  const related = await readRelatedRecords(storage, [...candidates, ...allReplies])
  const ids = new Set([...candidates, ...allReplies].map(({ id }) => id))
  const { isRead, isMentioned } = statusOf(await readReceipts(storage, [...ids], user.id))
  const replies = Map.groupBy(
    allReplies.filter((note) => maySee(user, note, related)),
    ({ parentId }) => parentId,
  )
  const withReplies = (note: Note) => [note, ...(replies.get(note.id) ?? [])]
  const isRelevant = (note: Note) => owns(user, note) || isMentioned(note)
  const isListed = (note: Note) =>
    maySee(user, note, related) &&
    (!filters.only_unread || !withReplies(note).every(isRead)) &&
    (!filters.only_relevant || withReplies(note).some(isRelevant))
  return { notes: candidates.filter(isListed), replies, isRead }
}

function toWhere(filters: NoteFilters, user: Actor): Where {
  const every: Where[] = [{ field: 'status', is: filters.status }]
  const isOwn: Where = { field: 'author_id', is: user.id }
  if (!user.can(capabilities.readPrivate)) every.push({ some: [{ field: 'is_public', is: true }, isOwn] })
  if (filters.route_url !== undefined) {
    every.push({ field: 'route_url', is: cleanRouteUrl(filters.route_url) ?? null })
  }
  if (filters.is_resolved !== undefined) every.push({ field: 'is_resolved', is: filters.is_resolved })
  if (filters.parent_id !== undefined) every.push({ field: 'parent_id', is: filters.parent_id })
  if (filters.post_id !== undefined) every.push({ field: 'post_id', is: filters.post_id })
  return { every }
}

/** Looks up read status and mentions in receipts of one user. */
function statusOf(receipts: readonly NoteReceipt[]) {
  const notesWith = (kind: NoteReceipt['kind']) =>
    new Set(receipts.filter((receipt) => receipt.kind === kind).map(({ note }) => note))
  const [read, mentioned] = [notesWith('read'), notesWith('mention')]
  return { isRead: ({ id }: Note) => read.has(id), isMentioned: ({ id }: Note) => mentioned.has(id) }
}

export async function listNotes(context: ReadContext, filters: NoteFilters) {
  const { notes, replies, isRead } = await queryNotes(context, filters)
  const authors = await readUsers(
    context.storage,
    notes.map(({ authorId }) => authorId),
  )
  const users = userViews(authors, context.settings)
  return notes.map((note) => noteView(note, { users, isRead: isRead(note), ...countsOf(replies.get(note.id), isRead) }))
}

/** Choice: replies in the trash are not counted, because no user can read them. */
const countsOf = (replies: readonly Note[] = [], isRead: (note: Note) => boolean) => ({
  repliesCount: replies.length,
  unreadRepliesCount: replies.filter((reply) => !isRead(reply)).length,
})

/** The pages that have notes, in the order of their first note. */
export async function summarizeNotes(context: ReadContext, filters: NoteFilters) {
  const { notes } = await queryNotes(context, filters)
  const { origin } = new URL(context.settings.home)
  return [...Map.groupBy(notes, ({ routeUrl }) => routeUrl)].map(([url, onPage]) => ({
    url,
    full_url: `${origin}${url ?? ''}`,
    title: onPage.find(({ routeTitle }) => routeTitle !== null)?.routeTitle ?? null,
    notes_count: onPage.length,
  }))
}

// ---------------------------------------------------------------- one note

/** The full view of a note: replies, readers, document, and what the caller may do with each note. */
export async function readNoteView({ storage, user, settings }: ReadContext, { note, related }: NoteResource) {
  const allReplies = await readReplies(storage, [note])
  const relatedOfReplies = await readRelatedRecords(storage, allReplies)
  const replies = allReplies.filter((reply) => maySee(user, reply, relatedOfReplies))
  const receipts = await readReceipts(
    storage,
    [note, ...replies].map(({ id }) => id),
  )
  const { isRead } = statusOf(receipts.filter((receipt) => receipt.user === user.id))
  const readerIds = receipts.filter(({ note: id, kind }) => id === note.id && kind === 'read').map((one) => one.user)
  const authorIds = [note, ...replies].map(({ authorId }) => authorId)
  const users = userViews(await readUsers(storage, [...authorIds, ...readerIds]), settings)
  return noteView(note, {
    users,
    isRead: isRead(note),
    replies: replies.map((reply) =>
      noteView(reply, { users, isRead: isRead(reply), userCan: userCan(user, reply, relatedOfReplies) }),
    ),
    ...countsOf(replies, isRead),
    readers: readerIds.flatMap((id) => users.get(id) ?? []),
    document: await readDocumentView(storage, note, related),
    userCan: userCan(user, note, related),
  })
}

const userCan = (user: Actor, note: Note, related: RelatedRecords) => ({
  edit: mayEdit(user, note, related),
  delete: mayDelete(user, note, related),
})

async function readDocumentView(
  storage: Storage,
  { postId }: Note,
  { posts }: RelatedRecords,
): Promise<DocumentView | null> {
  if (!posts.has(postId)) return null
  const [entry] = await storage.meta.read('post', [postId], [templateTypeKey])
  return documentView(postId, typeof entry?.value === 'string' ? entry.value : '')
}

/** The view that a write responds with: without the members that only a single note's route fills. */
export async function readWrittenView(
  { storage, settings }: ReadContext,
  note: Note,
  details: { readonly isRead: boolean; readonly repliesCount?: number; readonly unreadRepliesCount?: number },
) {
  const users = await readUsers(storage, [note.authorId])
  return noteView(note, { users: userViews(users, settings), ...details })
}

/** Reads the status of a note and its reply counts for the caller. */
export async function readCounts({ storage, user }: ReadContext, note: Note) {
  const allReplies = await readReplies(storage, [note])
  const ids = [note, ...allReplies].map(({ id }) => id)
  const [related, receipts] = await Promise.all([
    readRelatedRecords(storage, allReplies),
    readReceipts(storage, ids, user.id),
  ])
  const { isRead } = statusOf(receipts)
  const replies = allReplies.filter((reply) => maySee(user, reply, related))
  return { isRead: isRead(note), ...countsOf(replies, isRead) }
}
