/** Converts the meta of an item to the keys of this service. Values that posts have columns for are returned separately. */

import { lookupTable } from '../../../contract/lookup-table.ts'
import { parsedJson } from '../../../contract/parsed-json.ts'
import type { Json } from '../../../contract/storage.ts'
import type { Args } from '../../../core/declare/args.ts'
import type { FileMeta } from '../../../core/declare/feature.ts'
import type { Names } from '../../../names/word-map.ts'
import { builderTemplates } from '../../../site/page-templates.ts'
import {
  alternativeTextKey,
  attachedFileKey,
  attachmentMetadataKey,
  desiredSlugKey,
  importedFileKey,
  trashStatusKey,
} from '../../../site/post-keys.ts'
import { toSlug } from '../../../site/slug.ts'
import { typedMeta } from '../../declared-meta.ts'
import type { ProblemKind, Warn } from '../report.ts'
import { readMetaText } from '../serialized.ts'
import { mediaTypeOf } from './media-types.ts'

interface MappedMeta {
  readonly meta: { readonly [key: string]: Json }
  readonly template: string
  /** The file's id of the featured image; 0: none. */
  readonly thumbnail: number
  readonly oldSlugs: readonly string[]
}

const renamed: { readonly [key: string]: string } = lookupTable({
  _wp_attached_file: attachedFileKey,
  _wp_attachment_image_alt: alternativeTextKey,
  _wp_trash_meta_status: trashStatusKey,
  _wp_desired_post_slug: desiredSlugKey,
})

/** The slugs that the item had before, one in each row. */
const oldSlugKey = '_wp_old_slug'

/** Edit locks and similar temporary state; not imported. */
const temporary = new Set(['_edit_lock', '_edit_last', '_pingme', '_encloseme', '_wp_trash_meta_time', '_wp_old_date'])

const generated = /^_builder_(?:css|page_assets|element_cache|controls_usage|inline_svg)$/

/** These keys have structured values: one that does not parse is of no use, while others stay as the file has them. */
const structured = /^_builder_/

export function mapMeta(
  entries: readonly (readonly [key: string, value: Json])[],
  { names, fields }: MetaRules,
  warn: Warn,
): MappedMeta {
  const meta: { [key: string]: Json } = {}
  let template = ''
  let thumbnail = 0
  const oldSlugs: string[] = []
  const seen = new Set<string>()
  for (const [fileKey, given] of joinedLists(entries, { names, fields })) {
    if (fileKey === oldSlugKey) {
      oldSlugs.push(toSlug(String(given)))
      continue
    }
    if (seen.has(fileKey)) warn('meta-repeated', fileKey)
    seen.add(fileKey)
    const key = keyOf(fileKey, names)
    if (fileKey === '_thumbnail_id') thumbnail = Number(given) || 0
    else if (fileKey === '_wp_page_template') template = templateIn(String(given), names)
    else if (fileKey === '_wp_attachment_metadata') {
      const details = detailsIn(given, () => warn('meta-unreadable', fileKey))
      assign(meta, attachmentMetadataKey, sizeOf(details))
      assign(meta, importedFileKey, fileOf(details))
    } else if (!temporary.has(fileKey))
      assign(
        meta,
        key,
        metaValue(key, given, names, (kind) => warn(kind, fileKey)),
      )
  }
  return {
    meta: typedMeta(fields, meta, leaveOut(warn)),
    template,
    thumbnail,
    oldSlugs: oldSlugs.filter((slug) => slug !== ''),
  }
}

/** Templates of the builder have neutral names here; those of a theme are file names. */
function templateIn(written: string, names: Names): string {
  const neutral = names.toNeutral(written)
  if (builderTemplates.includes(neutral)) return neutral
  return written === 'default' ? '' : written
}

/** The names of the file, and the fields that the type of its row declares. */
export interface MetaRules {
  readonly names: Names
  readonly fields: Args
}

/** A declared list may be written as a value for each item: they become one value. */
function joinedLists(
  entries: readonly (readonly [key: string, value: Json])[],
  { names, fields }: MetaRules,
): readonly (readonly [key: string, value: Json])[] {
  if (Object.keys(fields).length === 0) return entries
  const isList = (fileKey: string) => {
    const key = names.toNeutral(fileKey)
    return Object.hasOwn(fields, key) && [fields[key]?.node.type].flat().includes('array')
  }
  return [...Map.groupBy(entries, ([key]) => key)].flatMap(([key, all]) =>
    all.length > 1 && isList(key) ? [[key, all.map(([, value]) => valueIn(value) ?? value)] as const] : all,
  )
}

const leaveOut = (warn: Warn) => (key: string) => {
  warn('meta-unreadable', key)
  return undefined
}

/** The values of terms and comments, by key. */
export function plainMeta(
  entries: readonly (readonly [key: string, value: Json])[],
  { names, fields }: MetaRules,
  warn: Warn,
): { readonly [key: string]: Json } {
  const meta: { [key: string]: Json } = {}
  const seen = new Set<string>()
  for (const [fileKey, given] of joinedLists(entries, { names, fields })) {
    if (seen.has(fileKey)) warn('meta-repeated', fileKey)
    seen.add(fileKey)
    const value = metaValue(names.toNeutral(fileKey), given, names, (kind) => warn(kind, fileKey))
    assign(meta, names.toNeutral(fileKey), value)
  }
  return typedMeta(fields, meta, leaveOut(warn))
}

