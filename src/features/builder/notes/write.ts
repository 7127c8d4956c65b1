/** Creates, changes and deletes notes, and emits their events. */

import type { RecordValues, Storage } from '../../../contract/storage.ts'
import { actorOf } from '../../../core/declare/actor.ts'
import type { ArgValues } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { type ApiError, invalidArguments } from '../../../core/declare/errors.ts'
import { warn } from '../../../core/declare/result.ts'
import { editModeKey } from '../../shared/elements.ts'
import { type createArgs, toRoutePost, type updateArgs } from './args.ts'
import { cleanContent, cleanRouteUrl, cleanTitle } from './cleaning.ts'
import {
  isReply,
  mayRead,
  type Note,
  notesCollection,
  type RelatedRecords,
  readRelatedRecords,
  receiptsCollection,
  removeNotes,
  timeOf,
  toNote,
} from './model.ts'
import { type NoteResource, noSuchNote, readLiveNotes, readReplies, readUsers } from './read.ts'
import { addReceipts, readReceipts, removeReceipts } from './read-receipts.ts'

type CreateArgs = ArgValues<typeof createArgs>
type UpdateArgs = ArgValues<typeof updateArgs>
type WriteContext = Pick<Context, 'storage' | 'user' | 'settings' | 'app' | 'emit' | 'warnings'>

const invalid = (name: string, problem: string): ApiError => invalidArguments(new Map([[name, problem]]))

// ---------------------------------------------------------------- creating

/** The thread that a new note replies to, if any, with the records that permissions depend on. */
export interface CreateResource {
  readonly thread: Note | undefined
  readonly related: RelatedRecords
}

/** The resource of the create route. Throws 404 for an unknown thread. */
export async function findCreateResource({
  args,
  storage,
}: {
  readonly args: CreateArgs
  readonly storage: Storage
}): Promise<CreateResource> {
  const parent = args.parent_id ?? 0
  const [thread] = parent === 0 ? [] : await readLiveNotes(storage, [parent])
  if (parent !== 0 && !thread) throw noSuchNote()
  const posts = [args.post_id ?? null, toRoutePost(args.route_post_id) ?? null]
  return { thread, related: await readRelatedRecords(storage, thread ? [thread] : [], posts) }
}

export async function createNote(
  context: WriteContext & { readonly args: CreateArgs; readonly resource: CreateResource },
): Promise<Note> {
  const { args, storage, user, app } = context
  const { thread, related } = context.resource
  const routePost = toRoutePost(args.route_post_id) ?? null
  await checkDocuments(storage, { post_id: args.post_id, route_post_id: routePost }, related)
  if (thread) checkThread(thread, args)
  const now = timeOf(app)
  const values = {
    post_id: args.post_id,
    element_id: args.element_id.trim(),
    parent_id: args.parent_id,
    author_id: user.id,
    author_name: user.user?.displayName ?? '',
    route_post_id: routePost,
    route_url: args.route_url === undefined ? null : (cleanRouteUrl(args.route_url) ?? null),
    route_title: args.route_title === undefined ? null : cleanTitle(args.route_title),
    status: args.status,
    trashed_with_post: false,
    x: args.position.x,
    y: args.position.y,
    content: cleanContent(args.content),
    is_resolved: false,
    is_public: args.is_public ?? true,
    created_at: now,
    updated_at: now,
    last_activity_at: now,
  }
  const [id = 0] = await storage.records.insert(notesCollection, [values])
  const note = toNote({ id, ...values })
  const mentioned = await readMentioned(context, args.mentioned_usernames)
  await addReceipts(storage, [
    { note: id, user: user.id, kind: 'read' },
    ...mentioned.map((userId) => ({ note: id, user: userId, kind: 'mention' as const })),
  ])
  if (thread) await storage.records.update(notesCollection, [{ id: thread.id, changes: { last_activity_at: now } }])
  const participants = thread ? await readParticipants(storage, thread) : []
  await emitNoteEvents(context, note, {
    'note.created': participants.filter((userId) => !mentioned.includes(userId)),
    'note.mentioned': mentioned,
  })
  return note
}

/** Throws 400 for each argument that names a post other than a live builder document. */
async function checkDocuments(
  storage: Storage,
  postIds: { readonly [argument: string]: number | null },
  { posts }: RelatedRecords,
): Promise<void> {
  const live = [...posts.values()].filter(({ status, type }) => status !== 'trash' && type !== 'revision')
  const modes = await storage.meta.read(
    'post',
    live.map(({ id }) => id),
    [editModeKey],
  )
  const documents = new Set(modes.filter(({ value }) => value === 'builder').map(({ id }) => id))
  const wrong = Object.entries(postIds).filter(([, id]) => id !== null && !documents.has(id))
  if (wrong.length > 0) throw invalidArguments(new Map(wrong.map(([name]) => [name, 'This is no builder document.'])))
}

function checkThread(thread: Note, args: CreateArgs): void {
  if (isReply(thread)) throw invalid('parent_id', 'A reply cannot be replied to.')
  if (thread.postId !== args.post_id) throw invalid('parent_id', 'The thread lies on another post.')
  if (args.is_public !== undefined) throw invalid('is_public', 'A reply is as public as its thread.')
}

// ---------------------------------------------------------------- changing

