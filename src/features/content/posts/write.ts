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
import { type Prepared, prepare, termsOf } from './prepare-post.ts'
import { noteScheduled } from './schedule.ts'
import { type Extras, readExtras } from './view.ts'

export type WriteArgs = Partial<ArgValues<typeof writeArgs>> & { readonly id?: number }
export type WriteCall = Context<WriteArgs, FoundPost | undefined>

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
export interface Written {
  readonly post: FoundPost
  readonly extras: Extras
}

// ---------------------------------------------------------------- who may

/** Interface: a foreign author and a change of `sticky` are refused even where the user could not write at all. */
function refusedValue({ args, user, resource }: WriteCall): ApiError | undefined {
  const { author, sticky } = args
  if (author && author !== user.id && !user.can('edit_others_posts')) {
    return forbidden(user, 'rest_cannot_edit_others', 'Sorry, you are not allowed to create posts as this user.')
  }
  if (sticky !== undefined && sticky !== (resource?.sticky ?? false) && !user.can('edit_others_posts')) {
    return forbidden(user, 'rest_cannot_assign_sticky', 'Sorry, you are not allowed to make posts sticky.')
  }
  return undefined
}

export const mayCreate = permission<WriteArgs, FoundPost | undefined>('edit_posts', (call) => {
  const refused = refusedValue(call)
  if (refused) return refused
  return call.user.can('edit_posts')
    ? undefined
    : forbidden(call.user, 'rest_cannot_create', 'Sorry, you are not allowed to create posts as this user.')
})

export const mayUpdate = permission<WriteArgs, FoundPost | undefined>('editors of the post', (call) => {
  const { user, resource } = call
  if (resource && !mayEditPost(user, resource)) {
    return forbidden(user, 'rest_cannot_edit', 'Sorry, you are not allowed to edit this post.')
  }
  return refusedValue(call)
})

// ---------------------------------------------------------------- saving

const nothing: Extras = { terms: [], meta: {}, revisions: { count: 0, latest: 0 } }

export function createPost(call: WriteCall): MaybePromise<Written> {
  return andThen(prepare(call, nothing), ({ values, meta, terms }) =>
    andThen(insertNamed(call, values), (post) => {
      const writes = all([
        assignTerms(call, post.id, terms, []),
        writeMeta(call, post.id, meta),
        noteScheduled(call, post),
      ])
      return andThen(writes, () => {
        call.emit('post.created', { post })
        if (post.status === 'publish') call.emit('post.published', { post })
        return { post, extras: { terms, meta: applied({}, meta), revisions: nothing.revisions } }
      })
    }),
  )
}

/** A title of which no slug can be made leaves the id, which is known only once the post is stored. */
function insertNamed({ storage, settings }: WriteCall, values: PostValues): MaybePromise<FoundPost> {
  return andThen(storage.posts.insert([values]), ([id = 0]) => {
    if (values.slug !== '' || isFloatingStatus(values.status)) return { ...values, id, version: 1 }
    return andThen(uniqueSlugs(storage, settings, [{ type: values.type, base: String(id) }]), ([slug = '']) =>
      andThen(storage.posts.update([{ id, changes: { slug } }]), () => ({ ...values, id, version: 2, slug })),
    )
  })
}

export function updatePost(call: WriteCall): MaybePromise<Written> {
  const before = call.resource as FoundPost
  return andThen(readExtras(call, [before]), ([extras = nothing]) =>
    andThen(restored(call, before), (desiredSlug) =>
      andThen(prepare(call, extras, desiredSlug), (prepared) => save(call, before, extras, prepared)),
    ),
  )
}

/** Interface: an autosave of one's own draft changes the post's columns, not its terms or meta, and keeps no version. */
export function autosaveInPlace(call: WriteCall): MaybePromise<FoundPost> {
  const before = call.resource as FoundPost
  const { title, content, excerpt, status, date, date_gmt, slug, author, password, comment_status, ping_status } =
    call.args
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
  const narrowed = { ...call, args: { ...columns, id: before.id } }
  return andThen(readExtras(call, [before]), ([extras = nothing]) =>
    andThen(prepare(narrowed, extras), (prepared) =>
      andThen(store(narrowed, before, extras, prepared), ({ post }) => {
        tellUpdate(call, post, before, Object.keys(prepared.meta))
        return post
      }),
    ),
  )
}

/** The slug a post had before it was trashed, when this save takes it out again. */
function restored({ args, storage }: WriteCall, before: FoundPost): MaybePromise<string | undefined> {
  if (before.status !== 'trash' || args.status === undefined) return undefined
  return andThen(storage.meta.read('post', [before.id], [desiredSlugKey]), ([entry]) => {
    const forget = [desiredSlugKey, trashStatusKey].map((key) => ({ id: before.id, key, value: null }))
    return andThen(storage.meta.write('post', forget), () => (entry ? String(entry.value) : undefined))
  })
}

