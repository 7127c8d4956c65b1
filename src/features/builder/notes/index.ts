/** Routes of notes: comments of users on the elements of a page, with replies, mentions and read status. */

import type { Post, Storage, UserQuery } from '../../../contract/storage.ts'
import { fold } from '../../../contract/text-fold.ts'
import { list } from '../../../core/declare/args.ts'
import type { Context, HookContext } from '../../../core/declare/context.ts'
import { EDITABLE, endpoint } from '../../../core/declare/endpoint.ts'
import type { Hook } from '../../../core/declare/events.ts'
import { feature } from '../../../core/declare/feature.ts'
import { digits } from '../../../core/declare/pattern.ts'
import { can, forbidden, type Permission, permission } from '../../../core/declare/permissions.ts'
import { emptyList } from '../../../core/declare/response-schema.ts'
import { result } from '../../../core/declare/result.ts'
import { mayReadPost } from '../../content/posts/model.ts'
import { elementsKey } from '../../shared/elements.ts'
import { enveloped, envelopedSchema } from '../../shared/envelope.ts'
import {
  createArgs,
  deleteArgs,
  filters,
  id,
  type NoteFilters,
  readStatusArgs,
  toRoutePost,
  updateArgs,
  usersArgs,
} from './args.ts'
import { mailMentioned } from './mail.ts'
import {
  capabilities,
  mayDelete,
  mayEdit,
  mayRead,
  mayReadPosts,
  mayReply,
  persistedCollections,
  readRelatedRecords,
  updateNotesOfPosts,
} from './model.ts'
import {
  findNote,
  listNotes,
  type NoteResource,
  noSuchNote,
  readCounts,
  readLiveNotes,
  readNoteView,
  readWrittenView,
  storedNote,
  summarizeNotes,
} from './read.ts'
import { addReceipts, removeReceipts } from './read-receipts.ts'
import { noteSchema, summarySchema, userSchema, userView } from './view.ts'
import { type CreateResource, createNote, deleteNote, findCreateResource, updateNote } from './write.ts'

/** The notes of a post are trashed, restored and removed with it, in the transaction of its change. */
const postHooks: Hook<HookContext> = {
  'post.trashed': ({ post }, context) => updateNotesOfPosts(context, { trashed: [post.id] }),
  'post.deleted': ({ post }, context) => updateNotesOfPosts(context, { deleted: [post.id] }),
  'post.updated': async ({ post, before, changedMeta }, context) => {
    if (before.status === 'trash' && post.status !== 'trash') await updateNotesOfPosts(context, { restored: [post.id] })
    if (!changedMeta.includes(elementsKey)) return
    const [entry] = await context.storage.meta.read('post', [post.id], [elementsKey])
    await updateNotesOfPosts(context, { saved: [{ post: post.id, elements: String(entry?.value ?? '') }] })
  },
}

/** Decided on the note of the path and the posts that it names. */
const notePermission = (capability: string, may: typeof mayRead): Permission<unknown, NoteResource> => ({
  who: `${capability}, on posts the user may read`,
  check: ({ user, resource }) => (may(user, resource.note, resource.related) ? undefined : forbidden(user)),
  mayPass: (user) => user.can(capability),
})

type PostArgs = { readonly post_id?: number; readonly route_post_id?: unknown }

const mayCreate = permission<PostArgs, CreateResource>(
  `${capabilities.create}, on posts the user may read`,
  ({ args, user, resource }) => {
    const { thread, related } = resource
    if (!user.can(capabilities.create)) return forbidden(user)
    if (!mayReadPosts(user, [args.post_id ?? null, toRoutePost(args.route_post_id) ?? null], related))
      return forbidden(user)
    return thread && !mayReply(user, thread, related) ? forbidden(user) : undefined
  },
)

const mayChangeReadStatus = permission<{ readonly ids?: readonly number[] }, readonly NoteResource[]>(
  `${capabilities.read}, on posts the user may read`,
  ({ args, user, resource }) => {
    if (!user.can(capabilities.read)) return forbidden(user)
    // Interface: `read-status` refuses an empty list with 403. OPTIONS runs this check without a list.
    if (args.ids?.length === 0) return forbidden(user)
    return resource.every(({ note, related }) => mayRead(user, note, related)) ? undefined : forbidden(user)
  },
)

/** The existing notes among the ids. Throws 404 when none of them exists. */
async function findNotes({
  args,
  storage,
}: {
  readonly args: { readonly ids: readonly number[] }
  readonly storage: Storage
}) {
  const ids = args.ids ?? []
  const notes = await readLiveNotes(storage, ids)
  if (ids.length > 0 && notes.length === 0) throw noSuchNote()
  const related = await readRelatedRecords(storage, notes)
  return notes.map((note): NoteResource => ({ note, related }))
}

