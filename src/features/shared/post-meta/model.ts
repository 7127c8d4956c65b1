/** The meta fields of posts that the interface exposes: their schema, checks and views. */

import type { Actor } from '../../../core/declare/actor.ts'
import { loose, object, oneOf, type SchemaNode, str } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { fields as members, sometimes } from '../../../core/declare/response-schema.ts'
import { jsonDepth } from '../../../core/request/body.ts'
import { problemOf } from '../../../core/request/check.ts'
import { toObject } from '../../../core/request/coercion.ts'
import type { Names } from '../../../names/word-map.ts'
import { filterContent } from '../../../render/filter/filter.ts'
import type { Json } from '../../../storage/contract.ts'

const editOnly = ['edit']

const fields = {
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
  footnotes: str({ default: '', context: ['view', 'edit'], description: 'Footnotes, as JSON in a text.' }),
}

/** The fields of the page builder are in the edit context only. */
export const metaSchema = members(
  {
    _builder_edit_mode: sometimes(fields._builder_edit_mode),
    _builder_template_type: sometimes(fields._builder_template_type),
    _builder_data: sometimes(fields._builder_data),
    _builder_page_settings: sometimes(fields._builder_page_settings),
    footnotes: fields.footnotes,
  },
  { title: 'Meta of a post' },
)

const schema: SchemaNode = object(fields, { description: 'Meta fields.', context: ['view', 'edit'] }).node
export const metaKeys = Object.keys(fields)
/** Revisions store these fields, and a change of one of them creates a revision. */
export const revisionedKeys: readonly string[] = ['footnotes']

/** Interface: a wrong member has its own top-level error code, so the argument check only tests for an object. */
export const metaArg = loose(
  object(fields, { description: 'Meta fields.', context: ['view', 'edit'] }),
  (meta: unknown) => (typeof meta === 'object' ? undefined : 'The meta is not an object.'),
)

export type MetaValues = { readonly [key: string]: Json }

/** The changes to write: unknown keys are ignored, null removes a value. Throws for a value of the wrong type. */
export function metaChanges(input: unknown, { user, app }: Pick<Context, 'user' | 'app'>): MetaValues {
  const changes: { [key: string]: Json } = {}
  const members = toObject(input) ?? {}
  for (const key of metaKeys) {
    if (!Object.hasOwn(members, key)) continue
    const value = members[key]
    if (value !== null) checkValue(key, value, app.names)
    changes[key] = key === 'footnotes' && typeof value === 'string' ? allowedFootnotes(value, user) : (value as Json)
  }
  return changes
}

/** The message contains public names only, and nothing of the value. */
function checkValue(key: string, value: unknown, names: Names): void {
  const node = schema.properties?.[key] as SchemaNode
  const problem = problemOf(node, value, `meta.${key}`)
  if (problem) throw new ApiError(problem.code, names.toPublic(problem.message), 400)
  if (key === '_builder_data' && typeof value === 'string') checkDepth(value, names)
}

/** Later reads parse this text, so it has the depth limit of a request body. */
function checkDepth(text: string, names: Names): void {
  if (!isDeeperThan(text, jsonDepth)) return
  throw new ApiError(
    'rest_too_deep',
    `meta.${names.toPublic('_builder_data')} is nested deeper than ${jsonDepth} levels.`,
    400,
  )
}

/** Character codes. */
const quote = 0x22
const backslash = 0x5c
const [openBracket, closeBracket] = [0x5b, 0x5d] as const
const [openBrace, closeBrace] = [0x7b, 0x7d] as const

/** Counts brackets outside strings, without parsing. */
function isDeeperThan(text: string, limit: number): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at + 1)
    else if (code === openBracket || code === openBrace) depth++
    else if (code === closeBracket || code === closeBrace) depth--
    if (depth > limit) return true
  }
  return false
}

/** The position of the quote that ends the string, or the end of the text. */
function endOfString(text: string, start: number): number {
  let at = start
  while (at < text.length && text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1
  return at
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

/** The render context of a post's content: its id, and the meta value `footnotes`. */
export function renderContext(id: number, { footnotes }: MetaValues): { id: number; footnotes?: string } {
  return typeof footnotes === 'string' ? { id, footnotes } : { id }
}

/** All fields of a context under their public names, with defaults for missing ones. */
export function metaView(stored: MetaValues, context: 'view' | 'edit', names: Names): MetaValues {
  const out: { [key: string]: Json } = {}
  for (const [key, node] of Object.entries(schema.properties ?? {})) {
    if (!node.context?.includes(context)) continue
    const value = stored[key] ?? (node.default as Json)
    out[names.toPublic(key)] = node.enum && typeof value === 'string' ? names.toPublic(value) : value
  }
  return out
}
