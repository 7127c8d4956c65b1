/** The parts of options that change apart from the rest. */
import type { Json } from '../../../contract/storage.ts'
import { isObject, objectOf, ownValue } from '../document/values.ts'
import { kitOptions, kitParts } from '../records/keys.ts'

/** By option: the name of its part, and the value that the part has. */
export const optionParts: ReadonlyMap<string, { readonly part: string; readonly of: (value: Json) => unknown }> =
  new Map([
    [kitOptions.variables, { part: kitParts.variableNames, of: namesOf }],
    [kitOptions.classes, { part: kitParts.classLabels, of: labelsOf }],
  ])

/** The members of variables by which they are found and named. */
function namesOf(value: Json): unknown {
  const list = ownValue(objectOf(value), 'list')
  const named = ['id', 'type', 'label', 'deletedAt']
  return (Array.isArray(list) ? list : [])
    .filter(isObject)
    .map((one) => named.map((name) => ownValue(one, name) ?? null))
}

/** The labels of classes, of those that are live and of those that are prepared. */
function labelsOf(value: Json): unknown {
  return Object.entries(objectOf(value)).map(([copy, stored]) => {
    const items = Object.entries(objectOf(ownValue(objectOf(stored), 'items')))
    const labels = items.map(([id, item]) => [id, isObject(item), ownValue(objectOf(item), 'label') ?? null])
    return [copy, labels.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))]
  })
}
