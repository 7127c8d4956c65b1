/** From a row to the response body. Texts that do not depend on the caller are cached with the version of the row. */

import type { Context } from '../../../core/declare/context.ts'
import { RawJson } from '../../../core/runtime/json.ts'
import { andThen, type MaybePromise } from '../../../core/runtime/maybe-promise.ts'
import { blockVersion } from '../../../render/blocks/blocks.ts'
import { renderOf } from '../../../render/index.ts'
import { permalinkOf } from '../../../site/permalink.ts'
import { categories as categoryTaxonomy, tags as tagTaxonomy } from '../../../site/post-keys.ts'
import type { Settings } from '../../../site/settings.ts'
import { readableSlug, toSlug } from '../../../site/slug.ts'
import { uniqueSlugs } from '../../../site/unique-slugs.ts'
import { type MetaValues, metaView, renderContext } from '../../shared/post-meta/model.ts'
import { type Extras, readExtras } from './extras.ts'
import type { FoundPost } from './model.ts'
import { createRowCache } from './row-cache.ts'

type ViewContext = 'view' | 'embed' | 'edit'

interface ViewOptions {
  readonly viewContext: ViewContext
  /** Opens a protected post. */
  readonly password?: string
  readonly excerptLength?: number
}

type RenderContext = Pick<Context, 'storage' | 'app' | 'settings' | 'user'>

/** The views of these posts, in order. Returns without a promise when all of them are cached. */
export function postViews(
  context: RenderContext,
  posts: readonly FoundPost[],
  options: ViewOptions,
): MaybePromise<RawJson[]> {
  const cached = posts.map((post) => cachedText(context, post, options))
  return cached.includes(undefined) ? renderMissing(context, posts, options, cached) : (cached as RawJson[])
}

async function renderMissing(
  context: RenderContext,
  posts: readonly FoundPost[],
  options: ViewOptions,
  cached: readonly (RawJson | undefined)[],
): Promise<RawJson[]> {
  const missing = posts.filter((_, index) => cached[index] === undefined)
  const extras = await readExtras(context.storage, missing, options.viewContext)
  const slugs = options.viewContext === 'edit' ? await generatedSlugs(context, missing) : []
  const rendered = missing.map((post, index) =>
    renderText(context, post, extras[index] as Extras, options, slugs[index]),
  )
  let next = 0
  return cached.map((text) => text ?? (rendered[next++] as RawJson))
}

/** The view after a write, which has the extras already. */
export function writtenView(context: RenderContext, post: FoundPost, extras: Extras): MaybePromise<RawJson> {
  return andThen(generatedSlugs(context, [post]), ([slug]) =>
    renderText(context, post, extras, { viewContext: 'edit' }, slug),
  )
}

/** The slug that each title would get. */
const generatedSlugs = ({ storage, settings }: RenderContext, posts: readonly FoundPost[]) =>
  uniqueSlugs(
    storage,
    settings,
    posts.map((post) => ({ type: post.type, base: toSlug(post.title) || String(post.id), own: post.slug })),
  )

// ---------------------------------------------------------------- cached texts

/** In characters of rendered text, for each site. */
const maxCachedCharacters = 32 * 1024 * 1024
const cachedTexts = createRowCache<RawJson>(maxCachedCharacters)

/** Nothing that depends on the user is cached, so the edit context is not. */
function cacheKey(post: FoundPost, options: ViewOptions): string | undefined {
  if (options.viewContext === 'edit' || options.excerptLength !== undefined) return undefined
  return `${post.id}:${options.viewContext}:${isLocked(post, options) ? 'locked' : 'open'}`
}

function cachedText(context: RenderContext, post: FoundPost, options: ViewOptions): RawJson | undefined {
  const key = cacheKey(post, options)
  return key === undefined ? undefined : cachedTexts.get(context, post, key)
}

function renderText(
  context: RenderContext,
  post: FoundPost,
  extras: Extras,
  options: ViewOptions,
  generatedSlug = '',
): RawJson {
  const text = new RawJson(JSON.stringify(postView(context, post, extras, options, generatedSlug)))
  const key = cacheKey(post, options)
  if (key !== undefined) cachedTexts.set(context, post, key, text, text.text.length)
  return text
}

// ---------------------------------------------------------------- one post

/** Interface: only the password opens a protected post, for its editors too; they read it in the edit context. */
function isLocked(post: FoundPost, { viewContext, password }: ViewOptions): boolean {
  if (post.password === '' || viewContext === 'edit') return false
  return !password || password !== post.password
}

function postView(
  context: RenderContext,
  post: FoundPost,
  extras: Extras,
  options: ViewOptions,
  generatedSlug: string,
) {
  const { settings, app } = context
  const { viewContext } = options
  const isEdit = viewContext === 'edit'
  const link = postLink(post, settings)
  const head = { id: post.id, date: post.date }
  const title = { ...rawMember(options, post.title), rendered: renderOf(app).title(post.title) }
  const excerpt = excerptView(context, post, options)
  const links = { _links: postLinks(context, post, extras, isEdit) }
  if (viewContext === 'embed') {
    const { slug, type, author, featuredMedia } = post
    return { ...head, slug, type, link, title, excerpt, author, featured_media: featuredMedia, ...links }
  }
  const guid = `${settings.home}/?p=${post.id}`
  const termIds = (taxonomy: string) => extras.terms.filter((term) => term.taxonomy === taxonomy).map(({ id }) => id)
  return {
    ...head,
    date_gmt: post.dateGmt ?? settings.time.toGmt(post.date),
    guid: { rendered: guid, ...rawMember(options, guid) },
    modified: post.modified,
    modified_gmt: post.modifiedGmt,
    ...(isEdit ? { password: post.password } : {}),
    slug: post.slug,
    status: post.status,
    type: post.type,
    link,
    title,
    content: contentView(context, post, extras.meta, options),
    excerpt,
    author: post.author,
    featured_media: post.featuredMedia,
    comment_status: post.commentStatus,
    ping_status: post.pingStatus,
    sticky: post.sticky,
    template: post.template,
    format: post.format,
    meta: metaView(extras.meta, viewContext, app.names),
    categories: termIds(categoryTaxonomy),
    tags: termIds(tagTaxonomy),
    ...(isEdit
      ? {
          permalink_template: post.status === 'trash' ? link : permalinkOf({ ...post, slug: '%postname%' }, settings),
          generated_slug: readableSlug(generatedSlug),
        }
      : {}),
    class_list: classList(post, extras, isLocked(post, options)),
    ...links,
  }
}

