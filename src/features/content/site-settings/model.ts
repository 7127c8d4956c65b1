/** Reads and writes the settings of a site. */

import type { Json, Storage } from '../../../contract/storage.ts'
import type { Context } from '../../../core/declare/context.ts'
import { invalidArguments } from '../../../core/declare/errors.ts'
import { categories } from '../../../site/post-keys.ts'
import { settingProblem, storedSetting } from '../../../site/setting-rules.ts'
import { defaultSettings, optionOf, type SettingName, settingNames } from './args.ts'

type SettingValues = { readonly [name in SettingName]: Json }
export type SentSettings = { readonly [name in SettingName]?: Json | undefined }

const optionName = (name: SettingName): string => optionOf[name] ?? name

/** The address is the one that links have: an option of the program may win over the stored one. */
export async function readSettings({ storage, app }: Pick<Context, 'storage' | 'app'>): Promise<SettingValues> {
  const [options, settings] = await Promise.all([
    storage.options.read(settingNames.map(optionName)),
    app.settings.read(storage),
  ])
  const settingOf = (name: SettingName): Json =>
    name === 'url'
      ? settings.url
      : (storedSetting(optionName(name), options[optionName(name)]) ?? defaultSettings[name] ?? null)
  // The cast: one entry for each name.
  return Object.fromEntries(settingNames.map((name) => [name, settingOf(name)])) as unknown as SettingValues
}

/** Null removes a setting. Throws 400 for values that would break the site. */
export async function writeSettings(
  context: Pick<Context, 'storage' | 'app' | 'emit'>,
  sent: SentSettings,
): Promise<SettingValues> {
  const { storage } = context
  const problems = await problemsOf(storage, sent)
  if (problems.size > 0) throw invalidArguments(problems)
  const names = settingNames.filter((name) => sent[name] !== undefined)
  const options: { [name: string]: Json } = {}
  for (const name of names) Object.assign(options, optionsFor(name, sent[name] ?? null))
  await storage.options.write(options)
  context.emit('site.changed', { options: Object.keys(options) })
  const settings = await readSettings(context)
  if (typeof sent.url === 'string' && settings.url !== withoutSlash(sent.url)) {
    const message = 'The address is an option of the program that serves the site.'
    throw invalidArguments(new Map([['url', { code: 'rest_setting_fixed', message }]]))
  }
  return settings
}

const withoutSlash = (address: string) => address.replace(/\/+$/, '')
const offsetZone = /^UTC(?:([+-]\d{1,2})(?:\.(\d{1,2}))?)?$/

/** A zone and an offset exclude each other. */
function optionsFor(name: SettingName, value: Json): { readonly [option: string]: Json } {
  if (name !== 'timezone') return { [optionName(name)]: value }
  const offset = typeof value === 'string' ? offsetOf(value) : undefined
  if (offset !== undefined) return { timezone_string: '', gmt_offset: offset }
  return { timezone_string: value, gmt_offset: null }
}

function offsetOf(zone: string): number | undefined {
  if (zone === 'UTC' || !offsetZone.test(zone)) return undefined
  return Number(zone.slice('UTC'.length))
}

type Problem = { readonly code: string; readonly message: string }

async function problemsOf(storage: Storage, sent: SentSettings): Promise<Map<string, Problem>> {
  const problems = new Map<string, Problem>()
  const add = (name: SettingName, message: string) =>
    void problems.set(name, { code: 'rest_invalid_param', message: `${name} ${message}` })
  for (const name of settingNames) {
    const problem = Object.entries(optionsFor(name, sent[name] ?? null)).flatMap(
      ([option, value]) => settingProblem(option, value) ?? [],
    )[0]
    if (problem !== undefined) add(name, `${problem}.`)
  }
  const missing = async (names: readonly SettingName[], type: string) => {
    const ids = names.map((name) => sent[name]).filter((id) => isReference(id))
    const rows = ids.length === 0 ? [] : await storage.posts.read(ids)
    const known = new Set(rows.filter((row) => row.type === type).map(({ id }) => id))
    return names.filter((name) => isReference(sent[name]) && !known.has(sent[name]))
  }
  for (const name of await missing(['page_on_front', 'page_for_posts'], 'page')) add(name, 'is the ID of no page.')
  for (const name of await missing(['site_logo', 'site_icon'], 'attachment')) add(name, 'is the ID of no medium.')
  if (isReference(sent.default_category)) {
    const order = { by: 'id', descending: false } as const
    const query = { ids: [sent.default_category], taxonomies: [categories], order, offset: 0, limit: 1 }
    if ((await storage.terms.query(query)).rows.length === 0) add('default_category', 'is the ID of no category.')
  }
  return problems
}

const isReference = (value: Json | undefined): value is number => typeof value === 'number' && value !== 0
