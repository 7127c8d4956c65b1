/** From a row to the response body. Texts are cached with the version of the row, by what the caller may do. */

import { picked } from '../../../contract/fields/stored-field.ts'
import type { Context } from '../../../core/declare/context.ts'
import { noStore } from '../../../core/declare/result.ts'
import { noStoreWhenExceeded, requestWork } from '../../../core/pipeline/request-work.ts'
import { createRowCache, noteReads } from '../../../core/pipeline/response/row-cache.ts'
import { RawJson } from '../../../core/runtime/json.ts'
import { inTurn } from '../../../core/runtime/work.ts'
import { anyColumn, columnTag } from '../../../core/tags/tag-names.ts'
import { publicRecord } from '../../../names/record.ts'
import type { Names } from '../../../names/word-map.ts'
import { blockVersion } from '../../../render/blocks/blocks.ts'
import { renderOf, siteRenderOf } from '../../../render/index.ts'
import { addressesOf, addressTemplate, permalinkOf, statusesWithoutPermalink } from '../../../site/permalink.ts'
import type { Settings } from '../../../site/settings.ts'
import { readableSlug, toSlug } from '../../../site/slug.ts'
import { uniqueSlugs } from '../../../site/unique-slugs.ts'
import { type DrawnContent, drawnContents, isDrawn } from '../../shared/drawn-contents.ts'
import { renderContext } from '../../shared/post-meta.ts'
import { isBuilt, type RenderedDocument, renderedDocumentOf } from '../../shared/rendered-documents.ts'
import { publicTemplate } from '../../shared/templates/page-templates.ts'
import { classList, permittedActions, postLinks } from './links.ts'
import type { FoundPost, RecordType } from './model.ts'
import { plainView } from './plain-fields.ts'
import { knownDrawnContent, knownRelatedRows, type RelatedRows, readRelatedRows } from './related-rows.ts'
import type { WrittenPost } from './write.ts'

type ViewContext = 'view' | 'embed' | 'edit'

interface ViewOptions {
  readonly viewContext: ViewContext
  /** Opens a protected post. */
  readonly password?: string
  readonly excerptLength?: number
  /** A list says in `user_can` what the caller may do with each. */
  readonly saysUserCan?: boolean
}

/** Returns the views of these posts, in order. */
export async function postViews(
  type: RecordType,
  context: Context,
  posts: readonly FoundPost[],
  options: ViewOptions,
): Promise<RawJson[]> {
  const allows = await context.allowedMethods(context, `${type.route}/{id}`, posts, pathOf)
  const addresses = type.published.isHierarchical ? await addressesOf(posts, context, type.name) : []
  const slugs = options.viewContext === 'edit' ? await generatedSlugs(type, context, posts) : []
  const entries = posts.map((post, index) => entryOf(post, allows[index], addresses[index], slugs[index]))
  const cached = entries.map((entry) => cachedText(type, context, entry, options))
  // The cast: none is undefined.
  if (!cached.includes(undefined)) return cached as RawJson[]
  return renderMissing(type, context, entries, options, cached)
}

/** A post with the values that its view depends on besides the row and the settings. */
interface Entry {
  readonly post: FoundPost
  /** The text of `Allow` on the route of the record. */
  readonly allow: string
  /** The address, for types whose addresses contain those of their parents. */
  readonly address: string | undefined
  /** The slug that the title would get. Only the edit context shows it. */
  readonly generatedSlug: string
}

const entryOf = (post: FoundPost, allow = '', address?: string, generatedSlug = ''): Entry => ({
  ...{ post, allow, address, generatedSlug },
})

const pathOf = ({ id }: FoundPost) => ({ id })

