/** Tells which members of a list have moved. Its cost is that of a sort, also for lists of thousands. */

/**
 * The members of both lists that are not in the longest part that kept its order: moved, these make the one order of the other.
 * No list names a member twice.
 */
export function movedWithin(before: readonly string[], after: readonly string[]): ReadonlySet<string> {
  const places = new Map(before.map((name, at) => [name, at]))
  // From the end: of two that have changed places, the one that is behind now has moved.
  const common = after.filter((name) => places.has(name)).reverse()
  const kept = longestAscending(common.map((name) => -(places.get(name) as number)))
  return new Set(common.filter((_, at) => !kept.has(at)))
}

/** The positions of the longest ascending part of different numbers. */
function longestAscending(numbers: readonly number[]): ReadonlySet<number> {
  /** By length, the position of the smallest number that ends a part so long. */
  const ends: number[] = []
  const previous: number[] = []
  for (const [at, number] of numbers.entries()) {
    const length = firstNotBelow(ends, numbers, number)
    previous[at] = length === 0 ? -1 : (ends[length - 1] as number)
    ends[length] = at
  }
  const kept = new Set<number>()
  for (let at = ends.at(-1) ?? -1; at !== -1; at = previous[at] as number) kept.add(at)
  return kept
}

function firstNotBelow(ends: readonly number[], numbers: readonly number[], number: number): number {
  let [low, high] = [0, ends.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[ends[middle] as number] as number) < number) low = middle + 1
    else high = middle
  }
  return low
}
