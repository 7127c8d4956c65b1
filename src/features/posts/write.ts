/** Creating, changing, trashing and removing posts: the rules about values, and what is stored. */

import type { ArgValues } from '../../core/args.ts'
import type { Call } from '../../core/declare.ts'
import { ApiError } from '../../core/errors.ts'
import { all, chain, type Eventually } from '../../core/eventually.ts'
import { type Actor, permission, refusal } from '../../core/permissions.ts'
import {
  categories as categoryTaxonomy,
  desiredSlugKey,
  tags as tagTaxonomy,
  trashStatusKey,
} from '../../core/post-keys.ts'
import { suffixedSlug, toSlug } from '../../core/slug.ts'
import { sanitizeContent, sanitizeTitle } from '../../services/render/sanitize.ts'
import type { PostValues } from '../../storage/contract.ts'
import { removeRevisions, saveRevision } from '../revisions/model.ts'
import type { writeArgs } from './args.ts'
import { dateOf, isFloatingStatus, statusAt } from './dates.ts'
import { type MetaValues, metaChanges, revisionedKeys } from './meta.ts'
import { type FoundPost, mayEditPost } from './model.ts'
import { freeSlugs } from './slugs.ts'
import { type Extras, readExtras, readTerms } from './view.ts'

export type WriteArgs = Partial<ArgValues<typeof writeArgs>> & { readonly id?: number }
export type WriteCall = Call<WriteArgs, FoundPost | undefined>

declare module '../../core/events.ts' {
  interface EventPayloads {
    'post.created': { readonly post: FoundPost }
    'post.updated': { readonly post: FoundPost; readonly before: FoundPost }
    'post.published': { readonly post: FoundPost }
    'post.trashed': { readonly post: FoundPost }
    'post.deleted': { readonly post: FoundPost }
    'revision.created': { readonly id: number; readonly post: number }
  }
}

/** What was stored, ready to be shown. */
export interface Written {
  readonly post: FoundPost
  readonly extras: Extras
}

// ---------------------------------------------------------------- who may

/** Interface: a foreign author and a change of `sticky` are refused even where the user could not write at all. */
function refusedValue({ args, user, subject }: WriteCall): ApiError | undefined {
  const { author, sticky } = args
  if (author && author !== user.id && !user.can('edit_others_posts')) {
    return refusal(user, 'rest_cannot_edit_others', 'Sorry, you are not allowed to create posts as this user.')
  }
  if (sticky !== undefined && sticky !== (subject?.sticky ?? false) && !user.can('edit_others_posts')) {
    return refusal(user, 'rest_cannot_assign_sticky', 'Sorry, you are not allowed to make posts sticky.')
  }
  return undefined
}

export const mayCreate = permission<WriteArgs, FoundPost | undefined>('edit_posts', (call) => {
  const refused = refusedValue(call)
  if (refused) return refused
  return call.user.can('edit_posts')
    ? undefined
    : refusal(call.user, 'rest_cannot_create', 'Sorry, you are not allowed to create posts as this user.')
})

export const mayUpdate = permission<WriteArgs, FoundPost | undefined>('editors of the post', (call) => {
  const { user, subject } = call
  if (subject && !mayEditPost(user, subject)) {
    return refusal(user, 'rest_cannot_edit', 'Sorry, you are not allowed to edit this post.')
  }
  return refusedValue(call)
})

// ---------------------------------------------------------------- values

type Texts = Pick<PostValues, 'title' | 'content' | 'excerpt'>

/** Interface: a text or `{ raw }`; anything else counts as not sent. */
function textOf(sent: unknown): string | undefined {
  if (typeof sent === 'string') return sent
  const raw = typeof sent === 'object' && sent !== null ? (sent as { raw?: unknown }).raw : undefined
  return typeof raw === 'string' ? raw : undefined
}

