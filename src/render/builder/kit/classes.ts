/** Global classes of the kit, in the order in which their rules count. */
import { isObject, nameOf, objectOf, ownValue, type RawSettings } from '../document/values.ts'

export interface GlobalClass {
  readonly id: string
  /** The class name. */
  readonly label: string
  readonly style: RawSettings
}

/** By id. Those that the order leaves out come first, so that they win over nothing. */
export function readClasses(stored: unknown): ReadonlyMap<string, GlobalClass> {
  const live = objectOf(ownValue(objectOf(stored), 'live'))
  const items = objectOf(ownValue(live, 'items'))
  const listed = ownValue(live, 'order')
  const order = new Set((Array.isArray(listed) ? listed : []).filter((id) => typeof id === 'string'))
  const ids = [...Object.keys(items).filter((id) => !order.has(id)), ...order]
  return new Map(
    ids.flatMap((id): [string, GlobalClass][] => {
      const style = ownValue(items, id)
      if (!isObject(style)) return []
      const label = nameOf(ownValue(style, 'label'))
      return label === '' ? [] : [[id, { id, label, style }]]
    }),
  )
}
