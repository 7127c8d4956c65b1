/**
 * Finds ids inside elements: which settings name a row of the site. Copies elements with references in place of the ids,
 * for files that another site reads. A reference is `{ "$ref": "media.pier" }`, and in texts `ref:media.pier`.
 */

import { lookupTable } from '../../contract/lookup-table.ts'
import type { Json } from '../../contract/storage.ts'
import type { EmbeddedReferences } from '../../core/declare/feature.ts'

/** Posts of all types, terms of all taxonomies, users. */
export type RowKind = 'post' | 'term' | 'user'

/** Returns the replacement of a value that names a row: an id, a text of digits, or a reference. */
interface Mapping {
  readonly id: (kind: RowKind, id: number) => Replacement | undefined
  readonly reference: (reference: string) => Replacement | undefined
}
type Replacement = number | { readonly reference: string }

// ---------------------------------------------------------------- the settings that hold ids

/** Lists have a prefix of their widget: `posts_`, `post_query_`. */
const members: readonly (readonly [RowKind, RegExp])[] = [
  // A popup is named by a tag, a form or a button.
  [
    'post',
    /^(?:template_id|templateID|component_id|post_id|attachment_id)$|(?:^|_)(?:posts|exclude|fallback)_ids$|(?:^|_)popup(?:_id)?$/,
  ],
  ['term', /^(?:term_id|taxonomy_id|menu|nav_menu)$|(?:^|_)(?:include|exclude)_term_ids$/],
  ['user', /^author_id$|(?:^|_)(?:include|exclude)_authors$/],
]
/** Values of the current generation. */
const taggedPosts: ReadonlySet<unknown> = new Set(['image-attachment-id', 'video-attachment-id', 'svg-attachment-id'])

interface Members {
  readonly [name: string]: unknown
}

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function kindOfMember(owner: Members, name: string, isQuery: boolean): RowKind | undefined {
  // A picture, or what the current generation links to.
  if (name === 'id') return isQuery || Object.hasOwn(owner, 'url') ? 'post' : undefined
  if (name === 'value') return taggedPosts.has(owner['$$type']) ? 'post' : undefined
  return members.find(([, pattern]) => pattern.test(name))?.[0]
}

// ---------------------------------------------------------------- values

/** The depth that the body of a request may have. */
const maxDepth = 200

function mapValue(value: unknown, mapping: Mapping, depth = 0, isQuery = false): Json {
  if (typeof value === 'string') return mapText(value, mapping)
  // The casts here and below: elements are JSON.
  if (typeof value !== 'object' || value === null || depth > maxDepth) return value as Json
  if (Array.isArray(value)) return value.map((inner) => mapValue(inner, mapping, depth + 1))
  const owner = value as Members
  return Object.fromEntries(
    Object.entries(owner).map(([name, inner]) => {
      if (name === 'e_display_conditions') return [name, mapConditions(inner, mapping, depth + 1)]
      const kind = kindOfMember(owner, name, isQuery)
      if (kind) return [name, mapId(inner, kind, mapping, depth + 1)]
      return [name, mapValue(inner, mapping, depth + 1, name === 'value' && owner['$$type'] === 'query')]
    }),
  )
}

// ---------------------------------------------------------------- display conditions

/** The members of conditions that hold ids: `[{ "id": 12 }]`, a list of ids, or one. */
const conditionMembers: { readonly [name: string]: RowKind } = lookupTable({
  ...{ categories: 'term', tags: 'term' },
  ...{ authors: 'user', author: 'user' },
  ...{ parents: 'post', parent: 'post', pages: 'post' },
})

/** A list of JSON texts, or one: groups of conditions. A text in which no id is replaced stays as it is written. */
function mapConditions(stored: unknown, mapping: Mapping, depth: number): Json {
  if (Array.isArray(stored) && depth <= maxDepth) return stored.map((one) => mapConditions(one, mapping, depth + 1))
  if (typeof stored !== 'string') return mapValue(stored, mapping, depth)
  const groups = parsed(stored)
  if (groups === undefined) return stored
  const text = JSON.stringify(mapCondition(groups, mapping, depth))
  return text === JSON.stringify(groups) ? stored : text
}

function mapCondition(value: unknown, mapping: Mapping, depth: number): Json {
  if (Array.isArray(value) && depth <= maxDepth) return value.map((one) => mapCondition(one, mapping, depth + 1))
  if (!isMembers(value)) return mapValue(value, mapping, depth)
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const kind = Object.hasOwn(conditionMembers, name) ? conditionMembers[name] : undefined
      return [name, kind ? mapEntries(inner, kind, mapping, depth + 1) : mapValue(inner, mapping, depth + 1)]
    }),
  )
}

function mapEntries(value: unknown, kind: RowKind, mapping: Mapping, depth: number): Json {
  if (Array.isArray(value) && depth <= maxDepth) return value.map((one) => mapEntries(one, kind, mapping, depth + 1))
  if (!isMembers(value) || !Object.hasOwn(value, 'id')) return mapId(value, kind, mapping, depth)
  return { ...value, id: mapId(value['id'], kind, mapping, depth) } as Json
}

// ---------------------------------------------------------------- ids