function textsOf(args: WriteArgs, user: Actor, before: FoundPost | undefined): Texts {
  const isTrusted = user.can('unfiltered_html')
  const text = (name: keyof Texts, clean: (html: string) => string) => {
    const sent = textOf(args[name])
    if (sent === undefined) return before?.[name] ?? ''
    return isTrusted ? sent : clean(sent)
  }
  const texts = {
    title: text('title', sanitizeTitle).trim(),
    content: text('content', sanitizeContent),
    excerpt: text('excerpt', sanitizeContent),
  }
  if (texts.title === '' && texts.content === '' && texts.excerpt === '') {
    throw new ApiError('empty_content', 'Content, title, and excerpt are empty.', 400)
  }
  return texts
}

/** Throws when the caller may not give this status. */
function wantedStatus({ args, user, subject }: WriteCall): string {
  const before = subject?.status
  const { status } = args
  if (status === undefined || status === before) return before ?? 'draft'
  if (status !== 'draft' && status !== 'pending' && !user.can('publish_posts')) {
    const what = status === 'private' ? 'create private posts' : 'publish posts'
    throw refusal(user, 'rest_cannot_publish', `Sorry, you are not allowed to ${what} in this post type.`)
  }
  return status
}

function authorOf({ args, user, subject, storage }: WriteCall): Eventually<number> {
  const { author } = args
  if (!author) return subject?.author ?? user.id
  if (author === user.id || author === subject?.author) return author
  const found = storage.users.query({ ids: [author], order: { by: 'id', descending: false }, offset: 0, limit: 1 })
  return chain(found, ({ rows }) => {
    if (rows.length === 0) throw new ApiError('rest_invalid_author', 'Invalid author ID.', 400)
    return author
  })
}

const maxPassword = 255

/** Sticky posts have no password, neither among what was sent nor against what is stored. */
function passwordOf({ args, subject }: WriteCall): string {
  const { password, sticky } = args
  if (password && (sticky || subject?.sticky)) {
    throw new ApiError('rest_invalid_field', 'A post can not be sticky and have a password.', 400)
  }
  if (sticky && subject && subject.password !== '') {
    throw new ApiError('rest_invalid_field', 'A password protected post can not be set to sticky.', 400)
  }
  return [...(password ?? subject?.password ?? '')].slice(0, maxPassword).join('')
}

/** Choice, as recorded: a medium that is not there, or no picture, is dropped. */
function mediumOf({ args, subject, storage }: WriteCall): Eventually<number> {
  const { featured_media: medium } = args
  if (medium === undefined || medium === subject?.featuredMedia) return subject?.featuredMedia ?? 0
  if (medium <= 0) return 0
  return chain(storage.posts.read([medium]), ([row]) =>
    row?.type === 'attachment' && row.mimeType.startsWith('image/') ? medium : 0,
  )
}

// ---------------------------------------------------------------- slugs

function slugOf(call: WriteCall, status: string, title: string, desired: string | undefined): Eventually<string> {
  const { args, subject, storage, settings } = call
  const given = desired ?? (args.slug === undefined ? subject?.slug : toSlug(args.slug)) ?? ''
  const base = given === '' && !isFloatingStatus(status) ? toSlug(title) || String(subject?.id ?? '') : given
  if (base === subject?.slug) return base
  const wanted = [{ type: 'post', base, ...(subject ? { own: subject.slug } : {}) }]
  return chain(freeSlugs(storage, settings, wanted), ([slug = '']) => slug)
}

const trashSuffix = '__trashed'

// ---------------------------------------------------------------- terms

/** Interface: a post without categories is put into the default one, unless the request itself empties them. */
function termsOf(call: WriteCall, before: Extras['terms']): Eventually<Extras['terms']> {
  const { args, settings } = call
  const kept = (taxonomy: string) => before.filter((term) => term.taxonomy === taxonomy).map(({ id }) => id)
  const current = kept(categoryTaxonomy)
  const fallback = settings.defaultCategory > 0 ? [settings.defaultCategory] : []
  const categories = args.categories ?? (current.length > 0 ? current : fallback)
  const tags = args.tags ?? kept(tagTaxonomy)
  return chain(readTerms(call, [...new Set([...categories, ...tags])]), (known) => {
    const chosen = (ids: readonly number[], taxonomy: string) =>
      [...new Set(ids)].flatMap((id) => known.get(id) ?? []).filter((term) => term.taxonomy === taxonomy)
    return [...chosen(categories, categoryTaxonomy), ...chosen(tags, tagTaxonomy)].sort((a, b) => a.id - b.id)
  })
}

