/** The kit stores the default settings of new elements by type. */

import type { Json, Storage } from '../../contract/storage.ts'
import { anything, object, required, str } from '../../core/declare/args.ts'
import type { Context } from '../../core/declare/context.ts'
import { EDITABLE, endpoint } from '../../core/declare/endpoint.ts'
import { ApiError } from '../../core/declare/errors.ts'
import { feature } from '../../core/declare/feature.ts'
import { parameter } from '../../core/declare/pattern.ts'
import { can } from '../../core/declare/permissions.ts'
import { fields, mapOf } from '../../core/declare/response-schema.ts'
import { storedState } from '../../core/pipeline/etag.ts'
import { stripTags } from '../../html/strip-tags.ts'
import { changeKit, kitPart, readKit, storedPartOf } from '../shared/kit.ts'

/** Events of this feature. */
export interface ElementDefaultsEvents {
  'element-defaults.changed': { readonly type: string }
}

type Settings = { readonly [name: string]: Json }

const elementDefaults = kitPart<{ readonly [type: string]: Settings }>('element_defaults', {})

/** Element types that are not widgets. */
const structuralTypes = ['section', 'column', 'container']

// The pattern accepts any name: the interface responds to an unknown type with 400, not 404.
const path = `/kit-elements-defaults/${parameter('type', '[^/]+')}` as const

/** `widgets`: the types that can have defaults, in addition to the structural ones. */
export function elementDefaultsOf({ widgets }: { readonly widgets: readonly string[] }) {
  const types = new Set([...structuralTypes, ...widgets])
  const type = required(
    str({
      description: 'The type of the element.',
      check: (name: string) => (types.has(name) ? undefined : 'There is no such type of elements.'),
    }),
  )
  return feature('element-defaults', 'builder/v1', [
    endpoint({
      path: '/kit-elements-defaults',
      methods: ['GET'],
      args: {},
      summary: 'Read the default settings of all elements',
      permission: can('edit_posts'),
      responses: { 200: mapOf(mapOf(anything()), { description: 'Settings by the type of the element.' }) },
      stored: storedPartOf(elementDefaults),
      handler: ({ storage }) => readKit(storage, elementDefaults),
    }),
    endpoint({
      path,
      methods: EDITABLE,
      args: { type, settings: required(object({}, { description: 'All the default values of the element.' })) },
      summary: 'Replace the default settings of an element',
      permission: can('manage_options'),
      responses: { 200: fields({}) },
      stored: storedDefaults,
      handler: (context) => {
        const { type, settings } = context.args
        // The cast: parsed from JSON.
        return changeDefaults(context, type, toSettings(settings as Settings))
      },
    }),
    endpoint({
      path,
      methods: ['DELETE'],
      args: { type },
      summary: 'Remove the default settings of an element',
      permission: can('manage_options'),
      responses: { 200: fields({}) },
      stored: storedDefaults,
      handler: (context) => changeDefaults(context, context.args.type, undefined),
    }),
  ])
}

/**
 * Clients read the defaults of all types at once and send the tag of that response, so the state is that of all. A condition with `*` asks
 * whether the resource exists, which is the defaults of one type.
 */
async function storedDefaults({
  args,
  storage,
}: {
  readonly args: { readonly type: string }
  readonly storage: Storage
}) {
  const all = await readKit(storage, elementDefaults)
  return storedState(all, { exists: Object.hasOwn(all, args.type) })
}

/** Everyone who edits reads the defaults of all elements at once. */
const maxValues = 20_000

function assertSize(defaults: { readonly [type: string]: Settings }): void {
  if (countValues(defaults as Json, maxValues) <= maxValues) return
  throw new ApiError('rest_too_many_defaults', `The defaults of all elements hold more than ${maxValues} values.`, 413)
}

/** Counts no further than one beyond the limit. */
function countValues(value: Json, limit: number): number {
  if (typeof value !== 'object' || value === null) return 1
  let count = 1
  for (const member of Object.values(value)) {
    if (count > limit) break
    count += countValues(member, limit - count)
  }
  return count
}

/** Interface: the response is an empty object. */
async function changeDefaults(
  { storage, emit }: Pick<Context, 'storage' | 'emit'>,
  type: string,
  settings: Settings | undefined,
) {
  const isChanged = await changeKit(storage, elementDefaults, (stored) => {
    const { [type]: before, ...others } = stored
    if (settings === undefined && before === undefined) return { answer: false }
    if (settings === undefined) return { next: others, answer: true }
    const next = { ...others, [type]: settings }
    assertSize(next)
    return { next, answer: true }
  })
  if (isChanged) emit('element-defaults.changed', { type })
  return {}
}

const toSettings = (input: Settings): Settings =>
  Object.fromEntries(Object.entries(input).map(([name, value]) => [name, withoutMarkup(value)]))

/** Choice: all names are stored; markup is removed from texts. */
function withoutMarkup(value: Json): Json {
  if (typeof value === 'string') return stripTags(value)
  if (typeof value !== 'object' || value === null) return value
  return Array.isArray(value) ? value.map(withoutMarkup) : toSettings(value as Settings)
}
