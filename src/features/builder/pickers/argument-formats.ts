/**
 * Parses lists, maps and condition trees that clients send as arrays or objects, as JSON text, or separated by commas.
 */
import { splitList } from '../../../contract/scalars.ts'

/** The parsed value, or the problem of the input. */
export type Parsed<T> = { readonly value: T } | { readonly problem: string }

export const invalid = (problem: string): { readonly problem: string } => ({ problem })

function parseJson(input: unknown): unknown {
  if (typeof input !== 'string') return input
  const text = input.trim()
  if (text === 'null') return ''
  if (!text.startsWith('[') && !text.startsWith('{')) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

export const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** The texts of a list, trimmed and without empty ones. */
export function parseTexts(input: unknown): Parsed<readonly string[]> {
  const value = parseJson(input)
  const values = isScalar(value) ? splitList(String(value)) : isObject(value) ? Object.values(value) : undefined
  if (!values?.every(isScalar)) return invalid('It is not a list of texts.')
  return { value: values.map((text) => String(text).trim()).filter((text) => text !== '') }
}

const maxNames = 50

/** New names by name. A list means that each name stays the same. */
export function parseMap(input: unknown): Parsed<ReadonlyMap<string, string>> {
  const map = parseJson(input)
  if (isScalar(map) || Array.isArray(map)) {
    const names = parseTexts(map)
    return 'problem' in names ? names : { value: new Map(names.value.map((name) => [name, name])) }
  }
  const entries = Object.entries(map ?? {})
  if (entries.length > maxNames) return invalid(`There are more than ${maxNames} names.`)
  if (!entries.every(([, to]) => typeof to === 'string')) return invalid('A name is mapped to what is no text.')
  return { value: new Map(entries.filter(([, to]) => to !== '')) }
}

// ---------------------------------------------------------------- conditions

/** A tree of conditions that AND (`every`) or OR (`some`) joins. */
export type Tree<C> =
  | { readonly every: readonly Tree<C>[] }
  | { readonly some: readonly Tree<C>[] }
  | { readonly condition: C }

/** The members of one condition in the input. */
export type Members = ReadonlyMap<string, unknown>

const maxConditions = 20
const maxTreeDepth = 4

/**
 * Parses `[{...}, {...}]`. An object with the member `name` is a condition; any other object is a tree whose member
 * `relation` may be AND (the default) or OR. The value is undefined when there are no conditions.
 */
export function parseTree<C>(
  input: unknown,
  name: string,
  toCondition: (members: Members) => Parsed<C>,
): Parsed<Tree<C> | undefined> {
  const value = parseJson(input)
  if (value === '' || value === undefined || value === null) return { value: undefined }
  if (!isObject(value)) return invalid('It is not a list of conditions.')
  return parseNode({ name, toCondition, count: 0 }, value, 0)
}

interface TreeParser<C> {
  readonly name: string
  readonly toCondition: (members: Members) => Parsed<C>
  /** The conditions so far. */
  count: number
}

function parseNode<C>(parser: TreeParser<C>, node: object, depth: number): Parsed<Tree<C> | undefined> {
  const members: Members = new Map(Object.entries(node))
  if (!members.has(parser.name)) return parseBranches(parser, members, depth)
  if (++parser.count > maxConditions) return invalid(`There are more than ${maxConditions} conditions.`)
  const condition = parser.toCondition(members)
  return 'problem' in condition ? condition : { value: { condition: condition.value } }
}

function parseBranches<C>(parser: TreeParser<C>, members: Members, depth: number): Parsed<Tree<C> | undefined> {
  if (depth === maxTreeDepth) return invalid('The conditions are nested too deep.')
  const relation = String(members.get('relation') ?? 'AND').toUpperCase()
  if (relation !== 'AND' && relation !== 'OR') return invalid('A relation is AND or OR.')
  const branches: Tree<C>[] = []
  for (const [key, inner] of members) {
    if (key === 'relation') continue
    if (!isObject(inner)) return invalid(`A condition is an object with a ${parser.name}.`)
    const branch = parseNode(parser, inner, depth + 1)
    if ('problem' in branch) return branch
    if (branch.value) branches.push(branch.value)
  }
  if (branches.length === 0) return { value: undefined }
  return { value: relation === 'AND' ? { every: branches } : { some: branches } }
}
