/**
 * Autosaves: the unsaved text of an editor, one for each user and post. An autosave of one's own draft is written to
 * the post itself.
 */
import { context, int, unlisted } from '../../../core/declare/args.ts'
import { endpoint } from '../../../core/declare/endpoint.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { feature } from '../../../core/declare/feature.ts'
import { digits } from '../../../core/declare/pattern.ts'
import { forbidden, permission } from '../../../core/declare/permissions.ts'
import { autosaveSlug } from '../../../site/post-keys.ts'
import type { Post, PostQuery, Storage } from '../../../storage/contract.ts'
import { metaChanges, revisionedKeys } from '../../shared/post-meta/model.ts'
import { insertRevision, revisionType, revisionValues, sameTexts, writeRevisionMeta } from '../revisions/model.ts'
import { revisionSchema, revisionsSchema, revisionView, revisionViews } from '../revisions/view.ts'
import { writeArgs } from './args.ts'
import { type FoundPost, findParent, findPost, mayEditPost, owns } from './model.ts'
import { checkValues, inputTexts, type WriteContext } from './prepare-post.ts'
import { autosaveInPlace, mayUpdate } from './write.ts'

/** Events for the host's listeners. */
export interface PostsAutosavesEvents {
  'autosave.saved': { readonly id: number; readonly post: number }
}

const mayReadAutosaves = permission<unknown, FoundPost>('editors of the post', ({ user, resource }) =>
  mayEditPost(user, resource)
    ? undefined
    : forbidden(user, 'rest_cannot_read', 'You may not read the autosaves of this post.'),
)

const parent = () => int({ description: 'The ID of the post.' })

/**
 * Interface: the path of autosaves calls the post `id`, and the index lists an argument `parent` that has no effect.
 */
const postInPath = { id: unlisted(int()) }

export const autosaves = feature('autosaves', 'cms/v2', [
  endpoint({
    path: `/posts/${digits('id')}/autosaves`,
    methods: ['GET'],
    summary: 'List the autosaves of a post',
    args: { ...postInPath, parent: parent(), context: context() },
    resource: ({ args, storage }) => findParent({ args: { parent: args.id ?? 0 }, storage }),
    permission: mayReadAutosaves,
    responses: { 200: revisionsSchema },
    handler: async (context) => {
      const rows = await readAutosaves(context.storage, context.resource)
      return revisionViews(context, rows, context.args.context)
    },
  }),
  endpoint({
    path: `/posts/${digits('id')}/autosaves`,
    methods: ['POST'],
    summary: 'Save an autosave',
    args: { ...postInPath, parent: parent(), ...writeArgs },
    resource: findPost,
    permission: mayUpdate,
    responses: { 200: revisionSchema },
    handler: async (context) => revisionView(context, await saveAutosave(context as WriteContext), 'edit'),
  }),
  endpoint({
    path: `/posts/${digits('parent')}/autosaves/${digits('id')}`,
    methods: ['GET'],
    summary: 'Read an autosave',
    args: { parent: parent(), id: int({ description: 'The ID of the autosave.' }), context: context() },
    resource: findParent,
    permission: mayReadAutosaves,
    responses: { 200: revisionSchema },
    handler: async (context) => {
      const rows = await readAutosaves(context.storage, context.resource)
      const row = rows.find(({ id }) => id === context.args.id)
      if (!row) throw new ApiError('rest_post_no_autosave', 'This post has no such autosave.', 404)
      return revisionView(context, row, context.args.context)
    },
  }),
])

const autosaveQuery = (post: Post, author?: number): PostQuery => ({
  types: [revisionType],
  parents: [post.id],
  slugs: [autosaveSlug(post.id)],
  ...(author === undefined ? {} : { authors: [author] }),
  order: { by: 'date', descending: true },
  offset: 0,
  limit: Number.MAX_SAFE_INTEGER,
})

async function readAutosaves(storage: Storage, post: Post, author?: number): Promise<Post[]> {
  const { heads } = await storage.posts.query(autosaveQuery(post, author))
  return storage.posts.read(heads.map((head) => head.id))
}

async function saveAutosave(context: WriteContext): Promise<Post> {
  const post = context.resource as FoundPost
  const isDraft = post.status === 'draft' || post.status === 'auto-draft'
  if (isDraft && owns(context.user, post)) return autosaveInPlace(context)
  await checkValues(context)
  const [old] = await readAutosaves(context.storage, post, context.user.id)
  const row = await (old ? replaceAutosave(context, post, old) : insertAutosave(context, post))
  context.emit('autosave.saved', { id: row.id, post: post.id })
  return row
}

/** Interface: a text that no autosave of the user has sent is empty, so that autosaves hold only what was edited. */
function autosaveValues(context: WriteContext, post: FoundPost, before: Pick<Post, 'title' | 'content' | 'excerpt'>) {
  const { title, content, excerpt } = before
  const input = inputTexts(context)
  const now = context.settings.time.now(context.app.clock)
  const texts = { title, content, excerpt, ...input }
  const saved = { ...post, ...texts, modified: now.local, modifiedGmt: now.gmt }
  const changes = metaChanges(context.args.meta, context)
  const meta = Object.fromEntries(
    revisionedKeys.filter((key) => key in changes).map((key) => [key, changes[key] ?? '']),
  )
  return { row: { ...revisionValues(saved, context.user.id), slug: autosaveSlug(post.id) }, input, meta }
}

/** Interface: unlike texts, revisioned meta that was not sent is copied from the post. */
async function insertAutosave(context: WriteContext, post: FoundPost): Promise<Post> {
  const { storage } = context
  const { row, meta } = autosaveValues(context, post, { title: '', content: '', excerpt: '' })
  const entries = await storage.meta.read('post', [post.id], revisionedKeys)
  const postMeta = Object.fromEntries(entries.map(({ key, value }) => [key, value]))
  const id = await insertRevision(storage, row, { ...postMeta, ...meta })
  // A new version of the post: its view counts revisions.
  await storage.posts.update([{ id: post.id, changes: {} }])
  return { ...row, id, version: 1 }
}

/** Writes nothing when the input equals the post itself. */
async function replaceAutosave(context: WriteContext, post: FoundPost, old: Post): Promise<Post> {
  const { storage } = context
  const { row, input, meta } = autosaveValues(context, post, old)
  if (await sameTexts(storage, post, { ...post, ...input }, meta)) return old
  await Promise.all([storage.posts.update([{ id: old.id, changes: row }]), writeRevisionMeta(storage, old.id, meta)])
  return { ...row, id: old.id, version: old.version + 1 }
}
