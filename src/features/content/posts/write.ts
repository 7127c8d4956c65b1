/** Creating, changing, trashing and removing posts: the rules about values, and what is stored. */

import type { ArgValues } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { forbidden, permission } from '../../../core/declare/permissions.ts'
import { all, andThen, type MaybePromise } from '../../../core/runtime/maybe-promise.ts'
import {
  categories as categoryTaxonomy,
  desiredSlugKey,
  tags as tagTaxonomy,
  trashStatusKey,
} from '../../../site/post-keys.ts'
import { trashedSlug } from '../../../site/slug.ts'
import { uniqueSlugs } from '../../../site/unique-slugs.ts'
import type { PostValues } from '../../../storage/contract.ts'
import { type MetaValues, revisionedKeys } from '../../shared/post-meta/model.ts'
import { removeRevisions, revisionType, saveRevision } from '../revisions/model.ts'
import type { writeArgs } from './args.ts'
import { isFloatingStatus } from './dates.ts'
import { type FoundPost, mayEditPost } from './model.ts'
import { type PreparedPost, preparePost, termsFor, type WriteArgs, type WriteContext } from './prepare-post.ts'
import { updateNextDue } from './schedule.ts'
import { type Extras, readExtras } from './view.ts'

/** What it tells listeners. */
export interface PostsEvents {
  'post.created': { readonly post: FoundPost }
  'post.updated': { readonly post: FoundPost; readonly before: FoundPost; readonly changedMeta: readonly string[] }
  'post.published': { readonly post: FoundPost }
  'post.trashed': { readonly post: FoundPost }
  'post.deleted': { readonly post: FoundPost }
  'revision.created': { readonly id: number; readonly post: number }
}

declare module '../../../core/declare/events.ts' {
  interface EventPayloads extends PostsEvents {}
}

/** What was stored, ready to be shown. */
export interface WrittenPost {
  readonly post: FoundPost
  readonly extras: Extras
}

// ---------------------------------------------------------------- who may

/** Interface: a foreign author and a change of `sticky` are refused even where the user could not write at all. */
function forbiddenValue({ args, user, resource }: WriteContext): ApiError | undefined {
  const { author, sticky } = args
  if (author && author !== user.id && !user.can('edit_others_posts')) {
    return forbidden(user, 'rest_cannot_edit_others', 'Sorry, you are not allowed to create posts as this user.')
  }
  if (sticky !== undefined && sticky !== (resource?.sticky ?? false) && !user.can('edit_others_posts')) {
    return forbidden(user, 'rest_cannot_assign_sticky', 'Sorry, you are not allowed to make posts sticky.')
  }
  return undefined
}

export const mayCreate = permission<WriteArgs, FoundPost | undefined>('edit_posts', (context) => {
  const refused = forbiddenValue(context)
  if (refused) return refused
  return context.user.can('edit_posts')
    ? undefined
    : forbidden(context.user, 'rest_cannot_create', 'Sorry, you are not allowed to create posts as this user.')
})

export const mayUpdate = permission<WriteArgs, FoundPost | undefined>('editors of the post', (context) => {
  const { user, resource } = context
  if (resource && !mayEditPost(user, resource)) {
    return forbidden(user, 'rest_cannot_edit', 'Sorry, you are not allowed to edit this post.')
  }
  return forbiddenValue(context)
})

// ---------------------------------------------------------------- saving

const noExtras: Extras = { terms: [], meta: {}, revisions: { count: 0, latest: 0 } }

export function createPost(context: WriteContext): MaybePromise<WrittenPost> {
  return andThen(preparePost(context, noExtras), ({ values, meta, terms }) =>
    andThen(insertWithSlug(context, values), (post) => {
      const writes = all([
        assignTerms(context, post.id, terms, []),
        writeMeta(context, post.id, meta),
        updateNextDue(context, post),
      ])
      return andThen(writes, () => {
        context.emit('post.created', { post })
        if (post.status === 'publish') context.emit('post.published', { post })
        return { post, extras: { terms, meta: mergedMeta({}, meta), revisions: noExtras.revisions } }
      })
    }),
  )
}

/** A title of which no slug can be made leaves the id, which is known only once the post is stored. */
function insertWithSlug({ storage, settings }: WriteContext, values: PostValues): MaybePromise<FoundPost> {
  return andThen(storage.posts.insert([values]), ([id = 0]) => {
    if (values.slug !== '' || isFloatingStatus(values.status)) return { ...values, id, version: 1 }
    return andThen(uniqueSlugs(storage, settings, [{ type: values.type, base: String(id) }]), ([slug = '']) =>
      andThen(storage.posts.update([{ id, changes: { slug } }]), () => ({ ...values, id, version: 2, slug })),
    )
  })
}

export function updatePost(context: WriteContext): MaybePromise<WrittenPost> {
  const before = context.resource as FoundPost
  return andThen(readExtras(context, [before]), ([extras = noExtras]) =>
    andThen(takeSlugFromTrash(context, before), (desiredSlug) =>
      andThen(preparePost(context, extras, desiredSlug), (prepared) =>
        writeWithRevision(context, before, extras, prepared),
      ),
    ),
  )
}

/** Interface: an autosave of one's own draft changes the post's columns, not its terms or meta, and keeps no version. */
export function autosaveInPlace(context: WriteContext): MaybePromise<FoundPost> {
  const before = context.resource as FoundPost
  const { title, content, excerpt, status, date, date_gmt, slug, author, password, comment_status, ping_status } =
    context.args
  const columns = {
    title,
    content,
    excerpt,
    status,
    date,
    date_gmt,
    slug,
    author,
    password,
    comment_status,
    ping_status,
  }
  const narrowed = { ...context, args: { ...columns, id: before.id } }
  return andThen(readExtras(context, [before]), ([extras = noExtras]) =>
    andThen(preparePost(narrowed, extras), (prepared) =>
      andThen(writePost(narrowed, before, extras, prepared), ({ post }) => {
        emitUpdate(context, post, before, Object.keys(prepared.meta))
        return post
      }),
    ),
  )
}