/** Returns all values by their keys, for item types whose features read them. */
export function namedMeta(entries: readonly (readonly [key: string, value: Json])[], names: Names): FileMeta {
  const meta: { [key: string]: Json } = {}
  for (const [fileKey, text] of entries) {
    assign(meta, names.toNeutral(fileKey), valueIn(text))
  }
  return meta
}

/** Undefined for what does not parse. */
function valueIn(given: Json): Json | undefined {
  if (typeof given !== 'string') return given
  const read = readMetaText(given)
  return 'value' in read ? read.value : undefined
}

const keyOf = (fileKey: string, names: Names): string =>
  Object.hasOwn(renamed, fileKey) ? (renamed[fileKey] as string) : names.toNeutral(fileKey)

/** Undefined, after a warning where something is lost, for values that are not imported. */
function metaValue(key: string, text: Json, names: Names, warn: (kind: ProblemKind) => void): Json | undefined {
  if (generated.test(key)) {
    warn('meta-generated')
    return undefined
  }
  if (typeof text !== 'string') return text
  if (key === '_builder_data' && !text.startsWith('a:')) return elementsIn(text, () => warn('meta-unreadable'))
  const value = valueIn(text)
  if (structured.test(key) && value !== text) {
    if (value === undefined) warn('meta-unreadable')
    return value !== undefined && key.endsWith('_settings') ? asObject(value) : value
  }
  if (key === '_builder_page_settings') return settingsIn(text, () => warn('meta-unreadable'))
  if (key === '_builder_template_type') return names.toNeutral(text)
  if (value === undefined) warn('meta-kept')
  return value === undefined ? text : value
}

/** Some versions of the builder write settings as JSON. */
function settingsIn(text: string, onProblem: () => void): Json | undefined {
  if (text === '') return undefined
  try {
    const value = asObject(JSON.parse(text) as Json)
    if (isObject(value)) return value
  } catch {
    // Texts that are no JSON are reported below.
  }
  onProblem()
  return undefined
}

/**
 * Elements are a JSON text. Some exports have written its references or its slashes once too often, which is tried once. A text that
 * stays unreadable is left out: the page would show it as nothing.
 */
function elementsIn(text: string, onProblem: () => void): string | undefined {
  if (text.trim() === '') return undefined
  const readings = [() => text, () => withoutReferences(text), () => text.replace(/\\(["'\\/])/g, '$1')]
  for (const read of readings) {
    const candidate = read()
    if (Array.isArray(parsedJson(candidate))) return candidate
  }
  onProblem()
  return undefined
}

const references: { readonly [written: string]: string } = lookupTable({
  ...{ '&quot;': '"', '&#34;': '"', '&#034;': '"', '&#x22;': '"' },
  ...{ '&apos;': "'", '&#39;': "'", '&#039;': "'", '&lt;': '<', '&gt;': '>', '&amp;': '&' },
})

const withoutReferences = (text: string): string =>
  text.replace(/&#?\w{1,5};/g, (written) =>
    Object.hasOwn(references, written) ? (references[written] ?? written) : written,
  )

/** Defines an own property, because a key from the file may be `__proto__`. */
function assign(meta: { [key: string]: Json }, key: string, value: Json | undefined): void {
  if (value === undefined || value === null) return
  Object.defineProperty(meta, key, { value, enumerable: true, configurable: true, writable: true })
}

/** An empty list and an empty object have the same serialized form. */
const asObject = (value: Json): Json => (Array.isArray(value) && value.length === 0 ? {} : value)

/** Only the original size: the host that serves the files makes the others. */
function sizeOf({ file, width, height }: JsonObject): Json | undefined {
  if (typeof file !== 'string' || typeof width !== 'number' || typeof height !== 'number') return undefined
  return { file, width, height }
}

/** The details that name the file and its sizes on the old site. */
function fileOf({ filesize, sizes, original_image: original }: JsonObject): Json | undefined {
  const known = {
    ...(Number.isInteger(filesize) ? { filesize: filesize as number } : {}),
    ...(typeof original === 'string' ? { original_image: original } : {}),
    ...(isObject(sizes) ? { sizes: knownSizes(sizes) } : {}),
  }
  return Object.keys(known).length > 0 ? known : undefined
}

type JsonObject = { readonly [name: string]: Json }

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function detailsIn(given: Json, onProblem: () => void): JsonObject {
  const value = valueIn(given)
  if (isObject(value)) return value
  // Files that are no pictures have none.
  const isNothing = given === '' || (Array.isArray(value) && value.length === 0)
  if (!isNothing) onProblem()
  return {}
}

/** Sizes that say what answers say of sizes; the weight is not in older files. */
const knownSizes = (sizes: JsonObject): Json =>
  Object.fromEntries(
    Object.entries(sizes).flatMap(([name, size]): (readonly [string, Json])[] => {
      if (!isObject(size)) return []
      const { file, width, height, filesize, 'mime-type': written, mime_type: type = written } = size
      if (typeof file !== 'string' || !Number.isInteger(width) || !Number.isInteger(height)) return []
      const known = { file, width: width as number, height: height as number }
      const weight: { readonly [member: string]: Json } = Number.isInteger(filesize)
        ? { filesize: filesize as number }
        : {}
      return [[name, { ...known, ...weight, mime_type: typeof type === 'string' ? type : mediaTypeOf(file) }]]
    }),
  )
