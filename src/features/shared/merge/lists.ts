/** Merges lists that two have changed: objects by their ids, and other values as the members of a set. */
import { equalJson } from '../../../contract/equal-json.ts'
import type { Json } from '../../../contract/storage.ts'
import { mergedOrder } from './order.ts'
import type { Merging, Value, Versions } from './versions.ts'

type Members = ReadonlyMap<string, Json>

/** Undefined: the members are not known by an id, or one is there twice. */
export function mergedList(
  { base, mine, theirs }: Versions<readonly Json[]>,
  member: string,
  depth: number,
  merging: Merging,
): Json[] | undefined {
  const lists = { base: membersOf(base), mine: membersOf(mine), theirs: membersOf(theirs) }
  if (!lists.base || !lists.mine || !lists.theirs) return undefined
  const versions = { base: lists.base, mine: lists.mine, theirs: lists.theirs }
  const kept = keptMembers(versions, member, depth, merging)
  const inOrder = (members: Members) => [...members.keys()].filter((name) => kept.has(name))
  const names = { base: inOrder(versions.base), mine: inOrder(versions.mine), theirs: inOrder(versions.theirs) }
  const { order, disputed } = mergedOrder(names)
  if (disputed.length > 0) merging.dispute({ base: [...base], mine: [...mine], theirs: [...theirs] }, `${member}.order`)
  return order.map((name) => kept.get(name) as Json)
}

function keptMembers(versions: Versions<Members>, member: string, depth: number, merging: Merging): Map<string, Json> {
  const { mine, theirs } = versions
  const kept = new Map<string, Json>()
  for (const name of new Set([...theirs.keys(), ...mine.keys()])) {
    const value = keptMember(versions, name, `${member}[${name}]`, depth, merging)
    if (value !== undefined) kept.set(name, value)
  }
  return kept
}

function keptMember(versions: Versions<Members>, name: string, member: string, depth: number, merging: Merging): Value {
  const one = { base: versions.base.get(name), mine: versions.mine.get(name), theirs: versions.theirs.get(name) }
  const { base, mine, theirs } = one
  if (mine !== undefined && theirs !== undefined) return merging.value(one, member, depth + 1)
  const left = mine ?? theirs
  if (base === undefined) return left
  // One has removed it. It stays where the other one has changed it.
  if (equalJson(base, left)) return undefined
  merging.dispute(one, member)
  return left
}

function membersOf(list: readonly Json[]): Members | undefined {
  const names = list.map(nameOf)
  const members = new Map(list.map((value, at) => [names[at] ?? '', value]))
  return members.has('') || members.size < list.length ? undefined : members
}

/** The id of an object; another value is known by itself. Undefined for an object without an id. */
function nameOf(value: Json): string | undefined {
  if (value === null || typeof value !== 'object') return `${JSON.stringify(value)}`
  if (Array.isArray(value))
    return value.every((one) => one === null || typeof one !== 'object') ? JSON.stringify(value) : undefined
  const { id, _id } = value as { readonly [name: string]: Json }
  const found = id ?? _id
  return typeof found === 'string' || typeof found === 'number' ? String(found) : undefined
}
