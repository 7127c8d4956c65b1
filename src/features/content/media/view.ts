/** From a medium to its answer: the row, the file and its sizes, and the texts around it. */

import type { Post } from '../../../contract/storage.ts'
import type { Context } from '../../../core/declare/context.ts'
import { requestWork } from '../../../core/pipeline/request-work.ts'
import { toValue } from '../../../core/runtime/json.ts'
import { siteRenderOf } from '../../../render/index.ts'
import { addressesOf } from '../../../site/permalink.ts'
import { readableSlug, toSlug } from '../../../site/slug.ts'
import { uniqueSlugs } from '../../../site/unique-slugs.ts'
import { publicTypesOf } from '../../shared/declared-types.ts'
import type { MetaValues } from '../../shared/post-meta.ts'
import { classList, postLinks } from '../posts/content-type.ts'
import { emptyImageMeta } from './image-meta.ts'
import {
  addressOf,
  type FileDetails,
  type FoundMedium,
  folderOf,
  type MediumFileMeta,
  mediaRecords,
  mediaRecordsIn,
  nameOf,
  readFileMeta,
  type SizeFile,
} from './model.ts'
import { missingSizes, type SizeRule, sizesOf } from './sizes.ts'

export type ViewContext = 'view' | 'embed' | 'edit'

interface Entry {
  readonly medium: FoundMedium
  readonly file: MediumFileMeta
  readonly meta: MetaValues
  readonly allow: string
  /** The public address of the post that the file belongs to. */
  readonly addressAbove: string | undefined
  readonly generatedSlug: string
  /** The member is in the edit context only. */
  readonly rules: readonly SizeRule[]
}

const noTerms = { terms: [], meta: {}, revisions: { count: 0, latest: 0 } } as const

/** In order; the number of reads does not grow with the media. */
export async function mediaViews(
  context: Context,
  media: readonly FoundMedium[],
  viewContext: ViewContext,
): Promise<readonly { readonly [member: string]: unknown }[]> {
  const ids = media.map(({ id }) => id)
  const [fileOf, metaOf, allows, above, slugs, rules] = await Promise.all([
    readFileMeta(context.storage, ids),
    readOwnMeta(context, ids, viewContext),
    context.allowedMethods(context, `${mediaRecords.route}/{id}`, media, ({ id }) => ({ id })),
    addressesAbove(context, media),
    viewContext === 'edit' ? generatedSlugs(context, media) : [],
    viewContext === 'edit' ? sizesOf(context.storage) : [],
  ])
  return media.map((medium, index) =>
    mediumView(
      context,
      {
        medium,
        file: fileOf(medium.id),
        meta: metaOf(medium.id),
        allow: allows[index] ?? '',
        addressAbove: above.get(medium.parent),
        generatedSlug: slugs[index] ?? '',
        rules,
      },
      viewContext,
    ),
  )
}

/** The values of the fields that the host declares. */
async function readOwnMeta({ storage, app }: Context, ids: readonly number[], viewContext: ViewContext) {
  const { keys } = mediaRecordsIn(app.contributions).meta
  const stored = viewContext === 'embed' || keys.length === 0 ? [] : await storage.meta.read('post', ids, keys)
  const byId = Map.groupBy(stored, ({ id }) => id)
  return (id: number): MetaValues => Object.fromEntries((byId.get(id) ?? []).map(({ key, value }) => [key, value]))
}

/** Interface: the page of a file lies below its post once that is published. */
async function addressesAbove(context: Context, media: readonly FoundMedium[]): Promise<ReadonlyMap<number, string>> {
  const posts = new Map<number, Post>()
  for (const { above } of media) if (above?.status === 'publish') posts.set(above.id, above)
  if (posts.size === 0) return new Map()
  const rows = [...posts.values()]
  const addresses = await addressesOf(rows, context)
  return new Map(rows.map(({ id }, index) => [id, addresses[index] ?? '']))
}

