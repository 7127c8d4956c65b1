/** Writing notes: creating, changing, deleting, and who is told of it. */

import { actorOf } from '../../../core/declare/actor.ts'
import type { ArgValues } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { type ApiError, invalidArguments } from '../../../core/declare/errors.ts'
import type { RecordValues, Storage } from '../../../storage/contract.ts'
import { type createArgs, toRoutePost, type updateArgs } from './args.ts'
import { cleanContent, cleanRouteUrl, cleanTitle } from './cleaning.ts'
import {
  isReply,
  marksCollection,
  mayRead,
  type Note,
  notesCollection,
  readSurroundings,
  removeNotes,
  type Surroundings,
  timeOf,
  toNote,
} from './model.ts'
import { type FoundNote, liveNotes, noSuchNote, readUsers, repliesTo } from './read.ts'
import { addMarks, readMarks, removeMarks } from './read-receipts.ts'

type CreateArgs = ArgValues<typeof createArgs>
type UpdateArgs = ArgValues<typeof updateArgs>
type Writer = Pick<Context, 'storage' | 'user' | 'settings' | 'app' | 'emit'>

const refused = (name: string, why: string): ApiError => invalidArguments(new Map([[name, why]]))

// ---------------------------------------------------------------- creating

/** What a new note is to lie on. */
export interface Place {
  readonly thread: Note | undefined
  readonly around: Surroundings
}

/** The subject of creating: throws 404 when there is no such thread. */
export async function findPlace({ args, storage }: { readonly args: CreateArgs; readonly storage: Storage }) {
  const parent = args.parent_id ?? 0
  const [thread] = parent === 0 ? [] : await liveNotes(storage, [parent])
  if (parent !== 0 && !thread) throw noSuchNote()
  const posts = [args.post_id ?? null, toRoutePost(args.route_post_id) ?? null]
  const place: Place = { thread, around: await readSurroundings(storage, thread ? [thread] : [], posts) }
  return place
}

export async function createNote(
  context: Writer & { readonly args: CreateArgs; readonly resource: Place },
): Promise<Note> {
  const { args, storage, user, app } = context
  const { thread, around } = context.resource
  const routePost = toRoutePost(args.route_post_id) ?? null
  await refuseForeignPosts(storage, { post_id: args.post_id, route_post_id: routePost }, around)
  if (thread) refuseWrongThread(thread, args)
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
  const mentioned = await usersNamed(storage, args.mentioned_usernames)
  await addMarks(storage, [
    { note: id, user: user.id, kind: 'read' },
    ...mentioned.map((one) => ({ note: id, user: one, kind: 'mention' as const })),
  ])
  if (thread) await storage.records.update(notesCollection, [{ id: thread.id, changes: { last_activity_at: now } }])
  const concerned = thread ? await participants(storage, thread) : []
  await tellOf(context, note, {
    'note.created': concerned.filter((one) => !mentioned.includes(one)),
    'note.mentioned': mentioned,
  })
  return note
}

/** Notes lie on documents of the builder only. */
async function refuseForeignPosts(
  storage: Storage,
  named: { readonly [argument: string]: number | null },
  { posts }: Surroundings,
): Promise<void> {
  const modes = await storage.meta.read('post', [...posts.keys()], ['_builder_edit_mode'])
  const documents = new Set(modes.filter(({ value }) => value === 'builder').map(({ id }) => id))
  const isDocument = (id: number) => {
    const post = posts.get(id)
    return documents.has(id) && post !== undefined && post.status !== 'trash' && post.type !== 'revision'
  }
  const wrong = Object.entries(named).filter(([, id]) => id !== null && !isDocument(id))
  if (wrong.length > 0) throw invalidArguments(new Map(wrong.map(([name]) => [name, 'This is no builder document.'])))
}

function refuseWrongThread(thread: Note, args: CreateArgs): void {
  if (isReply(thread)) throw refused('parent_id', 'A reply cannot be replied to.')
  if (thread.postId !== args.post_id) throw refused('parent_id', 'The thread lies on another post.')
  if (args.is_public !== undefined) throw refused('is_public', 'A reply is as public as its thread.')
}

// ---------------------------------------------------------------- changing

