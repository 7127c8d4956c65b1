/**
 * Variables of the kit and their rules. Changes are pure functions from the stored variables to the new ones;
 * `changeKit` writes them and repeats a change after a concurrent write.
 */

import { ApiError } from '../../../core/declare/errors.ts'
import { randomNumber } from '../../../core/runtime/crypto.ts'
import { stripTags } from '../../../html/strip-tags.ts'
import { type BuilderElement, isObject } from '../../shared/elements.ts'
import { isCssValue, kitPart } from '../../shared/kit.ts'

export const limits = { active: 1000, id: 64, label: 50, value: 512 } as const

const sizeTypes = ['global-size-variable', 'global-custom-size-variable'] as const
export const variableTypes = ['global-color-variable', 'global-font-variable', ...sizeTypes] as const
/** Interface: `reorder` is a valid type, but the operation always fails. */
export const operationTypes = ['create', 'update', 'delete', 'restore', 'reorder'] as const

export interface Variable {
  readonly id: string
  readonly type: string
  readonly label: string
  readonly value: string
  readonly order: number
  readonly createdAt?: string
  readonly updatedAt?: string
  /** Deleted variables stay stored, because documents may refer to them. */
  readonly deletedAt?: string
  readonly syncToV3?: boolean
  /** The watermark of the last write that changed it. */
  readonly changedAt: number
}

export interface Variables {
  /** Incremented by each write. */
  readonly watermark: number
  /** The records are in the order of creation. */
  readonly list: readonly Variable[]
}

export const variablesPart = kitPart<Variables>('variables', { watermark: 0, list: [] })

/** Gives the time of a change and new ids. */
export interface ChangeContext {
  /** UTC, `YYYY-MM-DD HH:MM:SS`. */
  readonly now: string
  readonly newId: () => string
}

export interface VariableValues {
  readonly type?: string
  readonly label?: string
  readonly value?: string
  readonly order?: number
  readonly syncToV3?: boolean
  readonly createdAt?: string
  readonly updatedAt?: string
}

/** The result of one change: all variables, and the changed one. */
export interface VariableChange {
  readonly variables: Variables
  readonly variable: Variable
}

/** Interface: after the largest safe integer the watermark starts again at 1. */
export const nextWatermark = ({ watermark }: Variables) => (watermark >= Number.MAX_SAFE_INTEGER ? 1 : watermark + 1)

// ---------------------------------------------------------------- texts

export const cleanText = (text: string): string => stripTags(text).trim()

export const isOfLength = (name: 'id' | 'label' | 'value', text: string): boolean =>
  text !== '' && text.length <= limits[name]

export const isVariableValue = isCssValue

/**
 * Interface: a label that passes the argument check but is not a name is refused with `unexpected_server_error`.
 * Choice: labels follow the rule of the clients, because they become names of custom properties.
 */
const isLabel = (label: string) => /^[\w-]*[A-Za-z0-9][\w-]*$/.test(label)

const invalidLabel = () =>
  new ApiError('unexpected_server_error', 'A label has letters, digits, hyphens and underscores only.', 400)

// ---------------------------------------------------------------- changes

export function createVariable(
  variables: Variables,
  values: Required<Pick<VariableValues, 'type' | 'label' | 'value'>> & VariableValues,
  { newId }: ChangeContext,
): VariableChange {
  const { watermark, list } = variables
  checkLimit(list)
  checkLabel(list, values.label)
  const variable: Variable = {
    ...definedMembers(values),
    id: unusedId(list, newId),
    type: values.type,
    label: values.label,
    value: values.value,
    order: values.order ?? nextOrder(list),
    changedAt: nextWatermark(variables),
  }
  return { variable, variables: { watermark, list: [...list, variable] } }
}

/** Deleted variables can be changed too. */
export function updateVariable(
  variables: Variables,
  id: string,
  values: VariableValues,
  { now }: ChangeContext,
): VariableChange {
  const before = findVariable(variables, id)
  checkType(before, values.type)
  if (values.label !== undefined) checkLabel(variables.list, values.label, id)
  return replaceVariable(variables, { ...before, ...definedMembers(values), updatedAt: now })
}

/** Deleting a deleted variable updates the date. */
export function deleteVariable(variables: Variables, id: string, { now }: ChangeContext): VariableChange {
  return replaceVariable(variables, { ...findVariable(variables, id), deletedAt: now })
}