/** The slug a post had before it was trashed, when this save takes it out again. */
function takeSlugFromTrash({ args, storage }: WriteContext, before: FoundPost): MaybePromise<string | undefined> {
  if (before.status !== 'trash' || args.status === undefined) return undefined
  return andThen(storage.meta.read('post', [before.id], [desiredSlugKey]), ([entry]) => {
    const forget = [desiredSlugKey, trashStatusKey].map((key) => ({ id: before.id, key, value: null }))
    return andThen(storage.meta.write('post', forget), () => (entry ? String(entry.value) : undefined))
  })
}

function writeWithRevision(
  context: WriteContext,
  before: FoundPost,
  extras: Extras,
  prepared: PreparedPost,
): MaybePromise<WrittenPost> {
  return andThen(writePost(context, before, extras, prepared), (written) => {
    const { post } = written
    const { meta, terms } = written.extras
    const revisioned = Object.fromEntries(revisionedKeys.map((key) => [key, meta[key] ?? '']))
    return andThen(saveRevision(context, post, revisioned), (revision) => {
      emitUpdate(context, post, before, Object.keys(prepared.meta))
      if (revision === undefined) return written
      context.emit('revision.created', { id: revision, post: post.id })
      return andThen(context.storage.posts.families(revisionType, [post.id]), ([revisions = noExtras.revisions]) => ({
        post,
        extras: { terms, meta, revisions },
      }))
    })
  })
}

function writePost(
  context: WriteContext,
  before: FoundPost,
  extras: Extras,
  { values, meta, terms }: PreparedPost,
): MaybePromise<WrittenPost> {
  const { storage } = context
  const post: FoundPost = {
    ...values,
    id: before.id,
    version: before.version + 1,
    ...trashedFrom(before, values.status),
  }
  const writes = all([
    storage.posts.update([{ id: before.id, changes: values }]),
    assignTerms(context, before.id, terms, extras.terms),
    writeMeta(context, before.id, meta),
    updateNextDue(context, post),
  ])
  return andThen(writes, () => ({
    post,
    extras: { terms, meta: mergedMeta(extras.meta, meta), revisions: extras.revisions },
  }))
}

function emitUpdate(context: WriteContext, post: FoundPost, before: FoundPost, changedMeta: readonly string[]): void {
  context.emit('post.updated', { post, before, changedMeta })
  if (post.status === 'publish' && before.status !== 'publish') context.emit('post.published', { post })
}

const trashedFrom = (before: FoundPost, status: string) =>
  status === 'trash' && before.trashedFrom !== undefined ? { trashedFrom: before.trashedFrom } : {}

function assignTerms({ storage }: WriteContext, post: number, terms: Extras['terms'], before: Extras['terms']) {
  const changed = [categoryTaxonomy, tagTaxonomy].flatMap((taxonomy) => {
    const ids = (list: Extras['terms']) => list.filter((term) => term.taxonomy === taxonomy).map(({ id }) => id)
    const [next, last] = [ids(terms), ids(before)]
    return next.join() === last.join() ? [] : [{ post, taxonomy, terms: next }]
  })
  return changed.length > 0 ? storage.terms.assign(changed) : undefined
}

function writeMeta({ storage }: WriteContext, id: number, meta: MetaValues) {
  const entries = Object.entries(meta).map(([key, value]) => ({ id, key, value }))
  return entries.length > 0 ? storage.meta.write('post', entries) : undefined
}

const mergedMeta = (before: MetaValues, changes: MetaValues): MetaValues =>
  Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null))

// ---------------------------------------------------------------- trash and removal

export function trashPost(context: WriteContext): MaybePromise<WrittenPost> {
  const before = context.resource as FoundPost
  const { storage, settings } = context
  if (before.status === 'trash') throw new ApiError('rest_already_trashed', 'The post has already been deleted.', 410)
  const remember = [
    { id: before.id, key: trashStatusKey, value: before.status },
    { id: before.id, key: desiredSlugKey, value: before.slug },
  ]
  const wanted = [{ type: 'post', base: trashedSlug(before.slug), own: before.slug }]
  return andThen(
    all([readExtras(context, [before]), uniqueSlugs(storage, settings, wanted)] as const),
    ([[extras = noExtras], [slug = '']]) =>
      andThen(storage.meta.write('post', remember), () => {
        const now = settings.time.now(context.app.clock)
        const { id: _id, version: _version, trashedFrom: _from, ...rest } = before
        // Interface: the trash takes the place at the top away.
        const values = { ...rest, slug, sticky: false, status: 'trash', modified: now.local, modifiedGmt: now.gmt }
        const trashed = { ...before, trashedFrom: before.status }
        return andThen(termsFor({ ...context, args: {} }, extras.terms), (terms) =>
          andThen(writeWithRevision(context, trashed, extras, { values, meta: {}, terms }), (written) => {
            context.emit('post.trashed', { post: written.post })
            return written
          }),
        )
      }),
  )
}

/** For good, with all saved versions. */
export function removePost(context: WriteContext): MaybePromise<void> {
  const post = context.resource as FoundPost
  return andThen(removeRevisions(context.storage, [post.id]), () =>
    andThen(context.storage.posts.remove([post.id]), () => context.emit('post.deleted', { post })),
  )
}