async function renderMissing(
  type: RecordType,
  context: Context,
  entries: readonly Entry[],
  options: ViewOptions,
  cached: readonly (RawJson | undefined)[],
): Promise<RawJson[]> {
  const missing = entries.filter((_, index) => cached[index] === undefined)
  const posts = missing.map(({ post }) => post)
  const kept = knownRelatedRows(posts)
  const related = kept ? [kept] : await readRelatedRows(type, context.storage, posts, options.viewContext)
  // The casts: one for each post.
  const built = await Promise.all(
    posts.map((post, index) =>
      isLocked(post, options) ? undefined : renderedDocumentOf(context, post, (related[index] as RelatedRows).meta),
    ),
  )
  const drawn = await drawnOf(context, posts, related, built, options)
  if ([...built, ...drawn].some((texts) => texts?.isStored === false)) noStore(context)
  const rendered: RawJson[] = []
  for (const [index, entry] of missing.entries()) {
    const post = {
      ...entry,
      related: related[index] as RelatedRows,
      built: built[index],
      drawn: drawn[index],
    }
    const render = () => cacheText(type, context, post, options)
    // Other requests are served between the posts of a list of long texts.
    rendered.push(isLong(post) ? await inTurn(render) : render())
  }
  noStoreWhenExceeded(context)
  let next = 0
  return cached.map((text) => text ?? (rendered[next++] as RawJson))
}

/** The contents whose blocks show other rows; one whose ETag was made is drawn already. Embedded views show no content. */
async function drawnOf(
  context: Context,
  posts: readonly FoundPost[],
  related: readonly RelatedRows[],
  built: readonly (RenderedDocument | undefined)[],
  options: ViewOptions,
): Promise<readonly (DrawnContent | undefined)[]> {
  if (options.viewContext === 'embed') return []
  const [post, ...others] = posts
  const known = post && others.length === 0 ? knownDrawnContent(post) : undefined
  if (known) return isLocked(post as FoundPost, options) ? [] : [known]
  const texts = posts.map((row, index) =>
    built[index] || isLocked(row, options) ? undefined : { row, footnotes: related[index]?.meta['footnotes'] },
  )
  return drawnContents(context, texts)
}

/** Whether `_fields` of the query asks for neither content, excerpt nor meta: after a write they need not be rendered. */
function omitsLongTexts({ incoming, sent }: Pick<Context, 'incoming' | 'sent'>): boolean {
  const fields = new URLSearchParams(incoming.query).getAll('_fields')
  if (fields.length !== 1 || fields[0] === '' || (sent && Object.hasOwn(sent, '_fields'))) return false
  return !/(?:^|[,\s])(?:content|excerpt|meta)(?:$|[.,\s])/.test(fields[0] as string)
}

const longText = 20_000
const isLong = ({ post, built }: RenderedEntry) =>
  post.content.length > longText || (built?.html.length ?? 0) > longText

/** The view after a write, which has the related rows already. */
export async function writtenView(
  type: RecordType,
  context: Context,
  { post, related }: WrittenPost,
  built: RenderedDocument | undefined,
  drawn: DrawnContent | undefined,
): Promise<RawJson> {
  const [[slug], [allow], [address] = []] = await Promise.all([
    generatedSlugs(type, context, [post]),
    context.allowedMethods(context, `${type.route}/{id}`, [post], pathOf),
    type.published.isHierarchical ? addressesOf([post], context, type.name) : undefined,
  ])
  const omitsTexts = omitsLongTexts(context)
  const shown = omitsTexts ? { ...post, content: '', excerpt: '' } : post
  const entry = {
    ...entryOf(shown, allow, address, slug),
    related: omitsTexts ? { ...related, meta: picked(related.meta, type.besideMeta.keys) } : related,
    built: omitsTexts ? undefined : built,
    drawn: omitsTexts ? undefined : drawn,
  }
  // Not cached: the transaction may still be rolled back, and another write would get the same version.
  return renderText(type, context, entry, { viewContext: 'edit' })
}

/** The slug that each title would get. */
async function generatedSlugs(
  type: RecordType,
  { storage, settings }: Context,
  posts: readonly FoundPost[],
): Promise<string[]> {
  if (!type.isViewable) return []
  return uniqueSlugs(
    storage,
    settings,
    posts.map((post) => ({
      type: post.type,
      base: toSlug(post.title) || String(post.id),
      own: post.slug,
      ...(type.published.isHierarchical ? { parent: post.parent } : {}),
    })),
  )
}

// ---------------------------------------------------------------- cached texts

/** The bound in characters of rendered text, for each site. */
const maxCachedCharacters = 32 * 1024 * 1024
const cachedTexts = createRowCache<RawJson>(maxCachedCharacters)

