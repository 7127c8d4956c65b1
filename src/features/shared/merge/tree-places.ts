/** Keeps the places of merged elements whole: none is inside itself, and each is inside an element that is there. */
import type { ElementTree } from '../difference/tree.ts'
import type { Versions } from './versions.ts'

/**
 * One has moved a container into another, and the other one that into the first: then both stay where `theirs` has them. Changes
 * `parents`, and returns the elements whose move is not done. Each circle has one that `mine` alone has moved.
 */
export function endedCircles(parents: Map<string, string>, { mine, theirs }: Versions<ElementTree>): readonly string[] {
  const stopped: string[] = []
  for (;;) {
    const moved = inCircles(parents).filter((id) => {
      const place = theirs.placed.get(id)
      return place !== undefined && mine.placed.has(id) && place.parent !== parents.get(id)
    })
    if (moved.length === 0) return stopped
    for (const id of moved) parents.set(id, theirs.placed.get(id)?.parent ?? '')
    stopped.push(...moved)
  }
}

/** The elements that are inside themselves. */
function inCircles(parents: ReadonlyMap<string, string>): string[] {
  const walks = new Map<string, number>()
  const found: string[] = []
  let walk = 0
  for (const first of parents.keys()) {
    walk++
    let id = first
    while (id !== '' && parents.has(id) && !walks.has(id)) {
      walks.set(id, walk)
      id = parents.get(id) ?? ''
    }
    if (walks.get(id) !== walk) continue
    found.push(id)
    for (let at = parents.get(id) ?? ''; at !== id; at = parents.get(at) ?? '') found.push(at)
  }
  return found
}

/** These elements, and all that they are inside. */
export function withParents(ids: readonly string[], parents: ReadonlyMap<string, string>): ReadonlySet<string> {
  const kept = new Set<string>()
  for (const first of ids) {
    for (let id = first; id !== '' && !kept.has(id); id = parents.get(id) ?? '') kept.add(id)
  }
  return kept
}
