/** Converts an item of the file to a post. References are not resolved here: they stay logins, slugs and file ids. */

import type { Json, PostValues } from '../../contract/storage.ts'
import type { FileMeta, ImportedItem } from '../../core/declare/feature.ts'
import type { Names } from '../../names/word-map.ts'
import { importedUrlKey, tags } from '../../site/post-keys.ts'
import { toSlug } from '../../site/slug.ts'
import type { SiteTime } from '../../site/time-zone.ts'
import { type MappedComment, mapComments } from './map-comments.ts'
import { mapMeta, namedMeta } from './map-meta.ts'
import { mediaTypeOf } from './media-types.ts'
import type { FileRecord } from './reader.ts'
import type { Warn } from './warnings.ts'

/** Meta key of imported rows: the item's number and guid in the file. */
export const importKey = '_import_guid'

export interface TermName {
  readonly taxonomy: string
  readonly slug: string
  readonly name: string
}

export interface MappedItem {
  readonly line: number
  /** Otherwise it gets those of the import. */
  readonly hasDates: boolean
  /** Identifies the item in every file of its site. */
  readonly guid: string
  /** The file's id of the item; 0: none. */
  readonly number: number
  /** The slug may already be taken; see slugs.ts. */
  readonly row: Omit<PostValues, 'author' | 'parent' | 'featuredMedia'>
  /** A login; empty: no author. */
  readonly author: string
  /** File ids; 0: none. */
  readonly parent: number
  readonly thumbnail: number
  readonly terms: readonly TermName[]
  readonly meta: { readonly [key: string]: Json }
  readonly comments: readonly MappedComment[]
  /** By meta key, the item or term of the file whose id is stored there. */
  readonly references: ImportedItem['references']
}

interface MapContext {
  /** Converts names in the file to those of the service. */
  readonly names: Names
  readonly time: SiteTime
  readonly clock: () => number
  readonly postTypes: readonly string[]
  readonly taxonomies: readonly string[]
  /** By type, how items are read that have more than posts have. */
  readonly items: {
    readonly [postType: string]: (meta: FileMeta, neutralWord: (word: string) => string) => ImportedItem
  }
  /** The URL of the exported site. */
  readonly site: string
}

/** Returns undefined, after a call of `warn`, for an item whose type is not imported. */
export function mapItem(record: FileRecord, context: MapContext, warn: Warn): MappedItem | undefined {
  const { names } = context
  const field = (name: string) => record.fields[name] ?? ''
  const fileType = field('wp:post_type').trim()
  const type = names.toNeutral(fileType)
  if (!context.postTypes.includes(type) || type === 'revision') {
    warn('unknown-type', fileType)
    return undefined
  }
  const number = numberOf(field('wp:post_id'))
  if (number === 0) warn('invalid-id', '')
  const dates = datesOf(record.fields, context, warn)
  const status = statusOf(field('wp:status').trim(), type, dates.dateGmt ?? '', context, warn)
  const isFloating = dates.floats && floating.includes(status)
  const { template, thumbnail, ...ordinary } = mapMeta(record.meta, names, warn)
  const { format, terms } = termsOf(record, context, warn)
  const own = ownPart(record, type, context)
  const { meta, parent, references } = own ?? ordinaryPart(record, type, ordinary.meta)
  const guid = field('guid').trim() || `${context.site}/?p=${number}`
  const url = field('wp:attachment_url').trim()
  return {
    line: record.line,
    hasDates: field('wp:post_date') !== '',
    guid: `${number} ${guid}`,
    number,
    author: field('dc:creator').trim(),
    parent: parentOf(parent, number, warn),
    thumbnail,
    terms,
    comments: commentsOf(record, context, warn),
    references,
    meta,
    row: {
      type,
      status,
      // Items of such types have no address.
      slug: own ? '' : slugOf(field('wp:post_name').trim(), field('title'), status),
      title: field('title'),
      content: names.swapMarkup(field('content:encoded')),
      excerpt: names.swapMarkup(field('excerpt:encoded')),
      date: dates.date,
      dateGmt: isFloating ? null : dates.dateGmt,
      modified: dates.modified,
      modifiedGmt: dates.modifiedGmt,
      password: status === 'private' ? '' : [...field('wp:post_password')].slice(0, 255).join(''),
      commentStatus: field('wp:comment_status').trim() === 'open' ? 'open' : 'closed',
      pingStatus: field('wp:ping_status').trim() === 'open' ? 'open' : 'closed',
      format,
      // A post with a password is never sticky.
      sticky: type === 'post' && field('wp:is_sticky').trim() === '1' && field('wp:post_password') === '',
      template,
      mimeType: type === 'attachment' ? field('rest:mime_type') || mediaTypeOf(url) : '',
      menuOrder: numberOf(field('wp:menu_order')),
    },
  }
}

function commentsOf({ comments }: FileRecord, { time }: MapContext, warn: Warn): readonly MappedComment[] {
  for (const comment of comments) if ('wp:commentmeta' in comment) warn('comment-meta', '')
  return mapComments(comments, time)
}

/** Of types whose features read items themselves. */
function ownPart({ meta }: FileRecord, type: string, { items, names }: MapContext): ImportedItem | undefined {
  const read = Object.hasOwn(items, type) ? items[type] : undefined
  return read?.(namedMeta(meta, names), names.toNeutral)
}

function ordinaryPart({ fields }: FileRecord, type: string, meta: MappedItem['meta']): ImportedItem {
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
const minuteMs = 60_000

function statusOf(written: string, type: string, gmt: string, { clock }: MapContext, warn: Warn): string {
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
  readonly dateGmt: string
  readonly modified: string
  readonly modifiedGmt: string
  /** The GMT date is all zeros, which means a floating date for drafts and pending posts. */
  readonly floats: boolean
}

/** Site time or GMT is enough; an invalid date is reported and derived from the other dates. */
function datesOf(fields: FileRecord['fields'], { time, clock }: MapContext, warn: Warn): FileDates {
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
  return { date, dateGmt, modified, modifiedGmt, floats: isNoDate(fields['wp:post_date_gmt'] ?? '') }
}

const isNoDate = (text: string) => text.trim().startsWith('0000-00-00')

// ---------------------------------------------------------------- terms

const formats = ['standard', 'aside', 'chat', 'gallery', 'link', 'image', 'quote', 'status', 'video', 'audio']

/** The first version of the format calls tags `tag`. */
const taxonomyOf = (written: string, names: Names) => (written === 'tag' ? tags : names.toNeutral(written))

function termsOf(
  record: FileRecord,
  { names, taxonomies }: MapContext,
  warn: Warn,
): { format: string; terms: TermName[] } {
  let format = 'standard'
  const terms: TermName[] = []
  for (const { domain: written, slug, name } of record.terms) {
    const domain = taxonomyOf(written, names)
    if (domain === 'post_format') {
      const name = slug.replace(/^post-format-/, '')
      if (formats.includes(name)) format = name
      else warn('unknown-format', name)
    } else if (taxonomies.includes(domain)) {
      const own = toSlug(slug) || toSlug(name)
      if (own === '') warn('term-unnamed', domain)
      else terms.push({ taxonomy: domain, slug: own, name: name || own })
    } else warn('other-taxonomy', domain)
  }
  return { format, terms }
}
