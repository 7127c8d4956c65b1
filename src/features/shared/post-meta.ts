/** The meta fields that a content type exposes: their schema, checks and views. */

import { lookupTable } from '../../contract/lookup-table.ts'
import { nameAdvice } from '../../contract/nearest-name.ts'
import { invalid } from '../../contract/scalars.ts'
import type { Json } from '../../contract/storage.ts'
import type { Actor } from '../../core/declare/actor.ts'
import { type Arg, type Args, loose, object, oneOf, type SchemaNode, str } from '../../core/declare/args.ts'
import type { Context } from '../../core/declare/context.ts'
import { ApiError, invalidArguments } from '../../core/declare/errors.ts'
import { fields as members, type ResponseSchema, sometimes } from '../../core/declare/response-schema.ts'
import { warn } from '../../core/declare/result.ts'
import { jsonDepth } from '../../core/request/body.ts'
import { problemOf } from '../../core/request/check.ts'
import { toObject } from '../../core/request/coercion.ts'
import { type DeclaredValue, declaredValue } from '../../core/request/declared-value.ts'
import { exceededLimit } from '../../core/request/json-extent.ts'
import type { Names } from '../../names/word-map.ts'
import { elementsKey, lastEditorKey } from '../../render/builder/records/keys.ts'
import { filterContent } from '../../render/filter/filter.ts'
import { incomingElements } from './elements.ts'

const editOnly = ['edit']

/** The meta that the page builder stores with a post; in the edit context only. */
export const builderFields = {
  _builder_edit_mode: oneOf(['', 'builder'], {
    default: '',
    context: editOnly,
    description: 'What edits the post; builder: the page builder.',
  }),
  _builder_template_type: oneOf(
    [
      'post',
      'wp-post',
      'wp-page',
      'kit',
      'not-supported',
      'page',
      'section',
      'container',
      'floating-buttons',
      'e-div-block',
      'e-flexbox',
      'cloud-template-preview',
      'builder_component',
      '',
    ],
    { default: '', context: editOnly, description: 'The type of the builder document.' },
  ),
  _builder_data: str({ default: '', context: editOnly, description: 'The elements, as JSON in a text.' }),
  _builder_page_settings: object(
    { hide_title: oneOf(['yes', 'no']) },
    { default: {}, context: editOnly, additionalProperties: true, description: 'Settings of the page.' },
  ),
}

const footnotes = str({ default: '', context: ['view', 'edit'], description: 'Footnotes, as JSON in a text.' })

/** Revisions store these fields. */
export const revisionedKeys: readonly string[] = ['footnotes', ...Object.keys(builderFields), lastEditorKey]

/** Interface: a change of one of these creates a revision; a change of the others, such as the settings of a page, does not. */
export const versionedKeys: readonly string[] = ['footnotes', elementsKey]

export type MetaValues = { readonly [key: string]: Json }

/** A type without further fields. */
export type NoFields = Readonly<Record<never, never>>

/** The values that a client sends in `meta`: null removes a value. */
export type MetaInput<F extends Args> = {
  readonly [K in keyof F]?: (F[K] extends Arg<infer T> ? T : never) | null
} & { readonly footnotes?: string | null }

/** The values of `meta` in a response: fields that are in one context only may be absent. */
export type MetaMembers<F extends Args> = { readonly [K in keyof F]?: F[K] extends Arg<infer T> ? T : never } & {
  readonly footnotes?: string
}

export interface MetaFields<M = { readonly [key: string]: unknown }> {
  readonly arg: Arg<unknown, false>
  readonly schema: ResponseSchema<M>
  /** The schemas of the fields by name. */
  readonly members: Args
  readonly keys: readonly string[]
  /**
   * The changes to write, in their declared types: null removes a value. Throws for a value that can not be of its type. Interface: unknown
   * keys are ignored; the response warns of them, and a host that refuses unknown arguments refuses them.
   */
  changes(input: unknown, context: Pick<Context, 'user' | 'app' | 'warnings'>): MetaValues
  /** The values of a host, which may have any keys: those of fields in their declared types. Throws as `changes` does. */
  typed(values: MetaValues, names: Names): MetaValues
  /**
   * Returns all fields of a context under their public names, with defaults for missing ones. Rows of imports, SQL and earlier versions may
   * have other types: they are read in the declared one, and as missing where that is not possible.
   */
  view(stored: MetaValues, context: 'view' | 'edit', names: Names): MetaValues
}

