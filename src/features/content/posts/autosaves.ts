/**
 * Autosaves: the unsaved text of an editor, one for each user and post. An autosave of one's own draft is written to
 * the post itself.
 */

import { blankPost } from '../../../contract/fields/blank.ts'
import type { Post, PostQuery, Storage } from '../../../contract/storage.ts'
import { context, int, unlisted } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { endpointBelow, type StoredState } from '../../../core/declare/endpoint.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { digits } from '../../../core/declare/pattern.ts'
import { forbidden, permission } from '../../../core/declare/permissions.ts'
import { result } from '../../../core/declare/result.ts'
import { tagText } from '../../../core/pipeline/etag.ts'
import { autosaveSlug } from '../../../site/post-keys.ts'
import { autosavePreview } from '../../shared/access/preview-token.ts'
import { warnOfUndrawn } from '../../shared/rendered-documents.ts'
import {
  insertRevision,
  type RevisionedTexts,
  revisionedTexts,
  revisionState,
  revisionType,
  revisionValues,
  sameTexts,
  writeRevisionMeta,
} from '../revisions/model.ts'
import { type RevisionSchemas, revisionViews } from '../revisions/view.ts'
import type { WriteArgsOf } from './args.ts'
import { tagOf, writeTag } from './entity-tag.ts'
import { type FoundPost, findParent, findPost, mayEditPost, owns, type RecordType } from './model.ts'
import { sentValues } from './plain-fields.ts'
import { checkValues, inputTexts, type WriteContext } from './prepare-post.ts'
import { autosaveInPlace, mayUpdate } from './write.ts'

/** Events for the host's listeners. */
export interface PostsAutosavesEvents {
  'autosave.saved': { readonly id: number; readonly post: number }
}

const mayReadAutosaves = (type: RecordType) =>
  permission<unknown, FoundPost>('editors of the post', ({ user, resource }) =>
    mayEditPost(type.actor(user), resource)
      ? undefined
      : forbidden(user, 'rest_cannot_read', 'You may not read the autosaves of this post.'),
  )

const parent = () => int({ description: 'The ID of the post.' })

/**
 * Interface: the path of autosaves calls the post `id`, and the index lists an argument `parent` that has no effect.
 */
const postInPath = { id: unlisted(int()) }

/** The autosaves of a type, below `/posts` or its like. */
export function autosaveEndpoints<const B extends string, W extends WriteArgsOf<never, false, never>, M>(
  type: RecordType,
  base: B,
  { writeArgs, schemas }: { readonly writeArgs: W; readonly schemas: RevisionSchemas<M> },
) {
  return [
    endpointBelow({
      path: `/${base}/${digits('id')}/autosaves`,
      methods: ['GET'],
      summary: `List the autosaves of a ${type.label.toLowerCase()}`,
      args: { ...postInPath, parent: parent(), context: context() },
      resource: ({ args, storage }) => findParent(type)({ args: { parent: args.id ?? 0 }, storage }),
      permission: mayReadAutosaves(type),
      responses: { 200: schemas.revisions },
      handler: async (context) => {
        const rows = await readAutosaves(context.storage, context.resource)
        return autosaveViews(type, context, rows, context.args.context)
      },
    }),
    endpointBelow({
      path: `/${base}/${digits('id')}/autosaves`,
      methods: ['POST'],
      summary: `Save an autosave of a ${type.label.toLowerCase()}`,
      args: { ...postInPath, parent: parent(), ...writeArgs },
      resource: findPost(type) as never,
      permission: mayUpdate(type) as never,
      responses: { 200: schemas.revision },
      stored: (context: Context) => storedAutosave(type, context as WriteContext),
      handler: async (context: Context) => {
        const { row, state } = await saveAutosave(type, context as WriteContext)
        const [view] = await autosaveViews(type, context, [row], 'edit', true)
        return result(view, { headers: { ETag: tagText({ state }) } })
      },
    }),
    endpointBelow({
      path: `/${base}/${digits('parent')}/autosaves/${digits('id')}`,
      methods: ['GET'],
      summary: `Read an autosave of a ${type.label.toLowerCase()}`,
      args: { parent: parent(), id: int({ description: 'The ID of the autosave.' }), context: context() },
      resource: findParent(type),
      permission: mayReadAutosaves(type),
      responses: { 200: schemas.revision },
      stored: async (context) => revisionState(await findAutosave(context)),
      handler: async (context) => {
        const row = await findAutosave(context)
        if (!row) throw new ApiError('rest_post_no_autosave', 'This post has no such autosave.', 404)
        return (await autosaveViews(type, context, [row], context.args.context))[0]
      },
    }),
  ] as const
}

type ViewContext = Parameters<typeof revisionViews>[3]