function assignTerms({ storage }: WriteCall, post: number, terms: Extras['terms'], before: Extras['terms']) {
  const changed = [categoryTaxonomy, tagTaxonomy].flatMap((taxonomy) => {
    const ids = (list: Extras['terms']) => list.filter((term) => term.taxonomy === taxonomy).map(({ id }) => id)
    const [next, last] = [ids(terms), ids(before)]
    return next.join() === last.join() ? [] : [{ post, taxonomy, terms: next }]
  })
  return changed.length > 0 ? storage.terms.assign(changed) : undefined
}

// ---------------------------------------------------------------- saving

type Prepared = { readonly values: PostValues; readonly meta: MetaValues; readonly terms: Extras['terms'] }

/** All rules, in the order in which the interface tells of them; nothing is written before the last one held. */
function prepare(call: WriteCall, before: Extras, desiredSlug?: string): Eventually<Prepared> {
  const { args, user, subject, settings, site } = call
  const wanted = wantedStatus(call)
  return chain(authorOf(call), (author) => {
    const password = passwordOf(call)
    const texts = textsOf(args, user, subject)
    const meta = metaChanges(args.meta, user)
    const dating = dateOf(args, subject, wanted, settings, site.clock)
    const status = statusAt(wanted, dating.dateGmt, site.clock)
    const now = settings.time.now(site.clock)
    const found = all([
      slugOf(call, status, texts.title, desiredSlug),
      mediumOf(call),
      termsOf(call, before.terms),
    ] as const)
    return chain(found, ([slug, featuredMedia, terms]) => ({
      meta,
      terms,
      values: {
        type: 'post',
        ...texts,
        ...dating,
        status,
        slug,
        author,
        featuredMedia,
        parent: subject?.parent ?? 0,
        // Interface: a new post counts as modified when it is dated.
        modified: subject ? now.local : dating.date,
        modifiedGmt: subject ? now.gmt : (dating.dateGmt ?? settings.time.toGmt(dating.date)),
        password: status === 'private' ? '' : password,
        commentStatus: args.comment_status ?? subject?.commentStatus ?? settings.defaultCommentStatus,
        pingStatus: args.ping_status ?? subject?.pingStatus ?? settings.defaultPingStatus,
        format: args.format ?? subject?.format ?? 'standard',
        sticky: args.sticky ?? subject?.sticky ?? false,
        template: args.template ?? subject?.template ?? '',
        mimeType: '',
      },
    }))
  })
}

const nothing: Extras = { terms: [], meta: {}, revisions: { count: 0, latest: 0 } }

export function createPost(call: WriteCall): Eventually<Written> {
  const { storage } = call
  return chain(prepare(call, nothing), ({ values, meta, terms }) =>
    chain(storage.posts.insert([values]), ([id = 0]) => {
      // A title of which no slug can be made leaves the id, which is known only now.
      const isNameless = values.slug === '' && !isFloatingStatus(values.status)
      const post: FoundPost = {
        ...values,
        id,
        version: isNameless ? 2 : 1,
        slug: isNameless ? String(id) : values.slug,
      }
      const writes = all([
        isNameless ? storage.posts.update([{ id, changes: { slug: post.slug } }]) : undefined,
        assignTerms(call, id, terms, []),
        writeMeta(call, id, meta),
      ])
      return chain(writes, () => {
        call.emit('post.created', { post })
        if (post.status === 'publish') call.emit('post.published', { post })
        return { post, extras: { terms, meta: applied({}, meta), revisions: nothing.revisions } }
      })
    }),
  )
}

export function updatePost(call: WriteCall): Eventually<Written> {
  const before = call.subject as FoundPost
  return chain(readExtras(call, [before]), ([extras = nothing]) =>
    chain(restored(call, before), (desiredSlug) =>
      chain(prepare(call, extras, desiredSlug), (prepared) => save(call, before, extras, prepared)),
    ),
  )
}

