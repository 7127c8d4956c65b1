/** Notes that people leave for each other on the elements of a page. */

import { list } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { EDITABLE, endpoint } from '../../../core/declare/endpoint.ts'
import { feature } from '../../../core/declare/feature.ts'
import { digits } from '../../../core/declare/pattern.ts'
import { can, forbidden, permission } from '../../../core/declare/permissions.ts'
import { emptyList } from '../../../core/declare/response-schema.ts'
import { result } from '../../../core/declare/result.ts'
import { andThen } from '../../../core/runtime/maybe-promise.ts'
import { fold } from '../../../site/text-fold.ts'
import type { Post, Storage, UserQuery } from '../../../storage/contract.ts'
import { mayReadPost } from '../../content/posts/model.ts'
import {
  createArgs,
  deleteArgs,
  type Filters,
  filters,
  id,
  readStatusArgs,
  toRoutePost,
  updateArgs,
  usersArgs,
} from './args.ts'
import {
  capabilities,
  keptCollections,
  mayDelete,
  mayEdit,
  mayRead,
  mayReadPosts,
  mayReply,
  readSurroundings,
} from './model.ts'
import { withPosts } from './post-hooks.ts'
import {
  type FoundNote,
  findNote,
  listNotes,
  liveNotes,
  noSuchNote,
  readCounts,
  showNote,
  summarizeNotes,
  writtenView,
} from './read.ts'
import { addMarks, removeMarks } from './read-receipts.ts'
import { enveloped, envelopedForm, noteForm, summaryForm, userForm, userView } from './view.ts'
import { createNote, deleteNote, findPlace, type Place, updateNote } from './write.ts'

/** The note itself decides, with its posts. */
const noteRight = (capability: string, may: typeof mayRead) =>
  permission<unknown, FoundNote>(`${capability}, on posts the user may read`, ({ user, resource }) =>
    may(user, resource.note, resource.around) ? undefined : forbidden(user),
  )

type PlaceArgs = { readonly post_id?: number; readonly route_post_id?: unknown }

const mayCreate = permission<PlaceArgs, Place>(
  `${capabilities.create}, on posts the user may read`,
  ({ args, user, resource }) => {
    const { thread, around } = resource
    if (!user.can(capabilities.create)) return forbidden(user)
    if (!mayReadPosts(user, [args.post_id ?? null, toRoutePost(args.route_post_id) ?? null], around))
      return forbidden(user)
    return thread && !mayReply(user, thread, around) ? forbidden(user) : undefined
  },
)

const mayMark = permission<{ readonly ids?: readonly number[] }, readonly FoundNote[]>(
  `${capabilities.read}, on posts the user may read`,
  ({ args, user, resource }) => {
    if (!user.can(capabilities.read)) return forbidden(user)
    // Interface: an empty list is refused. Without any list OPTIONS asks, about nothing in particular.
    if (args.ids?.length === 0) return forbidden(user)
    return resource.every(({ note, around }) => mayRead(user, note, around)) ? undefined : forbidden(user)
  },
)

