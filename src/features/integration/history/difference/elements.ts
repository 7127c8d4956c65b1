/** The differences of two documents of the page builder: by element, found by its id. */
import type { Json } from '../../../../contract/storage.ts'
import { type BuilderElement, isObject } from '../../../shared/elements.ts'
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

interface ElementPlace {
  readonly parent: string
  readonly position: number
}

interface Placed extends ElementPlace {
  readonly element: BuilderElement
  /** The ids of its neighbours, in order. */
  readonly siblings: readonly string[]
}

const nameOf = (element: BuilderElement): string => String(element['widgetType'] ?? element['elType'] ?? 'element')

/** In the order of the document after; removed elements come last. An element within an added or removed one is part of it. */
export function elementDifferences(
  before: readonly BuilderElement[],
  after: readonly BuilderElement[],
): ElementDifference[] {
  const [a, b] = [placedById(before), placedById(after)]
  const stayed = [...b].flatMap(([id, is]) => {
    const was = a.get(id)
    return was ? changeOf(id, was, is) : cameOrWent(id, is, a, 'added')
  })
  const gone = [...a].flatMap(([id, was]) => (b.has(id) ? [] : cameOrWent(id, was, b, 'removed')))
  return [...stayed, ...gone]
}

function changeOf(id: string, was: Placed, is: Placed): ElementDifference[] {
  const members = memberDifferences(ownMembers(was.element), ownMembers(is.element))
  const name = nameOf(is.element)
  if (was.parent !== is.parent || isOutOfOrder(id, was, is)) {
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

function placedById(elements: readonly BuilderElement[]): Map<string, Placed> {
  const placed = new Map<string, Placed>()
  const stack: { readonly list: readonly BuilderElement[]; readonly parent: string }[] = [
    { list: elements, parent: '' },
  ]
  for (let at = stack.shift(); at; at = stack.shift()) {
    const siblings = at.list.map(({ id }) => String(id))
    for (const [position, element] of at.list.entries()) {
      const id = String(element['id'])
      placed.set(id, { element, parent: at.parent, position, siblings })
      const inner = element['elements']
      if (Array.isArray(inner)) stack.push({ list: inner.filter(isObject), parent: id })
    }
  }
  return placed
}

/** An element has moved among its neighbours if it is not in the longest list of those that kept their order. */
function isOutOfOrder(id: string, was: Placed, now: Placed): boolean {
  const common = was.siblings.filter((one) => now.siblings.includes(one))
  const order = now.siblings.filter((one) => was.siblings.includes(one))
  if (common.join() === order.join()) return false
  return !longestInOrder(order.map((one) => common.indexOf(one))).has(common.indexOf(id))
}

/** The members of the longest ascending part of the list. */
function longestInOrder(list: readonly number[]): ReadonlySet<number> {
  const best: number[][] = []
  for (const [at, value] of list.entries()) {
    const before = best.filter((one) => (one.at(-1) ?? -1) < value)
    const longest = before.reduce<number[]>((a, one) => (one.length > a.length ? one : a), [])
    best[at] = [...longest, value]
  }
  return new Set(best.reduce<number[]>((a, one) => (one.length > a.length ? one : a), []))
}

/** Without the elements inside, and without what identifies it. */
function ownMembers(element: BuilderElement): { readonly [member: string]: Json } {
  const { id: _id, elements: _elements, elType: _type, widgetType: _widget, isInner: _inner, ...own } = element
  // The cast: elements were parsed from JSON.
  return own as { readonly [member: string]: Json }
}
