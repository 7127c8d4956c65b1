/** Reading notes: the same number of reads for ten and for a hundred of them. */

import type { Actor } from '../../../core/declare/actor.ts'
import type { Context } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { all, andThen, type MaybePromise } from '../../../core/runtime/maybe-promise.ts'
import type { Storage, User, Where } from '../../../storage/contract.ts'
import type { Filters } from './args.ts'
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
  readSurroundings,
  type Surroundings,
  toNote,
} from './model.ts'
import { type Mark, readMarks } from './read-receipts.ts'
import { type DocumentView, documentView, noteView, userRecords } from './view.ts'

type Reader = Pick<Context, 'storage' | 'user' | 'settings'>

/** A note that can be addressed, with what the rights on it depend on. */
export interface FoundNote {
  readonly note: Note
  readonly around: Surroundings
}

/** Choice: an unknown note and one in the trash are 404 for everybody, before any permission. */
export const noSuchNote = () => new ApiError('not-found', 'There is no such note.', 404)

/** The subject of the routes of one note. */
export async function findNote({
  args,
  storage,
}: {
  readonly args: { readonly id: number }
  readonly storage: Storage
}) {
  const [note] = await liveNotes(storage, [args.id])
  if (!note) throw noSuchNote()
  const found: FoundNote = { note, around: await readSurroundings(storage, [note]) }
  return found
}

export function liveNotes(storage: Storage, ids: readonly number[]): MaybePromise<Note[]> {
  const where: Where = { every: [{ field: 'id', in: ids }, isLive] }
  return andThen(storage.records.query(notesCollection, { where }), ({ rows }) => rows.map(toNote))
}

/** Oldest first. */
export function repliesTo(storage: Storage, threads: readonly Note[]): MaybePromise<Note[]> {
  const parents = threads.filter((note) => !isReply(note)).map(({ id }) => id)
  const where: Where = { every: [{ field: 'parent_id', in: parents }, isLive] }
  const order = [{ by: 'created_at' }, { by: 'id' }]
  return andThen(storage.records.query(notesCollection, { where, order }), ({ rows }) => rows.map(toNote))
}

export function readUsers(storage: Storage, ids: readonly number[]): MaybePromise<User[]> {
  const unique = [...new Set(ids)]
  const order = { by: 'id', descending: false } as const
  return andThen(storage.users.query({ ids: unique, order, offset: 0, limit: unique.length }), ({ rows }) => rows)
}

// ---------------------------------------------------------------- several notes

interface Listed {
  /** Those that the caller may see and asked for, in order. */
  readonly notes: readonly Note[]
  /** The visible replies, by thread. */
  readonly replies: ReadonlyMap<number, readonly Note[]>
  readonly isRead: (note: Note) => boolean
}

async function findNotes({ storage, user }: Reader, filters: Filters): Promise<Listed> {
  const descending = filters.order === 'desc'
  const { rows } = await storage.records.query(notesCollection, {
    where: toWhere(filters, user),
    order: [
      { by: filters.order_by, descending },
      { by: 'id', descending },
    ],
  })
  const found = rows.map(toNote)
  const answers = await repliesTo(storage, found)
  const around = await readSurroundings(storage, [...found, ...answers])
  const ids = new Set([...found, ...answers].map(({ id }) => id))
  const { isRead, isMentioned } = marksOf(await readMarks(storage, [...ids], user.id))
  const replies = Map.groupBy(
    answers.filter((note) => maySee(user, note, around)),
    ({ parentId }) => parentId,
  )
  const withReplies = (note: Note) => [note, ...(replies.get(note.id) ?? [])]
  const isWanted = (note: Note) =>
    maySee(user, note, around) &&
    (!filters.only_unread || !withReplies(note).every(isRead)) &&
    (!filters.only_relevant || withReplies(note).some((one) => owns(user, one) || isMentioned(one)))
  return { notes: found.filter(isWanted), replies, isRead }
}

