/**
 * What an editor keeps while somebody writes: one autosave for each user and post. On one's own draft the post itself is
 * saved.
 */
import { context, int, unlisted } from '../../../core/declare/args.ts'
import { endpoint } from '../../../core/declare/endpoint.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { feature } from '../../../core/declare/feature.ts'
import { digits } from '../../../core/declare/pattern.ts'
import { forbidden, permission } from '../../../core/declare/permissions.ts'
import { all, andThen, type MaybePromise } from '../../../core/runtime/maybe-promise.ts'
import { autosaveSlug } from '../../../site/post-keys.ts'
import type { Post, PostQuery, Storage } from '../../../storage/contract.ts'
import { metaChanges, revisionedKeys } from '../../shared/post-meta/model.ts'
import { insertRevision, revisionType, revisionValues, sameTexts, writeRevisionMeta } from '../revisions/model.ts'
import { revisionSchema, revisionsSchema, revisionViews } from '../revisions/view.ts'
import { writeArgs } from './args.ts'
import { type FoundPost, findParent, findPost, mayEditPost, owns } from './model.ts'
import { checkValues, inputTexts, type WriteContext } from './prepare-post.ts'
import { autosaveInPlace, mayUpdate } from './write.ts'

/** What it tells listeners. */
export interface PostsAutosavesEvents {
  'autosave.saved': { readonly id: number; readonly post: number }
}

declare module '../../../core/declare/events.ts' {
  interface EventPayloads extends PostsAutosavesEvents {}
}

const mayReadAutosaves = permission<unknown, FoundPost>('editors of the post', ({ user, resource }) =>
  mayEditPost(user, resource)
    ? undefined
    : forbidden(user, 'rest_cannot_read', 'Sorry, you are not allowed to view autosaves of this post.'),
)

const parent = () => int({ description: 'The ID for the parent of the autosave.' })

/** Interface: the path calls the post `id`, the index lists an argument `parent` that does nothing. */
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
    handler: (context) =>
      andThen(readAutosaves(context.storage, context.resource), (rows) =>
        revisionViews(context, rows, context.args.context),
      ),
  }),
  endpoint({
    path: `/posts/${digits('id')}/autosaves`,
    methods: ['POST'],
    summary: 'Save an autosave',
    args: { ...postInPath, parent: parent(), ...writeArgs },
    resource: findPost,
    permission: mayUpdate,
    responses: { 200: revisionSchema },
    handler: (context) =>
      andThen(saveAutosave(context as WriteContext), (row) =>
        andThen(revisionViews(context, [row], 'edit'), ([view]) => view),
      ),
  }),
  endpoint({
    path: `/posts/${digits('parent')}/autosaves/${digits('id')}`,
    methods: ['GET'],
    summary: 'Read an autosave',
    args: { parent: parent(), id: int({ description: 'The ID for the autosave.' }), context: context() },
    resource: findParent,
    permission: mayReadAutosaves,
    responses: { 200: revisionSchema },
    handler: (context) =>
      andThen(readAutosaves(context.storage, context.resource), (rows) => {
        const row = rows.find((one) => one.id === context.args.id)
        if (!row) throw new ApiError('rest_post_no_autosave', 'There is no autosave revision for this post.', 404)
        return andThen(revisionViews(context, [row], context.args.context), ([view]) => view)
      }),
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

function readAutosaves(storage: Storage, post: Post, author?: number): MaybePromise<Post[]> {
  return andThen(storage.posts.query(autosaveQuery(post, author)), ({ heads }) =>
    storage.posts.read(heads.map((head) => head.id)),
  )
}

type PostTexts = Pick<Post, 'title' | 'content' | 'excerpt'>

function saveAutosave(context: WriteContext): MaybePromise<Post> {
  const post = context.resource as FoundPost
  const isDraft = post.status === 'draft' || post.status === 'auto-draft'
  if (isDraft && owns(context.user, post)) return autosaveInPlace(context)
  return andThen(checkValues(context), () =>
    andThen(readAutosaves(context.storage, post, context.user.id), ([old]) =>
      andThen(old ? replaceAutosave(context, post, old) : insertAutosave(context, post), (row) => {
        context.emit('autosave.saved', { id: row.id, post: post.id })
        return row
      }),
    ),
  )
}

/** Interface: what was sent in none of one's autosaves is empty, so that they hold just what was being written. */
function autosaveValues(context: WriteContext, post: FoundPost, before: PostTexts) {
  const { title, content, excerpt } = before
  const sent = inputTexts(context)
  const texts = { title, content, excerpt, ...sent }
  const now = context.settings.time.now(context.app.clock)
  const saved = { ...post, ...texts, modified: now.local, modifiedGmt: now.gmt }
  const changes = metaChanges(context.args.meta, context)
  const meta = Object.fromEntries(
    revisionedKeys.filter((key) => key in changes).map((key) => [key, changes[key] ?? '']),
  )
  return { row: { ...revisionValues(saved, context.user.id), slug: autosaveSlug(post.id) }, sent, meta }
}

/** Interface: unlike the texts, versioned meta that was not sent is that of the post. */
function insertAutosave(context: WriteContext, post: FoundPost): MaybePromise<Post> {
  const { storage } = context
  const { row, meta } = autosaveValues(context, post, { title: '', content: '', excerpt: '' })
  return andThen(storage.meta.read('post', [post.id], revisionedKeys), (entries) => {
    const kept = Object.fromEntries(entries.map(({ key, value }) => [key, value]))
    return andThen(insertRevision(storage, row, { ...kept, ...meta }), (id) =>
      // The version of the post goes up with it: its answer counts revisions.
      andThen(storage.posts.update([{ id: post.id, changes: {} }]), () => ({ ...row, id, version: 1 })),
    )
  })
}

/** Nothing is written when what was sent says what the post itself says. */
function replaceAutosave(context: WriteContext, post: FoundPost, old: Post): MaybePromise<Post> {
  const { storage } = context
  const { row, sent, meta } = autosaveValues(context, post, old)
  return andThen(sameTexts(storage, post, { ...post, ...sent }, meta), (isSame) => {
    if (isSame) return old
    const writes = all([storage.posts.update([{ id: old.id, changes: row }]), writeRevisionMeta(storage, old.id, meta)])
    return andThen(writes, () => ({ ...row, id: old.id, version: old.version + 1 }))
  })
}
