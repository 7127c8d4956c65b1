/** Validates the properties of a component that each instance may override, in named groups. */

import type { Json } from '../../../contract/storage.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { type BuilderElement, isObject } from '../../shared/elements.ts'

export interface OverridableProps {
  readonly props: { readonly [key: string]: Json }
  readonly groups: Json
}

interface Group {
  readonly id: string
  readonly label: string
  readonly props: readonly string[]
}

const invalid = (problem: string) => new ApiError('settings_validation_failed', problem, 422)

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const textsIn = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) && value.every((text) => typeof text === 'string') ? value : undefined

/** Interface: clients often send an empty map as an empty list. */
const mapIn = (value: unknown): BuilderElement | undefined =>
  Array.isArray(value) && value.length === 0 ? {} : isObject(value) ? value : undefined

/** Undefined when there are no properties. Throws 422 with the first problem. */
export function toOverridableProps(input: unknown): OverridableProps | undefined {
  if (input === undefined || input === null) return undefined
  if (!isObject(input)) throw invalid('overridable_props is not an object')
  const props = mapIn(input['props'])
  const groups = mapIn(input['groups'])
  if (!props || !groups) throw invalid('props and groups are both required')
  const items = mapIn(groups['items'])
  if (Object.keys(props).length === 0 && Object.keys(items ?? {}).length === 0) return undefined
  if (!items) throw invalid('groups.items is missing')
  const groupsById = groupsIn(items)
  checkOrder(groups['order'], groupsById)
  const holders = Map.groupBy(
    [...groupsById.values()].flatMap((group) => group.props.map((key) => ({ key, id: group.id }))),
    ({ key }) => key,
  )
  const labels = new Set<string>()
  for (const [key, prop] of Object.entries(props)) {
    checkProp(
      key,
      prop,
      (holders.get(key) ?? []).map(({ id }) => id),
      labels,
    )
  }
  for (const { id, props: keys } of groupsById.values()) checkKeys(id, keys, props)
  // The casts: all values are from a JSON body.
  return { props: props as OverridableProps['props'], groups: { items, order: groups['order'] } as Json }
}

function groupsIn(items: BuilderElement): ReadonlyMap<string, Group> {
  const groups = new Map<string, Group>()
  const labels = new Set<string>()
  for (const [key, group] of Object.entries(items)) {
    if (!isObject(group)) throw invalid(`groups.items.${key} is not an object`)
    const { id, label } = group
    const props = textsIn(group['props'])
    if (id !== key) throw invalid(`groups.items.${key}.id differs from its key`)
    if (!isText(label)) throw invalid(`groups.items.${key}.label is missing`)
    if (!props) throw invalid(`groups.items.${key}.props is not a list of texts`)
    if (labels.has(label)) throw invalid(`groups.items.${key}.label is not unique: ${label}`)
    labels.add(label)
    groups.set(key, { id: key, label, props })
  }
  return groups
}

function checkOrder(value: unknown, groups: ReadonlyMap<string, Group>): void {
  const order = textsIn(value)
  if (!order) throw invalid('groups.order is not a list of texts')
  if (new Set(order).size !== order.length) throw invalid('groups.order repeats a group')
  if (order.length !== groups.size || !order.every((id) => groups.has(id))) {
    throw invalid('groups.order does not hold just the groups')
  }
}

const requiredTexts = ['overrideKey', 'label', 'elementId', 'elType', 'widgetType', 'propKey', 'groupId'] as const

/** `holders`: the ids of the groups that list the property. `labels`: group and label of earlier properties. */
function checkProp(key: string, prop: unknown, holders: readonly string[], labels: Set<string>): void {
  if (!isObject(prop)) throw invalid(`props.${key} is not an object`)
  for (const name of requiredTexts) if (!isText(prop[name])) throw invalid(`props.${key}.${name} is missing`)
  const { overrideKey, groupId, label } = prop
  if (overrideKey !== key) throw invalid(`props.${key}.overrideKey differs from its key`)
  if (!holders.includes(String(groupId))) throw invalid(`props.${key} is not in the group ${groupId}`)
  if (holders.some((id) => id !== groupId)) throw invalid(`props.${key} is in several groups`)
  const labelInGroup = JSON.stringify([groupId, label])
  if (labels.has(labelInGroup)) throw invalid(`props.${key}.label is not unique in its group: ${label}`)
  labels.add(labelInGroup)
}

function checkKeys(group: string, keys: readonly string[], props: BuilderElement): void {
  if (new Set(keys).size !== keys.length) throw invalid(`groups.items.${group}.props repeats a property`)
  const unknown = keys.find((key) => !Object.hasOwn(props, key))
  if (unknown !== undefined) throw invalid(`groups.items.${group}.props names an unknown property: ${unknown}`)
}