function save(call: WriteCall, before: FoundPost, extras: Extras, prepared: Prepared): MaybePromise<Written> {
  return andThen(store(call, before, extras, prepared), (written) => {
    const { post } = written
    const { meta, terms } = written.extras
    const revisioned = Object.fromEntries(revisionedKeys.map((key) => [key, meta[key] ?? '']))
    return andThen(saveRevision(call, post, revisioned), (revision) => {
      tellUpdate(call, post, before, Object.keys(prepared.meta))
      if (revision === undefined) return written
      call.emit('revision.created', { id: revision, post: post.id })
      return andThen(call.storage.posts.families(revisionType, [post.id]), ([revisions = nothing.revisions]) => ({
        post,
        extras: { terms, meta, revisions },
      }))
    })
  })
}

function store(
  call: WriteCall,
  before: FoundPost,
  extras: Extras,
  { values, meta, terms }: Prepared,
): MaybePromise<Written> {
  const { storage } = call
  const post: FoundPost = {
    ...values,
    id: before.id,
    version: before.version + 1,
    ...trashedFrom(before, values.status),
  }
  const writes = all([
    storage.posts.update([{ id: before.id, changes: values }]),
    assignTerms(call, before.id, terms, extras.terms),
    writeMeta(call, before.id, meta),
    noteScheduled(call, post),
  ])
  return andThen(writes, () => ({
    post,
    extras: { terms, meta: applied(extras.meta, meta), revisions: extras.revisions },
  }))
}

function tellUpdate(call: WriteCall, post: FoundPost, before: FoundPost, changedMeta: readonly string[]): void {
  call.emit('post.updated', { post, before, changedMeta })
  if (post.status === 'publish' && before.status !== 'publish') call.emit('post.published', { post })
}

const trashedFrom = (before: FoundPost, status: string) =>
  status === 'trash' && before.trashedFrom !== undefined ? { trashedFrom: before.trashedFrom } : {}

function assignTerms({ storage }: WriteCall, post: number, terms: Extras['terms'], before: Extras['terms']) {
  const changed = [categoryTaxonomy, tagTaxonomy].flatMap((taxonomy) => {
    const ids = (list: Extras['terms']) => list.filter((term) => term.taxonomy === taxonomy).map(({ id }) => id)
    const [next, last] = [ids(terms), ids(before)]
    return next.join() === last.join() ? [] : [{ post, taxonomy, terms: next }]
  })
  return changed.length > 0 ? storage.terms.assign(changed) : undefined
}

function writeMeta({ storage }: WriteCall, id: number, meta: MetaValues) {
  const entries = Object.entries(meta).map(([key, value]) => ({ id, key, value }))
  return entries.length > 0 ? storage.meta.write('post', entries) : undefined
}

const applied = (before: MetaValues, changes: MetaValues): MetaValues =>
  Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null))

// ---------------------------------------------------------------- trash and removal

export function trashPost(call: WriteCall): MaybePromise<Written> {
  const before = call.resource as FoundPost
  const { storage, settings } = call
  if (before.status === 'trash') throw new ApiError('rest_already_trashed', 'The post has already been deleted.', 410)
  const remember = [
    { id: before.id, key: trashStatusKey, value: before.status },
    { id: before.id, key: desiredSlugKey, value: before.slug },
  ]
  const wanted = [{ type: 'post', base: trashedSlug(before.slug), own: before.slug }]
  return andThen(
    all([readExtras(call, [before]), uniqueSlugs(storage, settings, wanted)] as const),
    ([[extras = nothing], [slug = '']]) =>
      andThen(storage.meta.write('post', remember), () => {
        const now = settings.time.now(call.app.clock)
        const { id: _id, version: _version, trashedFrom: _from, ...rest } = before
        // Interface: the trash takes the place at the top away.
        const values = { ...rest, slug, sticky: false, status: 'trash', modified: now.local, modifiedGmt: now.gmt }
        const trashed = { ...before, trashedFrom: before.status }
        return andThen(termsOf({ ...call, args: {} }, extras.terms), (terms) =>
          andThen(save(call, trashed, extras, { values, meta: {}, terms }), (written) => {
            call.emit('post.trashed', { post: written.post })
            return written
          }),
        )
      }),
  )
}

/** For good, with all saved versions. */
export function removePost(call: WriteCall): MaybePromise<void> {
  const post = call.resource as FoundPost
  return andThen(removeRevisions(call.storage, [post.id]), () =>
    andThen(call.storage.posts.remove([post.id]), () => call.emit('post.deleted', { post })),
  )
}
