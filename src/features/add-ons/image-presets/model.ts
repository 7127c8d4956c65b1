/** Declares the members of a preset, cleans client input, and summarizes the settings as a text. */

import type { Json, Storage } from '../../../contract/storage.ts'
import { stripTags } from '../../../html/strip-tags.ts'
import type { Names } from '../../../names/word-map.ts'

const optionName = 'imgopt_presets'

/** Longer lists are cut, because the option is read as a whole. */
const maxPresets = 200
const maxTexts = 100
const maxText = 1000

/**
 * The settings of the built-in preset; others may have the same names. All are booleans except `lossy`, which is a
 * level.
 */
export const builtInSettings = {
  auto: true,
  lossy: 1,
  strip_exif: true,
  resize: false,
  original: true,
  backup: true,
  png_to_jpg: true,
  background_email: true,
  s3: false,
  block_editor: false,
  js_builder: false,
  cdn: false,
  auto_resizing: false,
  cdn_dynamic_sizes: false,
  image_dimensions: false,
  webp: true,
  usage: false,
  accessible_colors: false,
  keep_data: true,
  lazy_load: false,
  background_images: true,
  rest_api_support: false,
  webp_mod: false,
  avif_mod: false,
  preload_images: false,
  lcp_fetchpriority: false,
} as const

type Setting = keyof typeof builtInSettings
type Settings = { readonly [name in Setting]?: boolean | number }

export type Preset = { readonly [field: string]: Json }
type Input = { readonly [name: string]: unknown }

const isObject = (value: unknown): value is Input =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const objectOf = (value: unknown): Input => (isObject(value) ? value : {})

// ---------------------------------------------------------------- storage

/** Interface: the built-in preset is built on each read, unless a list without it was written. */
export async function readPresets(storage: Storage): Promise<readonly Preset[]> {
  const stored = (await storage.options.read([optionName]))[optionName]
  if (!Array.isArray(stored)) return [builtIn()]
  return (stored as readonly Preset[]).map((preset) => (preset['default'] === true ? builtIn() : preset))
}

export const writePresets = async (storage: Storage, presets: readonly Preset[]): Promise<void> =>
  storage.options.write({ [optionName]: presets })

const builtIn = (): Preset => ({
  id: 1,
  name: 'Default config',
  description: 'Recommended performance config for every site.',
  default: true,
  config: { configs: { settings: builtInSettings }, strings: summaryOf({ settings: builtInSettings }) },
})

// ---------------------------------------------------------------- cleaning

const presetMembers = ['id', 'name', 'description', 'note', 'default', 'config']

/**
 * Returns the presets of a request: those of a list, or of an object whose keys are numbers, which some clients send for a
 * list. Undefined for a body of another shape: its values would replace the list.
 */
export function presetsIn(body: unknown): readonly Input[] | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  const isList = Array.isArray(body) || Object.keys(body).every((key) => /^\d+$/.test(key))
  const sent: readonly unknown[] = Object.values(body)
  const isPreset = (entry: unknown): entry is Input =>
    isObject(entry) && presetMembers.some((name) => Object.hasOwn(entry, name))
  return isList && sent.every(isPreset) ? sent : undefined
}

/** The input has the public names of settings; the stored preset has the neutral ones. */
export const cleanPresets = (presets: readonly Input[], names: Names): Preset[] =>
  presets.slice(0, maxPresets).map((preset) => cleanPreset(preset, names))

const plainText = (value: unknown): string =>
  typeof value === 'string' ? stripTags(value).replace(/\s+/g, ' ').trim().slice(0, maxText) : ''

function cleanPreset(input: Input, names: Names): Preset {
  const configs = cleanConfigs(objectOf(objectOf(input['config'])['configs']), names)
  return {
    id: wholeNumber(input['id']),
    name: plainText(input['name']) || 'Undefined',
    description: plainText(input['note'] ?? input['description']),
    ...(input['default'] === undefined ? {} : { default: toSwitch(input['default']) }),
    ...(input['hub_id'] === undefined ? {} : { hub_id: wholeNumber(input['hub_id']) }),
    ...optionalText(input, 'note_added_time'),
    ...optionalText(input, 'date'),
    config: { configs: configs as Json, strings: summaryOf(configs) },
  }
}

const optionalText = (input: Input, name: string) =>
  input[name] === undefined ? {} : { [name]: plainText(input[name]) }

/** Interface: ids that are not integers become false. */
function wholeNumber(value: unknown): number | false {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : false
}

const toSwitch = (value: unknown): boolean =>
  typeof value === 'string' ? !['', '0', 'false', 'no', 'off'].includes(value.toLowerCase()) : Boolean(value)

interface Configs {
  readonly settings: Settings
  readonly [name: string]: unknown
}

