/** The global classes as kits have them: `{ items, order }` in a file. */
import type { Json } from '../../../contract/storage.ts'
import type { KitFileRules } from '../../../core/declare/feature.ts'
import { isObject } from '../../shared/elements.ts'
import { storedPart } from '../../shared/kit.ts'
import {
  type ClassChanges,
  type ClassList,
  classesPart,
  limits,
  mergeChanges,
  readClass,
  repairOrder,
} from './model.ts'

export const classesFile: KitFileRules = {
  option: classesPart.option,
  withFile(stored, file, { replaces, onProblem }) {
    const { live, preview } = storedPart(classesPart, stored === undefined ? {} : { [classesPart.option]: stored })
    const { items, order } = isObject(file) ? file : {}
    const read = Object.entries(isObject(items) ? items : {}).flatMap(([id, given]) => {
      const one = readClass(id, given)
      if (typeof one !== 'string') return [[id, one] as const]
      onProblem(id)
      return []
    })
    const isKnown = (id: string) => Object.hasOwn(live.items, id)
    const fresh = read.filter(([id]) => !isKnown(id))
    const room = Math.max(0, limits.classes - Object.keys(live.items).length)
    for (const [id] of fresh.slice(room)) onProblem(id)
    const taken = [...fresh.slice(0, room), ...(replaces ? read.filter(([id]) => isKnown(id)) : [])]
    const changes = {
      items: Object.fromEntries(taken),
      order: Array.isArray(order) ? order.filter((id) => typeof id === 'string') : [],
    }
    // The cast: classes are JSON.
    return { live: withTaken(live, changes), preview: preview && withTaken(preview, changes) } as unknown as Json
  },
  fileOf(stored) {
    const { live } = storedPart(classesPart, stored === undefined ? {} : { [classesPart.option]: stored })
    // The cast: classes are JSON.
    return Object.keys(live.items).length === 0
      ? undefined
      : ({ items: live.items, order: repairOrder(live) } as unknown as Json)
  },
}

function withTaken(list: ClassList, { items, order }: Pick<ClassChanges, 'items' | 'order'>): ClassList {
  const [added, modified] = [false, true].map((isKnown) =>
    Object.keys(items).filter((id) => Object.hasOwn(list.items, id) === isKnown),
  ) as [string[], string[]]
  return mergeChanges(list, { items, order: [...new Set(order)], added, modified, deleted: [] }).list
}
