/**
 * Merges the elements of a document that two have changed: each by its id, with its place and its settings. No element is lost, and none
 * is there twice. Works on lists of elements, so that neither depth nor number make it slow.
 */
import { equalJson } from '../../../contract/equal-json.ts'
import type { Json } from '../../../contract/storage.ts'
import { type ElementTree, type Placed, treeOf } from '../difference/tree.ts'
import { isObject } from '../elements.ts'
import { mergedOrder } from './order.ts'
import { endedCircles, withParents } from './tree-places.ts'
import type { Merging, Value, Versions } from './versions.ts'

/** Undefined: the lists have no elements of documents, or not each has an id that no other one has. */
export function mergedElements(
  lists: Versions<readonly Json[]>,
  member: string,
  merging: Merging,
): readonly Json[] | undefined {
  if (!hasElements(lists)) return undefined
  const trees = { base: treeOf(lists.base), mine: treeOf(lists.mine), theirs: treeOf(lists.theirs) }
  return trees.base.isWhole && trees.mine.isWhole && trees.theirs.isWhole
    ? new TreeMerge(trees, member, merging).elements()
    : undefined
}

function hasElements({ base, mine, theirs }: Versions<readonly Json[]>): boolean {
  const [first] = [...base.slice(0, 1), ...mine.slice(0, 1), ...theirs.slice(0, 1)]
  return isObject(first) && typeof first['elType'] === 'string'
}

class TreeMerge {
  readonly #trees: Versions<ElementTree>
  readonly #member: string
  readonly #merging: Merging

  constructor(trees: Versions<ElementTree>, member: string, merging: Merging) {
    this.#trees = trees
    this.#member = member
    this.#merging = merging
  }

  elements(): readonly Json[] {
    const { mine, theirs } = this.#trees
    const all = new Set([...theirs.placed.keys(), ...mine.placed.keys()])
    const parents = new Map([...all].map((id) => [id, this.#parentOf(id)]))
    const wanted = [...all].filter((id) => this.#isKept(id))
    for (const id of endedCircles(parents, this.#trees)) this.#disputePlace(id)
    // A parent that was removed stays, because elements inside it do.
    const kept = withParents(wanted, parents)
    const made = new Map([...kept].map((id) => [id, this.#elementOf(id)]))
    const lists = this.#orderedLists(kept, parents)
    for (const [id, element] of made) {
      const inside = lists.get(id)
      if (inside !== undefined) element['elements'] = inside.map((name) => made.get(name))
      else if (Array.isArray(element['elements'])) element['elements'] = []
    }
    // The cast: elements were JSON.
    return (lists.get('') ?? []).map((id) => made.get(id)) as unknown as readonly Json[]
  }

  #at(id: string): Versions<Placed | undefined> {
    const { base, mine, theirs } = this.#trees
    return { base: base.placed.get(id), mine: mine.placed.get(id), theirs: theirs.placed.get(id) }
  }

  #parentOf(id: string): string {
    const { base, mine, theirs } = this.#at(id)
    if (!mine || !theirs) return (mine ?? theirs)?.parent ?? ''
    if (mine.parent === theirs.parent || base?.parent === mine.parent) return theirs.parent
    if (base?.parent === theirs.parent) return mine.parent
    this.#disputePlace(id)
    return theirs.parent
  }

  /** An element that one has removed is kept where the other one has changed it, moved it away or put another one inside. */
  #isKept(id: string): boolean {
    const { base, mine, theirs } = this.#at(id)
    if (!base || (mine && theirs)) return true
    const left = mine ? this.#trees.mine : this.#trees.theirs
    const element = (mine ?? theirs) as Placed
    const isChanged =
      element.parent !== base.parent || !equalJson(ownOf(base), ownOf(element)) || this.#hasNewInside(id, left)
    if (isChanged) this.#merging.dispute(jsonOf({ base, mine, theirs }), `${this.#member}[${id}]`)
    return isChanged
  }

  #hasNewInside(id: string, tree: ElementTree): boolean {
    const { base } = this.#trees
    return (tree.lists.get(id) ?? []).some((inside) => base.placed.get(inside)?.parent !== id)
  }

  #elementOf(id: string): { [name: string]: unknown } {
    const { base, mine, theirs } = this.#at(id)
    const left = theirs ?? mine
    if (!mine || !theirs) return { ...left?.element }
    const own = this.#merging.value(
      { base: base ? ownOf(base) : {}, mine: ownOf(mine), theirs: ownOf(theirs) },
      `${this.#member}[${id}]`,
      0,
    )
    // The cast: maps are merged to a map, and of disputed ones that of `theirs` is taken.
    const merged = own as { readonly [name: string]: Json }
    const inner = theirs.element['elements'] ?? mine.element['elements']
    // The members keep the order in which they were sent.
    const names = [...new Set([...Object.keys(theirs.element), ...Object.keys(merged)])]
    return Object.fromEntries(
      names.flatMap((name) => {
        if (name === 'elements') return [[name, inner]]
        return Object.hasOwn(merged, name) ? [[name, merged[name]]] : []
      }),
    )
  }

  #orderedLists(
    kept: ReadonlySet<string>,
    parents: ReadonlyMap<string, string>,
  ): ReadonlyMap<string, readonly string[]> {
    const { base, mine, theirs } = this.#trees
    const lists = new Map<string, readonly string[]>()
    for (const parent of new Set([...kept].map((id) => parents.get(id) ?? ''))) {
      const isHere = (id: string) => kept.has(id) && parents.get(id) === parent
      const here = (tree: ElementTree) => (tree.lists.get(parent) ?? []).filter(isHere)
      const { order, disputed } = mergedOrder({ base: here(base), mine: here(mine), theirs: here(theirs) })
      for (const id of disputed) this.#disputePlace(id)
      lists.set(parent, order)
    }
    return lists
  }

  #disputePlace(id: string): void {
    const { base, mine, theirs } = this.#at(id)
    const versions = { base: placeOf(base), mine: placeOf(mine), theirs: placeOf(theirs) }
    this.#merging.dispute(versions, `${this.#member}[${id}].place`)
  }
}

const placeOf = (placed: Placed | undefined): Value => placed && { parent: placed.parent, position: placed.position }

/** The element without those inside. */
function ownOf({ element }: Placed): { readonly [name: string]: Json } {
  const { elements: _elements, ...own } = element
  // The cast: elements are JSON.
  return own as { readonly [name: string]: Json }
}

const jsonOf = ({ base, mine, theirs }: Versions<Placed | undefined>): Versions => ({
  base: base && ownOf(base),
  mine: mine && ownOf(mine),
  theirs: theirs && ownOf(theirs),
})
