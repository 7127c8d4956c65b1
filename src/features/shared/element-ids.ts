/** Gives copied elements new ids. What names another element of the copy follows: filters of lists, links to panels. */
import { type BuilderElement, isObject, mapElements, randomElementId } from './elements.ts'

export function withNewIds(elements: readonly BuilderElement[]): BuilderElement[] {
  const ids = new Map<string, string>()
  const copies = mapElements(elements, (element) => {
    const id = randomElementId()
    if (typeof element['id'] === 'string') ids.set(element['id'], id)
    return { ...element, id }
  })
  return mapElements(copies, (element) =>
    isObject(element['settings']) ? { ...element, settings: withMappedIds(element['settings'], ids) } : element,
  )
}

/** Returns a value of the settings in which references to elements have the new ids; `name` is that of its setting. */
function withMappedIds(value: unknown, ids: ReadonlyMap<string, string>, name = ''): unknown {
  if (typeof value === 'string') {
    if (name === 'selected_element') return ids.get(value) ?? value
    return value.includes(panel) ? value.replace(panelId, (id) => ids.get(id) ?? id) : value
  }
  if (Array.isArray(value)) return value.map((item) => withMappedIds(item, ids))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, withMappedIds(child, ids, key)]))
}

/** A dynamic tag holds its settings as an encoded JSON text. */
const panel = '%22off_canvas%22%3A%22'
const panelId = /(?<=%22off_canvas%22%3A%22)[\w-]+(?=%22)/g
