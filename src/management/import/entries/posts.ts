/** Converts an item of the file to a post of a site document, which refers to others by logins, slugs and ids of the file. */

import type { ImportedItem, PersistedData } from '../../../core/declare/feature.ts'
import type { Names } from '../../../names/word-map.ts'
import { commentsCollection } from '../../../site/comments/comment.ts'
import { categories, importedUrlKey, postFormats, tags } from '../../../site/post-keys.ts'
import { toSlug } from '../../../site/slug.ts'
import type { SiteTime } from '../../../site/time-zone.ts'
import type { DeclaredFields } from '../../declared-meta.ts'
import type { ListedPost } from '../../transfer/plan-posts.ts'
import type { TypeRules } from '../kept-types/type-rules.ts'
import type { FileRecord } from '../reader.ts'
import type { Warn } from '../report.ts'
import { type MappedComment, mapComments } from './comments.ts'
import { mediaTypeOf } from './media-types.ts'
import { mapMeta, namedMeta } from './meta.ts'
import { numbered } from './references.ts'

/** The meta key that keeps the number and guid of a row's item. */
export const importKey = '_import_guid'

/** The meta key of the status that a record of a kept type had. */
const importedStatusKey = '_import_status'

/** A term that an item names. */
export interface NamedTerm {
  readonly taxonomy: string
  readonly slug: string
  readonly name: string
}

/** A post of a site document. The other members serve the import only. */
export interface ImportedPost {
  readonly line: number
  /** Otherwise it gets those of the import. */
  readonly hasDates: boolean
  /** Identifies the item in every file of its site. */
  readonly guid: string
  readonly type: string
  /** The key is the file's id, or the guid where it has none. The slug may already be taken; see slugs.ts. */
  readonly entry: ListedPost['entry'] & { readonly slug: string; readonly title: string; readonly content: string }
  /** The file's id; 0: none. */
  readonly number: number
  /** A login; empty: no author. */
  readonly author: string
  readonly terms: readonly NamedTerm[]
  readonly comments: readonly MappedComment[]
  readonly oldSlugs: readonly string[]
}

export interface PostContext {
  /** Converts names in the file to those of the service. */
  readonly names: Names
  readonly time: SiteTime
  readonly clock: () => number
  readonly types: TypeRules
  readonly fields: DeclaredFields
  /** By type, how items are read that have more than posts have. */
  readonly items: NonNullable<PersistedData['items']>
  /** The URL of the exported site. */
  readonly site: string
  /** The slug of the category that posts without one get; empty: there is none. */
  readonly defaultCategory: string
}

/** How the comments of a file are read. */
export const commentRules = ({ names, time, fields }: Omit<PostContext, 'site'>) => ({
  ...{ names, time },
  fields: fields.records(commentsCollection.name),
})