export const notes = feature(
  'notes',
  'builder/v1',
  [
    endpoint({
      path: '/notes',
      methods: ['GET'],
      args: filters,
      summary: 'List notes',
      permission: can(capabilities.read),
      responses: { 200: envelopedSchema(list(noteSchema)) },
      handler: async (context) => enveloped(await listNotes(context, context.args as NoteFilters)),
    }),
    endpoint({
      path: '/notes',
      methods: ['POST'],
      args: createArgs,
      summary: 'Create a note or a reply',
      resource: findCreateResource,
      hidesRecords: true,
      permission: mayCreate,
      responses: { 200: envelopedSchema(noteSchema) },
      handler: async (context) => {
        const note = await createNote(context)
        // Interface: the author has read the new note, but this response has `is_read: false`.
        return enveloped(await readWrittenView(context, note, { isRead: false }))
      },
    }),
    endpoint({
      path: '/notes/read-status',
      methods: ['POST'],
      args: readStatusArgs,
      summary: 'Mark notes as read',
      resource: findNotes,
      hidesRecords: true,
      permission: mayChangeReadStatus,
      responses: { 201: emptyList() },
      handler: async ({ storage, user, resource }) => {
        await addReceipts(
          storage,
          resource.map(({ note }) => ({ note: note.id, user: user.id, kind: 'read' })),
        )
        return result([], { status: 201 })
      },
    }),
    endpoint({
      path: '/notes/read-status',
      methods: ['DELETE'],
      args: readStatusArgs,
      summary: 'Mark notes as unread',
      resource: findNotes,
      hidesRecords: true,
      permission: mayChangeReadStatus,
      responses: { 200: emptyList() },
      handler: async ({ storage, user, resource }) => {
        await removeReceipts(storage, { notes: resource.map(({ note }) => note.id), users: [user.id], kind: 'read' })
        return []
      },
    }),
    endpoint({
      path: '/notes/summary',
      methods: ['GET'],
      args: filters,
      summary: 'Count the notes on each page',
      permission: can(capabilities.read),
      responses: { 200: summarySchema },
      handler: async (context) => enveloped(await summarizeNotes(context, context.args as NoteFilters)),
    }),
    endpoint({
      path: '/notes/users',
      methods: ['GET'],
      args: usersArgs,
      summary: 'List users who can be mentioned',
      permission: can(capabilities.create),
      responses: { 200: envelopedSchema(list(userSchema)) },
      handler: listUsers,
    }),
    endpoint({
      path: `/notes/${digits('id')}`,
      methods: ['GET'],
      args: { id },
      summary: 'Read a note with its replies',
      resource: findNote,
      hidesRecords: true,
      permission: notePermission(capabilities.read, mayRead),
      responses: { 200: envelopedSchema(noteSchema) },
      stored: storedNote,
      handler: async (context) => enveloped(await readNoteView(context, context.resource)),
    }),
    endpoint({
      path: `/notes/${digits('id')}`,
      methods: EDITABLE,
      args: updateArgs,
      summary: 'Change a note',
      resource: findNote,
      hidesRecords: true,
      permission: notePermission(capabilities.edit, mayEdit),
      responses: { 200: envelopedSchema(noteSchema) },
      stored: storedNote,
      handler: async (context) => {
        const note = await updateNote(context)
        return enveloped(await readWrittenView(context, note, await readCounts(context, note)))
      },
    }),
    endpoint({
      path: `/notes/${digits('id')}`,
      methods: ['DELETE'],
      args: deleteArgs,
      summary: 'Move a note to the trash, or delete it permanently',
      resource: findNote,
      hidesRecords: true,
      permission: notePermission(capabilities.delete, mayDelete),
      responses: { 200: emptyList() },
      stored: storedNote,
      handler: async (context) => {
        await deleteNote(context)
        return []
      },
    }),
  ],
  { persisted: { collections: persistedCollections }, hooks: postHooks, listeners: mailMentioned },
)

// ---------------------------------------------------------------- users to mention

const orderFields = { user_nicename: 'slug', display_name: 'displayName', user_registered: 'registered' } as const

type UsersContext = Context<{
  readonly limit: number | undefined
  readonly order_by: keyof typeof orderFields
  readonly order: 'asc' | 'desc'
  readonly search: string | undefined
  readonly post_id: number | undefined
}>

async function listUsers(context: UsersContext) {
  const { args, storage, settings, user } = context
  const { limit = 0 } = args
  const post = args.post_id === undefined ? undefined : await readablePost(context, args.post_id)
  // Choice: only users with `list_users` search by e-mail address; others could guess an address letter by letter.
  const fields = user.can('list_users')
    ? (['slug', 'email', 'displayName'] as const)
    : (['slug', 'displayName'] as const)
  const query: UserQuery = {
    ...(args.search ? { search: { text: fold(args.search), fields } } : {}),
    order: { by: orderFields[args.order_by], descending: args.order === 'desc' },
    offset: 0,
    limit: limit > 0 ? limit : Number.MAX_SAFE_INTEGER,
  }
  const { rows } = await storage.users.query(query)
  return enveloped(rows.map((row) => userView(row, settings, post)))
}

async function readablePost({ storage, user }: UsersContext, postId: number): Promise<Post> {
  const [post] = await storage.posts.read([postId])
  if (!post) throw noSuchNote()
  if (!mayReadPost(user, post)) throw forbidden(user)
  return post
}
