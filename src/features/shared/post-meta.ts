/** The meta fields that a content type exposes: their schema, checks and views. */

import { lookupTable } from '../../contract/lookup-table.ts'
import { nameAdvice, nearestName } from '../../contract/nearest-name.ts'
import { invalid } from '../../contract/scalars.ts'
import type { Json } from '../../contract/storage.ts'
import type { Actor } from '../../core/declare/actor.ts'
import { type Arg, type Args, loose, object, oneOf, type SchemaNode, str } from '../../core/declare/args.ts'
import type { Context } from '../../core/declare/context.ts'
import { ApiError, invalidArguments } from '../../core/declare/errors.ts'
import { forbidden } from '../../core/declare/permissions.ts'
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
import { foldedKeyOf, foldedTexts } from '../../site/searched-meta.ts'
import { incomingElements } from './elements.ts'
import type { FieldKind } from './own-fields.ts'

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

/** Revisions of all types store these fields. */
export const revisionedKeys: readonly string[] = ['footnotes', ...Object.keys(builderFields), lastEditorKey]

/** Interface: a change of one of these creates a revision; a change of the others, such as the settings of a page, does not. */
export const versionedKeys: readonly string[] = ['footnotes', elementsKey]

export type MetaValues = { readonly [key: string]: Json }

/** A type without further fields. */
export type NoFields = Readonly<Record<never, never>>

/** The values that a client sends in `meta`: null removes a value. */
export type MetaInput<F extends Args> = FieldInput<F> & { readonly footnotes?: string | null }

/** The values of `meta` in a response: fields that are in one context only may be absent. */
export type MetaMembers<F extends Args> = FieldMembers<F> & { readonly footnotes?: string }

/** The values that a client sends in `meta` of a term, which has no footnotes: null removes a value. */
export type FieldInput<F extends Args> = { readonly [K in keyof F]?: (F[K] extends Arg<infer T> ? T : never) | null }

/** The values of `meta` of a term in a response. */
export type FieldMembers<F extends Args> = { readonly [K in keyof F]?: F[K] extends Arg<infer T> ? T : never }

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
  /** The fields that revisions of the type store. */
  readonly revisionedKeys: readonly string[]
  /** The fields whose changes make a revision. */
  readonly versionedKeys: readonly string[]
  /** The keys of texts that a search of this user looks into. */
  searchedKeys(user: Actor, viewContext: 'view' | 'edit'): readonly string[]
  /** The fields of a context whose `readCapability` the user has, and those without one. */
  readableKeys(user: Actor, viewContext: 'view' | 'edit'): readonly string[]
  /** Whether the user may read the field, in a context that has it. True for keys of no field. */
  mayRead(key: string, user: Actor): boolean
  /** The fields that this user may not read, as a part of the keys of caches; empty: none. */
  hiddenFrom(user: Actor): string
  /** Stored values without those of the fields that the user may not read: their digest would let anybody test guesses of them. */
  withoutHidden(stored: MetaValues, user: Actor): MetaValues
  /** The values of a host, which may have any keys: those of fields in their declared types. Throws as `changes` does. */
  typed(values: MetaValues, names: Names): MetaValues
  /**
   * Returns all fields of a context under their public names, with defaults for missing ones. Rows of imports, SQL and earlier versions may
   * have other types: they are read in the declared one, and as missing where that is not possible.
   */
  view(stored: MetaValues, viewContext: 'view' | 'edit', context: Pick<Context, 'user' | 'app'>): MetaValues
}

/** How fields are shown, and what the warning about an unknown one advises. */
interface FieldsOptions {
  /** A record shows these only when it has a value of one of them. */
  readonly ifStored?: readonly string[]
  /** Whose fields they are, for the advice; absent: records that take no others. */
  readonly kind?: FieldKind | 'contentType'
}

/** The fields of a type, and footnotes, which every type with a content has. */
export const createMetaFields = <F extends Args>(
  own: F,
  title: string,
  options: FieldsOptions = {},
): MetaFields<MetaMembers<F>> =>
  // The cast: `MetaMembers` knows the footnotes.
  createFields({ ...own, footnotes }, title, options) as unknown as MetaFields<MetaMembers<F>>

