/**
 * The global classes and variables that a template file brings along. What the site has already is used, the rest is added under a free id
 * and label, and the elements are led to it. Of those in the file only the ones count that its elements name.
 */
import type { Json } from '../../../contract/storage.ts'
import type { TemplateFile } from '../../../services/templates.ts'
import { type BuilderElement, isObject } from '../../shared/elements.ts'
import { type ClassList, repairOrder } from '../global-classes/model.ts'
import { isVariableType, type Variable, type Variables } from '../variables/model.ts'
import { takeClasses } from './brought-classes.ts'
import { takeVariables } from './brought-variables.ts'
import type { DesignContext, Ids } from './taken-design.ts'

/** As files have them: `{ items, order }` and `{ data }`. */
export interface BroughtDesign {
  readonly classes?: unknown
  readonly variables?: unknown
}

/** The value with the ids of this site. A class or variable that cannot be taken loses its reference where the site has another of its id. */
export async function takeDesign<T extends Json>(context: DesignContext, value: T, design: BroughtDesign): Promise<T> {
  const classes = membersOf(design.classes, 'items')
  const variables = membersOf(design.variables, 'data')
  if (classes.size === 0 && variables.size === 0) return value
  const named = namesIn(value)
  const usedClasses = [...classes].filter(([id]) => named.classes.has(id))
  const inClasses = namesIn(usedClasses.map(([, item]) => item) as unknown as Json)
  const usedVariables = [...variables].filter(([id]) => named.variables.has(id) || inClasses.variables.has(id))
  const variableIds = await takeVariables(context, usedVariables)
  const led = usedClasses.map(([id, item]): [string, unknown] => [
    id,
    withIds(item as unknown as Json, { classes: new Map(), variables: variableIds }),
  ])
  const classIds = await takeClasses(context, led, orderOf(design.classes))
  // The cast: a list stays a list, and an object an object.
  return withIds(value, { classes: classIds, variables: variableIds }) as T
}

function membersOf(given: unknown, member: 'items' | 'data'): ReadonlyMap<string, BuilderElement> {
  const items = isObject(given) ? given[member] : undefined
  const entries = isObject(items) ? Object.entries(items) : []
  return new Map(entries.filter((entry): entry is [string, BuilderElement] => isObject(entry[1])))
}

function orderOf(given: unknown): readonly string[] {
  const order = isObject(given) ? given['order'] : undefined
  return Array.isArray(order) ? order.filter((id) => typeof id === 'string') : []
}

// ---------------------------------------------------------------- references

/** The ids of the classes and variables that a value names, at any depth. */
export function namesIn(value: Json): {
  readonly classes: ReadonlySet<string>
  readonly variables: ReadonlySet<string>
} {
  const [classes, variables] = [new Set<string>(), new Set<string>()]
  const read = ({ $$type: type, value: inner }: { readonly [name: string]: Json }) => {
    if (type === 'classes' && Array.isArray(inner)) for (const id of inner) classes.add(String(id))
    else if (isVariableType(type) && typeof inner === 'string') variables.add(inner)
  }
  const visit = (part: Json): void => {
    if (typeof part !== 'object' || part === null) return
    // The cast: a JSON value that is no list is an object.
    if (!Array.isArray(part)) read(part as { readonly [name: string]: Json })
    for (const inner of Object.values(part)) visit(inner as Json)
  }
  visit(value)
  return { classes, variables }
}

/** Undefined in `ids`: the reference is removed. An id that is no key stays. */
function withIds(part: Json, ids: { readonly classes: Ids; readonly variables: Ids }): Json {
  if (typeof part !== 'object' || part === null) return part
  if (Array.isArray(part)) return part.map((inner) => withIds(inner, ids))
  const { $$type: type, value } = part as { readonly [name: string]: Json }
  if (type === 'classes' && Array.isArray(value)) {
    const led = value.flatMap((id) => (ids.classes.has(String(id)) ? (ids.classes.get(String(id)) ?? []) : [id]))
    return { ...part, value: [...new Set(led)] }
  }
  if (isVariableType(type) && typeof value === 'string' && ids.variables.has(value)) {
    const id = ids.variables.get(value)
    return id === undefined ? null : { ...part, value: id }
  }
  return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, withIds(inner as Json, ids)]))
}

// ---------------------------------------------------------------- giving out

/** The classes and variables that a value names, in the form in which files have them. */
export function designOf(
  value: Json,
  { items, order }: ClassList,
  { list }: Variables,
): Pick<TemplateFile, 'global_classes' | 'global_variables'> {
  const named = namesIn(value)
  const classes = Object.entries(items).filter(([id]) => named.classes.has(id))
  // The cast: classes are JSON.
  const inClasses = namesIn(classes.map(([, item]) => item) as unknown as Json)
  const isNamed = ({ id, deletedAt }: Variable) =>
    deletedAt === undefined && (named.variables.has(id) || inClasses.variables.has(id))
  const data = list.filter(isNamed).map(({ id, type, label, value, order }) => [id, { type, label, value, order }])
  return {
    ...(classes.length === 0
      ? {}
      : {
          // The cast: classes are JSON.
          global_classes: {
            items: Object.fromEntries(classes) as unknown as Json,
            order: repairOrder({ items, order }).filter((id) => named.classes.has(id)),
          },
        }),
    ...(data.length === 0 ? {} : { global_variables: { data: Object.fromEntries(data) as Json } }),
  }
}