function toWhere(filters: Filters, user: Actor): Where {
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

function marksOf(marks: readonly Mark[]) {
  const notesWith = (kind: Mark['kind']) => new Set(marks.filter((mark) => mark.kind === kind).map(({ note }) => note))
  const [read, mentioned] = [notesWith('read'), notesWith('mention')]
  return { isRead: ({ id }: Note) => read.has(id), isMentioned: ({ id }: Note) => mentioned.has(id) }
}

export async function listNotes(context: Reader, filters: Filters) {
  const { notes, replies, isRead } = await findNotes(context, filters)
  const authors = await readUsers(
    context.storage,
    notes.map(({ authorId }) => authorId),
  )
  const users = userRecords(authors, context.settings)
  return notes.map((note) => noteView(note, { users, isRead: isRead(note), ...countsOf(replies.get(note.id), isRead) }))
}

/** Choice: replies in the trash are not counted: nobody could ever read them. */
const countsOf = (replies: readonly Note[] = [], isRead: (note: Note) => boolean) => ({
  repliesCount: replies.length,
  unreadRepliesCount: replies.filter((reply) => !isRead(reply)).length,
})

/** The pages that have notes, in the order of their first note. */
export async function summarizeNotes(context: Reader, filters: Filters) {
  const { notes } = await findNotes(context, filters)
  const { origin } = new URL(context.settings.home)
  return [...Map.groupBy(notes, ({ routeUrl }) => routeUrl)].map(([url, onPage]) => ({
    url,
    full_url: `${origin}${url ?? ''}`,
    title: onPage.find(({ routeTitle }) => routeTitle !== null)?.routeTitle ?? null,
    notes_count: onPage.length,
  }))
}

// ---------------------------------------------------------------- one note

/** With its replies, its readers and what the caller may do with each. */
export async function showNote({ storage, user, settings }: Reader, { note, around }: FoundNote) {
  const answers = await repliesTo(storage, [note])
  const nearby = await readSurroundings(storage, answers)
  const replies = answers.filter((reply) => maySee(user, reply, nearby))
  const marks = await readMarks(
    storage,
    [note, ...replies].map(({ id }) => id),
  )
  const { isRead } = marksOf(marks.filter((mark) => mark.user === user.id))
  const readers = marks.filter((mark) => mark.note === note.id && mark.kind === 'read').map((mark) => mark.user)
  const known = await readUsers(storage, [...[note, ...replies].map(({ authorId }) => authorId), ...readers])
  const users = userRecords(known, settings)
  return noteView(note, {
    users,
    isRead: isRead(note),
    replies: replies.map((reply) =>
      noteView(reply, { users, isRead: isRead(reply), userCan: userCan(user, reply, nearby) }),
    ),
    ...countsOf(replies, isRead),
    readers: readers.flatMap((id) => users.get(id) ?? []),
    document: await readDocument(storage, note, around),
    userCan: userCan(user, note, around),
  })
}

const userCan = (user: Actor, note: Note, around: Surroundings) => ({
  edit: mayEdit(user, note, around),
  delete: mayDelete(user, note, around),
})

function readDocument(storage: Storage, { postId }: Note, { posts }: Surroundings): MaybePromise<DocumentView | null> {
  if (!posts.has(postId)) return null
  return andThen(storage.meta.read('post', [postId], ['_builder_template_type']), ([entry]) =>
    documentView(postId, typeof entry?.value === 'string' ? entry.value : ''),
  )
}

/** A note as it stands after a write: without what only the route of a single note shows. */
export function writtenView(
  { storage, settings }: Reader,
  note: Note,
  extras: { readonly isRead: boolean; readonly repliesCount?: number; readonly unreadRepliesCount?: number },
) {
  return andThen(readUsers(storage, [note.authorId]), (users) =>
    noteView(note, { users: userRecords(users, settings), ...extras }),
  )
}

/** The counts that a note is shown with after a change. */
export function readCounts({ storage, user }: Reader, note: Note) {
  return andThen(repliesTo(storage, [note]), (answers) =>
    andThen(
      all([
        readSurroundings(storage, answers),
        readMarks(
          storage,
          [note, ...answers].map(({ id }) => id),
          user.id,
        ),
      ]),
      ([around, marks]) => {
        const { isRead } = marksOf(marks)
        const replies = answers.filter((reply) => maySee(user, reply, around))
        return { isRead: isRead(note), ...countsOf(replies, isRead) }
      },
    ),
  )
}
