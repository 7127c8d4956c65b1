/**
 * Global items: four system items that always exist, and custom ones. A custom item with the id of a system item replaces
 * it. Values are written to style sheets, so text that could end its declaration is rejected.
 */

import { lookupTable } from '../../../contract/lookup-table.ts'
import type { Json } from '../../../contract/storage.ts'
import { ApiError, invalidArguments } from '../../../core/declare/errors.ts'
import { stripTags } from '../../../html/strip-tags.ts'
import { systemColors, systemTypography } from '../../../render/builder/kit/defaults.ts'
import { isCssValue, type KitPart, kitPart } from '../../shared/kit.ts'

export type GlobalKind = 'colors' | 'typography'

interface GlobalItem {
  readonly id: string
  readonly title: string
  readonly value: Json
}

export interface GlobalList {
  readonly system: readonly GlobalItem[]
  /** The records are in the order of creation. */
  readonly custom: readonly GlobalItem[]
}

interface Kind {
  readonly part: KitPart<GlobalList>
  /** Throws 400 for a value that is not of this kind. */
  readonly toValue: (input: unknown) => Json
}

/** System items first; a custom item replaces the system item with its id. */
export function byId({ system, custom }: GlobalList): { [id: string]: GlobalItem } {
  return Object.fromEntries([...system, ...custom].map((item) => [item.id, item]))
}

export const itemOf = ({ system, custom }: GlobalList, id: string): GlobalItem | undefined =>
  [...custom, ...system].find((item) => item.id === id)

export const withItem = (custom: readonly GlobalItem[], item: GlobalItem): GlobalItem[] =>
  custom.some(({ id }) => id === item.id)
    ? custom.map((other) => (other.id === item.id ? item : other))
    : [...custom, item]

// ---------------------------------------------------------------- values

const maxTitleLength = 200
const maxTextLength = 512
const maxSettings = 100

export function titleOf(input: unknown): string {
  const title = typeof input === 'string' ? stripTags(input).trim() : ''
  if (title !== '' && title.length <= maxTitleLength) return title
  throw new ApiError('invalid_title', `A title of 1 to ${maxTitleLength} characters is required.`, 400)
}

const invalidValue = (why: string) => invalidArguments(new Map([['value', why]]))

function toColor(input: unknown): string {
  if (input === undefined) return ''
  if (typeof input !== 'string') throw invalidValue('A color is a text.')
  return toStyleText(input)
}

/** Choice: text that could end its declaration in a style sheet is rejected with 400, not repaired. */
function toStyleText(input: string): string {
  const text = stripTags(input).trim()
  if (text.length > maxTextLength) throw invalidValue(`No text has more than ${maxTextLength} characters.`)
  if (!isCssValue(text)) throw invalidValue('It holds signs that are no part of a color, a font or a size.')
  return text
}

/** Interface: clients may send an empty map as an empty list. */
function toTypography(input: unknown = {}): Json {
  if (Array.isArray(input) && input.length === 0) return {}
  if (typeof input === 'object' && input !== null && !Array.isArray(input)) return toSetting(input)
  throw invalidValue('Typography is an object of settings.')
}

/** Lists and objects keep their structure; each text and each name is checked. */
function toSetting(input: unknown): Json {
  if (typeof input === 'string') return toStyleText(input)
  // The cast: a JSON value that is no object is a scalar.
  if (typeof input !== 'object' || input === null) return input as Json
  const entries = Object.entries(input)
  if (entries.length > maxSettings) throw invalidValue(`There are more than ${maxSettings} settings.`)
  if (Array.isArray(input)) return input.map(toSetting)
  if (!entries.every(([name]) => /^[\w-]{1,64}$/.test(name))) {
    throw invalidValue('The name of a setting has letters, digits, hyphens and underscores only.')
  }
  return Object.fromEntries(entries.map(([name, value]) => [name, toSetting(value)]))
}

/** A list stores the items of the system only once one of them has changed: pages draw those of a new site in other shades. */
function partOf(name: string, system: GlobalList['system']): KitPart<GlobalList> {
  return {
    ...kitPart<GlobalList>(name, { system, custom: [] }),
    shape: {
      // The cast: only these two functions and an import write the option.
      parse: (stored) => ({ system, custom: [], ...(stored as unknown as Partial<GlobalList>) }),
      format: (value) => (value.system === system ? { custom: value.custom } : value) as unknown as Json,
    },
  }
}

export const colors: Kind = { part: partOf('colors', systemColors), toValue: toColor }

export const typography: Kind = { part: partOf('typography', systemTypography), toValue: toTypography }

export const globalKinds: { readonly [kind in GlobalKind]: Kind } = lookupTable({ colors, typography })
