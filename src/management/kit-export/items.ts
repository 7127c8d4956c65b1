/** Makes the items of an export file of rows: all that a kit has of a post besides its document. */

import type { Json } from '../../contract/storage.ts'
import type { Args } from '../../core/declare/args.ts'
import type { PersistedData } from '../../core/declare/feature.ts'
import type { Names } from '../../names/word-map.ts'
import { builderTemplates } from '../../site/page-templates.ts'
import {
  alternativeTextKey,
  attachedFileKey,
  attachmentMetadataKey,
  importedFileKey,
  importedStoredKey,
  importedUrlKey,
} from '../../site/post-keys.ts'
import { toSlug } from '../../site/slug.ts'
import { readMetaText } from '../import/serialized.ts'
import type { ExportItem } from './export-file.ts'
import type { KitRow, KitRows, Meta } from './rows.ts'

const encoder = new TextEncoder()

/** Writes a value in the serialized form of PHP, whose lengths count bytes. */
function serialized(value: Json): string {
  if (value === null) return 'N;'
  if (typeof value === 'boolean') return `b:${value ? 1 : 0};`
  if (typeof value === 'number') return `${Number.isSafeInteger(value) ? 'i' : 'd'}:${value};`
  if (typeof value === 'string') return `s:${encoder.encode(value).length}:"${value}";`
  const entries = Array.isArray(value) ? value.map((inner, index) => [index, inner] as const) : Object.entries(value)
  const members = entries.map(([key, inner]) => serialized(key) + serialized(inner as Json))
  return `a:${members.length}:{${members.join('')}}`
}

/**
 * Writes a value of meta as the text that export files have; `readMetaText` of the import is the way back. A text that looks serialized is
 * serialized once more, so that it is read as it is.
 */
function metaText(value: Json): string {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string') return serialized(value)
  const read = readMetaText(value)
  return 'value' in read && read.value === value ? value : serialized(value)
}

export interface ItemRules {
  readonly names: Names
  readonly home: string
  readonly frontPage: number
  readonly numberOf: KitRows['numberOf']
  /** The declared fields of a type. */
  readonly fieldsOf: (type: string) => Args
  readonly items: NonNullable<PersistedData['items']>
  /** Meta keys whose values are ids, and of what. */
  readonly references: { readonly [key: string]: 'post' | 'term' }
  /** The public address of a file. */
  readonly addressOf: (path: string) => Promise<string>
}

export async function exportItem(row: KitRow, rules: ItemRules): Promise<ExportItem> {
  const { post, number, guid } = row
  const { names, home, numberOf } = rules
  const isFile = post.type === 'attachment'
  const own = ownMeta(row, rules)
  return {
    fields: {
      title: post.title,
      link: post.id === rules.frontPage ? home : guid,
      guid,
      'content:encoded': names.swapMarkup(post.content),
      'excerpt:encoded': names.swapMarkup(post.excerpt),
      'wp:post_id': String(number),
      'wp:post_date': dateOf(post.date),
      'wp:post_date_gmt': dateOf(post.dateGmt),
      'wp:post_modified': dateOf(post.modified),
      'wp:post_modified_gmt': dateOf(post.modifiedGmt),
      'wp:comment_status': post.commentStatus,
      'wp:ping_status': post.pingStatus,
      // An import makes the slug of a row without one.
      'wp:post_name': own ? '' : post.slug || toSlug(post.title),
      'wp:status': post.status,
      'wp:post_parent': String(numberOf('post', post.parent)),
      'wp:menu_order': String(post.menuOrder),
      'wp:post_type': names.toPublic(post.type),
      'wp:post_password': post.password,
      'wp:is_sticky': post.sticky ? '1' : '0',
      ...(isFile ? { 'wp:attachment_url': await fileAddress(row, rules) } : {}),
    },
    terms: termsOf(row, names),
    meta: [
      ...columnMeta(row, rules),
      ...Object.entries(own ?? (isFile ? fileMeta(row) : declaredMeta(row, rules))),
    ].map(([key, value]) => [key, metaText(value)] as const),
  }
}

const dateOf = (date: string | null): string => (date ?? '').replace('T', ' ')