/** The fields of a type, and footnotes, which every type with a content has. */
export const createMetaFields = <F extends Args>(
  own: F,
  title: string,
  ifStored: readonly string[] = [],
): MetaFields<MetaMembers<F>> =>
  // The cast: `MetaMembers` knows the footnotes.
  createFields({ ...own, footnotes }, title, ifStored) as unknown as MetaFields<MetaMembers<F>>

/** Fields that are stored as meta. A record shows those of `ifStored` only when it has a value of one of them. */
export function createFields<F extends Args>(
  fields: F,
  title: string,
  ifStored: readonly string[] = [],
): MetaFields<MetaMembers<F>> {
  const nodes = Object.entries(fields).map(([key, { node }]) => [key, node] as const)
  const shown = Object.fromEntries(
    nodes.map(([key, node]) => [
      key,
      inEveryContext(node) ? { node: sentNode(node) } : sometimes({ node: sentNode(node) }),
    ]),
  )
  const types = new Map(nodes.map(([key, node]) => [key, declaredValue(node)]))
  return {
    // Interface: a wrong member has its own top-level error code, so the argument check only tests for an object.
    arg: {
      ...loose(object(fields, { description: 'Meta fields.', context: ['view', 'edit'] })),
      check: (meta: unknown) => (typeof meta === 'object' ? undefined : 'The meta is not an object.'),
    },
    // The cast: one member for each field.
    schema: members(shown, { title }) as unknown as ResponseSchema<MetaMembers<F>>,
    members: shown,
    keys: Object.keys(fields),
    changes(input, context) {
      const { user, app } = context
      const changes: { [key: string]: Json } = {}
      const sent = toObject(input) ?? {}
      reportUnknown(sent, fields, context)
      for (const [key, type] of types) {
        if (Object.hasOwn(sent, key))
          changes[key] = valueToStore(key, typedValue(key, type, sent[key], app.names), context)
      }
      // Rendering judges the elements by the rights of who saved them.
      if (Object.hasOwn(changes, elementsKey)) changes[lastEditorKey] = user.id > 0 ? user.id : null
      return changes
    },
    typed(values, names) {
      const typed = Object.entries(values).map(([key, value]): [string, Json] => {
        const type = value === undefined ? undefined : types.get(key)
        return [key, type ? typedValue(key, type, value, names) : value]
      })
      return Object.fromEntries(typed)
    },
    view(stored, context, names) {
      const out: { [key: string]: Json } = {}
      const hidden = ifStored.some((key) => !isEmpty(stored[key])) ? [] : ifStored
      for (const [key, node] of nodes) {
        if (!(node.context ?? bothContexts).includes(context) || hidden.includes(key)) continue
        const value = storedValue(types.get(key), stored[key]) ?? defaultOf(node)
        out[names.toPublic(key)] = node.enum && typeof value === 'string' ? names.toPublic(value) : value
      }
      return out
    },
  }
}

function reportUnknown(
  sent: { readonly [key: string]: unknown },
  fields: Args,
  context: Pick<Context, 'app' | 'warnings'>,
): void {
  const { names, unknownArguments } = context.app
  const unknown = Object.keys(sent).filter((key) => !Object.hasOwn(fields, key))
  if (unknown.length === 0) return
  refuseDocument(
    unknown.map((key) => [key, sent[key]]),
    names,
  )
  const known = Object.keys(fields).map((key) => names.toPublic(key))
  const problems = unknown.map((key) => {
    const advice = known.length === 0 ? 'none are declared' : nameAdvice(key, known, 'the fields')
    return { code: 'unknown_meta', param: `meta.${key}`, message: `There is no meta field ${key}: ${advice}` }
  })
  if (unknownArguments === 'refuse') {
    throw invalidArguments(
      new Map(problems.map(({ param, message }) => [param, { code: 'rest_unknown_argument', message }])),
    )
  }
  for (const problem of problems) warn(context, problem)
}