/** The slug a post had before it was trashed, when this save takes it out again. */
function restored({ args, storage }: WriteCall, before: FoundPost): Eventually<string | undefined> {
  if (before.status !== 'trash' || args.status === undefined) return undefined
  return chain(storage.meta.read('post', [before.id], [desiredSlugKey]), ([entry]) => {
    const forget = [desiredSlugKey, trashStatusKey].map((key) => ({ id: before.id, key, value: null }))
    return chain(storage.meta.write('post', forget), () => (entry ? String(entry.value) : undefined))
  })
}

function save(
  call: WriteCall,
  before: FoundPost,
  extras: Extras,
  { values, meta, terms }: Prepared,
): Eventually<Written> {
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
  ])
  return chain(writes, () => {
    const kept = applied(extras.meta, meta)
    const revisioned = Object.fromEntries(revisionedKeys.map((key) => [key, kept[key] ?? '']))
    return chain(saveRevision(call, post, revisioned), (revision) => {
      call.emit('post.updated', { post, before })
      if (post.status === 'publish' && before.status !== 'publish') call.emit('post.published', { post })
      if (revision !== undefined) call.emit('revision.created', { id: revision, post: post.id })
      const { count, latest } = extras.revisions
      const revisions = revision === undefined ? { count, latest } : { count: count + 1, latest: revision }
      return { post, extras: { terms, meta: kept, revisions } }
    })
  })
}

const trashedFrom = (before: FoundPost, status: string) =>
  status === 'trash' && before.trashedFrom !== undefined ? { trashedFrom: before.trashedFrom } : {}

function writeMeta({ storage }: WriteCall, id: number, meta: MetaValues) {
  const entries = Object.entries(meta).map(([key, value]) => ({ id, key, value }))
  return entries.length > 0 ? storage.meta.write('post', entries) : undefined
}

const applied = (before: MetaValues, changes: MetaValues): MetaValues =>
  Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null))

// ---------------------------------------------------------------- trash and removal

export function trashPost(call: WriteCall): Eventually<Written> {
  const before = call.subject as FoundPost
  const { storage, settings } = call
  if (before.status === 'trash') throw new ApiError('rest_already_trashed', 'The post has already been deleted.', 410)
  const remember = [
    { id: before.id, key: trashStatusKey, value: before.status },
    ...(before.slug === '' ? [] : [{ id: before.id, key: desiredSlugKey, value: before.slug }]),
  ]
  const base = before.slug === '' || before.slug.endsWith(trashSuffix) ? before.slug : withTrashSuffix(before.slug)
  const wanted = [{ type: 'post', base, own: before.slug }]
  return chain(
    all([readExtras(call, [before]), freeSlugs(storage, settings, wanted)] as const),
    ([[extras = nothing], [slug = '']]) =>
      chain(storage.meta.write('post', remember), () => {
        const now = settings.time.now(call.site.clock)
        const { id: _id, version: _version, trashedFrom: _from, ...rest } = before
        const values = { ...rest, slug, status: 'trash', modified: now.local, modifiedGmt: now.gmt }
        const trashed = { ...before, trashedFrom: before.status }
        return chain(termsOf({ ...call, args: {} }, extras.terms), (terms) =>
          chain(save(call, trashed, extras, { values, meta: {}, terms }), (written) => {
            call.emit('post.trashed', { post: written.post })
            return written
          }),
        )
      }),
  )
}

/** The suffix has to fit into the length of a slug. */
const withTrashSuffix = (slug: string): string => suffixedSlug(slug, 0).slice(0, -2) + trashSuffix

/** For good, with all saved versions. */
export function removePost(call: WriteCall): Eventually<void> {
  const post = call.subject as FoundPost
  return chain(removeRevisions(call.storage, [post.id]), () =>
    chain(call.storage.posts.remove([post.id]), () => call.emit('post.deleted', { post })),
  )
}