function termsOf({ post, terms }: KitRow, { toPublic }: Names): ExportItem['terms'] {
  const named = terms.map(({ taxonomy, slug, name }) => ({ domain: toPublic(taxonomy), slug, name }))
  if (post.format === 'standard' || post.format === '') return named
  return [...named, { domain: 'post_format', slug: `post-format-${post.format}`, name: post.format }]
}

/** The values for which posts have columns, and files meta. */
function columnMeta({ post }: KitRow, { names, numberOf }: ItemRules): [string, Json][] {
  const picture = numberOf('post', post.featuredMedia)
  const template = builderTemplates.includes(post.template) ? names.toPublic(post.template) : post.template
  return [
    ...(picture > 0 ? [['_thumbnail_id', picture] as [string, Json]] : []),
    ...(template !== '' ? [['_wp_page_template', template] as [string, Json]] : []),
  ]
}

/** The declared fields of the type. Other keys may be private, and what the builder keeps lies beside the elements. */
function declaredMeta({ post, meta }: KitRow, { fieldsOf, names }: ItemRules): Meta {
  const fields = fieldsOf(post.type)
  const isShown = (key: string) => (Object.hasOwn(fields, key) && !isOfBuilder(key)) || key === 'footnotes'
  const shown = Object.entries(meta).filter(([key]) => isShown(key))
  return Object.fromEntries(shown.map(([key, value]) => [names.toPublic(key), value]))
}

export const isOfBuilder = (key: string): boolean => key.startsWith('_builder_')

/** Undefined for types whose items are like posts. */
function ownMeta({ post, meta }: KitRow, { items, names, numberOf, references }: ItemRules): Meta | undefined {
  const rules = Object.hasOwn(items, post.type) ? items[post.type] : undefined
  const named = Object.entries(references).filter(([key]) => Object.hasOwn(meta, key))
  return rules?.toFile(
    {
      meta,
      parent: numberOf('post', post.parent),
      references: Object.fromEntries(
        named.map(([key, kind]) => [key, { kind, number: numberOf(kind, Number(meta[key])) }]),
      ),
    },
    names.toPublic,
  )
}

// ---------------------------------------------------------------- files

const fileKeys: readonly (readonly [key: string, fileKey: string])[] = [
  [attachedFileKey, '_wp_attached_file'],
  [alternativeTextKey, '_wp_attachment_image_alt'],
]

/** These members describe a file: one that is stored here, or one of which only its export file speaks. */
const detailMembers = ['filesize', 'sizes', 'original_image']

function fileMeta({ meta }: KitRow): Meta {
  const plain = fileKeys.flatMap(([key, fileKey]) => (meta[key] === undefined ? [] : [[fileKey, meta[key]] as const]))
  const here = objectOf(meta[attachmentMetadataKey])
  const details = { ...objectOf(meta[importedFileKey]), ...here }
  const known = detailMembers.filter((name) => details[name] !== undefined)
  const { file = meta[attachedFileKey] ?? '', width, height } = here
  const size: Meta = width === undefined || height === undefined ? {} : { file, width, height }
  const described = { ...size, ...Object.fromEntries(known.map((name) => [name, details[name] as Json])) }
  return {
    ...Object.fromEntries(plain),
    ...(Object.keys(described).length > 0 ? { _wp_attachment_metadata: withTypes(described) } : {}),
  }
}

/** Files call the type of a size otherwise. */
function withTypes({ sizes, ...details }: Meta): Json {
  const named = Object.entries(objectOf(sizes)).map(([name, size]): [string, Json] => {
    const { file, width, height, filesize, mime_type: type } = objectOf(size)
    const known = { file, width, height, filesize, 'mime-type': type }
    // The cast: absent members are left out.
    return [name, Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined)) as Json]
  })
  return named.length === 0 ? details : { ...details, sizes: Object.fromEntries(named) }
}

const objectOf = (value: Json | undefined): Meta =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Meta) : {}

/** The file of an import that is not stored here is on the old site. */
async function fileAddress({ meta }: KitRow, { addressOf, home }: ItemRules): Promise<string> {
  const { [importedUrlKey]: old, [importedStoredKey]: stored, [attachedFileKey]: path } = meta
  if (typeof old === 'string' && stored === undefined) return old
  if (typeof path !== 'string' || path === '') return ''
  const address = await addressOf(path)
  return URL.canParse(address, home) ? new URL(address, home).href : address
}
