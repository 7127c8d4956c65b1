/** The rules about the values of a post, in the order in which the interface tells of them. Nothing is written here. */
import type { ArgValues } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { forbidden } from '../../../core/declare/permissions.ts'
import { all, andThen, type MaybePromise } from '../../../core/runtime/maybe-promise.ts'
import { filterContent, filterTitle } from '../../../render/filter/filter.ts'
import { categories as categoryTaxonomy, tags as tagTaxonomy } from '../../../site/post-keys.ts'
import { toSlug } from '../../../site/slug.ts'
import { uniqueSlugs } from '../../../site/unique-slugs.ts'
import type { PostValues } from '../../../storage/contract.ts'
import { type MetaValues, metaChanges } from '../../shared/post-meta/model.ts'
import type { writeArgs } from './args.ts'
import { datesFor, isFloatingStatus, statusAt } from './dates.ts'
import { absoluteIds, type FoundPost } from './model.ts'
import { type Extras, readTerms } from './view.ts'

type PostTexts = Pick<PostValues, 'title' | 'content' | 'excerpt'>

/** Interface: a text or `{ raw }`; anything else counts as not sent. */
function textOf(sent: unknown): string | undefined {
  if (typeof sent === 'string') return sent
  const raw = typeof sent === 'object' && sent !== null ? (sent as { raw?: unknown }).raw : undefined
  return typeof raw === 'string' ? raw : undefined
}

/** Interface: titles lose the blanks around them, no-break spaces and what a filter leaves behind not among them. */
const trimmed = (text: string) => text.replace(/^[ \t\n\r\0\v]+|[ \t\n\r\0\v]+$/g, '')

/** The texts that were sent, cleaned for users without the unfiltered-HTML capability. */
export function inputTexts({ args, user, app }: WriteContext): Partial<PostTexts> {
  const { names } = app
  const isTrusted = user.can('unfiltered_html')
  const text = (sent: unknown, clean: (html: string) => string, known = (given: string) => given) => {
    const written = textOf(sent)
    const given = written === undefined ? undefined : known(written)
    return given === undefined || isTrusted ? given : clean(given)
  }
  const markup = (html: string) => filterContent(html, { home: settings.home })
  const title = text(args.title, filterTitle, trimmed)
  const content = text(args.content, markup, names.swapMarkup)
  const excerpt = text(args.excerpt, markup, names.swapMarkup)
  return {
    ...(title === undefined ? {} : { title }),
    ...(content === undefined ? {} : { content }),
    ...(excerpt === undefined ? {} : { excerpt }),
  }
}

function textsFor(context: WriteContext): PostTexts {
  const { title = '', content = '', excerpt = '' } = { ...context.resource, ...inputTexts(context) }
  if (title === '' && content === '' && excerpt === '') {
    throw new ApiError('empty_content', 'Content, title, and excerpt are empty.', 400)
  }
  return { title, content, excerpt }
}

/** Throws when the caller may not give this status. */
function requestedStatus({ args, user, resource }: WriteContext): string {
  const before = resource?.status
  const { status } = args
  if (status === undefined || status === before) return before ?? 'draft'
  if (status !== 'draft' && status !== 'pending' && !user.can('publish_posts')) {
    const what = status === 'private' ? 'create private posts' : 'publish posts'
    throw forbidden(user, 'rest_cannot_publish', `Sorry, you are not allowed to ${what} in this post type.`)
  }
  return status
}

function authorFor({ args, user, resource, storage }: WriteContext): MaybePromise<number> {
  const { author } = args
  if (!author) return resource?.author ?? user.id
  if (author === user.id || author === resource?.author) return author
  const found = storage.users.query({ ids: [author], order: { by: 'id', descending: false }, offset: 0, limit: 1 })
  return andThen(found, ({ rows }) => {
    if (rows.length === 0) throw new ApiError('rest_invalid_author', 'Invalid author ID.', 400)
    return author
  })
}

const maxPassword = 255

/** Sticky posts have no password, neither among what was sent nor against what is stored. */
function passwordFor({ args, resource }: WriteContext): string {
  const { password, sticky } = args
  if (password && (sticky || resource?.sticky)) {
    throw new ApiError('rest_invalid_field', 'A post can not be sticky and have a password.', 400)
  }
  if (sticky && resource && resource.password !== '') {
    throw new ApiError('rest_invalid_field', 'A password protected post can not be set to sticky.', 400)
  }
  return [...(password ?? resource?.password ?? '')].slice(0, maxPassword).join('')
}

