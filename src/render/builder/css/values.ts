/**
 * Writes stored values as CSS text, undefined for an absent or unsafe value; `onUnsafe` is called for an unsafe one. Values
 * other than numbers with listed units are checked by the filter of style attributes.
 */
import { isSafeCssValue } from '../../filter/styles.ts'
import { isObject, numberOf, ownValue, textOf } from '../document/values.ts'

export type OnUnsafe = () => void

const UNITS: ReadonlySet<string> = new Set(
  (
    'px em rem % vw vh vmin vmax svw svh lvw lvh dvw dvh ch ex lh rlh cm mm in pt pc q fr deg rad grad turn s ms ' +
    'cqw cqh cqi cqb vi vb'
  ).split(' '),
)

const names = (list: string): ReadonlySet<string> => new Set(list.split(' '))

const COLOR_FUNCTIONS = names('rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix light-dark')
/** Functions that `custom` sizes and new-generation values may call. */
const VALUE_FUNCTIONS: ReadonlySet<string> = new Set([
  ...COLOR_FUNCTIONS,
  ...names(
    'blur brightness contrast drop-shadow grayscale invert opacity saturate sepia env round mod rem cubic-bezier steps fit-content',
  ),
])

const HEX = /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i
const WORD = /^[a-z][a-z-]{0,40}$/i
const maxLength = 1000

/** Accepts `#fff`, a name, `rgb(…)` and similar functions, and `var(--…)`. */
export function colorText(value: unknown, onUnsafe: OnUnsafe): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined
  const text = value.trim()
  if (HEX.test(text) || WORD.test(text)) return text
  return judged(text, COLOR_FUNCTIONS, onUnsafe)
}

/** Accepts any safe value: `custom` sizes and tagged strings. */
export const valueText = (value: unknown, onUnsafe: OnUnsafe): string | undefined => {
  const text = textOf(value).trim()
  return text === '' ? undefined : judged(text, VALUE_FUNCTIONS, onUnsafe)
}

function judged(text: string, functions: ReadonlySet<string>, onUnsafe: OnUnsafe): string | undefined {
  if (text.length <= maxLength && isSafeCssValue(text, functions)) return text
  onUnsafe()
  return undefined
}

/** Reads `{ size, unit }`; a bare number has the default unit. */
export function sizeText(value: unknown, onUnsafe: OnUnsafe, defaultUnit = 'px'): string | undefined {
  if (!isObject(value)) return lengthText(value, defaultUnit, onUnsafe)
  const unit = textOf(ownValue(value, 'unit')) || defaultUnit
  return lengthText(ownValue(value, 'size'), unit, onUnsafe)
}

/** Writes a number with its unit; the unit `custom` writes the text unchanged. */
export function lengthText(size: unknown, unit: string, onUnsafe: OnUnsafe): string | undefined {
  if (size === undefined || size === null || size === '') return undefined
  if (unit === 'custom') return valueText(size, onUnsafe)
  const number = numberOf(size)
  if (number === undefined && typeof size !== 'string') return undefined
  if (number !== undefined && UNITS.has(unit.toLowerCase())) return numberText(number) + unit
  onUnsafe()
  return undefined
}

/** Writes a number without an exponent. */
export const numberText = (number: number): string =>
  Math.abs(number) >= 1e15 || (number !== 0 && Math.abs(number) < 1e-6) ? '0' : String(number)

/** Writes a font family in quotes. */
export function fontText(value: unknown, onUnsafe: OnUnsafe): string | undefined {
  if (typeof value !== 'string') return undefined
  const family = value.trim()
  if (family === '') return undefined
  if (family.length > 200 || /[;{}<>\0-\x1f]|\/\*|\*\//.test(family)) {
    onUnsafe()
    return undefined
  }
  return quoted(family)
}

const GENERIC_FONTS = names(
  'serif sans-serif monospace cursive fantasy system-ui ui-serif ui-sans-serif ui-monospace ui-rounded math emoji ' +
    'inherit initial unset revert revert-layer',
)
/** Matches a family whose name is a list of identifiers. */
const PLAIN_FONT = /^[a-z][a-z\d-]*(?: [a-z][a-z\d-]*)*$/i

/** Writes a list of font families, and returns those that the page has to load. */
export function fontList(
  value: unknown,
  onUnsafe: OnUnsafe,
): { readonly text: string; readonly families: readonly string[] } | undefined {
  if (typeof value !== 'string' || value.trim() === '') return undefined
  const entries = value
    .slice(0, maxLength)
    .split(',')
    .map((entry) => entry.trim().replace(/^(["'])(.*)\1$/, '$2'))
    .filter((entry) => entry !== '')
  const texts = entries.map((entry) => (PLAIN_FONT.test(entry) ? entry : fontText(entry, onUnsafe)))
  if (texts.length === 0 || texts.includes(undefined)) return undefined
  return { text: texts.join(', '), families: entries.filter((entry) => !GENERIC_FONTS.has(entry.toLowerCase())) }
}

/** Writes a CSS string. */
export const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`

/** Writes `url("…")` of a checked address. No character of the address can end the string or the sheet. */
export const urlText = (address: string): string =>
  `url("${address.replace(/["\\<>\0-\x20\x7f]/g, (sign) => `%${(sign.codePointAt(0) ?? 0).toString(16).padStart(2, '0').toUpperCase()}`)}")`

/** Accepts a value of a closed list. */
export const keywordText = (value: unknown, keywords: ReadonlySet<string>): string | undefined => {
  const text = textOf(value)
  return keywords.has(text) ? text : undefined
}
