/** From an item of the file to what is stored. Nothing is looked up here: who and what it refers to stays in the words of the file. */
import type { Names } from '../../names/word-map.ts'
import { categories, tags } from '../../site/post-keys.ts'
import { toSlug } from '../../site/slug.ts'
import type { SiteTime } from '../../site/time-zone.ts'
import type { Json, PostValues } from '../../storage/contract.ts'
import { mapMeta } from './map-meta.ts'
import { mediaTypeOf } from './media-types.ts'
import type { FileRecord } from './reader.ts'
import type { Warn } from './warnings.ts'

/** Which item of which site a row was made from, and the address that its file had. */
export const importKey = '_import_guid'
export const importedUrlKey = '_import_url'

export interface TermName {
  readonly taxonomy: string
  readonly slug: string
  readonly name: string
}

export interface MappedItem {
  readonly line: number
  /** The same in every file that holds this item. */
  readonly guid: string
  /** Its number in the file; 0: none. */
  readonly number: number
  /** The slug is what is wished for. */
  readonly row: Omit<PostValues, 'author' | 'parent' | 'featuredMedia'>
  /** A login of the file; empty: nobody. */
  readonly author: string
  /** Numbers in the file; 0: none. */
  readonly parent: number
  readonly thumbnail: number
  readonly terms: readonly TermName[]
  readonly meta: { readonly [key: string]: Json }
}

export interface MapParts {
  /** From the words of the file to ours. */
  readonly names: Names
  readonly time: SiteTime
  readonly clock: () => number
  readonly postTypes: readonly string[]
  /** The address of the site that the file comes from. */
  readonly site: string
}

/** Undefined when the item has no place here; `told` has heard why. */
export function mapItem(record: FileRecord, parts: MapParts, told: Warn): MappedItem | undefined {
  const { names } = parts
  const field = (name: string) => record.fields[name] ?? ''
  const written = field('wp:post_type').trim()
  const type = names.toNeutral(written)
  if (!parts.postTypes.includes(type) || type === 'revision') {
    told('unknown-type', written)
    return undefined
  }
  const number = numberOf(field('wp:post_id'))
  if (number === 0) told('invalid-id', '')
  if (record.comments > 0) told('comments', '', record.comments)
  if (numberOf(field('wp:menu_order')) !== 0) told('menu-order', '')
  const dates = datesOf(record.fields, parts, told)
  const status = statusOf(field('wp:status').trim(), type, dates.dateGmt ?? '', parts, told)
  const isFloating = dates.floats && floating.includes(status)
  const { meta, template, thumbnail } = mapMeta(record.meta, names, told)
  const { format, terms } = termsOf(record, told)
  const guid = field('guid').trim() || `${parts.site}/?p=${number}`
  const address = field('wp:attachment_url').trim()
  return {
    line: record.line,
    guid: `${number} ${guid}`,
    number,
    author: field('dc:creator').trim(),
    parent: parentOf(numberOf(field('wp:post_parent')), number, told),
    thumbnail,
    terms,
    meta: type === 'attachment' && address !== '' ? { ...meta, [importedUrlKey]: address } : meta,
    row: {
      type,
      status,
      slug: slugOf(field('wp:post_name').trim(), field('title'), status),
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
      // A post behind a password is never sticky.
      sticky: type === 'post' && field('wp:is_sticky').trim() === '1' && field('wp:post_password') === '',
      template,
      mimeType: type === 'attachment' ? mediaTypeOf(address) : '',
    },
  }
}

function parentOf(parent: number, own: number, told: Warn): number {
  if (parent === 0 || parent !== own) return parent
  told('parent-circle', 'item')
  return 0
}

const numberOf = (text: string) => (/^\s*\d{1,15}\s*$/.test(text) ? Number(text) : 0)

// ---------------------------------------------------------------- status and slug

const statuses = ['publish', 'future', 'draft', 'pending', 'private', 'trash']
const floating = ['draft', 'pending']
const minuteMs = 60_000

function statusOf(written: string, type: string, gmt: string, { clock }: MapParts, told: Warn): string {
  if (type === 'attachment') return ['private', 'trash'].includes(written) ? written : 'inherit'
  if (!statuses.includes(written)) {
    told('unknown-status', written)
    return 'draft'
  }
  // What is due by now is published by the next request.
  return written === 'publish' && Date.parse(`${gmt}Z`) - clock() >= minuteMs ? 'future' : written
}

/** Percent signs stay: that is how the file writes slugs of other scripts. */
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
  /** The file says that it is no fixed date, if the status allows that. */
  readonly floats: boolean
}

/** Of site time and GMT, one is enough; a date that is not one is told and made from the others. */
function datesOf(fields: FileRecord['fields'], { time, clock }: MapParts, told: Warn): FileDates {
  const read = (name: string, isGmt: boolean): string | undefined => {
    const text = (fields[name] ?? '').trim()
    if (text === '' || isNoDate(text)) return undefined
    const moment = time.parseDate(text, { isGmt })
    if (!moment) told('invalid-date', name)
    return isGmt ? moment?.gmt : moment?.local
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

function termsOf(record: FileRecord, told: Warn): { format: string; terms: TermName[] } {
  let format = 'standard'
  const terms: TermName[] = []
  for (const { domain, slug, name } of record.terms) {
    if (domain === 'post_format') {
      const wanted = slug.replace(/^post-format-/, '')
      if (formats.includes(wanted)) format = wanted
      else told('unknown-format', wanted)
    } else if (domain === categories || domain === tags) {
      const own = toSlug(slug) || toSlug(name)
      if (own === '') told('term-unnamed', domain)
      else terms.push({ taxonomy: domain, slug: own, name: name || own })
    } else told('other-taxonomy', domain)
  }
  return { format, terms }
}
