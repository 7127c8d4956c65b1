/** The elements of a document by their ids, and where each is. Reads them level by level, so that no depth is too deep. */
import { type BuilderElement, isObject } from '../elements.ts'

export interface ElementPlace {
  /** The id of the element that it is in; an empty text: none. */
  readonly parent: string
  readonly position: number
}

export interface Placed extends ElementPlace {
  readonly element: BuilderElement
}

export interface ElementTree {
  readonly placed: ReadonlyMap<string, Placed>
  /** Has the ids of the elements inside each one, in order; by an empty text those that are inside none. */
  readonly lists: ReadonlyMap<string, readonly string[]>
  /** False: something in it is no element, or two elements have one id. */
  readonly isWhole: boolean
}

/** Of elements with one id the last one counts. */
export function treeOf(elements: readonly unknown[]): ElementTree {
  const placed = new Map<string, Placed>()
  const waiting: { readonly list: readonly unknown[]; readonly parent: string }[] = [{ list: elements, parent: '' }]
  let isWhole = true
  for (const { list, parent } of waiting) {
    for (const [position, element] of list.entries()) {
      const id = isObject(element) ? idOf(element) : ''
      isWhole &&= id !== '' && !placed.has(id)
      if (!isObject(element)) continue
      placed.set(id, { element, parent, position })
      const inner = element['elements']
      if (Array.isArray(inner)) waiting.push({ list: inner, parent: id })
    }
  }
  return { placed, lists: listsOf(placed), isWhole }
}

const idOf = ({ id }: BuilderElement): string => (typeof id === 'string' || typeof id === 'number' ? String(id) : '')

function listsOf(placed: ReadonlyMap<string, Placed>): ReadonlyMap<string, readonly string[]> {
  const lists = new Map<string, string[]>()
  for (const [id, { parent }] of placed) {
    const list = lists.get(parent)
    if (list) list.push(id)
    else lists.set(parent, [id])
  }
  return lists
}