/** Everything that depends on the caller, or on other rows, is part of the key. */
function cacheKey(type: RecordType, context: Context, entry: Entry, options: ViewOptions): string | undefined {
  if (options.excerptLength !== undefined) return undefined
  const { post, allow, address = '', generatedSlug } = entry
  const lock = isLocked(post, options) ? 'locked' : 'open'
  const edit = options.viewContext === 'edit' ? `:${permittedActions(type, context)}:${generatedSlug}` : ''
  return `${post.id}:${options.viewContext}:${lock}:${allow}:${address}:${type.meta.hiddenFrom(context.user)}${options.saysUserCan ? ':listed' : ''}${edit}`
}

function cachedText(type: RecordType, context: Context, entry: Entry, options: ViewOptions): RawJson | undefined {
  const key = cacheKey(type, context, entry, options)
  return key === undefined ? undefined : cachedTexts.get(context, entry.post, key)
}

type RenderedEntry = Entry & {
  readonly related: RelatedRows
  /** The texts of a post that the page builder has made. */
  readonly built: RenderedDocument | undefined
  /** The content of a post whose blocks show other rows. */
  readonly drawn: DrawnContent | undefined
}

function renderText(type: RecordType, context: Context, entry: RenderedEntry, options: ViewOptions): RawJson {
  const view = postView(type, context, entry, options)
  return new RawJson(JSON.stringify(publicRecord(view, context.app.names)))
}

function cacheText(type: RecordType, context: Context, entry: RenderedEntry, options: ViewOptions): RawJson {
  // Built and drawn posts also show other rows; the engine has another cache for documents.
  const key =
    isBuilt(entry.related.meta) || isDrawn(context, entry.post) ? undefined : cacheKey(type, context, entry, options)
  const terms = entry.related.terms.map(({ id }) => columnTag('term', id, anyColumn))
  const known = key === undefined ? undefined : cachedTexts.getUntagged(context, entry.post, key, terms)
  if (known !== undefined) return known
  const noted = noteReads(context)
  const text = renderText(type, context, entry, options)
  noted?.end()
  if (key !== undefined && !requestWork(context).isExceeded)
    cachedTexts.set(context, entry.post, key, text, { size: text.text.length, noted })
  return text
}

// ---------------------------------------------------------------- one post

/** Interface: only the password opens a protected post, for its editors too; they read it in the edit context. */
function isLocked(post: FoundPost, { viewContext, password }: ViewOptions): boolean {
  if (post.password === '' || viewContext === 'edit') return false
  return !password || password !== post.password
}

function postView(type: RecordType, context: Context, entry: RenderedEntry, options: ViewOptions) {
  const members = membersOf(type, context, entry, options)
  // A copy of all members would cost time in each view.
  return Object.assign(members, { _links: postLinks(type, context, entry, options.viewContext === 'edit') })
}

function membersOf(type: RecordType, context: Context, entry: RenderedEntry, options: ViewOptions) {
  const { settings } = context
  const { post, related } = entry
  const { viewContext } = options
  const isEdit = viewContext === 'edit'
  const link = entry.address ?? postLink(post, settings)
  const head = { id: post.id, date: post.date }
  const publicType = context.app.names.toPublic(post.type)
  const texts = textsView(type, context, entry, options)
  const author = type.supports('author') ? { author: post.author } : {}
  const medium = type.supports('thumbnail') ? { featured_media: post.featuredMedia } : {}
  if (viewContext === 'embed') {
    return { ...head, slug: post.slug, type: publicType, link, ...texts, ...author, ...medium }
  }
  const guid = `${settings.home}/?${type.name === 'page' ? 'page_id' : 'p'}=${post.id}`
  return {
    ...head,
    date_gmt: post.dateGmt ?? settings.time.toGmt(post.date),
    guid: { rendered: guid, ...rawMember(options, guid) },
    modified: post.modified,
    modified_gmt: post.modifiedGmt,
    ...(isEdit ? { password: post.password } : {}),
    slug: post.slug,
    status: post.status,
    type: publicType,
    link,
    ...contentMembers(type, context, entry, options, texts),
    ...author,
    ...medium,
    ...ownMembers(type, post, context.app.names),
    meta: type.shownMeta.view(related.meta, viewContext, context),
    // The names are made public with those of all members.
    ...type.besideMeta.view(related.meta, viewContext, context),
    ...termMembers(type, related),
    ...(isEdit && type.isViewable ? slugMembers(entry, link, settings) : {}),
    ...(type.isViewable ? { class_list: classList(type, post, related, isLocked(post, options)) } : {}),
    ...(options.saysUserCan ? { user_can: permissionsOf(entry) } : {}),
  }
}