/** Refuses the meta of a document that no field of the record could keep: unlike a misspelt key, it is not left out. Throws 400. */
export function refuseDocument(meta: readonly (readonly [string, unknown])[], names: Names): void {
  const lost = meta.find(([key, value]) => Object.hasOwn(builderFields, key) && !isEmpty(value))
  if (lost === undefined) return
  const message = `meta.${names.toPublic(lost[0])} is of the page builder, which has no documents of this type.`
  throw new ApiError('rest_builder_unsupported', message, 400)
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0)

const bothContexts: readonly string[] = ['view', 'edit']
const inEveryContext = ({ context = bothContexts }: SchemaNode) => bothContexts.every((one) => context.includes(one))

/** Interface: the value of a missing field may be none of those that a client may send. */
function sentNode(node: SchemaNode): SchemaNode {
  const missing = defaultOf(node)
  if (problemOf(node, missing, 'it') === undefined) return node
  const { enum: values, description } = node
  if (values && typeof missing === 'string') return { ...node, enum: [...values, missing] }
  return { ...(description === undefined ? {} : { description }), anyOf: [node, onlyNode(missing)] }
}

/** The schema of one value, which is a scalar, empty or null. */
function onlyNode(value: Json): SchemaNode {
  if (value === null) return { type: 'null' }
  if (Array.isArray(value)) return { type: 'array', maxItems: value.length }
  return typeof value === 'object' ? { type: 'object' } : { const: value }
}

const emptyValues: { readonly [type: string]: Json } = lookupTable({
  string: '',
  integer: 0,
  number: 0,
  boolean: false,
  array: [],
  object: {},
})

function defaultOf({ default: value, type }: SchemaNode): Json {
  // The cast: defaults are JSON, because the index shows them.
  if (value !== undefined) return value as Json
  return typeof type === 'string' ? (emptyValues[type] ?? null) : null
}

function storedValue(type: DeclaredValue | undefined, stored: Json | undefined): Json | undefined {
  // The cast: a value of JSON in another type is JSON.
  return stored === undefined ? undefined : (type?.read(stored) as Json | undefined)
}

/** The message contains public names only, and nothing of the value. */
function typedValue(key: string, type: DeclaredValue, sent: unknown, names: Names): Json {
  if (sent === null) return null
  const value = type.accept(sent)
  // The cast: it came as JSON.
  if (value !== invalid) return value as Json
  const { code, message } = type.problem(sent, `meta.${key}`)
  throw new ApiError(code, names.toPublic(message), 400)
}

function valueToStore(key: string, value: Json, { user, app }: Pick<Context, 'user' | 'app'>): Json {
  if (typeof value === 'string' && key === 'footnotes') return allowedFootnotes(value, user)
  if (typeof value !== 'string' || key !== elementsKey) return value
  checkDepth(value, app.names)
  return incomingElements(value, user, `meta.${app.names.toPublic(key)}`)
}

/** Later reads parse this text, so it has the depth limit of a request body. */
function checkDepth(text: string, names: Names): void {
  if (exceededLimit(text, { levels: jsonDepth }) === undefined) return
  throw new ApiError(
    'rest_too_deep',
    `meta.${names.toPublic('_builder_data')} is nested deeper than ${jsonDepth} levels.`,
    400,
  )
}

/** Interface: footnotes of users without the unfiltered-HTML capability are sanitized and written again as a list. */
function allowedFootnotes(text: string, user: Actor): string {
  if (text === '' || user.can('unfiltered_html')) return text
  let notes: unknown
  try {
    notes = JSON.parse(text)
  } catch {
    return ''
  }
  if (typeof notes !== 'object' || notes === null) return ''
  const clean = Object.values(notes).flatMap((note: { id?: unknown; content?: unknown } | null) => {
    if (typeof note?.id !== 'string' || typeof note.content !== 'string' || note.id === '' || note.content === '')
      return []
    return [{ id: note.id.toLowerCase().replace(/[^a-z0-9_-]/g, ''), content: filterContent(note.content) }]
  })
  return asciiJson(clean)
}

/** Escapes slashes and all characters beyond ASCII, as the interface stores footnotes. */
const asciiJson = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll('/', '\\/')
    .replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** The render context of a post's content has its id, and the meta value `footnotes`. */
export function renderContext(id: number, { footnotes }: MetaValues): { id: number; footnotes?: string } {
  return typeof footnotes === 'string' ? { id, footnotes } : { id }
}
