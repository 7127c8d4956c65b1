/**
 * The one parser for query strings and form bodies. It looks only at the names it is given, and never builds more than
 * the bounds allow: `a=1`, `a[]=1`, `a[3]=1`, `a[b]=1`, `a[b][]=1`.
 *
 * Choice: the last one counts. `a=1&a=2` is `2`; a plain value replaces what brackets have built, and the other way round.
 */
import { ApiError, queryTooLarge } from './errors.ts'

export const maxPairs = 1000
export const maxDepth = 4
const refusedKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** Where the value of a name goes. */
export type Slots = ReadonlyMap<string, number>

/** Values by slot: a text, a list or an object of them; undefined where a name was not sent. */
export function scanPairs(source: string, slots: Slots, values: unknown[]): void {
  let pairs = 0
  let from = 0
  while (from < source.length) {
    if (++pairs > maxPairs) throw queryTooLarge(`has more than ${maxPairs} values`)
    let end = source.indexOf('&', from)
    if (end === -1) end = source.length
    let equals = source.indexOf('=', from)
    if (equals === -1 || equals > end) equals = end
    if (equals > from) readPair(source, from, equals, end, slots, values)
    from = end + 1
  }
}

function readPair(source: string, from: number, equals: number, end: number, slots: Slots, values: unknown[]): void {
  const written = source.slice(from, equals)
  let slot = slots.get(written)
  let brackets = -1
  let name = written
  if (slot === undefined) {
    name = decode(written)
    brackets = name.indexOf('[')
    slot = slots.get(brackets > 0 ? name.slice(0, brackets) : name)
    if (slot === undefined) {
      refuseKeys(name)
      return
    }
  }
  const value = equals < end ? decode(source.slice(equals + 1, end)) : ''
  if (brackets > 0) place(values, slot, keysOf(name, brackets), value)
  else values[slot] = value
}

/** A name nobody asked for is ignored, but not one that aims at a prototype. */
function refuseKeys(name: string): void {
  const bracket = name.indexOf('[')
  const base = bracket === -1 ? name : name.slice(0, bracket)
  if (refusedKeys.has(base)) throw refused(base)
  if (bracket !== -1) keysOf(name, bracket)
}

const refused = (key: string) =>
  new ApiError('rest_invalid_param', `Invalid parameter(s): ${key}`, 400, {
    params: { [`[${key}]`]: 'This name is reserved.' },
    details: {},
  })

/** `[b][]` as `['b', '']`. Text behind the last bracket is dropped. */
function keysOf(name: string, from: number): string[] {
  const keys: string[] = []
  let at = from
  while (name[at] === '[') {
    const close = name.indexOf(']', at)
    if (close === -1) break
    const key = name.slice(at + 1, close)
    if (refusedKeys.has(key)) throw refused(key)
    if (keys.push(key) > maxDepth) throw queryTooLarge(`has names nested deeper than ${maxDepth}`)
    at = close + 1
  }
  return keys
}

const escapes = /[%+]/

/** Throws 400 for escapes that are not UTF-8, and for NUL, which no storage takes. */
export function decode(text: string): string {
  if (!escapes.test(text)) {
    if (text.includes('\0')) throw badEscape()
    return text
  }
  try {
    const decoded = decodeURIComponent(text.includes('+') ? text.replaceAll('+', ' ') : text)
    if (decoded.includes('\0')) throw badEscape()
    return decoded
  } catch {
    throw badEscape()
  }
}

const badEscape = () => new ApiError('rest_bad_escape', 'The URL holds an escape that is not UTF-8 text, or NUL.', 400)

// ---------------------------------------------------------------- brackets

/** What brackets build, by key in the order of arrival; a class of its own, so that no text can be mistaken for it. */
class Branch {
  readonly entries = new Map<string, unknown>()
  next = 0
}

function place(values: unknown[], slot: number, keys: readonly string[], value: string): void {
  if (keys.length === 0) {
    values[slot] = value
    return
  }
  const root = values[slot]
  let branch = root instanceof Branch ? root : new Branch()
  values[slot] = branch
  for (const [depth, written] of keys.entries()) {
    const key = written === '' ? String(branch.next) : written
    if (isIndex(key)) branch.next = Math.max(branch.next, Number(key) + 1)
    if (depth === keys.length - 1) {
      branch.entries.set(key, value)
      return
    }
    const below = branch.entries.get(key)
    const child = below instanceof Branch ? below : new Branch()
    branch.entries.set(key, child)
    branch = child
  }
}

const isIndex = (key: string): boolean => /^\d{1,9}$/.test(key)

/** Branches become lists where all keys are numbers, in the order of arrival, else objects. */
export function plain(value: unknown): unknown {
  if (!(value instanceof Branch)) return value
  const keys = [...value.entries.keys()]
  if (keys.every(isIndex)) return [...value.entries.values()].map(plain)
  return Object.fromEntries([...value.entries].map(([key, inner]) => [key, plain(inner)]))
}

/** Every pair of a form body as an object. */
export function parseForm(source: string): { [name: string]: unknown } {
  const slots = new Map<string, number>()
  for (const pair of source.split('&', maxPairs + 1)) {
    const name = decode(pair.slice(0, pair.includes('=') ? pair.indexOf('=') : undefined))
    const bracket = name.indexOf('[')
    const base = bracket > 0 ? name.slice(0, bracket) : name
    if (refusedKeys.has(base)) throw refused(base)
    if (base !== '' && !slots.has(base)) slots.set(base, slots.size)
  }
  const values: unknown[] = []
  scanPairs(source, slots, values)
  return Object.fromEntries(
    [...slots].filter(([, slot]) => values[slot] !== undefined).map(([name, slot]) => [name, plain(values[slot])]),
  )
}