/** Choice, as recorded: a medium that is not there, or no picture, is dropped. */
function featuredMediaFor({ args, resource, storage }: WriteContext): MaybePromise<number> {
  const medium = Math.abs(args.featured_media ?? resource?.featuredMedia ?? 0)
  if (medium === 0 || medium === resource?.featuredMedia) return medium
  return andThen(storage.posts.read([medium]), ([row]) =>
    row?.type === 'attachment' && row.mimeType.startsWith('image/') ? medium : 0,
  )
}

// ---------------------------------------------------------------- slugs

/** `desired`: what a post had before it came into the trash; it goes before what is asked for. */
function slugFor(
  context: WriteContext,
  status: string,
  title: string,
  desired: string | undefined,
): MaybePromise<string> {
  const { args, resource, storage, settings } = context
  const before = desired ?? resource?.slug ?? ''
  // Interface: a sent slug of 0 counts as none.
  const given = desired || (args.slug === undefined ? before : args.slug === '0' ? '' : toSlug(args.slug))
  const base = given === '' && !isFloatingStatus(status) ? toSlug(title) || String(resource?.id ?? '') : given
  if (base === resource?.slug) return base
  const wanted = [{ type: 'post', base, ...(resource ? { own: resource.slug } : {}) }]
  return andThen(uniqueSlugs(storage, settings, wanted), ([slug = '']) => slug)
}

// ---------------------------------------------------------------- terms

/** Interface: a post without categories is put into the default one, unless the request itself empties them. */
export function termsFor(context: WriteContext, before: Extras['terms']): MaybePromise<Extras['terms']> {
  const { args, settings } = context
  const kept = (taxonomy: string) => before.filter((term) => term.taxonomy === taxonomy).map(({ id }) => id)
  const current = kept(categoryTaxonomy)
  const fallback = settings.defaultCategory > 0 ? [settings.defaultCategory] : []
  const categories = absoluteIds(args.categories ?? (current.length > 0 ? current : fallback))
  const tags = absoluteIds(args.tags ?? kept(tagTaxonomy))
  return andThen(readTerms(context, [...new Set([...categories, ...tags])]), (known) => {
    const chosen = (ids: readonly number[], taxonomy: string) =>
      [...new Set(ids)].flatMap((id) => known.get(id) ?? []).filter((term) => term.taxonomy === taxonomy)
    return [...chosen(categories, categoryTaxonomy), ...chosen(tags, tagTaxonomy)].sort((a, b) => a.id - b.id)
  })
}

// ---------------------------------------------------------------- all of it

export type PreparedPost = { readonly values: PostValues; readonly meta: MetaValues; readonly terms: Extras['terms'] }

/** All rules, in the order in which the interface tells of them; nothing is written before the last one held. */
export function preparePost(context: WriteContext, before: Extras, desiredSlug?: string): MaybePromise<PreparedPost> {
  const { args, resource, settings, app } = context
  const wanted = requestedStatus(context)
  return andThen(authorFor(context), (author) => {
    const password = passwordFor(context)
    const texts = textsFor(context)
    const meta = metaChanges(args.meta, context)
    const dating = datesFor(args, resource, wanted, settings, app.clock)
    const status = statusAt(wanted, dating.dateGmt, app.clock)
    const now = settings.time.now(app.clock)
    const found = all([
      slugFor(context, status, texts.title, desiredSlug),
      featuredMediaFor(context),
      termsFor(context, before.terms),
    ] as const)
    return andThen(found, ([slug, featuredMedia, terms]) => ({
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
        parent: resource?.parent ?? 0,
        // Interface: a new post counts as modified when it is dated.
        modified: resource ? now.local : dating.date,
        modifiedGmt: resource ? now.gmt : (dating.dateGmt ?? settings.time.toGmt(dating.date)),
        password: status === 'private' ? '' : password,
        commentStatus: args.comment_status ?? resource?.commentStatus ?? settings.defaultCommentStatus,
        pingStatus: args.ping_status ?? resource?.pingStatus ?? settings.defaultPingStatus,
        format: args.format ?? resource?.format ?? 'standard',
        sticky: args.sticky ?? resource?.sticky ?? false,
        template: args.template ?? resource?.template ?? '',
        mimeType: '',
      },
    }))
  })
}

/** The rules about values alone, for what is kept without touching the post. */
export function checkValues(context: WriteContext): MaybePromise<void> {
  requestedStatus(context)
  return andThen(authorFor(context), () => {
    passwordFor(context)
    metaChanges(context.args.meta, context)
  })
}

export type WriteArgs = Partial<ArgValues<typeof writeArgs>> & { readonly id?: number }

export type WriteContext = Context<WriteArgs, FoundPost | undefined>