export async function updateNote(
  context: WriteContext & { readonly args: UpdateArgs; readonly resource: NoteResource },
): Promise<Note> {
  const { args, storage, app } = context
  const { note, related } = context.resource
  if (isReply(note)) {
    if (args.is_resolved !== undefined) throw invalid('is_resolved', 'Only a thread can be resolved.')
    if (args.is_public !== undefined) throw invalid('is_public', 'A reply is as public as its thread.')
  }
  if (args.is_resolved === note.isResolved) throw invalid('is_resolved', 'The note is in this state already.')
  const now = timeOf(app)
  const changes: RecordValues = {
    updated_at: now,
    ...(args.content === undefined ? {} : { content: cleanContent(args.content) }),
    ...(args.status === undefined ? {} : { status: args.status }),
    ...(args.is_public === undefined ? {} : { is_public: args.is_public }),
    ...(args.is_resolved === undefined ? {} : { is_resolved: args.is_resolved, last_activity_at: now }),
  }
  await storage.records.update(notesCollection, [{ id: note.id, changes }])
  const [updated] = await readLiveNotes(storage, [note.id])
  if (!updated) throw noSuchNote()
  const mentioned = args.mentioned_usernames ? await replaceMentions(context, note, args.mentioned_usernames) : []
  context.emit('note.updated', { note: updated })
  const resolved = args.is_resolved ? { 'note.resolved': await readParticipants(storage, updated) } : {}
  await emitNoteEvents(context, updated, { 'note.mentioned': mentioned, ...resolved }, related)
  return updated
}

/** Returns the ids of users who were not mentioned before. */
async function replaceMentions(context: WriteContext, { id }: Note, names: readonly string[]): Promise<number[]> {
  const { storage } = context
  const receipts = await readReceipts(storage, [id])
  const before = receipts.filter(({ kind }) => kind === 'mention').map(({ user }) => user)
  const after = await readMentioned(context, names)
  const removed = before.filter((userId) => !after.includes(userId))
  const added = after.filter((userId) => !before.includes(userId))
  await removeReceipts(storage, { notes: [id], users: removed, kind: 'mention' })
  await addReceipts(
    storage,
    added.map((user) => ({ note: id, user, kind: 'mention' })),
  )
  return added
}

/** The ids of the users with these slugs. Warns of slugs that no user has. */
async function readMentioned(context: WriteContext, names: readonly string[]): Promise<number[]> {
  if (names.length === 0) return []
  const slugs = [...new Set(names)]
  const order = { by: 'id', descending: false } as const
  const { rows } = await context.storage.users.query({ slugs, order, offset: 0, limit: slugs.length })
  const known = new Set(rows.map(({ slug }) => slug))
  for (const slug of slugs.filter((slug) => !known.has(slug))) warnOfMention(context, slug, `There is no user ${slug}.`)
  return rows.map(({ id }) => id)
}

/** Warns once for each mention. */
const warnOfMention = (context: WriteContext, slug: string, message: string) =>
  warn(context, { code: 'unread_mention', param: `mentioned_usernames.${slug}`, message })

// ---------------------------------------------------------------- deleting

/** Trashing a note leaves its replies unchanged; `force` removes them together with the note. */
export async function deleteNote(
  context: WriteContext & { readonly args: { readonly force: boolean }; readonly resource: NoteResource },
): Promise<void> {
  const { args, storage, app, emit } = context
  const { note } = context.resource
  if (args.force) {
    await removeNotes(context, [note])
    return
  }
  const changes = { status: 'trash', trashed_with_post: false, updated_at: timeOf(app) }
  await storage.records.update(notesCollection, [{ id: note.id, changes }])
  emit('note.deleted', { note })
}

// ---------------------------------------------------------------- events

/** Finds the authors in a thread and the users mentioned in it. */
async function readParticipants(storage: Storage, thread: Note): Promise<number[]> {
  const notes = [thread, ...(await readReplies(storage, [thread]))]
  const { rows } = await storage.records.query(receiptsCollection, {
    where: {
      every: [
        { field: 'note', in: notes.map(({ id }) => id) },
        { field: 'kind', is: 'mention' },
      ],
    },
  })
  return [...notes.map(({ authorId }) => authorId), ...rows.map((row) => Number(row['user']))]
}

type NotifyEvent = 'note.created' | 'note.mentioned' | 'note.resolved'

/**
 * Emits events with the users to notify: without the acting user and users who may not read the note. `note.mentioned`
 * is emitted only if it has users to notify; the response warns of mentioned users who may not read it.
 */
async function emitNoteEvents(
  context: WriteContext,
  note: Note,
  usersByEvent: { readonly [event in NotifyEvent]?: readonly number[] },
  relatedRecords?: RelatedRecords,
): Promise<void> {
  const { storage, user, settings, emit } = context
  const ids = new Set(Object.values(usersByEvent).flat())
  const related = ids.size > 0 ? (relatedRecords ?? (await readRelatedRecords(storage, [note]))) : undefined
  const users = related ? await readUsers(storage, [...ids]) : []
  const readers = new Set(
    users
      .map((row) => actorOf(row, settings.roles))
      .filter((actor) => related && actor.id !== user.id && mayRead(actor, note, related))
      .map(({ id }) => id),
  )
  const unreached = users.filter(({ id }) => id !== user.id && !readers.has(id))
  for (const { slug } of unreached.filter(({ id }) => usersByEvent['note.mentioned']?.includes(id))) {
    warnOfMention(context, slug, `${slug} may not read this note, and is not told of it.`)
  }
  for (const [name, userIds] of Object.entries(usersByEvent) as [NotifyEvent, readonly number[]][]) {
    const notify = [...new Set(userIds)].filter((id) => readers.has(id))
    if (name !== 'note.mentioned' || notify.length > 0) emit(name, { note, notify })
  }
}
