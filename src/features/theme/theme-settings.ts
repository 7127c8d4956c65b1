/** The parts that a theme does not render itself: the same routes in each theme namespace. */

import type { Json, Storage } from '../../contract/storage.ts'
import { type Arg, anything, bool, list, unlisted } from '../../core/declare/args.ts'
import type { Context } from '../../core/declare/context.ts'
import { EDITABLE, endpoint } from '../../core/declare/endpoint.ts'
import { ApiError } from '../../core/declare/errors.ts'
import { feature } from '../../core/declare/feature.ts'
import { can } from '../../core/declare/permissions.ts'
import { either, fields, mapOf, openFields, type ResponseSchema } from '../../core/declare/response-schema.ts'
import { storedState } from '../../core/pipeline/etag.ts'
import { findPackage, plugin } from '../add-ons/packages/model.ts'
import { settingOption } from '../builder/settings/model.ts'
import { changeKit, type KitPart, readKit } from '../shared/kit.ts'
import { isSwitchedOn, type ThemePartSettings, warnOfUndrawnParts } from './model.ts'

/** Events of this feature. */
export interface ThemeSettingsEvents {
  'theme-settings.changed': { readonly keys: readonly string[] }
}

type ThemeSettings = { readonly [key: string]: Json }

type Defaults = { readonly [key: string]: boolean }
type StoredKeys = 'declared' | 'all'

interface ThemeSettingsOptions<
  N extends string = string,
  D extends Defaults = Defaults,
  K extends StoredKeys = StoredKeys,
> {
  readonly namespace: N
  /** The setting of the page builder that stores them; with `stores: 'declared'` one each, `{setting}_{lower-case key}`. */
  readonly setting: string
  /** The settings of a new site. True: the theme does not render the part. */
  readonly defaults: D
  /** `declared`: keys without a default are ignored, and each value becomes true or false. */
  readonly stores: K
  /** Returns the settings of the request, or all settings, after a write. */
  readonly responds: 'input' | 'all'
  /** A response member beside the settings that says whether a plugin is active. */
  readonly pluginFlag?: { readonly member: string; readonly activePlugin: string }
}

const maxKeys = 100
const maxCharacters = 16 * 1024

export function themeSettings<const N extends string, D extends Defaults, const K extends StoredKeys>(
  options: ThemeSettingsOptions<N, D, K>,
) {
  const { namespace, setting, defaults, stores } = options
  const stored = stores === 'declared' ? separateSettings(options) : jointSetting(setting)
  const allSchema = settingsSchema(options)
  const parts: ThemePartSettings = {
    theme: namespace.slice(0, namespace.indexOf('/')),
    options: stored.options,
    defaults,
    storedIn: stored.storedIn,
  }
  return feature(
    'theme-settings',
    namespace,
    [
      endpoint({
        path: '/theme-settings',
        methods: ['GET'],
        args: {},
        summary: 'Read the settings of the theme',
        permission: can('manage_options'),
        responses: { 200: fields({ settings: allSchema, ...pluginFlagSchema(options) }) },
        stored: async ({ storage }) => storedState(await stored.read(storage)),
        handler: async (context) => {
          const changed = await stored.read(context.storage)
          const flag = await readPluginFlag(context, options)
          return { settings: toPublicNames(context, { ...defaults, ...changed }), ...flag }
        },
      }),
      endpoint({
        path: '/theme-settings',
        methods: EDITABLE,
        args: { settings: unlisted(anything()) },
        merges: { partial: ['settings'] },
        summary: 'Change settings of the theme',
        permission: can('manage_options'),
        responses: { 200: fields({ settings: options.responds === 'input' ? inputSchema : allSchema }) },
        stored: async ({ storage }) => storedState(await stored.read(storage)),
        handler: async (context) => {
          const { settings: input } = context.args
          if (typeof input !== 'object' || input === null)
            throw invalidSettings('The settings are missing, or no object.')
          const changes = changesOf(context, input, options)
          const settings = { ...defaults, ...(await stored.change(context.storage, changes)) }
          context.emit('theme-settings.changed', { keys: Object.keys(changes) })
          const sent = Object.keys(input).map((key) => context.app.names.toNeutral(key))
          await warnOfUndrawnParts(context, { theme: parts.theme, keys: sent })
          return { settings: options.responds === 'input' ? input : toPublicNames(context, settings) }
        },
      }),
    ],
    { contributes: { themeParts: [parts] } },
  )
}

