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
import { addressesOf } from '../../../site/permalink.ts'
import { toSlug } from '../../../site/slug.ts'
import { uniqueSlugs } from '../../../site/unique-slugs.ts'
import { type DrawnContent, drawnContents, isDrawn } from '../../shared/drawn-contents.ts'
import { isBuilt, type RenderedDocument, renderedDocumentOf } from '../../shared/rendered-documents.ts'
import { permittedActions } from './links.ts'
import {
  type Entry,
  isLocked,
  namedMembers,
  postView,
  type RenderedEntry,
  shownRowMembers,
  type ViewOptions,
} from './members.ts'
import type { FoundPost, RecordType } from './model.ts'
import { knownDrawnContent, knownRelatedRows, type RelatedRows, readRelatedRows } from './related-rows.ts'
import type { WrittenPost } from './write.ts'

/** Returns the views of these posts, in order. */
export async function postViews(
  type: RecordType,
  context: Context,
  posts: readonly FoundPost[],
  options: ViewOptions,
): Promise<RawJson[]> {
  const members = shownRowMembers(context, options)
  if (members) return rowViews(type, context, posts, options, members)
  const allows = await context.allowedMethods(context, `${type.route}/{id}`, posts, pathOf)
  const addresses = type.published.isHierarchical ? await addressesOf(posts, context, type.name) : []
  const slugs = options.viewContext === 'edit' ? await generatedSlugs(type, context, posts) : []
  const entries = posts.map((post, index) => entryOf(post, allows[index], addresses[index], slugs[index]))
  const cached = entries.map((entry) => cachedText(type, context, entry, options))
  // The cast: none is undefined.
  if (!cached.includes(undefined)) return cached as RawJson[]
  return renderMissing(type, context, entries, options, cached)
}

/** Reads no related rows, and nothing of a row that is not shown. */
async function rowViews(
  type: RecordType,
  context: Context,
  posts: readonly FoundPost[],
  options: ViewOptions,
  members: readonly string[],
): Promise<RawJson[]> {
  const hasAddress = type.published.isHierarchical && members.includes('link')
  const addresses = hasAddress ? await addressesOf(posts, context, type.name) : []
  return posts.map((post, index) => {
    const entry = { ...entryOf(post, '', addresses[index]), related: noRelated, built: undefined, drawn: undefined }
    return toRaw(namedMembers({ type, context, entry, options }, members), context)
  })
}

const noRelated: RelatedRows = { terms: [], meta: {}, revisions: { count: 0, latest: 0 } }

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
  const { viewContext, readRelated } = options
  const read = readRelated ?? ((some) => readRelatedRows(type, context.storage, some, viewContext))
  const related = kept ? [kept] : await read(posts)
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

/** Whether `_fields` names neither content, excerpt nor meta: after a write they need not be rendered. */
const omitsLongTexts = ({ fields }: Pick<Context, 'fields'>): boolean =>
  fields !== undefined && !fields.some((field) => /^(?:content|excerpt|meta)(?:$|\.)/.test(field))

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

function renderText(type: RecordType, context: Context, entry: RenderedEntry, options: ViewOptions): RawJson {
  return toRaw(postView({ type, context, entry, options }), context)
}

const toRaw = (view: object, { app }: Context) => new RawJson(JSON.stringify(publicRecord(view, app.names)))

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
