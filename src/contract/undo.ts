/**
 * The way back from a row to the row before a change. Long texts keep only the part that differs, with a check of the text that it
 * belongs to: applied to another text, it is refused instead of mixing two versions.
 */
import type { Json } from './values.ts'

/**
 * The value before a change. `[]`: there was none; `[value]`: the value; `[start, end, text, check]`: of the text after the change,
 * the first `start` and the last `end` characters stay around `text`. With a fifth member the text is that of a JSON value.
 */
type UndoneValue =
  | readonly []
  | readonly [Json]
  | readonly [number, number, string, number]
  | readonly [number, number, string, number, 1]

/** Holds the values before a change by the name of the member. */
export type UndoneMembers = { readonly [member: string]: UndoneValue }

/** The way back of one record: its row, its meta and its terms. A type, because an interface is no `Json`. */
export type Undo = {
  /** Null: the row was not there. */
  readonly row?: UndoneMembers | null
  /** True: the row is gone after the change, and `row` has all of its members. */
  readonly isRemoved?: true
  readonly meta?: UndoneMembers
  /** The terms of a post, by taxonomy. */
  readonly terms?: { readonly [taxonomy: string]: readonly number[] }
  /** The revisions that the same transaction has made of a post. */
  readonly revisions?: readonly number[]
  /** The value of an option. */
  readonly value?: UndoneValue
}

/** Below this length a text is kept whole. */
const shortText = 120

/** The value of a member; undefined: there is none. */
type Value = Json | undefined

/** Thrown where a part of a text belongs to another text than the stored one: a write has passed the history by. */
class BrokenUndo extends Error {
  readonly code = 'broken_undo'
}

/** Returns how to get `before` from `after`. */
export function undoOf(before: Value, after: Value): UndoneValue {
  if (before === undefined) return []
  if (after === undefined) return [before]
  const isText = typeof after === 'string'
  if (isText !== (typeof before === 'string')) return [before]
  const [from, to] = isText ? [before as string, after] : [JSON.stringify(before), JSON.stringify(after)]
  if (from.length <= shortText || to.length <= shortText) return [before]
  const start = commonStart(from, to)
  const end = commonEnd(from, to, start)
  const text = from.slice(start, from.length - end)
  if (text.length > from.length - shortText / 2) return [before]
  return isText ? [start, end, text, checkOf(to)] : [start, end, text, checkOf(to), 1]
}

/** Returns the value before the change that led to `after`. */
export function undone(after: Value, undo: UndoneValue): Value {
  if (undo.length === 0) return undefined
  if (undo.length === 1) return undo[0]
  const [start, end, middle, check] = undo
  const text = undo.length === 5 ? JSON.stringify(after) : after
  if (typeof text !== 'string' || checkOf(text) !== check) throw new BrokenUndo('the text is another one')
  const before = text.slice(0, start) + middle + text.slice(text.length - end)
  // The cast: the text was made of a JSON value.
  return undo.length === 5 ? (JSON.parse(before) as Json) : before
}

/** Returns the members that differ, with their values before; undefined where none does. */
export function undoOfMembers(
  before: { readonly [member: string]: Json },
  after: { readonly [member: string]: Json },
): UndoneMembers | undefined {
  const names = Object.keys(before)
  for (const name of Object.keys(after)) if (!Object.hasOwn(before, name)) names.push(name)
  const changed = names.filter((name) => !isSame(before[name], after[name]))
  if (changed.length === 0) return undefined
  return Object.fromEntries(changed.map((name) => [name, undoOf(before[name], after[name])]))
}

/** The order of keys counts: style sheets are made in it. */
const isSame = (a: Value, b: Value): boolean => a === b || JSON.stringify(a) === JSON.stringify(b)

/** Returns the row before a change; undefined: it was not there. */
export function undoneRow<Row extends object>(after: Row | undefined, { row, isRemoved }: Undo): Row | undefined {
  if (row === undefined) return after
  if (row === null) return undefined
  if (after === undefined && !isRemoved) throw new BrokenUndo('the row is gone')
  const now = (after ?? {}) as { readonly [member: string]: Json }
  const members = Object.entries(row).map(([name, undo]) => [name, undone(now[name], undo)])
  // The cast: the members are those of the row.
  return { ...now, ...Object.fromEntries(members) } as Row
}

/** No cut parts the two halves of a character: a storage takes whole characters only. */
const isHalf = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff
}

function commonStart(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  let at = 0
  while (at < length && a.charCodeAt(at) === b.charCodeAt(at)) at++
  return at > 0 && (isHalf(a, at) || isHalf(b, at)) ? at - 1 : at
}

function commonEnd(a: string, b: string, start: number): number {
  const length = Math.min(a.length, b.length) - start
  let count = 0
  while (count < length && a.charCodeAt(a.length - 1 - count) === b.charCodeAt(b.length - 1 - count)) count++
  return count > 0 && isHalf(a, a.length - count) ? count - 1 : count
}

/** FNV-1a over the text: enough to notice a text that the part does not belong to. */
function checkOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash >>> 0) + text.length
}