const rawMember = ({ viewContext }: ViewOptions, text: string) => (viewContext === 'edit' ? { raw: text } : {})

function contentView({ app }: RenderContext, post: FoundPost, meta: MetaValues, options: ViewOptions) {
  const { names } = app
  return {
    ...rawMember(options, names.swapMarkup(post.content)),
    rendered: isLocked(post, options)
      ? ''
      : names.swapMarkup(renderOf(app).content(post.content, renderContext(post.id, meta))),
    protected: post.password !== '',
    ...(options.viewContext === 'edit' ? { block_version: blockVersion(post.content) } : {}),
  }
}

function excerptView({ app }: RenderContext, post: FoundPost, options: ViewOptions) {
  const { names } = app
  const length = options.excerptLength === undefined ? {} : { words: options.excerptLength }
  const html = isLocked(post, options) ? '' : renderOf(app).excerpt(post, length)
  return {
    ...rawMember(options, names.swapMarkup(post.excerpt)),
    rendered: names.swapMarkup(html),
    protected: post.password !== '',
  }
}

const statusesWithoutPermalink = ['draft', 'pending', 'auto-draft', 'future', 'trash']

/** Posts that are not public have no permalink. */
const postLink = (post: FoundPost, settings: Settings): string =>
  permalinkOf(statusesWithoutPermalink.includes(post.status) ? { ...post, slug: '' } : post, settings)

function classList(post: FoundPost, { terms }: Extras, isLocked: boolean): string[] {
  return [
    `post-${post.id}`,
    post.type,
    `type-${post.type}`,
    `status-${post.status}`,
    `format-${post.format}`,
    ...(post.password !== '' ? [isLocked ? 'post-password-required' : 'post-password-protected'] : []),
    ...(post.featuredMedia > 0 ? ['has-post-thumbnail'] : []),
    'hentry',
    ...terms.map(({ taxonomy, slug }) => `${taxonomy === tagTaxonomy ? 'tag' : taxonomy}-${slug}`),
    ...(post.format === 'standard' ? [] : [`post_format-post-format-${post.format}`]),
  ]
}

function postLinks(context: RenderContext, post: FoundPost, { revisions }: Extras, isEdit: boolean) {
  const { apiRoot } = context.settings
  const { names } = context.app
  const root = `${apiRoot}/${names.toPublic('cms/v2')}`
  const self = `${root}/posts/${post.id}`
  const relationName = (relation: string) => names.toPublic(`cms:${relation}`)
  const embeddable = true
  return {
    self: [{ href: self }],
    collection: [{ href: `${root}/posts` }],
    about: [{ href: `${root}/types/post` }],
    author: [{ embeddable, href: `${root}/users/${post.author}` }],
    replies: [{ embeddable, href: `${root}/comments?post=${post.id}` }],
    'version-history': [{ count: revisions.count, href: `${self}/revisions` }],
    ...(revisions.count > 0
      ? { 'predecessor-version': [{ id: revisions.latest, href: `${self}/revisions/${revisions.latest}` }] }
      : {}),
    ...(post.featuredMedia > 0
      ? { [relationName('featuredmedia')]: [{ embeddable, href: `${root}/media/${post.featuredMedia}` }] }
      : {}),
    [relationName('attachment')]: [{ href: `${root}/media?parent=${post.id}` }],
    [relationName('term')]: [
      { taxonomy: categoryTaxonomy, embeddable, href: `${root}/categories?post=${post.id}` },
      { taxonomy: tagTaxonomy, embeddable, href: `${root}/tags?post=${post.id}` },
    ],
    ...(isEdit ? actionLinks(context, post, self) : {}),
    curies: [{ name: names.toPublic('cms'), href: names.toPublic('https://api.cms.example/{rel}'), templated: true }],
  }
}

/** The link relations for what the user may do with the post. */
function actionLinks({ user, app }: RenderContext, post: FoundPost, href: string) {
  const actions: readonly (readonly [string, boolean])[] = [
    ['publish', user.can('publish_posts')],
    ['unfiltered-html', user.can('unfiltered_html')],
    ['sticky', post.type === 'post' && user.can('edit_others_posts')],
    ['assign-author', user.can('edit_others_posts')],
    ['create-categories', user.can('manage_categories')],
    ['assign-categories', user.can('edit_posts')],
    ['create-tags', user.can('edit_posts')],
    ['assign-tags', user.can('edit_posts')],
  ]
  return Object.fromEntries(
    actions.filter(([, may]) => may).map(([name]) => [app.names.toPublic(`cms:action-${name}`), [{ href }]]),
  )
}
