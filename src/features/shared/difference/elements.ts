/** The differences of two documents of the page builder: by element, found by its id. */
import type { Json } from '../../../contract/storage.ts'
import type { BuilderElement } from '../elements.ts'
import { movedWithin } from './order.ts'
import { type ElementPlace, type Placed, treeOf } from './tree.ts'
import { type MemberDifference, memberDifferences } from './values.ts'

export interface ElementDifference {
  readonly id: string
  /** The type of the widget, or of the element. */
  readonly name: string
  readonly change: 'added' | 'removed' | 'moved' | 'changed'
  /** The element that it is in, before and after; an empty text: none. Absent where it did not move. */
  readonly from?: ElementPlace
  readonly to?: ElementPlace
  readonly members: readonly MemberDifference[]
}

const nameOf = (element: BuilderElement): string => String(element['widgetType'] ?? element['elType'] ?? 'element')

/** In the order of the document after; removed elements come last. An element within an added or removed one is part of it. */
export function elementDifferences(
  before: readonly BuilderElement[],
  after: readonly BuilderElement[],
): ElementDifference[] {
  const [was, is] = [treeOf(before), treeOf(after)]
  const [a, b] = [was.placed, is.placed]
  const moved = new Set([...is.lists].flatMap(([parent, list]) => [...movedWithin(was.lists.get(parent) ?? [], list)]))
  const stayed = [...b].flatMap(([id, now]) => {
    const then = a.get(id)
    return then ? changeOf(id, then, now, moved) : cameOrWent(id, now, a, 'added')
  })
  const gone = [...a].flatMap(([id, then]) => (b.has(id) ? [] : cameOrWent(id, then, b, 'removed')))
  return [...stayed, ...gone]
}

function changeOf(id: string, was: Placed, is: Placed, moved: ReadonlySet<string>): ElementDifference[] {
  const members = memberDifferences(ownMembers(was.element), ownMembers(is.element))
  const name = nameOf(is.element)
  if (was.parent !== is.parent || moved.has(id)) {
    return [{ id, name, change: 'moved', from: placeOf(was), to: placeOf(is), members }]
  }
  return members.length > 0 ? [{ id, name, change: 'changed', members }] : []
}

/** `others`: the elements of the other document. */
function cameOrWent(
  id: string,
  placed: Placed,
  others: ReadonlyMap<string, Placed>,
  change: 'added' | 'removed',
): ElementDifference[] {
  if (placed.parent !== '' && !others.has(placed.parent)) return []
  const own = ownMembers(placed.element)
  const name = nameOf(placed.element)
  return change === 'added'
    ? [{ id, name, change, to: placeOf(placed), members: memberDifferences({}, own) }]
    : [{ id, name, change, from: placeOf(placed), members: memberDifferences(own, {}) }]
}

const placeOf = ({ parent, position }: ElementPlace): ElementPlace => ({ parent, position })

/** Without the elements inside, and without what identifies it. */
function ownMembers(element: BuilderElement): { readonly [member: string]: Json } {
  const { id: _id, elements: _elements, elType: _type, widgetType: _widget, isInner: _inner, ...own } = element
  // The cast: elements were parsed from JSON.
  return own as { readonly [member: string]: Json }
}