/** Fields that are stored as meta. */
export function createFields<F extends Args>(
  fields: F,
  title: string,
  { ifStored = [], kind }: FieldsOptions = {},
): MetaFields<MetaMembers<F>> {
  const nodes = Object.entries(fields).map(([key, { node }]) => [key, node] as const)
  const shown = Object.fromEntries(
    Object.entries(fields).map(([key, { node, field }]) => [
      key,
      inEveryContext(node) && field?.readCapability === undefined
        ? { node: sentNode(node) }
        : sometimes({ node: sentNode(node) }),
    ]),
  )
  const keys = Object.keys(fields)
  const revisioned = keys.filter((key) => fields[key]?.field?.isRevisioned)
  const restricted = keys.filter((key) => fields[key]?.field?.readCapability !== undefined)
  const mayRead = (key: string, user: Actor) =>
    !restricted.includes(key) || isAllowed(fields[key]?.field?.readCapability, user)
  const types = new Map(nodes.map(([key, node]) => [key, declaredValue(node)]))
  const readableKeys = (user: Actor, viewContext: 'view' | 'edit') =>
    nodes.filter(([key, node]) => isShownIn(node, viewContext) && mayRead(key, user)).map(([key]) => key)
  const isSearched = (key: string) => fields[key]?.field?.isSearched === true
  return {
    // Interface: a wrong member has its own top-level error code, so the argument check only tests for an object.
    arg: {
      ...loose(object(fields, { description: 'Meta fields.', context: ['view', 'edit'] })),
      check: (meta: unknown) => (typeof meta === 'object' ? undefined : 'The meta is not an object.'),
    },
    // The cast: one member for each field.
    schema: members(shown, { title }) as unknown as ResponseSchema<MetaMembers<F>>,
    members: shown,
    keys,
    revisionedKeys: [...revisionedKeys, ...revisioned],
    versionedKeys: [...versionedKeys, ...revisioned],
    searchedKeys: (user, viewContext) => readableKeys(user, viewContext).filter(isSearched).map(foldedKeyOf),
    readableKeys,
    mayRead,
    hiddenFrom: (user) => restricted.filter((key) => !mayRead(key, user)).join(),
    withoutHidden: (stored, user) =>
      restricted.length === 0
        ? stored
        : Object.fromEntries(Object.entries(stored).filter(([key]) => mayRead(key, user))),
    changes(input, context) {
      const { user, app } = context
      const changes: { [key: string]: Json } = {}
      const sent = toObject(input) ?? {}
      reportUnknown(sent, { fields, kind }, context)
      for (const [key, type] of types) {
        if (!Object.hasOwn(sent, key)) continue
        if (!isAllowed(fields[key]?.field?.writeCapability, user)) throw notWritable(key, context)
        changes[key] = valueToStore(key, typedValue(key, type, sent[key], app.names), context)
      }
      Object.assign(changes, foldedTexts(fields, changes))
      // Rendering judges the elements by the rights of who saved them.
      if (Object.hasOwn(changes, elementsKey)) changes[lastEditorKey] = user.id > 0 ? user.id : null
      return changes
    },
    typed(values, names) {
      const typed = Object.entries(values).map(([key, value]): [string, Json] => {
        const type = value === undefined ? undefined : types.get(key)
        return [key, type ? typedValue(key, type, value, names) : value]
      })
      const changes = Object.fromEntries(typed)
      return { ...changes, ...foldedTexts(fields, changes) }
    },
    view(stored, viewContext, { user, app: { names } }) {
      const out: { [key: string]: Json } = {}
      const hidden = ifStored.some((key) => !isEmpty(stored[key])) ? [] : ifStored
      for (const [key, node] of nodes) {
        if (!isShownIn(node, viewContext) || hidden.includes(key) || !mayRead(key, user)) continue
        const value = storedValue(types.get(key), stored[key]) ?? defaultOf(node)
        out[names.toPublic(key)] = node.enum && typeof value === 'string' ? names.toPublic(value) : value
      }
      return out
    },
  }
}

const isAllowed = (capability: string | undefined, user: Actor) => capability === undefined || user.can(capability)

const notWritable = (key: string, { user, app }: Pick<Context, 'user' | 'app'>) =>
  forbidden(user, 'rest_cannot_update', `You may not change meta.${app.names.toPublic(key)}.`)

function reportUnknown(
  sent: { readonly [key: string]: unknown },
  { fields, kind }: Pick<FieldsOptions, 'kind'> & { readonly fields: Args },
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
    const listed = known.length === 0 ? 'none are declared' : nameAdvice(key, known, 'the fields')
    const advice = nearestName(key, known) === undefined ? listed + howToDeclare(kind, key, sent[key]) : listed
    return { code: 'unknown_meta', param: `meta.${key}`, message: `There is no meta field ${key}: ${advice}` }
  })
  if (unknownArguments === 'refuse') {
    throw invalidArguments(
      new Map(problems.map(({ param, message }) => [param, { code: 'rest_unknown_argument', message }])),
    )
  }
  for (const problem of problems) warn(context, problem)
}

/** For the host, who reads the warning while writing a client. */
function howToDeclare(kind: FieldsOptions['kind'], key: string, value: unknown): string {
  if (kind === undefined || key.startsWith('_')) return ''
  const field = `{ ${/^[a-z_]\w*$/i.test(key) ? key : JSON.stringify(key)}: args.${builderOf(value)} }`
  const declaration = kind === 'contentType' ? `contentType({ fields: ${field} })` : `metaFields({ ${kind}: ${field} })`
  return `; ${declaration} declares it`
}

function builderOf(value: unknown): string {
  if (Array.isArray(value)) return 'list(args.str())'
  const builders: { readonly [type: string]: string } = lookupTable({
    boolean: 'bool()',
    number: Number.isInteger(value) ? 'int()' : 'num()',
    object: 'object({})',
  })
  return builders[typeof value] ?? 'str()'
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
const isShownIn = ({ context = bothContexts }: SchemaNode, viewContext: string) => context.includes(viewContext)
const inEveryContext = (node: SchemaNode) => bothContexts.every((one) => isShownIn(node, one))

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
