/**
 * Conditions on the meta of posts and terms. Keys that begin with an underscore are protected and cannot be searched.
 */

import type { Json } from '../../../contract/storage.ts'
import { fold } from '../../../contract/text-fold.ts'
import { invalid, isObject, type Members, type Parsed, parseTree, type Tree } from './argument-formats.ts'

interface MetaCondition {
  readonly key: string
  readonly matches: (stored: Json | undefined) => boolean
}

export type MetaTree = Tree<MetaCondition>

export const parseMetaQuery = (input: unknown): Parsed<MetaTree | undefined> => parseTree(input, 'key', toCondition)

export const keysOf = (tree: MetaTree): string[] =>
  'condition' in tree ? [tree.condition.key] : ('every' in tree ? tree.every : tree.some).flatMap(keysOf)

export function matchesTree(tree: MetaTree, stored: ReadonlyMap<string, Json>): boolean {
  if ('condition' in tree) return tree.condition.matches(stored.get(tree.condition.key))
  if ('every' in tree) return tree.every.every((branch) => matchesTree(branch, stored))
  return tree.some.some((branch) => matchesTree(branch, stored))
}

const numericTypes = ['NUMERIC', 'SIGNED', 'UNSIGNED', 'DECIMAL']
const textTypes = ['CHAR', 'BINARY', 'DATE', 'DATETIME', 'TIME']
const maxValues = 100

type Comparable = number | string
type Test = (stored: Comparable, values: readonly Comparable[]) => boolean

const [first, second] = [
  (values: readonly Comparable[]) => values[0] ?? '',
  (values: readonly Comparable[]) => values[1] ?? '',
]

/** Interface: every comparison requires a stored value, also the negative ones. */
const tests: ReadonlyMap<string, Test> = new Map<string, Test>([
  ['=', (stored, values) => stored === first(values)],
  ['!=', (stored, values) => stored !== first(values)],
  ['>', (stored, values) => stored > first(values)],
  ['>=', (stored, values) => stored >= first(values)],
  ['<', (stored, values) => stored < first(values)],
  ['<=', (stored, values) => stored <= first(values)],
  ['LIKE', (stored, values) => String(stored).includes(String(first(values)))],
  ['NOT LIKE', (stored, values) => !String(stored).includes(String(first(values)))],
  ['IN', (stored, values) => values.includes(stored)],
  ['NOT IN', (stored, values) => !values.includes(stored)],
  ['BETWEEN', (stored, values) => stored >= first(values) && stored <= second(values)],
  ['NOT BETWEEN', (stored, values) => stored < first(values) || stored > second(values)],
])

function toCondition(members: Members): Parsed<MetaCondition> {
  const key = members.get('key')
  if (typeof key !== 'string' || key === '' || key.length > 255) return invalid('A condition has no key.')
  if (key.startsWith('_')) return invalid(`${key.slice(0, 50)} is protected.`)
  const input = members.get('value')
  const values = valuesIn(input)
  if (values.length > maxValues || values.some(isObject))
    return invalid('A value is a text, a number or a list of them.')
  const compare = String(members.get('compare') ?? (isObject(input) ? 'IN' : '=')).toUpperCase()
  if (compare === 'EXISTS') return { value: { key, matches: (stored) => stored !== undefined } }
  if (compare === 'NOT EXISTS') return { value: { key, matches: (stored) => stored === undefined } }
  const test = tests.get(compare)
  if (!test) return invalid('There is no such comparison.')
  const type = String(members.get('type') ?? 'CHAR').toUpperCase()
  const isNumeric = numericTypes.some((name) => type.startsWith(name))
  if (!isNumeric && !textTypes.includes(type)) return invalid('There is no such type of values.')
  const toComparable: (value: unknown) => Comparable = isNumeric ? toNumber : toText
  const comparables = values.map(toComparable)
  return { value: { key, matches: (stored) => stored !== undefined && test(toComparable(stored), comparables) } }
}

function valuesIn(input: unknown): unknown[] {
  if (input === undefined || input === null) return []
  return isObject(input) ? Object.values(input) : [input]
}

const toNumber = (value: unknown): number => Number(value) || 0

/** Folded: compared without regard to case and accents. */
const toText = (value: unknown): string => fold(typeof value === 'object' ? JSON.stringify(value) : String(value))
