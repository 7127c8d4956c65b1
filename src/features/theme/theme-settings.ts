/** Which parts of its own a theme leaves to others: the same routes in each theme namespace. */

import { type Arg, anything, bool, list, unlisted } from '../../core/declare/args.ts'
import type { Context } from '../../core/declare/context.ts'
import { EDITABLE, endpoint } from '../../core/declare/endpoint.ts'
import { ApiError } from '../../core/declare/errors.ts'
import { feature } from '../../core/declare/feature.ts'
import { can } from '../../core/declare/permissions.ts'
import { either, fields, mapOf, openFields, type ResponseSchema } from '../../core/declare/response-schema.ts'
import { andThen, type MaybePromise } from '../../core/runtime/maybe-promise.ts'
import type { Json } from '../../storage/contract.ts'
import { findPackage, plugin } from '../add-ons/packages/model.ts'
import { settingOption } from '../builder/settings/model.ts'
import { changeKit, type KitPart, readKit } from '../shared/kit/model.ts'

/** What it tells listeners. */
export interface ThemeSettingsEvents {
  'theme-settings.changed': { readonly keys: readonly string[] }
}

declare module '../../core/declare/events.ts' {
  interface EventPayloads extends ThemeSettingsEvents {}
}

type ThemeSettings = { readonly [key: string]: Json }

type Defaults = { readonly [key: string]: boolean }
type StoredKeys = 'known' | 'all'

export interface ThemeSettingsOptions<
  N extends string = string,
  D extends Defaults = Defaults,
  K extends StoredKeys = StoredKeys,
> {
  readonly namespace: N
  /** The setting of the page builder that they are kept as. */
  readonly setting: string
  /** What a new site has. True: the part is switched off. */
  readonly defaults: D
  /** `known`: of other keys nothing is kept, and each value is true or false. */
  readonly stores: K
  /** What a write answers: what was sent, or all settings. */
  readonly responds: 'sent' | 'all'
  /** A member of the read beside the settings: whether a plugin is active. */
  readonly pluginFlag?: { readonly member: string; readonly activePlugin: string }
}

const maxKeys = 100
const maxCharacters = 16 * 1024

export function themeSettings<const N extends string, D extends Defaults, const K extends StoredKeys>(
  options: ThemeSettingsOptions<N, D, K>,
) {
  const { namespace, setting, defaults } = options
  const part: KitPart<ThemeSettings> = { option: settingOption(setting), start: {} }
  const allSchema = settingsSchema(options)
  return feature('theme-settings', namespace, [
    endpoint({
      path: '/theme-settings',
      methods: ['GET'],
      args: {},
      summary: 'Read the settings of the theme',
      permission: can('manage_options'),
      responses: { 200: fields({ settings: allSchema, ...pluginFlagSchema(options) }) },
      handler: (context) =>
        andThen(readKit(context.storage, part), (stored) =>
          andThen(shown(context, options), (more) => ({
            settings: toPublicNames(context, { ...defaults, ...objectOf(stored) }),
            ...more,
          })),
        ),
    }),
    endpoint({
      path: '/theme-settings',
      methods: EDITABLE,
      args: { settings: unlisted(anything()) },
      summary: 'Change some settings of the theme',
      permission: can('manage_options'),
      responses: { 200: fields({ settings: options.responds === 'sent' ? inputSchema : allSchema }) },
      handler: (context) => {
        const { settings: sent } = context.args
        if (typeof sent !== 'object' || sent === null) throw invalidSettings('The settings are missing, or no object.')
        const changes = changesOf(context, sent, options)
        const change = changeKit(context.storage, part, (stored) => {
          const next = { ...objectOf(stored), ...changes }
          checkSize(next)
          return { next, answer: { ...defaults, ...next } }
        })
        return andThen(change, (all) => {
          context.emit('theme-settings.changed', { keys: Object.keys(changes) })
          return { settings: options.responds === 'sent' ? sent : toPublicNames(context, all) }
        })
      },
    }),
  ])
}

const inputSchema = either(mapOf(anything()), list(anything()))

/** What is kept as it was sent need not be true or false. */
type SettingsView<D extends Defaults, K extends StoredKeys> = {
  readonly [key in keyof D]: K extends 'known' ? boolean : unknown
}

function settingsSchema<D extends Defaults, K extends StoredKeys>({
  defaults,
  stores: keeps,
}: ThemeSettingsOptions<string, D, K>): ResponseSchema<SettingsView<D, K>> {
  const value: Arg = keeps === 'known' ? bool() : anything()
  const members = Object.fromEntries(Object.keys(defaults).map((key) => [key, value]))
  const readPluginFlag = openFields(members, { description: 'True: the theme leaves this part to others.' })
  // The cast: the members are made from the keys of the defaults.
  return readPluginFlag as ResponseSchema as ResponseSchema<SettingsView<D, K>>
}

const pluginFlagSchema = ({ pluginFlag: shows }: ThemeSettingsOptions) => (shows ? { [shows.member]: bool() } : {})

const invalidSettings = (message: string) => new ApiError('invalid_settings', message, 400)

function changesOf({ app }: Context, sent: object, { defaults, stores: keeps }: ThemeSettingsOptions): ThemeSettings {
  const named = Object.entries(sent).map(([key, value]): [string, Json] => [app.names.toNeutral(key), value])
  if (keeps === 'all') return Object.fromEntries(named)
  const known = named.filter(([key]) => Object.hasOwn(defaults, key))
  return Object.fromEntries(known.map(([key, value]) => [key, isTrue(value)]))
}

/** Interface: whatever says something is true. A text that says no, and an empty list, say nothing. */
const isTrue = (value: Json) =>
  Boolean(value) && value !== '0' && value !== 'false' && !(Array.isArray(value) && value.length === 0)

function checkSize(next: ThemeSettings): void {
  if (Object.keys(next).length > maxKeys) throw invalidSettings(`There are at most ${maxKeys} settings.`)
  if (JSON.stringify(next).length > maxCharacters) throw invalidSettings('The settings are too large.')
}

/** A client may have written another value under the same key. */
const objectOf = (stored: Json): ThemeSettings =>
  typeof stored === 'object' && stored !== null && !Array.isArray(stored) ? (stored as ThemeSettings) : {}

const toPublicNames = ({ app: { names } }: Context, settings: ThemeSettings): ThemeSettings =>
  Object.fromEntries(Object.entries(settings).map(([key, value]) => [names.toPublic(key), value]))

function shown(
  context: Context,
  { pluginFlag: shows }: ThemeSettingsOptions,
): MaybePromise<{ readonly [member: string]: boolean }> {
  if (!shows) return {}
  return andThen(findPackage(context, plugin(shows.activePlugin)), (found) => ({
    [context.app.names.toPublic(shows.member)]: found?.status === 'active',
  }))
}
