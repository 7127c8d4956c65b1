/** The members of a record: their order, and what each shows. */
import { lookupTable } from '../../../contract/lookup-table.ts'
import type { Context } from '../../../core/declare/context.ts'
import { requestWork } from '../../../core/pipeline/request-work.ts'
import { blockVersion } from '../../../render/blocks/blocks.ts'
import { renderOf, siteRenderOf } from '../../../render/index.ts'
import { addressTemplate, permalinkOf, statusesWithoutPermalink } from '../../../site/permalink.ts'
import type { Settings } from '../../../site/settings.ts'
import { readableSlug } from '../../../site/slug.ts'
import type { DrawnContent } from '../../shared/drawn-contents.ts'
import { renderContext } from '../../shared/post-meta.ts'
import type { RenderedDocument } from '../../shared/rendered-documents.ts'
import { publicTemplate } from '../../shared/templates/page-templates.ts'
import type { Support } from '../content-types/model.ts'
import { classList, postLinks } from './links.ts'
import type { FoundPost, RecordType } from './model.ts'
import { plainViews } from './plain-fields.ts'
import type { RelatedReader, RelatedRows } from './related-rows.ts'

export interface ViewOptions {
  readonly viewContext: 'view' | 'embed' | 'edit'
  /** Opens a protected post. */
  readonly password?: string
  readonly excerptLength?: number
  /** A list says in `user_can` what the caller may do with each. */
  readonly saysUserCan?: boolean
  /** Default: `readRelatedRows`. */
  readonly readRelated?: RelatedReader | undefined
}

/** A post with the values that its view depends on besides the row and the settings. */
export interface Entry {
  readonly post: FoundPost
  /** The text of `Allow` on the route of the record. */
  readonly allow: string
  /** The address, for types whose addresses contain those of their parents. */
  readonly address: string | undefined
  /** The slug that the title would get. Only the edit context shows it. */
  readonly generatedSlug: string
}

export type RenderedEntry = Entry & {
  readonly related: RelatedRows
  /** The texts of a post that the page builder has made. */
  readonly built: RenderedDocument | undefined
  /** The content of a post whose blocks show other rows. */
  readonly drawn: DrawnContent | undefined
}

/** Interface: only the password opens a protected post, for its editors too; they read it in the edit context. */
export function isLocked(post: FoundPost, { viewContext, password }: ViewOptions): boolean {
  if (post.password === '' || viewContext === 'edit') return false
  return !password || password !== post.password
}

/** One record that is shown. */
interface Shown {
  readonly type: RecordType
  readonly context: Context
  readonly entry: RenderedEntry
  readonly options: ViewOptions
}

/** Undefined: the record has no such member. */
type Member = (shown: Shown) => unknown

const ofSupport =
  (support: Support, value: (post: FoundPost) => unknown): Member =>
  ({ type, entry }) =>
    type.supports(support) ? value(entry.post) : undefined

/** They come before the fields of the type, in this order. */
const firstMembers: { readonly [member: string]: Member } = lookupTable({
  id: ({ entry }) => entry.post.id,
  date: ({ entry }) => entry.post.date,
  date_gmt: ({ entry: { post }, context }) => post.dateGmt ?? context.settings.time.toGmt(post.date),
  guid: guidView,
  modified: ({ entry }) => entry.post.modified,
  modified_gmt: ({ entry }) => entry.post.modifiedGmt,
  password: ({ entry, options }) => (options.viewContext === 'edit' ? entry.post.password : undefined),
  slug: ({ entry }) => entry.post.slug,
  status: ({ entry }) => entry.post.status,
  type: ({ entry, context }) => context.app.names.toPublic(entry.post.type),
  link: ({ entry, context }) => linkOf(entry, context.settings),
  title: titleView,
  content: contentView,
  excerpt: excerptView,
  author: ofSupport('author', ({ author }) => author),
  featured_media: ofSupport('thumbnail', ({ featuredMedia }) => featuredMedia),
  parent: ({ type, entry }) => (type.published.isHierarchical ? entry.post.parent : undefined),
  ...plainViews<Shown>(({ type, entry }) => ({ supports: type.supports, row: entry.post })),
  sticky: ofSupport('sticky', ({ sticky }) => sticky),
  template: ({ entry, context }) => publicTemplate(entry.post.template, context.app.names),
  format: ofSupport('post-formats', ({ format }) => format),
})

