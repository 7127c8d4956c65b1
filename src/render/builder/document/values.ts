/** Reads stored values without trusting their types: a value of an unexpected type counts as absent. */

export interface RawSettings {
  readonly [name: string]: unknown
}

export const noSettings: RawSettings = Object.freeze({})

export const isObject = (value: unknown): value is RawSettings =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Stored settings are an object, or `[]` when the element has none. */
export const objectOf = (value: unknown): RawSettings => (isObject(value) ? value : noSettings)

/** Reads own members only: `constructor` and `__proto__` are ordinary names. */
export const ownValue = (object: RawSettings, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined

/** Returns a text, or a finite number as text; empty for anything else. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : ''
}

/** Returns a finite number, also from text. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'string' || !/^[+-]?(?:\d{1,15}(?:\.\d{0,10})?|\.\d{1,10})$/.test(value.trim())) return undefined
  return Number(value)
}

/** Returns a positive id, from a number or digits. */
export function idOf(value: unknown): number | undefined {
  const id = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? id : undefined
}

/**
 * Returns whether a value is absent, null, an empty text or list, or an object whose address, size or value is empty. 0 is a
 * value.
 */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true
  if (Array.isArray(value)) return value.length === 0
  if (!isObject(value)) return false
  const main = ['url', 'size', 'value'].find((name) => Object.hasOwn(value, name))
  if (main === undefined) return Object.keys(value).length === 0
  return main === 'url' ? isEmptyAddress(value) : isEmpty(value[main])
}

/** A media value may have an id and no address. */
const isEmptyAddress = (value: RawSettings): boolean => isEmpty(value['url']) && idOf(value['id']) === undefined

/** Drops all characters that class names and ids do not allow. */
export const nameOf = (value: unknown): string => textOf(value).replace(/[^\w-]+/g, '')