/** Limit and label are checked as for a new variable. */
export function restoreVariable(
  variables: Variables,
  id: string,
  values: VariableValues,
  { now }: ChangeContext,
): VariableChange {
  const { deletedAt, ...before } = findVariable(variables, id)
  if (deletedAt !== undefined) checkLimit(variables.list)
  checkType(before, values.type)
  checkLabel(variables.list, values.label ?? before.label, id)
  return replaceVariable(variables, { ...before, ...definedMembers(values), updatedAt: now })
}

function replaceVariable(variables: Variables, changed: Variable): VariableChange {
  const { watermark, list } = variables
  const variable = { ...changed, changedAt: nextWatermark(variables) }
  return {
    variable,
    variables: { watermark, list: list.map((stored) => (stored.id === variable.id ? variable : stored)) },
  }
}

/** The change as a write: with the next watermark. */
export const withNextWatermark = ({ variables, variable }: VariableChange): VariableChange => ({
  variable,
  variables: { ...variables, watermark: nextWatermark(variables) },
})

const definedMembers = <T extends object>(values: T): T =>
  // The cast: only undefined members are removed.
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T

/** The value of each active variable by its id. */
export function valuesOf({ list }: Pick<Variables, 'list'>): (id: string) => string | undefined {
  const values = new Map(list.filter(isActive).map(({ id, value }) => [id, value]))
  return (id) => values.get(id)
}

const isActive = ({ deletedAt }: Variable) => deletedAt === undefined

function findVariable({ list }: Variables, id: string): Variable {
  const variable = list.find((stored) => stored.id === id)
  if (!variable) throw new ApiError('variable_not_found', 'There is no such variable.', 404)
  return variable
}

function checkLimit(list: readonly Variable[]): void {
  if (list.filter(isActive).length < limits.active) return
  throw new ApiError('invalid_variable_limit_reached', `There can be ${limits.active} variables at most.`, 400)
}

function checkLabel(list: readonly Variable[], label: string, id?: string): void {
  if (!isLabel(label)) throw invalidLabel()
  const lowerCase = label.toLowerCase()
  const isTaken = (other: Variable) => other.id !== id && isActive(other) && other.label.toLowerCase() === lowerCase
  if (!list.some(isTaken)) return
  throw new ApiError('duplicated_label', 'Another variable has this label.', 400)
}

const isSize = (type: string) => sizeTypes.some((name) => name === type)

function checkType(before: Variable, type: string | undefined): void {
  if (type === undefined || type === before.type) return
  if (isSize(type) && isSize(before.type)) return
  throw new ApiError('type_mismatch', 'The type of a variable cannot be changed to this one.', 400)
}

const nextOrder = (list: readonly Variable[]) => 1 + Math.max(0, ...list.filter(isActive).map(({ order }) => order))

function unusedId(list: readonly Variable[], newId: () => string): string {
  const taken = new Set(list.map(({ id }) => id))
  let id = newId()
  while (taken.has(id)) id = newId()
  return id
}

/** `e-gv-` and 7 hexadecimal digits. */
export function randomId(): string {
  const number = randomNumber()
  return `e-gv-${number.toString(16).padStart(8, '0').slice(1)}`
}

// ---------------------------------------------------------------- variables of files

export type NewVariable = Pick<Variable, 'type' | 'label' | 'value'>

export const isVariableType = (type: unknown) => variableTypes.some((name) => name === type)

/** Reads a variable as files have it. Returns undefined for any other value. */
export function variableIn({ type, label, value }: BuilderElement): NewVariable | undefined {
  const plain = isObject(value) && '$$type' in value ? value['value'] : value
  const written = isObject(plain) ? `${String(plain['size'] ?? '')}${String(plain['unit'] ?? '')}` : plain
  if (typeof type !== 'string' || !isVariableType(type)) return undefined
  if (typeof label !== 'string' || typeof written !== 'string') return undefined
  const values = { type, label: cleanText(label), value: cleanText(written) }
  const isWhole = isOfLength('label', values.label) && isOfLength('value', values.value)
  return isWhole && isVariableValue(values.value) && /^[\w-]*[A-Za-z0-9][\w-]*$/.test(values.label) ? values : undefined
}

/** Throws 400 where the site has as many as it may. */
export function addVariable(variables: Variables, id: string, values: NewVariable): VariableChange {
  const labels = new Set(variables.list.map(({ label }) => label.toLowerCase()))
  let label = values.label
  for (let number = 2; labels.has(label.toLowerCase()); number++) {
    label = `${values.label.slice(0, limits.label - String(number).length - 1)}-${number}`
  }
  const wanted = /^[\w-]{1,64}$/.test(id) ? [id] : []
  return createVariable(variables, { ...values, label }, { now: '', newId: () => wanted.pop() ?? randomId() })
}
