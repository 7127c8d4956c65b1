/** Writes values of meta as the texts that export files have; `readMetaText` of the import is the way back. */
import type { Json } from '../../contract/storage.ts'
import { readMetaText } from '../import/serialized.ts'

const encoder = new TextEncoder()

/** In the serialized form of PHP. Lengths count bytes. */
export function serialized(value: Json): string {
  if (value === null) return 'N;'
  if (typeof value === 'boolean') return `b:${value ? 1 : 0};`
  if (typeof value === 'number') return `${Number.isSafeInteger(value) ? 'i' : 'd'}:${value};`
  if (typeof value === 'string') return `s:${encoder.encode(value).length}:"${value}";`
  const entries = Array.isArray(value) ? value.map((inner, index) => [index, inner] as const) : Object.entries(value)
  const members = entries.map(([key, inner]) => serialized(key) + serialized(inner as Json))
  return `a:${members.length}:{${members.join('')}}`
}

/** A text that looks serialized is serialized once more, so that it is read as it is. */
export function metaText(value: Json): string {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string') return serialized(value)
  const read = readMetaText(value)
  return 'value' in read && read.value === value ? value : serialized(value)
}
