/** Merges the order of a list that two have changed. */
import { movedWithin } from '../difference/order.ts'
import type { Versions } from './versions.ts'

interface MergedOrder {
  readonly order: readonly string[]
  /** The members that both have moved, to different places: they are where `theirs` has them. */
  readonly disputed: readonly string[]
}

/**
 * Takes `theirs`, and puts into it what `mine` has moved or added, each behind its neighbour. Where both add at one place, `theirs` comes
 * first. The lists name members of the result alone, and each member is in `mine` or in `theirs`.
 */
export function mergedOrder({ base, mine, theirs }: Versions<readonly string[]>): MergedOrder {
  const [movedByMe, movedByThem] = [placedAnew(base, mine), placedAnew(base, theirs)]
  const [inMine, inTheirs] = [new Set(mine), new Set(theirs)]
  const both = mine.filter((name) => movedByMe.has(name) && movedByThem.has(name))
  const inserted = new Set(
    mine.filter((name) => !inTheirs.has(name) || (movedByMe.has(name) && !movedByThem.has(name))),
  )
  const isFixed = (name: string) =>
    inMine.has(name) && inTheirs.has(name) && !movedByMe.has(name) && !movedByThem.has(name)
  const disputed = both.length === 0 ? [] : differentlyPlaced(both, { mine, theirs }, isFixed)
  const next = linked(theirs.filter((name) => !inserted.has(name)))
  let last = start
  for (const name of mine) {
    if (inserted.has(name)) {
      insert(next, behindTheirs(next, last, movedByThem), name)
      last = name
    } else if (!movedByThem.has(name)) last = name
  }
  return { order: listed(next), disputed }
}

/** The members of a list that were not in it, or have moved. */
function placedAnew(base: readonly string[], list: readonly string[]): ReadonlySet<string> {
  const known = new Set(base)
  return new Set([...list.filter((name) => !known.has(name)), ...movedWithin(base, list)])
}

/** The members whose nearest fixed neighbour is another one in the two lists. */
function differentlyPlaced(
  names: readonly string[],
  { mine, theirs }: Omit<Versions<readonly string[]>, 'base'>,
  isFixed: (name: string) => boolean,
): string[] {
  const [a, b] = [neighbours(mine, isFixed), neighbours(theirs, isFixed)]
  return names.filter((name) => a.get(name) !== b.get(name))
}

function neighbours(list: readonly string[], isFixed: (name: string) => boolean): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  let last = start
  for (const name of list) {
    found.set(name, last)
    if (isFixed(name)) last = name
  }
  return found
}

/** Is before the first member. No id is empty. */
const start = ''

function linked(list: readonly string[]): Map<string, string> {
  const next = new Map<string, string>()
  let last = start
  for (const name of list) {
    next.set(last, name)
    last = name
  }
  return next
}

function behindTheirs(next: ReadonlyMap<string, string>, from: string, moved: ReadonlySet<string>): string {
  let at = from
  for (let name = next.get(at); name !== undefined && moved.has(name); name = next.get(at)) at = name
  return at
}

function insert(next: Map<string, string>, behind: string, name: string): void {
  const after = next.get(behind)
  next.set(behind, name)
  if (after !== undefined) next.set(name, after)
}

function listed(next: ReadonlyMap<string, string>): string[] {
  const list: string[] = []
  for (let name = next.get(start); name !== undefined; name = next.get(name)) list.push(name)
  return list
}