/** The members of embedded records. */
const embedded = ['id', 'date', 'slug', 'type', 'link', 'title', 'excerpt', 'author', 'featured_media']
const all = Object.keys(firstMembers)
/** They follow from the row, the settings and the address alone. */
const rowMembers = new Set(all.filter((name) => name !== 'content' && name !== 'excerpt'))

/** Returns the members that `_fields` leaves of a response, if the row has all of them. */
export function shownRowMembers(
  { fields, app }: Pick<Context, 'fields' | 'app'>,
  { viewContext }: ViewOptions,
): readonly string[] | undefined {
  const named = new Set(fields?.map((field) => app.names.toNeutral(field.split('.', 1)[0] ?? '')))
  if (!fields || [...named].some((name) => !rowMembers.has(name))) return undefined
  return (viewContext === 'embed' ? embedded : all).filter((name) => named.has(name))
}

export function postView(shown: Shown) {
  const { type, context, entry, options } = shown
  if (options.viewContext === 'embed')
    return { ...namedMembers(shown, embedded), _links: postLinks(type, context, entry, false) }
  const { post, related } = entry
  const isEdit = options.viewContext === 'edit'
  // A copy of all members would cost time in each view.
  return Object.assign(
    namedMembers(shown, all),
    { meta: type.shownMeta.view(related.meta, isEdit ? 'edit' : 'view', context) },
    // The names are made public with those of all members.
    type.besideMeta.view(related.meta, isEdit ? 'edit' : 'view', context),
    termMembers(type, related),
    isEdit && type.isViewable ? slugMembers(entry, context.settings) : {},
    type.isViewable ? { class_list: classList(type, post, related, isLocked(post, options)) } : {},
    options.saysUserCan ? { user_can: permissionsOf(entry) } : {},
    { _links: postLinks(type, context, entry, isEdit) },
  )
}

/** Shows these members alone, of those that the row has. */
export function namedMembers(shown: Shown, names: readonly string[]): { [member: string]: unknown } {
  const members: { [member: string]: unknown } = {}
  for (const name of names) {
    const value = firstMembers[name]?.(shown)
    if (value !== undefined) members[name] = value
  }
  return members
}

/** Reads them from the methods that the route of the record allows the caller. */
const permissionsOf = ({ allow }: RenderedEntry) => ({
  edit: /\bPATCH\b/.test(allow),
  delete: /\bDELETE\b/.test(allow),
})

const termMembers = (type: RecordType, { terms }: RelatedRows) =>
  Object.fromEntries(
    type.published.taxonomies.map(({ name, restBase }) => [
      restBase,
      terms.filter(({ taxonomy }) => taxonomy === name).map(({ id }) => id),
    ]),
  )

function slugMembers(entry: RenderedEntry, settings: Settings) {
  const { post, address, generatedSlug } = entry
  const template =
    address === undefined ? permalinkOf({ ...post, slug: '%postname%' }, settings) : addressTemplate(post, address)
  return {
    permalink_template: post.status === 'trash' ? linkOf(entry, settings) : template,
    generated_slug: readableSlug(generatedSlug),
  }
}

const rawMember = ({ viewContext }: ViewOptions, text: string) => (viewContext === 'edit' ? { raw: text } : {})

function guidView({ type, entry: { post }, context, options }: Shown) {
  const guid = `${context.settings.home}/?${type.name === 'page' ? 'page_id' : 'p'}=${post.id}`
  return { rendered: guid, ...rawMember(options, guid) }
}

/** Interface: the texts of types that visitors can not see are stored texts in every context. */
function titleView({ type, context, entry: { post }, options }: Shown) {
  if (!type.supports('title')) return undefined
  if (!type.isViewable) return { raw: post.title }
  return { ...rawMember(options, post.title), rendered: renderOf(context.app).title(post.title) }
}

function contentView({ type, context, entry, options }: Shown) {
  if (!type.supports('editor')) return undefined
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

function excerptView({ type, context, entry: { post, built }, options }: Shown) {
  if (!type.supports('excerpt')) return undefined
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
const linkOf = ({ address, post }: Entry, settings: Settings): string =>
  address ??
  permalinkOf(
    statusesWithoutPermalink.includes(post.status) ? { id: post.id, date: post.date, slug: '' } : post,
    settings,
  )