const generatedSlugs = ({ storage, settings }: Context, media: readonly FoundMedium[]) =>
  uniqueSlugs(
    storage,
    settings,
    media.map(({ type, title, id, slug }) => ({ type, base: toSlug(title) || String(id), own: slug })),
  )

function linkOf({ settings }: Context, { medium, addressAbove }: Entry): string {
  const { home, permalink } = settings
  if (permalink === '' || medium.slug === '') return `${home}/?attachment_id=${medium.id}`
  const above = addressAbove?.includes('?') ? undefined : addressAbove
  return `${(above ?? home).replace(/\/+$/, '')}/${medium.slug}/`
}

function mediumView(context: Context, entry: Entry, viewContext: ViewContext) {
  const { settings } = context
  const { medium, file } = entry
  const isEdit = viewContext === 'edit'
  const link = linkOf(context, entry)
  const texts = textsView(context, entry, isEdit)
  const head = { id: medium.id, date: medium.date }
  const shared = { author: medium.author, featured_media: medium.featuredMedia }
  const ofFile = {
    alt_text: file.alternative,
    media_type: isImage(medium) ? 'image' : 'file',
    mime_type: medium.mimeType,
    media_details: detailsView(context, entry),
  }
  const source = { source_url: file.path === undefined ? '' : addressOf(context, file.path) }
  const links = { _links: linksOf(context, entry, isEdit) }
  const { title, caption, description } = texts
  if (viewContext === 'embed') {
    return {
      ...{ ...head, slug: medium.slug, type: medium.type, link, title },
      ...{ ...shared, caption, ...ofFile, ...source, ...links },
    }
  }
  const guid = source.source_url || `${settings.home}/?attachment_id=${medium.id}`
  return {
    ...head,
    date_gmt: medium.dateGmt ?? settings.time.toGmt(medium.date),
    guid: { rendered: guid, ...(isEdit ? { raw: guid } : {}) },
    modified: medium.modified,
    modified_gmt: medium.modifiedGmt,
    slug: medium.slug,
    status: medium.status,
    type: medium.type,
    link,
    title,
    ...shared,
    comment_status: medium.commentStatus,
    ping_status: medium.pingStatus,
    template: medium.template,
    meta: mediaRecordsIn(context.app.contributions).meta.view(entry.meta, viewContext, context),
    ...(isEdit ? { permalink_template: link, generated_slug: readableSlug(entry.generatedSlug) } : {}),
    class_list: classList(mediaRecords, medium, noTerms, false),
    description,
    caption,
    ...ofFile,
    post: medium.parent === 0 ? null : medium.parent,
    ...source,
    ...(isEdit ? { missing_image_sizes: missingSizes(medium.mimeType, file.details, entry.rules) } : {}),
    filename: fileNameOf(file),
    filesize: file.details.filesize ?? null,
    ...(isEdit && isImage(medium) ? { exif_orientation: orientationOf(file), ...pictureMembers } : {}),
    ...links,
  }
}

const isImage = ({ mimeType }: Post): boolean => mimeType.startsWith('image/')

/** The file as it was uploaded, where a smaller copy of it is shown. */
const fileNameOf = ({ path, details }: MediumFileMeta): string => details.original_image ?? nameOf(path ?? '')

/** Interface: 1 where nothing has to be turned any more. */
const orientationOf = ({ details }: MediumFileMeta): number => Number(details.image_meta?.['orientation'] ?? 1)

/** How pictures are written: in their own format. */
const pictureMembers = {
  image_output_format: null,
  image_save_progressive: false,
  image_quality: { default: 82, sizes: {} },
}

// ---------------------------------------------------------------- texts

