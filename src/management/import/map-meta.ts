/** The meta of an item under the names of this service. What the columns of a post have a place for is taken out. */
import type { Names } from '../../names/word-map.ts'
import {
  alternativeTextKey,
  attachedFileKey,
  attachmentMetadataKey,
  desiredSlugKey,
  trashStatusKey,
} from '../../site/post-keys.ts'
import type { Json } from '../../storage/contract.ts'
import { isSerialized, readSerialized } from './serialized.ts'
import type { Warn } from './warnings.ts'

export interface MappedMeta {
  readonly meta: { readonly [key: string]: Json }
  readonly template: string
  /** The number of the picture in the file; 0: none. */
  readonly thumbnail: number
}

const renamed: { readonly [key: string]: string } = {
  _wp_attached_file: attachedFileKey,
  _wp_attachment_image_alt: alternativeTextKey,
  _wp_trash_meta_status: trashStatusKey,
  _wp_desired_post_slug: desiredSlugKey,
}

/** Who edits what at the moment, and the like: of no use elsewhere. */
const passing = new Set(['_edit_lock', '_edit_last', '_pingme', '_encloseme', '_wp_trash_meta_time', '_wp_old_date'])

const generated = /^_builder_(?:css|page_assets|element_cache|controls_usage|inline_svg)$/

/** These hold structures, whose text form nobody here could read later. */
const structured = /^_builder_/

export function mapMeta(
  entries: readonly (readonly [key: string, value: string])[],
  names: Names,
  told: Warn,
): MappedMeta {
  const meta: { [key: string]: Json } = {}
  let template = ''
  let thumbnail = 0
  const seen = new Set<string>()
  for (const [key, text] of entries) {
    if (seen.has(key)) told('meta-repeated', key)
    seen.add(key)
    const own = Object.hasOwn(renamed, key) ? (renamed[key] as string) : names.toNeutral(key)
    if (key === '_thumbnail_id') thumbnail = Number(text) || 0
    else if (key === '_wp_page_template') template = text === 'default' ? '' : text
    else if (key === '_wp_attachment_metadata') assign(meta, attachmentMetadataKey, sizeOf(text))
    else if (generated.test(own)) told('meta-generated', key)
    else if (structured.test(own) && isSerialized(text)) {
      const value = readSerialized(text)
      if (value === undefined) told('meta-unreadable', key)
      else assign(meta, own, own.endsWith('_settings') ? asObject(value) : value)
    } else if (own === '_builder_page_settings') {
      if (text !== '') told('meta-unreadable', key)
    } else if (!passing.has(key)) assign(meta, own, own === '_builder_template_type' ? names.toNeutral(text) : text)
  }
  return { meta, template, thumbnail }
}

/** Keys come from a file: each is a member of its own, whatever its name. */
function assign(meta: { [key: string]: Json }, key: string, value: Json | undefined): void {
  if (value === undefined || value === null) return
  Object.defineProperty(meta, key, { value, enumerable: true, configurable: true, writable: true })
}

/** A list without members has the same text form as a record without. */
const asObject = (value: Json): Json => (Array.isArray(value) && value.length === 0 ? {} : value)

/** Of the sizes only the first is kept: the others are made by who serves the files. */
function sizeOf(text: string): Json | undefined {
  const value = readSerialized(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const { file, width, height } = value as { readonly [name: string]: Json }
  if (typeof file !== 'string' || typeof width !== 'number' || typeof height !== 'number') return undefined
  return { file, width, height }
}
