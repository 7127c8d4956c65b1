/** The differences of JSON values, member by member. Objects in lists are found by their ids. */
import type { Json } from '../../../contract/storage.ts'
import { type WordRun, wordDifference } from './words.ts'

/** A member that differs. Null: there is none. */
export interface MemberDifference {
  /** `title`, `settings.title_color`, `items[ab12].label`. */
  readonly member: string
  readonly before: Json
  readonly after: Json
  /** Of two texts with blanks: their words. */
  readonly words?: readonly WordRun[]
}

/** A record with more differing members is shown without the others. */
const maxMembers = 400
const maxDepth = 12

type Value = Json | undefined

export function memberDifferences(before: Value, after: Value, member = ''): MemberDifference[] {
  const found: MemberDifference[] = []
  collect(before, after, member, 0, found)
  return found
}

function collect(before: Value, after: Value, member: string, depth: number, found: MemberDifference[]): void {
  if (found.length >= maxMembers || JSON.stringify(before) === JSON.stringify(after)) return
  // An object that came or went is compared member by member, too.
  const [a, b] = [membersOf(before ?? emptyLike(after)), membersOf(after ?? emptyLike(before))]
  if (!a || !b || depth > maxDepth) {
    found.push(difference(member, before, after))
    return
  }
  for (const name of new Set([...a.keys(), ...b.keys()])) {
    collect(a.get(name), b.get(name), member === '' ? name.replace(/^\./, '') : member + name, depth + 1, found)
  }
}

const emptyLike = (other: Value): Value =>
  typeof other === 'object' && other !== null && !Array.isArray(other) ? {} : undefined

/** The members of an object, and of a list whose objects have ids; others are compared as a whole. */
function membersOf(value: Value): ReadonlyMap<string, Json> | undefined {
  if (value === null || typeof value !== 'object') return undefined
  if (!Array.isArray(value)) return new Map(Object.entries(value).map(([name, one]) => [`.${name}`, one]))
  const ids = value.map(idOf)
  return ids.length > 0 && ids.every((id) => id !== undefined) && new Set(ids).size === ids.length
    ? new Map(value.map((one: Json, index) => [`[${ids[index]}]`, one]))
    : undefined
}

function idOf(value: Json): string | undefined {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined
  const { id, _id } = value as { readonly [name: string]: Json }
  const found = id ?? _id
  return typeof found === 'string' || typeof found === 'number' ? String(found) : undefined
}

export function difference(member: string, before: Value, after: Value): MemberDifference {
  const values = { member, before: before ?? null, after: after ?? null }
  const areTexts = typeof before === 'string' && typeof after === 'string' && /\s/.test(before.trim() + after.trim())
  return areTexts ? { ...values, words: wordDifference(before, after) } : values
}
