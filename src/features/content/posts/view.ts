/** From a row to the answer. Texts that do not depend on who asks are kept with the version of the row. */

import type { Context } from '../../../core/declare/context.ts'
import type { EntityTag } from '../../../core/declare/endpoint.ts'
import { sha256Of } from '../../../core/runtime/crypto.ts'
import { RawJson } from '../../../core/runtime/json.ts'
import { createLru } from '../../../core/runtime/lru.ts'
import { all, andThen, type MaybePromise } from '../../../core/runtime/maybe-promise.ts'
import { blockVersion } from '../../../render/blocks/blocks.ts'
import { renderOf } from '../../../render/index.ts'
import { permalinkOf } from '../../../site/permalink.ts'
import { categories as categoryTaxonomy, tags as tagTaxonomy } from '../../../site/post-keys.ts'
import type { Settings } from '../../../site/settings.ts'
import { readableSlug, toSlug } from '../../../site/slug.ts'
import { uniqueSlugs } from '../../../site/unique-slugs.ts'
import type { Term } from '../../../storage/contract.ts'
import { type MetaValues, metaKeys, metaView, renderContext } from '../../shared/post-meta/model.ts'
import { revisionType } from '../revisions/model.ts'
import type { FoundPost } from './model.ts'

export type ViewContext = 'view' | 'embed' | 'edit'

export interface ViewOptions {
  readonly viewContext: ViewContext
  /** Opens a protected post. */
  readonly password?: string
  readonly excerptLength?: number
}

/** What belongs to a post but lies in other stores. */
export interface Extras {
  readonly terms: readonly Pick<Term, 'id' | 'taxonomy' | 'slug'>[]
  readonly meta: MetaValues
  readonly revisions: { readonly count: number; readonly latest: number }
}

type RenderContext = Pick<Context, 'storage' | 'app' | 'settings' | 'user'>

/** The answers for these posts, in order; rows that need more are read together. */
export function postViews(
  context: RenderContext,
  posts: readonly FoundPost[],
  options: ViewOptions,
): MaybePromise<RawJson[]> {
  const kept = posts.map((post) => cachedText(context, post, options))
  const missing = posts.filter((_, index) => kept[index] === undefined)
  if (missing.length === 0) return kept as RawJson[]
  return andThen(readExtras(context, missing, options.viewContext), (extras) => {
    const slugs = options.viewContext === 'edit' ? generatedSlugs(context, missing) : []
    return andThen(slugs, (generated) => {
      const made = new Map(
        missing.map((post, index) => [
          post,
          renderText(context, post, extras[index] as Extras, options, generated[index]),
        ]),
      )
      return posts.map((post, index) => kept[index] ?? (made.get(post) as RawJson))
    })
  })
}

/** The answer of a write: what belongs to the post is known already. */
export function writtenView(context: RenderContext, post: FoundPost, extras: Extras): MaybePromise<RawJson> {
  return andThen(generatedSlugs(context, [post]), ([slug]) =>
    renderText(context, post, extras, { viewContext: 'edit' }, slug),
  )
}

export function readExtras(
  { storage }: RenderContext,
  posts: readonly FoundPost[],
  viewContext: ViewContext = 'edit',
): MaybePromise<Extras[]> {
  const ids = posts.map((post) => post.id)
  const isEmbed = viewContext === 'embed'
  return andThen(
    all([
      isEmbed ? [] : storage.terms.of(ids),
      isEmbed ? [] : storage.meta.read('post', ids, metaKeys),
      storage.posts.families(revisionType, ids),
    ]),
    ([assigned, meta, families]) => {
      const termIds = [...new Set(assigned.map(({ term }) => term))]
      return andThen(readTerms({ storage }, termIds), (terms) =>
        ids.map((id) => ({
          terms: assigned.filter(({ post }) => post === id).flatMap(({ term }) => terms.get(term) ?? []),
          meta: Object.fromEntries(meta.filter((entry) => entry.id === id).map(({ key, value }) => [key, value])),
          revisions: families.find(({ parent }) => parent === id) ?? { count: 0, latest: 0 },
        })),
      )
    },
  )
}