/** Reads them from the methods that the route of the record allows the caller. */
const permissionsOf = ({ allow }: RenderedEntry) => ({
  edit: /\bPATCH\b/.test(allow),
  delete: /\bDELETE\b/.test(allow),
})

function textsView(type: RecordType, context: Context, entry: RenderedEntry, options: ViewOptions) {
  return {
    ...(type.supports('title') ? { title: titleView(type, context, entry.post, options) } : {}),
    ...(type.supports('excerpt') ? { excerpt: excerptView(context, entry, options) } : {}),
  }
}

/** Interface: the content is between title and excerpt. */
function contentMembers(
  type: RecordType,
  context: Context,
  entry: RenderedEntry,
  options: ViewOptions,
  { title, excerpt }: ReturnType<typeof textsView>,
) {
  return {
    ...(title ? { title } : {}),
    ...(type.supports('editor') ? { content: contentView(type, context, entry, options) } : {}),
    ...(excerpt ? { excerpt } : {}),
  }
}

/** The members that only some types have. */
function ownMembers(type: RecordType, post: FoundPost, names: Names) {
  return {
    ...(type.published.isHierarchical ? { parent: post.parent } : {}),
    ...plainView(type.supports, post),
    ...(type.supports('sticky') ? { sticky: post.sticky } : {}),
    template: publicTemplate(post.template, names),
    ...(type.supports('post-formats') ? { format: post.format } : {}),
  }
}

const termMembers = (type: RecordType, { terms }: RelatedRows) =>
  Object.fromEntries(
    type.published.taxonomies.map(({ name, restBase }) => [
      restBase,
      terms.filter(({ taxonomy }) => taxonomy === name).map(({ id }) => id),
    ]),
  )

function slugMembers({ post, address, generatedSlug }: RenderedEntry, link: string, settings: Settings) {
  const template =
    address === undefined ? permalinkOf({ ...post, slug: '%postname%' }, settings) : addressTemplate(post, address)
  return {
    permalink_template: post.status === 'trash' ? link : template,
    generated_slug: readableSlug(generatedSlug),
  }
}

const rawMember = ({ viewContext }: ViewOptions, text: string) => (viewContext === 'edit' ? { raw: text } : {})

/** Interface: the texts of types that visitors can not see are stored texts in every context. */
function titleView(type: RecordType, { app }: Context, post: FoundPost, options: ViewOptions) {
  if (!type.isViewable) return { raw: post.title }
  return { ...rawMember(options, post.title), rendered: renderOf(app).title(post.title) }
}

function contentView(type: RecordType, context: Context, entry: RenderedEntry, options: ViewOptions) {
  const { post } = entry
  const { names } = context.app
  const version = options.viewContext === 'edit' ? { block_version: blockVersion(post.content) } : {}
  if (!type.isViewable) {
    const raw = isLocked(post, options) ? '' : names.swapMarkup(post.content)
    return { raw, protected: post.password !== '', ...version }
  }
  return {
    ...rawMember(options, names.swapMarkup(post.content)),
    rendered: isLocked(post, options) ? '' : contentHtml(context, entry),
    protected: post.password !== '',
    ...version,
  }
}

/** The engine writes the public form of its names itself. */
const contentHtml = (context: Context, { post, related, built, drawn }: RenderedEntry): string =>
  built?.html ??
  context.app.names.swapMarkup(
    drawn?.html ?? renderFor(context).content(post.content, renderContext(post.id, related.meta)),
  )

const renderFor = (context: Context) => siteRenderOf(context.app, context.settings, requestWork(context))

function excerptView(context: Context, { post, built }: RenderedEntry, options: ViewOptions) {
  const { names } = context.app
  const length = options.excerptLength === undefined ? {} : { words: options.excerptLength }
  const html = isLocked(post, options)
    ? ''
    : renderFor(context).excerpt({ excerpt: post.excerpt, content: built?.text ?? post.content }, length)
  return {
    ...rawMember(options, names.swapMarkup(post.excerpt)),
    rendered: names.swapMarkup(html),
    protected: post.password !== '',
  }
}

/** Posts that are not public have no permalink. */
const postLink = (post: FoundPost, settings: Settings): string =>
  permalinkOf(statusesWithoutPermalink.includes(post.status) ? { ...post, slug: '' } : post, settings)
