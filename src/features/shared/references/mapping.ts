/** Replaces what names a row of the site: an id, a text of digits, or a reference. It does not decide where such values are. */

import type { Json } from '../../../contract/storage.ts'

/** Posts of all types, terms of all taxonomies, users. */
export type RowKind = 'post' | 'term' | 'user'

export interface Members {
  readonly [name: string]: unknown
}

export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the replacement of an id, or that of a reference. Values of the other form stay, and are not looked for. */
export type Mapping =
  | { readonly id: (kind: RowKind, id: number) => Replacement | undefined; readonly reference?: undefined }
  | { readonly id?: undefined; readonly reference: (reference: string) => Replacement }
type Replacement = number | { readonly reference: string }

/** Returns the value itself where no member is replaced, else a copy. Members may be called `__proto__`. */
export function mapMembers<V>(owner: V & Members, map: (value: unknown, name: string) => Json): V {
  let copy: V | undefined
  for (const name of Object.keys(owner)) {
    const value = owner[name]
    const mapped = map(value, name)
    if (mapped === value) continue
    copy ??= { ...owner }
    Object.defineProperty(copy, name, { value: mapped, enumerable: true, configurable: true, writable: true })
  }
  return copy ?? owner
}

/** Returns the list itself where no entry is replaced, else a copy. */
export function mapList(list: readonly unknown[], map: (value: unknown) => Json): Json {
  let copy: Json[] | undefined
  for (const [index, value] of list.entries()) {
    const mapped = map(value)
    if (mapped === value) continue
    // The casts: lists are JSON.
    copy ??= [...list] as Json[]
    copy[index] = mapped
  }
  return copy ?? (list as Json)
}

/** The depth that the body of a request may have. */
export const maxDepth = 200

/** Matches an id or a reference. A key of a document has none of the characters that end one. */
const wholeToken = /^(?:ref:[^\s"'<>,\]&\\]+|[1-9]\d{0,14})$/

/** Returns undefined for a value that names no row: it may hold others. */
export function mapOne(stored: unknown, kind: RowKind, mapping: Mapping): Json | undefined {
  if (isMembers(stored)) {
    const { $ref: reference, text } = stored
    // The casts here and below: elements and attributes are JSON.
    if (typeof reference !== 'string') return undefined
    return written(mapping.reference?.(reference), stored as Json, text === true)
  }
  const isText = typeof stored === 'string' && /^[1-9]\d{0,14}$/.test(stored)
  if (!isText && !(Number.isSafeInteger(stored) && Number(stored) > 0)) return undefined
  return written(mapping.id?.(kind, Number(stored)), stored as Json, isText)
}

function written(replacement: Replacement | undefined, stored: Json, isText: boolean): Json {
  if (replacement === undefined) return stored
  if (typeof replacement === 'number') return isText ? String(replacement) : replacement
  return isText ? { $ref: replacement.reference, text: true } : { $ref: replacement.reference }
}

/** Replaces the ids and references of a list such as `1, 2`; the rest stays. */
export const mapTokens = (kind: RowKind, tokens: string, mapping: Mapping): string =>
  tokens
    .split(',')
    .map((token) => {
      const trimmed = token.trim()
      return wholeToken.test(trimmed) ? token.replace(trimmed, () => mapToken(kind, trimmed, mapping)) : token
    })
    .join(',')

/** Replaces a reference or an id inside a text. */
export function mapToken(kind: RowKind, token: string, mapping: Mapping): string {
  const isReference = token.startsWith('ref:')
  const replacement = isReference ? mapping.reference?.(token.slice('ref:'.length)) : mapping.id?.(kind, Number(token))
  if (replacement === undefined) return token
  return typeof replacement === 'number' ? String(replacement) : `ref:${replacement.reference}`
}