export function readTerms(
  { storage }: Pick<Context, 'storage'>,
  ids: readonly number[],
): MaybePromise<ReadonlyMap<number, Term>> {
  if (ids.length === 0) return new Map()
  const found = storage.terms.query({ ids, order: { by: 'id', descending: false }, offset: 0, limit: ids.length })
  return andThen(found, ({ rows }) => new Map(rows.map((term) => [term.id, term])))
}

/** The slug that each title would get. */
const generatedSlugs = ({ storage, settings }: RenderContext, posts: readonly FoundPost[]) =>
  uniqueSlugs(
    storage,
    settings,
    posts.map((post) => ({ type: post.type, base: toSlug(post.title) || String(post.id), own: post.slug })),
  )

// ---------------------------------------------------------------- kept texts

interface CachedText {
  readonly version: number
  readonly settings: Settings
  readonly text: RawJson
}

/** Characters of rendered text that a site keeps. */
const maxCachedCharacters = 32 * 1024 * 1024
const textCaches = new WeakMap<object, ReturnType<typeof createLru<CachedText>>>()

const textCacheOf = ({ app }: RenderContext) => {
  const cache = textCaches.get(app) ?? createLru<CachedText>(maxCachedCharacters)
  textCaches.set(app, cache)
  return cache
}

/** Nothing that depends on the user is kept, so the edit context is not. */
function cacheKey(post: FoundPost, options: ViewOptions): string | undefined {
  if (options.viewContext === 'edit' || options.excerptLength !== undefined) return undefined
  return `${post.id}:${options.viewContext}:${isLocked(post, options) ? 'locked' : 'open'}`
}

function cachedText(context: RenderContext, post: FoundPost, options: ViewOptions): RawJson | undefined {
  const key = cacheKey(post, options)
  const kept = key === undefined ? undefined : textCacheOf(context).get(key)
  return kept && kept.version === post.version && kept.settings === context.settings ? kept.text : undefined
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
  if (key !== undefined) {
    textCacheOf(context).set(key, { version: post.version, settings: context.settings, text }, text.text.length)
  }
  return text
}

// ---------------------------------------------------------------- tags

/** For readers: kept with the version of the row, like the texts. */
export function readTag(context: RenderContext & { readonly resource: FoundPost }): MaybePromise<EntityTag> {
  const { resource: post } = context
  const cache = tagCacheOf(context)
  const key = String(post.id)
  const kept = cache.get(key)
  if (kept && kept.version === post.version && kept.settings === context.settings) return kept.tag
  return andThen(writeTag(context), (tag) => {
    cache.set(key, { version: post.version, settings: context.settings, tag }, 1)
    return tag
  })
}

/**
 * The state is what a writer could overwrite; revisions only change the view, or an autosave of one editor would refuse
 * the save of another.
 */
export function writeTag(context: RenderContext & { readonly resource: FoundPost }): MaybePromise<EntityTag> {
  return andThen(readExtras(context, [context.resource]), ([extras]) =>
    tagOf(context.resource, extras as Extras, context.settings),
  )
}

export function tagOf(post: FoundPost, { terms, meta, revisions }: Extras, settings: Settings): EntityTag {
  const { version: _version, trashedFrom: _from, ...row } = post
  const state = sha256Of(JSON.stringify([sortedEntries(row), terms.map(({ id }) => id), sortedEntries(meta)])).slice(
    0,
    20,
  )
  return { state, view: `${revisions.count.toString(36)}x${revisions.latest.toString(36)}x${settings.tag}` }
}

/** Members in one order, wherever the object was made. */
const sortedEntries = (value: object) => Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))

const tagCaches = new WeakMap<object, ReturnType<typeof createLru<CachedTag>>>()
interface CachedTag {
  readonly version: number
  readonly settings: Settings
  readonly tag: EntityTag
}
const maxCachedTags = 10_000