/** Reads an id, a list of them, or one in a value with a type: `{ "$$type": "number", "value": 12 }`. */
function mapId(stored: unknown, kind: RowKind, mapping: Mapping, depth: number): Json {
  if (Array.isArray(stored) && depth <= maxDepth) {
    return stored.map((inner) => mapId(inner, kind, mapping, depth + 1))
  }
  if (isMembers(stored)) {
    const { $ref: reference, text } = stored
    if (typeof reference === 'string') return written(mapping.reference(reference), stored as Json, text === true)
    if (!Object.hasOwn(stored, '$$type') || !Object.hasOwn(stored, 'value')) return mapValue(stored, mapping, depth)
    return { ...stored, value: mapId(stored['value'], kind, mapping, depth + 1) } as Json
  }
  const isText = typeof stored === 'string' && /^[1-9]\d{0,14}$/.test(stored)
  if (!isText && !(Number.isSafeInteger(stored) && Number(stored) > 0)) return mapValue(stored, mapping, depth)
  return written(mapping.id(kind, Number(stored)), stored as Json, isText)
}

function written(replacement: Replacement | undefined, stored: Json, isText: boolean): Json {
  if (replacement === undefined) return stored
  if (typeof replacement === 'number') return isText ? String(replacement) : replacement
  return isText ? { $ref: replacement.reference, text: true } : { $ref: replacement.reference }
}

// ---------------------------------------------------------------- shortcodes in texts

/**
 * The attribute of a shortcode that holds ids. Templates and tags are found in both words: a file of another site, and a site with a
 * names preset, write other ones.
 */
const idAttribute =
  /(\[(?:[a-z]+-template|gallery|playlist)\b[^\]]*?\b(?:id|ids|include|exclude)=["']?)((?:\d|ref:)[^"'\]\s]*)/g
const tagSettings = /(\[[a-z]+-tag\b[^\]]*?\bsettings=")([^"]*)(")/g

function mapText(text: string, mapping: Mapping): string {
  if (!text.includes('[')) return text
  return text
    .replace(idAttribute, (_, before: string, tokens: string) => {
      return `${before}${tokens
        .split(',')
        .map((token) => mapToken('post', token, mapping))
        .join(',')}`
    })
    .replace(tagSettings, (whole, before: string, encoded: string, after: string) => {
      const settings = parsed(decoded(encoded))
      return isMembers(settings)
        ? `${before}${encodeURIComponent(JSON.stringify(mapValue(settings, mapping)))}${after}`
        : whole
    })
}

/** Replaces a reference or an id inside a text; the rest stays. */
function mapToken(kind: RowKind, token: string, mapping: Mapping): string {
  const [, reference] = /^ref:(.+)$/.exec(token.trim()) ?? []
  const isId = /^[1-9]\d{0,14}$/.test(token.trim())
  if (reference === undefined && !isId) return token
  const replacement = reference === undefined ? mapping.id(kind, Number(token)) : mapping.reference(reference)
  if (replacement === undefined) return token
  return typeof replacement === 'number' ? String(replacement) : `ref:${replacement.reference}`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

// ---------------------------------------------------------------- both directions

/** A copy with references in place of ids. An id without a name is 0: on another site it would name something else. */
export const withReferences = (value: unknown, nameOf: (kind: RowKind, id: number) => string | undefined): Json =>
  mapValue(value, {
    id: (kind, id) => {
      const reference = nameOf(kind, id)
      return reference === undefined ? 0 : { reference }
    },
    reference: () => undefined,
  })

/** A copy with ids in place of references. */
export const withIds = (value: unknown, idOf: (reference: string) => number): Json =>
  mapValue(value, { id: () => undefined, reference: idOf })

/** The ids in a value, each once for its kind. */
export function idsIn(value: unknown): { readonly [K in RowKind]: ReadonlySet<number> } {
  const ids = { post: new Set<number>(), term: new Set<number>(), user: new Set<number>() }
  mapValue(value, {
    id: (kind, id) => {
      ids[kind].add(id)
      return undefined
    },
    reference: () => undefined,
  })
  return ids
}

/** The references in a value, each once. */
export function referencesIn(value: unknown): ReadonlySet<string> {
  const names = new Set<string>()
  withIds(value, (name) => {
    names.add(name)
    return 0
  })
  return names
}

// ---------------------------------------------------------------- values of meta

/** Elements and settings as they are stored: a JSON text, or a value. */
export const storedElements: EmbeddedReferences = {
  withReferences: (value, nameOf) => changed(value, (inner) => withReferences(inner, nameOf)),
  withIds: (value, idOf) => (mayHaveReferences(value) ? changed(value, (inner) => withIds(inner, idOf)) : value),
  namesIn: (value) => (mayHaveReferences(value) ? referencesIn(parsedValue(value)) : new Set()),
}

/** Large texts without references are not parsed. */
const mayHaveReferences = (value: Json): boolean =>
  typeof value !== 'string' || value.includes('$ref') || value.includes('ref:') || value.includes('%24ref')

const parsedValue = (stored: Json): unknown => (typeof stored === 'string' ? (parsed(stored) ?? stored) : stored)

/** The stored value itself where nothing is changed in it: a text keeps its blanks. */
function changed(stored: Json, change: (value: unknown) => Json): Json {
  const before = parsedValue(stored)
  const after = change(before)
  const text = JSON.stringify(after)
  if (text === JSON.stringify(before)) return stored
  return typeof stored === 'string' && typeof before !== 'string' ? text : after
}