/** Returns undefined, after a call of `warn`, for an item whose type is not imported. */
export function postEntry(record: FileRecord, context: PostContext, warn: Warn): ImportedPost | undefined {
  const { names } = context
  const field = (name: string) => record.fields[name] ?? ''
  const found = typeOf(record, context, warn)
  if (found === undefined) return undefined
  const { type, isKept } = found
  const number = numberOf(field('wp:post_id'))
  if (number === 0) warn('invalid-id', '')
  const { floats, ...dates } = datesOf(record.fields, context, warn)
  const status = statusOf(field('wp:status').trim(), found, dates.date_gmt, context, warn)
  const isFloating = floats && floating.includes(status)
  const { template, thumbnail, oldSlugs, ...ordinary } = mapMeta(
    record.meta,
    { names, fields: context.fields.posts(type) },
    warn,
  )
  const { format, terms } = termsOf(record, context, warn)
  const comments = mapComments(record.comments, commentRules(context), warn)
  const own = ownPart(record, type, context)
  const { meta, parent, references } = own ?? ordinaryPart(record, type, ordinary.meta)
  const guid = `${number} ${field('guid').trim() || `${context.site}/?p=${number}`}`
  const url = field('wp:attachment_url').trim()
  const author = field('dc:creator').trim()
  return {
    line: record.line,
    hasDates: field('wp:post_date') !== '',
    ...{ guid, type, number, author, terms, comments, oldSlugs },
    entry: {
      key: number > 0 ? String(number) : guid,
      status,
      // Items of such types have no address.
      slug: own ? '' : slugOf(field('wp:post_name').trim(), field('title'), status),
      title: field('title'),
      content: names.swapMarkup(field('content:encoded')),
      excerpt: names.swapMarkup(field('excerpt:encoded')),
      author: author === '' ? null : author,
      parent: keyOf(parentOf(parent, number, warn)),
      featured_media: keyOf(thumbnail),
      ...dates,
      date_gmt: isFloating ? null : dates.date_gmt,
      password: status === 'private' ? '' : [...field('wp:post_password')].slice(0, 255).join(''),
      comment_status: openOrClosed(field('wp:comment_status')),
      ping_status: openOrClosed(field('wp:ping_status')),
      format,
      // A post with a password is never sticky.
      sticky: type === 'post' && field('wp:is_sticky').trim() === '1' && field('wp:post_password') === '',
      template,
      mime_type: type === 'attachment' ? field('rest:mime_type') || mediaTypeOf(url) : '',
      menu_order: numberOf(field('wp:menu_order')),
      ...termMembers(terms, type, context),
      meta: { ...meta, [importKey]: guid, ...(isKept ? keptMeta(record, status) : {}) },
      meta_references: Object.fromEntries(
        Object.entries(references).map(([key, { kind, number }]) => [key, numbered(kind, number)]),
      ),
    },
  }
}

interface FoundType {
  readonly type: string
  /** The profile lacks the type. */
  readonly isKept: boolean
}

function typeOf({ fields }: FileRecord, { names, types }: PostContext, warn: Warn): FoundType | undefined {
  const written = (fields['wp:post_type'] ?? '').trim()
  const type = names.toNeutral(written)
  if (types.isDeclared(type)) return { type, isKept: false }
  const isKept = types.keeps(written)
  warn(isKept ? 'type-kept' : 'unknown-type', written)
  return isKept ? { type, isKept } : undefined
}

const keptMeta = ({ fields }: FileRecord, status: string): ImportedItem['meta'] => {
  const written = (fields['wp:status'] ?? '').trim()
  return written === status ? {} : { [importedStatusKey]: written.slice(0, 100) }
}

const openOrClosed = (written: string) => (written.trim() === 'open' ? 'open' : 'closed')

const keyOf = (id: number) => (id > 0 ? String(id) : null)

function termMembers(named: readonly NamedTerm[], type: string, { defaultCategory }: PostContext) {
  const slugs = Map.groupBy(named, ({ taxonomy }) => taxonomy)
  const keysOf = (taxonomy: string) => [...new Set((slugs.get(taxonomy) ?? []).map(({ slug }) => slug))]
  const others = [...slugs.keys()].filter((taxonomy) => taxonomy !== categories && taxonomy !== tags)
  const needsDefault = type === 'post' && !slugs.has(categories) && defaultCategory !== ''
  return {
    categories: needsDefault ? [defaultCategory] : keysOf(categories),
    tags: keysOf(tags),
    terms: Object.fromEntries(others.map((taxonomy) => [taxonomy, keysOf(taxonomy)])),
  }
}

/** Reads the item of a type whose feature reads its own items. */
function ownPart({ meta }: FileRecord, type: string, { items, names }: PostContext): ImportedItem | undefined {
  const rules = Object.hasOwn(items, type) ? items[type] : undefined
  return rules?.fromFile(namedMeta(meta, names), names.toNeutral)
}

function ordinaryPart({ fields }: FileRecord, type: string, meta: ImportedItem['meta']): ImportedItem {
  const url = (fields['wp:attachment_url'] ?? '').trim()
  return {
    meta: type === 'attachment' && url !== '' ? { ...meta, [importedUrlKey]: url } : meta,
    parent: numberOf(fields['wp:post_parent'] ?? ''),
    references: {},
  }
}