function textsView(context: Context, entry: Entry, isEdit: boolean) {
  const { medium } = entry
  const { names } = context.app
  const render = siteRenderOf(context.app, context.settings, requestWork(context))
  const raw = (text: string) => (isEdit ? { raw: names.swapMarkup(text) } : {})
  const shown = `${fileMarkup(context, entry)}${medium.content}`
  return {
    title: { ...(isEdit ? { raw: medium.title } : {}), rendered: render.title(medium.title) },
    caption: {
      ...raw(medium.excerpt),
      rendered: names.swapMarkup(render.excerpt({ excerpt: medium.excerpt, content: shown })),
    },
    description: { ...raw(medium.content), rendered: names.swapMarkup(render.content(shown, { id: medium.id })) },
  }
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Interface: the description shows the file itself before its text. */
function fileMarkup(context: Context, { medium, file }: Entry): string {
  if (file.path === undefined) return ''
  const address = escaped(addressOf(context, file.path))
  const kind = medium.mimeType.split('/')[0]
  if (kind === 'audio' || kind === 'video')
    return `<p class="attachment"><${kind} controls src="${address}"></${kind}></p>\n`
  const inner = isImage(medium) ? pictureMarkup(context, file) : escaped(medium.title)
  return `<p class="attachment"><a href="${address}">${inner}</a></p>\n`
}

function pictureMarkup(context: Context, { path = '', alternative, details }: MediumFileMeta): string {
  const { medium } = details.sizes ?? {}
  const shown = medium ?? { file: nameOf(path), width: details.width, height: details.height }
  const size = shown.width === undefined ? '' : ` width="${shown.width}" height="${shown.height}"`
  return `<img src="${escaped(addressOf(context, folderOf(path) + shown.file))}" alt="${escaped(alternative)}"${size} />`
}

// ---------------------------------------------------------------- details and links

function detailsView(context: Context, { medium, file: { path, details } }: Entry) {
  const { sizes = {}, optimization: _optimization, ...rest } = details
  const addressed = Object.entries(sizes).map(([name, size]) => [
    name,
    { ...size, source_url: sizeAddress(context, path, size) },
  ])
  return {
    ...rest,
    ...(path === undefined || !isImage(medium) ? {} : { file: path }),
    sizes: Object.fromEntries(
      addressed.length === 0 ? [] : [...addressed, ['full', fullSize(context, medium, path, details)]],
    ),
    ...(isImage(medium) ? { image_meta: { ...emptyImageMeta, ...details.image_meta } } : {}),
  }
}

const sizeAddress = (context: Context, path: string | undefined, { file }: SizeFile) =>
  path === undefined ? '' : addressOf(context, folderOf(path) + nameOf(file))

const fullSize = (context: Context, { mimeType }: Post, path = '', { width, height }: FileDetails) => ({
  ...{ file: nameOf(path), width, height, mime_type: mimeType },
  source_url: addressOf(context, path),
})

function linksOf(context: Context, { medium, allow }: Entry, isEdit: boolean) {
  const {
    curies,
    [attachmentRelation(context)]: _,
    ...links
  } = postLinks(mediaRecords, context, { post: medium, related: noTerms, allow }, isEdit) as {
    readonly [relation: string]: unknown
  }
  return { ...links, ...attachedTo(context, medium), curies }
}

const attachmentRelation = ({ app }: Context) => app.names.toPublic('cms:attachment')

function attachedTo({ app, settings }: Context, { above }: FoundMedium) {
  if (above === undefined) return {}
  const type = publicTypesOf(app).find(({ name }) => name === above.type)
  if (type === undefined) return {}
  const { names } = app
  const href = `${settings.apiRoot}/${names.toPublic('cms/v2')}/${type.published.restBase}/${above.id}`
  return {
    [names.toPublic('cms:attached-to')]: [
      { embeddable: true, post_type: names.toPublic(above.type), id: above.id, href },
    ],
  }
}

/** For answers that say what a removed record was. */
export const withoutLinks = (view: { readonly [member: string]: unknown }) => {
  const { _links, ...members } = toValue(view) as { readonly [member: string]: unknown }
  return members
}