/** The subject of the read status: those of the notes that are there; 404 when none is. */
async function findMarkable({
  args,
  storage,
}: {
  readonly args: { readonly ids: readonly number[] }
  readonly storage: Storage
}) {
  const ids = args.ids ?? []
  const notes = await liveNotes(storage, ids)
  if (ids.length > 0 && notes.length === 0) throw noSuchNote()
  const around = await readSurroundings(storage, notes)
  return notes.map((note): FoundNote => ({ note, around }))
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
      responses: { 200: envelopedForm(list(noteForm)) },
      handler: async (context) => enveloped(await listNotes(context, context.args as Filters)),
    }),
    endpoint({
      path: '/notes',
      methods: ['POST'],
      args: createArgs,
      summary: 'Leave a note, or reply to one',
      resource: findPlace,
      permission: mayCreate,
      responses: { 200: envelopedForm(noteForm) },
      handler: async (context) => {
        const note = await createNote(context)
        // Interface: whoever wrote a note has read it, but this answer does not say so yet.
        return enveloped(await writtenView(context, note, { isRead: false }))
      },
    }),
    endpoint({
      path: '/notes/read-status',
      methods: ['POST'],
      args: readStatusArgs,
      summary: 'Mark notes as read',
      resource: findMarkable,
      permission: mayMark,
      responses: { 201: emptyList() },
      handler: async ({ storage, user, resource }) => {
        await addMarks(
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
      resource: findMarkable,
      permission: mayMark,
      responses: { 200: emptyList() },
      handler: async ({ storage, user, resource }) => {
        await removeMarks(storage, { notes: resource.map(({ note }) => note.id), users: [user.id], kind: 'read' })
        return []
      },
    }),
    endpoint({
      path: '/notes/summary',
      methods: ['GET'],
      args: filters,
      summary: 'Count the notes on each page',
      permission: can(capabilities.read),
      responses: { 200: summaryForm },
      handler: async (context) => enveloped(await summarizeNotes(context, context.args as Filters)),
    }),
    endpoint({
      path: '/notes/users',
      methods: ['GET'],
      args: usersArgs,
      summary: 'List users who can be mentioned',
      permission: can(capabilities.create),
      responses: { 200: envelopedForm(list(userForm)) },
      handler: listUsers,
    }),
    endpoint({
      path: `/notes/${digits('id')}`,
      methods: ['GET'],
      args: { id },
      summary: 'Read a note with its replies',
      resource: findNote,
      permission: noteRight(capabilities.read, mayRead),
      responses: { 200: envelopedForm(noteForm) },
      handler: async (context) => enveloped(await showNote(context, context.resource)),
    }),
    endpoint({
      path: `/notes/${digits('id')}`,
      methods: EDITABLE,
      args: updateArgs,
      summary: 'Change a note',
      resource: findNote,
      permission: noteRight(capabilities.edit, mayEdit),
      responses: { 200: envelopedForm(noteForm) },
      handler: async (context) => {
        const note = await updateNote(context)
        return enveloped(await writtenView(context, note, await readCounts(context, note)))
      },
    }),
    endpoint({
      path: `/notes/${digits('id')}`,
      methods: ['DELETE'],
      args: deleteArgs,
      summary: 'Move a note to the trash, or remove it for good',
      resource: findNote,
      permission: noteRight(capabilities.delete, mayDelete),
      responses: { 200: emptyList() },
      handler: async (context) => {
        await deleteNote(context)
        return []
      },
    }),
  ],
  { persisted: { collections: keptCollections }, hooks: withPosts },
)

// ---------------------------------------------------------------- users

const orderFields = { user_nicename: 'slug', display_name: 'displayName', user_registered: 'registered' } as const

type UsersCall = Context<{
  readonly limit: number | undefined
  readonly order_by: keyof typeof orderFields
  readonly order: 'asc' | 'desc'
  readonly search: string | undefined
  readonly post_id: number | undefined
}>

async function listUsers(context: UsersCall) {
  const { args, storage, settings, user } = context
  const post = args.post_id === undefined ? undefined : await readablePost(context, args.post_id)
  // Choice: only who may list users finds them by an e-mail address, or it could be guessed letter by letter.
  const fields = user.can('list_users')
    ? (['slug', 'email', 'displayName'] as const)
    : (['slug', 'displayName'] as const)
  const query: UserQuery = {
    ...(args.search ? { search: { text: fold(args.search), fields } } : {}),
    order: { by: orderFields[args.order_by], descending: args.order === 'desc' },
    offset: 0,
    limit: args.limit !== undefined && args.limit > 0 ? args.limit : Number.MAX_SAFE_INTEGER,
  }
  return andThen(storage.users.query(query), ({ rows }) => enveloped(rows.map((one) => userView(one, settings, post))))
}

async function readablePost({ storage, user }: UsersCall, postId: number): Promise<Post> {
  const [post] = await storage.posts.read([postId])
  if (!post) throw noSuchNote()
  if (!mayReadPost(user, post)) throw forbidden(user)
  return post
}