const tagCacheOf = ({ app }: RenderContext) => {
  const cache = tagCaches.get(app) ?? createLru<CachedTag>(maxCachedTags)
  tagCaches.set(app, cache)
  return cache
}

// ---------------------------------------------------------------- one answer

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
  const { viewContext, excerptLength } = options
  const { names } = app
  const render = renderOf(app)
  const locked = isLocked(post, options)
  const isEdit = viewContext === 'edit'
  const isProtected = post.password !== ''
  const link = postLink(post, settings)
  const raw = (text: string) => (isEdit ? { raw: text } : {})
  const short = locked ? '' : render.excerpt(post, excerptLength === undefined ? {} : { words: excerptLength })
  const head = { id: post.id, date: post.date }
  const texts = {
    title: { ...raw(post.title), rendered: render.title(post.title) },
    excerpt: { ...raw(names.swapMarkup(post.excerpt)), rendered: names.swapMarkup(short), protected: isProtected },
  }
  const links = { _links: postLinks(context, post, extras, isEdit) }
  if (viewContext === 'embed') {
    const { title, excerpt } = texts
    const { author, featuredMedia } = post
    return {
      ...head,
      slug: post.slug,
      type: post.type,
      link,
      title,
      excerpt,
      author,
      featured_media: featuredMedia,
      ...links,
    }
  }
  const guid = `${settings.home}/?p=${post.id}`
  const termIds = (taxonomy: string) => extras.terms.filter((term) => term.taxonomy === taxonomy).map(({ id }) => id)
  return {
    ...head,
    date_gmt: post.dateGmt ?? settings.time.toGmt(post.date),
    guid: { rendered: guid, ...raw(guid) },
    modified: post.modified,
    modified_gmt: post.modifiedGmt,
    ...(isEdit ? { password: post.password } : {}),
    slug: post.slug,
    status: post.status,
    type: post.type,
    link,
    title: texts.title,
    content: {
      ...raw(names.swapMarkup(post.content)),
      rendered: locked ? '' : names.swapMarkup(render.content(post.content, renderContext(post.id, extras.meta))),
      protected: isProtected,
      ...(isEdit ? { block_version: blockVersion(post.content) } : {}),
    },
    excerpt: texts.excerpt,
    author: post.author,
    featured_media: post.featuredMedia,
    comment_status: post.commentStatus,
    ping_status: post.pingStatus,
    sticky: post.sticky,
    template: post.template,
    format: post.format,
    meta: metaView(extras.meta, viewContext, names),
    categories: termIds(categoryTaxonomy),
    tags: termIds(tagTaxonomy),
    ...(isEdit
      ? {
          permalink_template: post.status === 'trash' ? link : permalinkOf({ ...post, slug: '%postname%' }, settings),
          generated_slug: readableSlug(generatedSlug),
        }
      : {}),
    class_list: classList(post, extras, locked),
    ...links,
  }
}

const statusesWithoutPermalink = ['draft', 'pending', 'auto-draft', 'future', 'trash']

/** What is not public has no place below the permalinks. */
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
  const word = (relation: string) => names.toPublic(`cms:${relation}`)
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
      ? { [word('featuredmedia')]: [{ embeddable, href: `${root}/media/${post.featuredMedia}` }] }
      : {}),
    [word('attachment')]: [{ href: `${root}/media?parent=${post.id}` }],
    [word('term')]: [
      { taxonomy: categoryTaxonomy, embeddable, href: `${root}/categories?post=${post.id}` },
      { taxonomy: tagTaxonomy, embeddable, href: `${root}/tags?post=${post.id}` },
    ],
    ...(isEdit ? actionLinks(context, post, self) : {}),
    curies: [{ name: names.toPublic('cms'), href: names.toPublic('https://api.cms.example/{rel}'), templated: true }],
  }
}

/** What an editor may do with the post, as relations. */
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
