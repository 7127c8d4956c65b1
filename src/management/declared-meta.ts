/** Meta of declared fields, for the ways into a site that are no routes: stored in the declared types, while other keys hold any value. */

import { equalJson } from '../contract/equal-json.ts'
import { invalid } from '../contract/scalars.ts'
import type { Json } from '../contract/storage.ts'
import type { Args, SchemaNode } from '../core/declare/args.ts'
import { ApiError, type ErrorDetail } from '../core/declare/errors.ts'
import type { PersistedData } from '../core/declare/feature.ts'
import { type DeclaredValue, declaredValue } from '../core/request/declared-value.ts'
import { foldedTexts } from '../site/searched-meta.ts'

type Meta = { readonly [key: string]: Json }

/** Says what becomes of a value that can not be of its type: undefined leaves it out. */
type Refuse = (key: string, problem: ErrorDetail) => Json | undefined

/** Finds the declared fields of rows. Several features may declare fields of one type. */
export interface DeclaredFields {
  posts(type: string): Args
  terms(taxonomy: string): Args
  readonly users: Args
  /** Finds those that its rows have in their field `meta`. */
  records(collection: string): Args
}

const none: Args = {}

export function declaredFields(persisted: readonly PersistedData[] = []): DeclaredFields {
  const fields = persisted.flatMap((each) => each.fields ?? [])
  const posts = byName(fields.map((each) => each.posts ?? {}))
  const records = byName(fields.map((each) => each.records ?? {}))
  const everyTerm: Args = Object.assign({}, ...fields.map((each) => each.everyTerm ?? {}))
  const ofTerms = [...byName(fields.map((each) => each.terms ?? {}))]
  const terms = new Map(ofTerms.map(([taxonomy, own]) => [taxonomy, { ...own, ...everyTerm }]))
  return {
    posts: (type) => posts.get(type) ?? none,
    terms: (taxonomy) => terms.get(taxonomy) ?? everyTerm,
    users: Object.assign({}, ...fields.map((each) => each.users ?? {})),
    records: (collection) => records.get(collection) ?? none,
  }
}

function byName(declared: readonly { readonly [name: string]: Args }[]): ReadonlyMap<string, Args> {
  const all = new Map<string, Args>()
  for (const [name, fields] of declared.flatMap((each) => Object.entries(each)))
    all.set(name, { ...all.get(name), ...fields })
  return all
}

const types = new WeakMap<SchemaNode, DeclaredValue>()

function typeOf(node: SchemaNode): DeclaredValue {
  const type = types.get(node) ?? declaredValue(node)
  types.set(node, type)
  return type
}

/** Returns the same meta with the values of fields in their declared types. Null, which removes a key, stays. */
export function typedMeta(fields: Args, meta: Meta, refuse: Refuse): Meta {
  const keys = Object.keys(fields).filter((key) => Object.hasOwn(meta, key) && meta[key] !== null)
  if (keys.length === 0) return meta
  const typed = new Map(Object.entries(meta))
  for (const key of keys) {
    // The casts: the keys are those of both.
    const { node } = fields[key] as Args[string]
    const value = typedOr(node, meta[key] as Json, (problem) => refuse(key, problem))
    if (value === undefined) typed.delete(key)
    else typed.set(key, value)
  }
  const values = Object.fromEntries(typed)
  return { ...values, ...foldedTexts(fields, values) }
}

function typedOr(node: SchemaNode, value: Json, refuse: (problem: ErrorDetail) => Json | undefined): Json | undefined {
  const type = typeOf(node)
  const typed = type.accept(value)
  // The cast: a value of JSON in another type is JSON.
  if (typed !== invalid) return typed as Json
  // Interface: the default of a field may be none of the values that a client may send.
  return equalJson(value, node.default) ? value : refuse(type.problem(value, 'it'))
}

/** For `api.site`: throws as the routes do. */
export const acceptedMeta = (fields: Args, meta: Meta): Meta =>
  typedMeta(fields, meta, (key, { code, message }) => {
    throw new ApiError(code, `The meta ${key} is refused: ${message}`, 400)
  })