function parentOf(parent: number, own: number, warn: Warn): number {
  if (parent === 0 || parent !== own) return parent
  warn('parent-circle', 'item')
  return 0
}

const numberOf = (text: string) => (/^\s*\d{1,15}\s*$/.test(text) ? Number(text) : 0)

// ---------------------------------------------------------------- status and slug

const statuses = ['publish', 'future', 'draft', 'pending', 'private', 'trash']
const floating = ['draft', 'pending']
const hidden = ['draft', 'pending', 'private', 'trash']
const minuteMs = 60_000

function statusOf(
  written: string,
  { type, isKept }: FoundType,
  gmt: string,
  { clock }: PostContext,
  warn: Warn,
): string {
  // No visitor sees a record of a type whose rules are not known.
  if (isKept) return hidden.includes(written) ? written : 'private'
  if (type === 'attachment') return ['private', 'trash'].includes(written) ? written : 'inherit'
  if (!statuses.includes(written)) {
    warn('unknown-status', written)
    return 'draft'
  }
  // A scheduled post that is due is published by the next request.
  return written === 'publish' && Date.parse(`${gmt}Z`) - clock() >= minuteMs ? 'future' : written
}

/** Percent signs stay: files encode slugs of non-Latin scripts with them. */
function slugOf(written: string, title: string, status: string): string {
  if (written !== '') return toSlug(written) || 'item'
  return floating.includes(status) ? '' : toSlug(title) || 'item'
}

// ---------------------------------------------------------------- dates

interface FileDates {
  readonly date: string
  readonly date_gmt: string
  readonly modified: string
  readonly modified_gmt: string
  /** The GMT date is all zeros, which means a floating date for drafts and pending posts. */
  readonly floats: boolean
}

/** Site time or GMT is enough; an invalid date is reported and derived from the other dates. */
function datesOf(fields: FileRecord['fields'], { time, clock }: PostContext, warn: Warn): FileDates {
  const read = (name: string, isGmt: boolean): string | undefined => {
    const text = (fields[name] ?? '').trim()
    if (text === '' || isNoDate(text)) return undefined
    const parsed = time.parseDate(text, { isGmt })
    if (!parsed) warn('invalid-date', name)
    return isGmt ? parsed?.gmt : parsed?.local
  }
  const gmt = read('wp:post_date_gmt', true)
  const local = read('wp:post_date', false)
  const lastGmt = read('wp:post_modified_gmt', true)
  const last = read('wp:post_modified', false)
  const date = local ?? (gmt ? time.toLocal(gmt) : undefined) ?? last ?? time.now(clock).local
  const dateGmt = gmt ?? time.toGmt(date)
  const modified = last ?? (lastGmt ? time.toLocal(lastGmt) : date)
  const modifiedGmt = lastGmt ?? (last ? time.toGmt(last) : dateGmt)
  const floats = isNoDate(fields['wp:post_date_gmt'] ?? '')
  return { date, date_gmt: dateGmt, modified, modified_gmt: modifiedGmt, floats }
}

const isNoDate = (text: string) => text.trim().startsWith('0000-00-00')

// ---------------------------------------------------------------- terms

const knownFormats: ReadonlySet<string> = new Set(postFormats)

/** The first version of the format calls tags `tag`. */
const taxonomyOf = (written: string, names: Names) => (written === 'tag' ? tags : names.toNeutral(written))

function termsOf(
  record: FileRecord,
  { names, types }: PostContext,
  warn: Warn,
): { format: string; terms: NamedTerm[] } {
  let format = 'standard'
  const terms: NamedTerm[] = []
  for (const { domain: written, slug, name } of record.terms) {
    const domain = taxonomyOf(written, names)
    if (domain === 'post_format') {
      const name = slug.replace(/^post-format-/, '')
      if (knownFormats.has(name)) format = name
      else warn('unknown-format', name)
    } else if (types.hasTaxonomy(domain, written)) {
      const own = toSlug(slug) || toSlug(name)
      if (own === '') warn('term-unnamed', domain)
      else terms.push({ taxonomy: domain, slug: own, name: name || own })
    } else warn('other-taxonomy', domain)
  }
  return { format, terms }
}