/** The caller's own autosave, and its own draft, have the address of a preview. */
async function autosaveViews(
  type: RecordType,
  context: Context,
  rows: readonly Post[],
  viewContext: ViewContext,
  isWrite = false,
): Promise<readonly object[]> {
  const own =
    viewContext === 'edit' && type.isViewable ? rows.find(({ author }) => author === context.user.id) : undefined
  const [views, preview] = await Promise.all([
    revisionViews(type, context, rows, viewContext),
    own && autosavePreview(context, own.parent || own.id, { isWrite }),
  ])
  return views.map((view, index) =>
    preview !== undefined && rows[index] === own ? { ...view, preview_link: preview } : view,
  )
}

const autosaveQuery = (post: Post, author?: number): PostQuery => ({
  types: [revisionType],
  parents: [post.id],
  slugs: [autosaveSlug(post.id)],
  ...(author === undefined ? {} : { authors: [author] }),
  order: { by: 'date', descending: true },
  offset: 0,
  limit: Number.MAX_SAFE_INTEGER,
})

export async function readAutosaves(storage: Storage, post: Post, author?: number): Promise<Post[]> {
  const { idsPage } = await storage.posts.query(autosaveQuery(post, author))
  return storage.posts.read(idsPage.map((head) => head.id))
}

async function findAutosave({
  args,
  storage,
  resource,
}: Pick<Context<{ readonly id?: number }, Post>, 'args' | 'storage' | 'resource'>) {
  return (await readAutosaves(storage, resource)).find(({ id }) => id === args.id)
}

const isOwnDraft = ({ user }: Pick<Context, 'user'>, post: Post) =>
  (post.status === 'draft' || post.status === 'auto-draft') && owns(user, post)

/** The write replaces the autosave of its user, also under the tag of the post; of one's own draft, the post itself. */
async function storedAutosave(type: RecordType, context: WriteContext): Promise<StoredState> {
  const { storage, user } = context
  const post = await findPost(type)(context)
  const stateOfPost = async () => (await writeTag(type, { ...context, resource: post })).state
  if (isOwnDraft(context, post)) return { state: await stateOfPost(), exists: true }
  const [row] = await readAutosaves(storage, post, user.id)
  // The path names the autosaves of a post, which is there also without one.
  return { ...revisionState(row), exists: true, within: async () => [await stateOfPost()] }
}

interface SavedAutosave {
  readonly row: Post
  /** For the next write. */
  readonly state: string | undefined
}

export async function saveAutosave(type: RecordType, context: WriteContext): Promise<SavedAutosave> {
  const post = context.resource as FoundPost
  if (isOwnDraft(context, post)) {
    const { post: row, related } = await autosaveInPlace(type, context)
    return { row, state: tagOf(type, context, { post: row, related }, undefined).state }
  }
  await checkValues(type, context)
  const [old] = await readAutosaves(context.storage, post, context.user.id)
  await warnOfUndrawn(context, type.meta.changes(context.args.meta, context))
  const row = await (old ? replaceAutosave(type, context, post, old) : insertAutosave(type, context, post))
  context.emit('autosave.saved', { id: row.id, post: post.id })
  return { row, state: revisionState(row).state }
}

/** Interface: a text that no autosave of the user has sent is empty, so that autosaves hold only what was edited. */
function autosaveValues(type: RecordType, context: WriteContext, post: FoundPost, before: RevisionedTexts) {
  const input = { ...sentValues(context.args), ...inputTexts(context) }
  const now = context.settings.time.now(context.app.clock)
  const texts = { ...revisionedTexts(before), ...input }
  const saved = { ...post, ...texts, modified: now.local, modifiedGmt: now.gmt }
  const changes = type.meta.changes(context.args.meta, context)
  const meta = Object.fromEntries(
    type.meta.revisionedKeys.filter((key) => key in changes).map((key) => [key, changes[key] ?? '']),
  )
  return { row: { ...revisionValues(saved, context.user.id), slug: autosaveSlug(post.id) }, input, meta }
}

/** Interface: unlike texts, revisioned meta that was not sent is copied from the post. */
async function insertAutosave(type: RecordType, context: WriteContext, post: FoundPost): Promise<Post> {
  const { storage } = context
  const { row, meta } = autosaveValues(type, context, post, blankPost)
  const entries = await storage.meta.read('post', [post.id], type.meta.revisionedKeys)
  const postMeta = Object.fromEntries(entries.map(({ key, value }) => [key, value]))
  const id = await insertRevision(storage, row, { ...postMeta, ...meta })
  // A new version of the post: its view counts revisions.
  await storage.posts.update([{ id: post.id, changes: {} }])
  return { ...row, id, version: 1 }
}

/** Writes nothing when the input equals the post itself. */
async function replaceAutosave(type: RecordType, context: WriteContext, post: FoundPost, old: Post): Promise<Post> {
  const { storage } = context
  const { row, input, meta } = autosaveValues(type, context, post, old)
  if (await sameTexts(storage, post, { ...post, ...input }, meta)) return old
  await Promise.all([storage.posts.update([{ id: old.id, changes: row }]), writeRevisionMeta(storage, old.id, meta)])
  return { ...row, id: old.id, version: old.version + 1 }
}
