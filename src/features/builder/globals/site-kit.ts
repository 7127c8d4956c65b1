/** Makes the page settings of a kit document the options of the site that store its kit, and the other way round. */
import type { Json } from '../../../contract/storage.ts'
import { isApiError } from '../../../core/declare/errors.ts'
import type { KitOptions, StoredKit } from '../../../core/declare/feature.ts'
import { drawnColors, systemColors } from '../../../render/builder/kit/defaults.ts'
import { kitOptions } from '../../../render/builder/records/keys.ts'
import { type BuilderElement, isObject } from '../../shared/elements.ts'
import { storedPart } from '../../shared/kit.ts'
import { type GlobalKind, type GlobalList, globalKinds, titleOf } from './model.ts'

/** The custom items of a kind that a kit may bring. */
const maxItems = 500

type Item = GlobalList['custom'][number]
type OnProblem = (setting: string) => void

/** By kind: the member of an item that is its value, or the prefix of the members that are. */
const valueIn: { readonly [kind in GlobalKind]: (item: BuilderElement) => unknown } = {
  colors: ({ color }) => color,
  typography: (item) => Object.fromEntries(Object.entries(item).filter(([name]) => name.startsWith('typography_'))),
}

function itemsOf(kind: GlobalKind, member: string, settings: BuilderElement, onProblem: OnProblem): Item[] {
  const given = settings[member]
  if (given === undefined) return []
  // A list may be stored as an object with numeric keys.
  const list = Array.isArray(given) ? given : isObject(given) ? Object.values(given) : [null]
  if (list.length > maxItems) onProblem(member)
  return list.slice(0, maxItems).flatMap((item): Item[] => {
    const read = itemOf(kind, item)
    if (!read) onProblem(member)
    return read ? [read] : []
  })
}

function itemOf(kind: GlobalKind, item: unknown): Item | undefined {
  if (!isObject(item)) return undefined
  const { _id: id, title } = item
  if (typeof id !== 'string' || !/^[\w-]{1,64}$/.test(id)) return undefined
  try {
    const named = typeof title === 'string' && title.trim() !== '' ? title : id
    return { id, title: titleOf(named), value: globalKinds[kind].toValue(valueIn[kind](item)) }
  } catch (error) {
    if (isApiError(error)) return undefined
    throw error
  }
}

/** A kit has all system items: the default replaces one that the settings lack. */
function listOf(kind: GlobalKind, settings: BuilderElement, onProblem: OnProblem): GlobalList {
  const found = itemsOf(kind, `system_${kind}`, settings, onProblem)
  const defaults = globalKinds[kind].part.start.system
  const system = defaults.map((item) => found.find(({ id }) => id === item.id) ?? item)
  const others = found.filter(({ id }) => !defaults.some((item) => item.id === id))
  const custom = itemsOf(kind, `custom_${kind}`, settings, onProblem)
  return { system: [...system, ...others], custom }
}

const listed = new Set(['system_colors', 'custom_colors', 'system_typography', 'custom_typography'])

export function kitOptionsOf({ id, settings, mayStyle }: StoredKit, onProblem: OnProblem): KitOptions {
  const lists = {
    colors: listOf('colors', settings, onProblem),
    typography: listOf('typography', settings, onProblem),
  }
  const others = Object.entries(settings).filter(([name]) => !listed.has(name) && (mayStyle || name !== 'custom_css'))
  const options: { [name: string]: Json } = {
    [kitOptions.id]: id,
    [kitOptions.settings]: Object.fromEntries(others),
  }
  for (const kind of ['colors', 'typography'] as const) {
    // The cast: lists of global items are JSON.
    options[globalKinds[kind].part.option] = lists[kind] as unknown as Json
  }
  return {
    options,
    changed: Object.entries(lists).flatMap(([kind, { system, custom }]) =>
      // The cast: the members of `lists` are the kinds.
      [...system, ...custom].map((item) => ({ kind: kind as GlobalKind, id: item.id })),
    ),
  }
}

/**
 * The settings have all items, also where the site uses the defaults, in the colours that its pages are drawn with: the kit of another
 * site may differ.
 */
export function kitSettingsOf(stored: KitOptions['options']): { readonly [name: string]: Json } {
  const lists = (['colors', 'typography'] as const).flatMap((kind) => {
    const { system, custom } = storedPart(globalKinds[kind].part, stored)
    return [
      [`system_${kind}`, (system === systemColors ? drawnColors : system).map((item) => toSettings(kind, item))],
      [`custom_${kind}`, custom.map((item) => toSettings(kind, item))],
    ] as const
  })
  const others = stored[kitOptions.settings]
  return { ...Object.fromEntries(lists), ...(isObject(others) ? (others as { readonly [name: string]: Json }) : {}) }
}

/** The cast: the value of a typography is an object. */
const toSettings = (kind: GlobalKind, { id, title, value }: Item): Json =>
  kind === 'colors' ? { _id: id, title, color: value } : { _id: id, title, ...(value as { [name: string]: Json }) }
