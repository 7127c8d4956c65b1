/** The forms in which clients send lists, maps and conditions: as such, as JSON text, or separated by commas. */
import { splitList } from '../../../core/request/coercion.ts'

/** What was sent, or what is wrong with it. */
export type Read<T> = { readonly value: T } | { readonly problem: string }

export const wrong = (problem: string): { readonly problem: string } => ({ problem })

function parsed(sent: unknown): unknown {
  if (typeof sent !== 'string') return sent
  const text = sent.trim()
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

/** The texts of a list, without empty ones. */
export function readTexts(sent: unknown): Read<readonly string[]> {
  const form = parsed(sent)
  const values = isScalar(form) ? splitList(String(form)) : isObject(form) ? Object.values(form) : undefined
  if (!values?.every(isScalar)) return wrong('It is not a list of texts.')
  return { value: values.map((one) => String(one).trim()).filter((one) => one !== '') }
}

const maxNames = 50

/** Name to name. A list keeps each name as it is. */
export function readMap(sent: unknown): Read<ReadonlyMap<string, string>> {
  const form = parsed(sent)
  if (isScalar(form) || Array.isArray(form)) {
    const names = readTexts(form)
    return 'problem' in names ? names : { value: new Map(names.value.map((name) => [name, name])) }
  }
  const entries = Object.entries(form ?? {})
  if (entries.length > maxNames) return wrong(`There are more than ${maxNames} names.`)
  if (!entries.every(([, to]) => typeof to === 'string')) return wrong('A name is mapped to what is no text.')
  return { value: new Map(entries.filter(([, to]) => to !== '')) }
}

// ---------------------------------------------------------------- conditions

/** Conditions joined by AND or OR. */
export type Tree<C> =
  | { readonly every: readonly Tree<C>[] }
  | { readonly some: readonly Tree<C>[] }
  | { readonly one: C }

/** The members of one condition, as sent. */
export type Members = ReadonlyMap<string, unknown>

const maxConditions = 20
const maxTreeDepth = 4

/**
 * `[{...}, {...}]`, with `relation` beside them where it is not AND, and further trees among them. `name` is the member
 * that makes an object a condition. Undefined: there is none.
 */
export function readTree<C>(
  sent: unknown,
  name: string,
  toCondition: (members: Members) => Read<C>,
): Read<Tree<C> | undefined> {
  let count = 0
  const read = (form: object, depth: number): Read<Tree<C> | undefined> => {
    const members: Members = new Map(Object.entries(form))
    if (members.has(name)) {
      if (++count > maxConditions) return wrong(`There are more than ${maxConditions} conditions.`)
      const condition = toCondition(members)
      return 'problem' in condition ? condition : { value: { one: condition.value } }
    }
    if (depth === maxTreeDepth) return wrong('The conditions are nested too deep.')
    const relation = String(members.get('relation') ?? 'AND').toUpperCase()
    if (relation !== 'AND' && relation !== 'OR') return wrong('A relation is AND or OR.')
    const branches: Tree<C>[] = []
    for (const [key, inner] of members) {
      if (key === 'relation') continue
      if (!isObject(inner)) return wrong(`A condition is an object with a ${name}.`)
      const branch = read(inner, depth + 1)
      if ('problem' in branch) return branch
      if (branch.value) branches.push(branch.value)
    }
    if (branches.length === 0) return { value: undefined }
    return { value: relation === 'AND' ? { every: branches } : { some: branches } }
  }
  const form = parsed(sent)
  if (form === '' || form === undefined || form === null) return { value: undefined }
  return isObject(form) ? read(form, 0) : wrong('It is not a list of conditions.')
}
