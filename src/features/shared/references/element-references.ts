/**
 * Finds ids inside elements: which settings name a row of the site. Writes references in place of the ids, for files that another site
 * reads. A reference is `{ "$ref": "media.pier" }`, and in texts `ref:media.pier`. Texts of posts have the
 * same ones.
 */

import { parsedJson } from '../../../contract/parsed-json.ts'
import type { Json } from '../../../contract/storage.ts'
import type { EmbeddedReferences } from '../../../contract/stored-references.ts'
import { conditionMembers, kindOfMember } from './kinds.ts'
import {
  isMembers,
  type Mapping,
  type Members,
  mapList,
  mapMembers,
  mapOne,
  maxDepth,
  type RowKind,
} from './mapping.ts'
import { mapText } from './texts.ts'

// ---------------------------------------------------------------- values

function mapValue(value: unknown, mapping: Mapping, depth = 0, isQuery = false): Json {
  if (typeof value === 'string') return mapString(value, mapping, depth)
  // The casts here and below: elements are JSON.
  if (typeof value !== 'object' || value === null || depth > maxDepth) return value as Json
  if (Array.isArray(value)) return mapList(value, (inner) => mapValue(inner, mapping, depth + 1))
  const owner = value as Members & Json
  return mapMembers(owner, (inner, name) => {
    if (name === 'e_display_conditions') return mapConditions(inner, mapping, depth + 1)
    const kind = kindOfMember(owner, name, isQuery)
    if (kind) return mapId(inner, kind, mapping, depth + 1)
    return mapValue(inner, mapping, depth + 1, name === 'value' && owner['$$type'] === 'query')
  })
}

const mapString = (text: string, mapping: Mapping, depth = 0): string =>
  mapText(text, mapping, (value, at) => mapValue(value, mapping, at), depth)

// ---------------------------------------------------------------- display conditions

/** A list of JSON texts, or one: groups of conditions. A text in which no id is replaced stays as it is written. */
function mapConditions(stored: unknown, mapping: Mapping, depth: number): Json {
  if (Array.isArray(stored) && depth <= maxDepth)
    return mapList(stored, (one) => mapConditions(one, mapping, depth + 1))
  if (typeof stored !== 'string') return mapValue(stored, mapping, depth)
  const groups = parsedJson(stored)
  if (groups === undefined) return stored
  const mapped = mapCondition(groups, mapping, depth)
  return mapped === groups ? stored : JSON.stringify(mapped)
}

function mapCondition(value: unknown, mapping: Mapping, depth: number): Json {
  if (Array.isArray(value) && depth <= maxDepth) return mapList(value, (one) => mapCondition(one, mapping, depth + 1))
  if (!isMembers(value)) return mapValue(value, mapping, depth)
  return mapMembers(value as Members & Json, (inner, name) => {
    const kind = Object.hasOwn(conditionMembers, name) ? conditionMembers[name] : undefined
    return kind ? mapEntries(inner, kind, mapping, depth + 1) : mapValue(inner, mapping, depth + 1)
  })
}

function mapEntries(value: unknown, kind: RowKind, mapping: Mapping, depth: number): Json {
  if (Array.isArray(value) && depth <= maxDepth) {
    return mapList(value, (one) => mapEntries(one, kind, mapping, depth + 1))
  }
  if (!isMembers(value) || !Object.hasOwn(value, 'id')) return mapId(value, kind, mapping, depth)
  return mapMember(value, 'id', (id) => mapId(id, kind, mapping, depth))
}

// ---------------------------------------------------------------- ids

/** Reads an id, a list of them, or one in a value with a type: `{ "$$type": "number", "value": 12 }`. */
function mapId(stored: unknown, kind: RowKind, mapping: Mapping, depth: number): Json {
  if (Array.isArray(stored) && depth <= maxDepth) {
    return mapList(stored, (inner) => mapId(inner, kind, mapping, depth + 1))
  }
  const one = mapOne(stored, kind, mapping)
  if (one !== undefined) return one
  if (!isMembers(stored) || !Object.hasOwn(stored, '$$type') || !Object.hasOwn(stored, 'value')) {
    return mapValue(stored, mapping, depth)
  }
  return mapMember(stored, 'value', (value) => mapId(value, kind, mapping, depth + 1))
}

/** Maps one member. */
const mapMember = (owner: Members, member: string, map: (value: unknown) => Json): Json =>
  mapMembers(owner as Members & Json, (value, name) => (name === member ? map(value) : (value as Json)))

// ---------------------------------------------------------------- both directions

/** The value with references in place of ids. An id without a name is 0: on another site it would name something else. */
export const withReferences = (value: unknown, nameOf: NameOf): Json => mapValue(value, withNames(nameOf))

type NameOf = (kind: RowKind, id: number) => string | undefined

const withNames = (nameOf: NameOf): Mapping => ({
  id: (kind, id) => {
    const reference = nameOf(kind, id)
    return reference === undefined ? 0 : { reference }
  },
})

/** The value with ids in place of references. */
export const withIds = (value: unknown, idOf: (reference: string) => number): Json => mapValue(value, withIdsOf(idOf))

const withIdsOf = (idOf: (reference: string) => number): Mapping => ({ reference: idOf })

/** The ids in a value, each once for its kind. */
export function idsIn(value: unknown): { readonly [K in RowKind]: ReadonlySet<number> } {
  const ids = { post: new Set<number>(), term: new Set<number>(), user: new Set<number>() }
  mapValue(value, {
    id: (kind, id) => {
      ids[kind].add(id)
      return undefined
    },
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
  withReferences: (value, nameOf) => changed(value, withNames(nameOf)),
  withIds: (value, idOf) => (mayHaveReferences(value) ? changed(value, withIdsOf(idOf)) : value),
  namesIn: (value) => (mayHaveReferences(value) ? referencesIn(parsedValue(value)) : new Set()),
}

/** Large texts without references are not parsed. */
const mayHaveReferences = (value: Json): boolean =>
  typeof value !== 'string' || value.includes('$ref') || value.includes('ref:') || value.includes('%24ref')

const parsedValue = (stored: Json): unknown => (typeof stored === 'string' ? (parsedJson(stored) ?? stored) : stored)

/** The stored value itself where the mapping replaces nothing: a text keeps its blanks, and is not written again. */
function changed(stored: Json, mapping: Mapping): Json {
  const before = parsedValue(stored)
  const after = mapValue(before, mapping)
  if (after === before) return stored
  return typeof stored === 'string' && typeof before !== 'string' ? JSON.stringify(after) : after
}

// ---------------------------------------------------------------- texts of posts

/** Contents and excerpts, with blocks or without. */
export const storedTexts: EmbeddedReferences = {
  withReferences: (text, nameOf) => changedText(text, withNames(nameOf)),
  withIds: (text, idOf) => (mayHaveReferences(text) ? changedText(text, withIdsOf(idOf)) : text),
  namesIn: (text) => (mayHaveReferences(text) ? referencesIn(text) : new Set()),
}

const changedText = (text: Json, mapping: Mapping): Json => (typeof text === 'string' ? mapString(text, mapping) : text)