export async function updateNote(
  context: Writer & { readonly args: UpdateArgs; readonly resource: FoundNote },
): Promise<Note> {
  const { args, storage, app } = context
  const { note, around } = context.resource
  if (isReply(note)) {
    if (args.is_resolved !== undefined) throw refused('is_resolved', 'Only a thread can be resolved.')
    if (args.is_public !== undefined) throw refused('is_public', 'A reply is as public as its thread.')
  }
  if (args.is_resolved === note.isResolved) throw refused('is_resolved', 'The note is in this state already.')
  const now = timeOf(app)
  const changes: RecordValues = {
    updated_at: now,
    ...(args.content === undefined ? {} : { content: cleanContent(args.content) }),
    ...(args.status === undefined ? {} : { status: args.status }),
    ...(args.is_public === undefined ? {} : { is_public: args.is_public }),
    ...(args.is_resolved === undefined ? {} : { is_resolved: args.is_resolved, last_activity_at: now }),
  }
  const [changed] = await storage.records.update(notesCollection, [{ id: note.id, changes }])
  const [updated] = changed === undefined ? [] : await liveNotes(storage, [note.id])
  if (!updated) throw noSuchNote()
  const mentioned = args.mentioned_usernames ? await replaceMentions(storage, note, args.mentioned_usernames) : []
  context.emit('note.updated', { note: updated })
  const isSettled = args.is_resolved === true
  await tellOf(
    context,
    updated,
    { 'note.mentioned': mentioned, ...(isSettled ? { 'note.resolved': await participants(storage, updated) } : {}) },
    around,
  )
  return updated
}

/** Answers those who were not mentioned before. */
async function replaceMentions(storage: Storage, { id }: Note, names: readonly string[]): Promise<number[]> {
  const marks = await readMarks(storage, [id])
  const before = marks.filter(({ kind }) => kind === 'mention').map(({ user }) => user)
  const after = await usersNamed(storage, names)
  const [gone, added] = [before.filter((one) => !after.includes(one)), after.filter((one) => !before.includes(one))]
  await removeMarks(storage, { notes: [id], users: gone, kind: 'mention' })
  await addMarks(
    storage,
    added.map((user) => ({ note: id, user, kind: 'mention' })),
  )
  return added
}

/** Unknown names are passed over. */
async function usersNamed(storage: Storage, names: readonly string[]): Promise<number[]> {
  if (names.length === 0) return []
  const slugs = [...new Set(names)]
  const order = { by: 'id', descending: false } as const
  const { rows } = await storage.users.query({ slugs, order, offset: 0, limit: slugs.length })
  return rows.map(({ id }) => id)
}

// ---------------------------------------------------------------- deleting

/** Replies of a note in the trash stay as they are. Without the trash they go with it. */
export async function deleteNote(
  context: Writer & { readonly args: { readonly force: boolean }; readonly resource: FoundNote },
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

// ---------------------------------------------------------------- who is told

/** Everybody who wrote in a thread or is mentioned in it. */
async function participants(storage: Storage, thread: Note): Promise<number[]> {
  const family = [thread, ...(await repliesTo(storage, [thread]))]
  const { rows } = await storage.records.query(marksCollection, {
    where: {
      every: [
        { field: 'note', in: family.map(({ id }) => id) },
        { field: 'kind', is: 'mention' },
      ],
    },
  })
  return [...family.map(({ authorId }) => authorId), ...rows.map((row) => Number(row['user']))]
}

type Told = 'note.created' | 'note.mentioned' | 'note.resolved'

/** Never the one who acted, and never who may not read the note. Nobody is mentioned without being told of it. */
async function tellOf(
  { storage, user, settings, emit }: Writer,
  note: Note,
  told: { readonly [event in Told]?: readonly number[] },
  known?: Surroundings,
): Promise<void> {
  const ids = new Set(Object.values(told).flat())
  const around = ids.size > 0 ? (known ?? (await readSurroundings(storage, [note]))) : undefined
  const users = around ? await readUsers(storage, [...ids]) : []
  const readers = new Set(
    users
      .map((one) => actorOf(one, settings.roles))
      .filter((actor) => around && actor.id !== user.id && mayRead(actor, note, around))
      .map(({ id }) => id),
  )
  for (const [name, whom] of Object.entries(told) as [Told, readonly number[]][]) {
    const notify = [...new Set(whom)].filter((one) => readers.has(one))
    if (name !== 'note.mentioned' || notify.length > 0) emit(name, { note, notify })
  }
}