interface StoredSettings extends Pick<ThemePartSettings, 'options' | 'storedIn'> {
  readonly read: (storage: Storage) => Promise<ThemeSettings>
  /** Returns all stored settings. */
  readonly change: (storage: Storage, changes: ThemeSettings) => Promise<ThemeSettings>
}

/** Stores all values in one setting, which clients can also read and write by key. */
function jointSetting(setting: string): StoredSettings {
  const part: KitPart<ThemeSettings> = { option: settingOption(setting), start: {} }
  return {
    options: [part.option],
    storedIn: (options) => objectOf(options[part.option] ?? null),
    read: async (storage) => objectOf(await readKit(storage, part)),
    change: (storage, changes) =>
      changeKit(storage, part, (stored) => {
        const next = { ...objectOf(stored), ...changes }
        checkSize(next)
        return { next, answer: next }
      }),
  }
}

/** Interface: each is a separate setting, with the texts `true` and `false`. */
function separateSettings({ setting, defaults }: ThemeSettingsOptions): StoredSettings {
  const keys = Object.keys(defaults)
  const optionOf = (key: string) => settingOption(`${setting}_${key.toLowerCase()}`)
  // Earlier versions stored all in one setting.
  const former = settingOption(setting)
  const names = [former, ...keys.map(optionOf)]
  const storedIn: ThemePartSettings['storedIn'] = (options) => {
    const own = keys.flatMap((key): [string, Json][] => {
      const value = options[optionOf(key)]
      return value === undefined ? [] : [[key, isSwitchedOn(value)]]
    })
    return { ...objectOf(options[former] ?? null), ...Object.fromEntries(own) }
  }
  const read = async (storage: Storage): Promise<ThemeSettings> => storedIn(await storage.options.read(names))
  return {
    options: names,
    storedIn,
    read,
    change: async (storage, changes) => {
      const values = Object.entries(changes).map(([key, value]) => [optionOf(key), String(value)])
      await storage.options.write(Object.fromEntries(values))
      return read(storage)
    },
  }
}

const inputSchema = either(mapOf(anything()), list(anything()))

/** With `stores: 'all'` values are stored as received and need not be boolean. */
type SettingsView<D extends Defaults, K extends StoredKeys> = {
  readonly [key in keyof D]: K extends 'declared' ? boolean : unknown
}

function settingsSchema<D extends Defaults, K extends StoredKeys>({
  defaults,
  stores,
}: ThemeSettingsOptions<string, D, K>): ResponseSchema<SettingsView<D, K>> {
  const value: Arg = stores === 'declared' ? bool() : anything()
  const members = Object.fromEntries(Object.keys(defaults).map((key) => [key, value]))
  const schema = openFields(members, { description: 'True: the theme leaves this part to others.' })
  // The cast: the members have the keys of the defaults.
  return schema as ResponseSchema as ResponseSchema<SettingsView<D, K>>
}

const pluginFlagSchema = ({ pluginFlag }: ThemeSettingsOptions) => (pluginFlag ? { [pluginFlag.member]: bool() } : {})

const invalidSettings = (message: string) => new ApiError('invalid_settings', message, 400)

function changesOf({ app }: Context, input: object, { defaults, stores }: ThemeSettingsOptions): ThemeSettings {
  const entries = Object.entries(input).map(([key, value]): [string, Json] => [app.names.toNeutral(key), value])
  if (stores === 'all') return Object.fromEntries(entries)
  const declared = entries.filter(([key]) => Object.hasOwn(defaults, key))
  return Object.fromEntries(declared.map(([key, value]) => [key, isSwitchedOn(value)]))
}

function checkSize(next: ThemeSettings): void {
  if (Object.keys(next).length > maxKeys) throw invalidSettings(`There are at most ${maxKeys} settings.`)
  if (JSON.stringify(next).length > maxCharacters) throw invalidSettings('The settings are too large.')
}

/** Clients can write values of any type to this option through the settings routes. */
const objectOf = (stored: Json): ThemeSettings =>
  typeof stored === 'object' && stored !== null && !Array.isArray(stored) ? (stored as ThemeSettings) : {}

const toPublicNames = ({ app: { names } }: Context, settings: ThemeSettings): ThemeSettings =>
  Object.fromEntries(Object.entries(settings).map(([key, value]) => [names.toPublic(key), value]))

async function readPluginFlag(
  context: Context,
  { pluginFlag }: ThemeSettingsOptions,
): Promise<{ readonly [member: string]: boolean }> {
  if (!pluginFlag) return {}
  const installed = await findPackage(context, plugin(pluginFlag.activePlugin))
  return { [context.app.names.toPublic(pluginFlag.member)]: installed?.status === 'active' }
}
