/** The settings that new elements of the page builder start with, by type: a part of the kit. */

import { anything, object, required, str } from '../../core/declare/args.ts'
import type { Context } from '../../core/declare/context.ts'
import { EDITABLE, endpoint } from '../../core/declare/endpoint.ts'
import { feature } from '../../core/declare/feature.ts'
import { parameter } from '../../core/declare/pattern.ts'
import { can } from '../../core/declare/permissions.ts'
import { fields, mapOf } from '../../core/declare/response-schema.ts'
import { andThen } from '../../core/runtime/maybe-promise.ts'
import { stripTags } from '../../html/strip-tags.ts'
import type { Json } from '../../storage/contract.ts'
import { changeKit, kitPart, readKit } from '../shared/kit/model.ts'

/** What it tells listeners. */
export interface ElementDefaultsEvents {
  'element-defaults.changed': { readonly type: string }
}

declare module '../../core/declare/events.ts' {
  interface EventPayloads extends ElementDefaultsEvents {}
}

type Settings = { readonly [name: string]: Json }

export const elementDefaults = kitPart<{ readonly [type: string]: Settings }>('element_defaults', {})

/** What the page is made of, besides widgets. */
const structuralTypes = ['section', 'column', 'container']

// Any name is let through to the check: the interface answers 400 to a type that nobody knows, not 404.
const path = `/kit-elements-defaults/${parameter('type', '[^/]+')}` as const

/** `widgets`: the types, besides those of the structure, that can have defaults. */
export function elementDefaultsOf({ widgets }: { readonly widgets: readonly string[] }) {
  const known = new Set([...structuralTypes, ...widgets])
  const type = required(
    str({
      description: 'The type of the element.',
      check: (sent: string) => (known.has(sent) ? undefined : 'There is no such type of elements.'),
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
      handler: ({ storage }) => readKit(storage, elementDefaults),
    }),
    endpoint({
      path,
      methods: EDITABLE,
      args: { type, settings: required(object({}, { description: 'All the default values of the element.' })) },
      summary: 'Replace the default settings of an element',
      permission: can('manage_options'),
      responses: { 200: fields({}) },
      handler: (context) => {
        const { type, settings } = context.args
        // The cast: what came as JSON is JSON.
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
      handler: (context) => changeDefaults(context, context.args.type, undefined),
    }),
  ])
}

/** Interface: the answer is an empty object. */
function changeDefaults(
  { storage, emit }: Pick<Context, 'storage' | 'emit'>,
  type: string,
  settings: Settings | undefined,
) {
  const changed = changeKit(storage, elementDefaults, (stored) => {
    const { [type]: before, ...others } = stored
    if (settings === undefined && before === undefined) return { answer: false }
    return { next: settings === undefined ? others : { ...others, [type]: settings }, answer: true }
  })
  return andThen(changed, (isChanged) => {
    if (isChanged) emit('element-defaults.changed', { type })
    return {}
  })
}

const toSettings = (sent: Settings): Settings =>
  Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, withoutMarkup(value)]))

/** Choice: all names are kept, and texts lose their markup. */
function withoutMarkup(value: Json): Json {
  if (typeof value === 'string') return stripTags(value)
  if (typeof value !== 'object' || value === null) return value
  return Array.isArray(value) ? value.map(withoutMarkup) : toSettings(value as Settings)
}