function cleanConfigs(input: Input, names: Names): Configs {
  return {
    settings: cleanSettings(objectOf(input['settings']), names),
    ...(input['resize_sizes'] === undefined ? {} : { resize_sizes: cleanSizes(input['resize_sizes']) }),
    ...(input['image_sizes'] === undefined ? {} : { image_sizes: cleanTexts(input['image_sizes']) }),
    ...(input['lazy_load'] === undefined ? {} : { lazy_load: cleanLazyLoad(objectOf(input['lazy_load'])) }),
    ...(input['networkwide'] === undefined ? {} : { networkwide: cleanNetwork(input['networkwide']) }),
  }
}

function cleanSettings(input: Input, names: Names): Settings {
  const present = (Object.keys(builtInSettings) as Setting[]).filter((name) =>
    Object.hasOwn(input, names.toPublic(name)),
  )
  const clean = (name: Setting, value: unknown) => (name === 'lossy' ? toLevel(value) : toSwitch(value))
  return Object.fromEntries(present.map((name) => [name, clean(name, input[names.toPublic(name)])]))
}

/** Interface: compression levels above 1 become 1. */
const toLevel = (value: unknown): number => Math.min(Math.max(Math.trunc(numberIn(value)) || 0, 0), 1)

/** A value of another type may have no conversion: `Number` throws for `{ "toString": 1 }`. */
const numberIn = (value: unknown): number =>
  typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean' ? Number(value) : 0

const cleanSizes = (value: unknown): Json =>
  isObject(value)
    ? { width: Math.max(wholeNumber(value['width']) || 0, 0), height: Math.max(wholeNumber(value['height']) || 0, 0) }
    : toSwitch(value)

const cleanTexts = (value: unknown): Json =>
  Array.isArray(value)
    ? value
        .slice(0, maxTexts)
        .map(plainText)
        .filter((text) => text !== '')
    : false

const cleanNetwork = (value: unknown): Json =>
  Array.isArray(value) ? cleanTexts(value) : plainText(value) || toSwitch(value)

/** Switches, texts and lists of texts; objects are one level deep. */
function cleanLazyLoad(input: Input): Json {
  const clean = (value: unknown): Json => {
    if (Array.isArray(value)) return cleanTexts(value)
    if (isObject(value))
      return Object.fromEntries(namesOf(value).map((name) => [name, toTextNumberOrSwitch(value[name])]))
    return toTextNumberOrSwitch(value)
  }
  return Object.fromEntries(namesOf(input).map((name) => [name, clean(input[name])]))
}

const namesOf = (value: Input): string[] =>
  Object.keys(value)
    .filter((name) => /^[\w-]{1,60}$/.test(name))
    .slice(0, maxTexts)
const toTextNumberOrSwitch = (value: unknown): Json =>
  typeof value === 'string'
    ? plainText(value)
    : typeof value === 'number' && Number.isFinite(value)
      ? value
      : toSwitch(value)

// ---------------------------------------------------------------- summary

export const sections = {
  bulk_imgopt: [
    ['Automatic compression', 'auto'],
    ['Metadata', 'strip_exif'],
    ['Image resizing', 'resize'],
    ['Original images', 'original'],
    ['Backup original images', 'backup'],
    ['PNG to JPEG conversion', 'png_to_jpg'],
    ['Email notification', 'background_email'],
  ],
  image_format_type: [
    ['WebP', 'webp_mod'],
    ['AVIF', 'avif_mod'],
  ],
  cdn: [
    ['CDN', 'cdn'],
    ['Automatic resizing', 'auto_resizing'],
    ['Dynamic sizes', 'cdn_dynamic_sizes'],
    ['WebP conversion', 'webp'],
    ['Background images', 'background_images'],
    ['REST API', 'rest_api_support'],
  ],
  integrations: [
    ['Block editor support', 'block_editor'],
    ['JavaScript builder support', 'js_builder'],
    ['S3 support', 's3'],
  ],
  settings: [
    ['Image resize detection', 'image_dimensions'],
    ['Color accessibility', 'accessible_colors'],
    ['Usage tracking', 'usage'],
    ['Keep data on uninstall', 'keep_data'],
    ['Preload critical images', 'preload_images'],
    ['Fetch priority', 'lcp_fetchpriority'],
  ],
} as const satisfies { readonly [section: string]: readonly (readonly [label: string, setting: Setting])[] }

const state = (isOn: unknown) => (isOn ? 'Active' : 'Inactive')

/** Each section is one text with lines such as `Label - Active`. */
function summaryOf({ settings, networkwide }: Configs): Json {
  const lines = (entries: readonly (readonly [string, Setting])[]) =>
    entries.map(([label, name]) => `${label} - ${state(settings[name])}`).join('\n')
  const listed = Object.entries(sections).map(([section, entries]) => [section, [lines(entries)]] as const)
  return {
    compression_level: [settings.lossy === 1 ? 'High' : 'Basic'],
    lazy_load: [`Lazy load - ${state(settings.lazy_load)}`],
    ...Object.fromEntries(listed),
    ...(networkwide === undefined ? {} : { networkwide: [`Subsite controls - ${state(networkwide)}`] }),
  }
}
