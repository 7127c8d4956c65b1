/** Conditions on the meta of posts and terms. What begins with an underscore is protected: nobody searches by it. */
import { fold } from '../../../site/text-fold.ts'
import type { Json } from '../../../storage/contract.ts'
import { isObject, type Members, type Read, readTree, type Tree, wrong } from './argument-formats.ts'

interface MetaCondition {
  readonly key: string
  readonly holds: (stored: Json | undefined) => boolean
}

export type MetaTree = Tree<MetaCondition>

export const readMetaQuery = (sent: unknown): Read<MetaTree | undefined> => readTree(sent, 'key', toCondition)

export const keysOf = (tree: MetaTree): string[] =>
  'one' in tree ? [tree.one.key] : ('every' in tree ? tree.every : tree.some).flatMap(keysOf)

export function fulfils(tree: MetaTree, stored: ReadonlyMap<string, Json>): boolean {
  if ('one' in tree) return tree.one.holds(stored.get(tree.one.key))
  if ('every' in tree) return tree.every.every((branch) => fulfils(branch, stored))
  return tree.some.some((branch) => fulfils(branch, stored))
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

/** Interface: each of them, the negative ones too, asks for a stored value. */
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

function toCondition(members: Members): Read<MetaCondition> {
  const key = members.get('key')
  if (typeof key !== 'string' || key === '' || key.length > 255) return wrong('A condition has no key.')
  if (key.startsWith('_')) return wrong(`${key.slice(0, 50)} is protected.`)
  const sent = members.get('value')
  const values = isObject(sent) ? Object.values(sent) : sent === undefined || sent === null ? [] : [sent]
  if (values.length > maxValues || values.some(isObject)) return wrong('A value is a text, a number or a list of them.')
  const compare = String(members.get('compare') ?? (isObject(sent) ? 'IN' : '=')).toUpperCase()
  if (compare === 'EXISTS') return { value: { key, holds: (stored) => stored !== undefined } }
  if (compare === 'NOT EXISTS') return { value: { key, holds: (stored) => stored === undefined } }
  const test = tests.get(compare)
  if (!test) return wrong('There is no such comparison.')
  const type = String(members.get('type') ?? 'CHAR').toUpperCase()
  const isNumeric = numericTypes.some((one) => type.startsWith(one))
  if (!isNumeric && !textTypes.includes(type)) return wrong('There is no such type of values.')
  const toComparable: (value: unknown) => Comparable = isNumeric ? toNumber : toText
  const wanted = values.map(toComparable)
  return { value: { key, holds: (stored) => stored !== undefined && test(toComparable(stored), wanted) } }
}

const toNumber = (value: unknown): number => Number(value) || 0

/** Without regard to case and accents, as everywhere else. */
const toText = (value: unknown): string => fold(typeof value === 'object' ? JSON.stringify(value) : String(value))
