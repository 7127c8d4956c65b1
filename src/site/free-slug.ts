/** Finds a slug that is not taken. */
import type { MaybePromise } from '../contract/storage.ts'
import { suffixedSlug } from './slug.ts'

/**
 * Yields functions that list the next candidates of a base: the base itself, then `base-2` to `base-10`, then eight times as many
 * each time, so that the thousandth record of a name costs a few look-ups. `first`: 2 leaves out the base.
 */
export function* slugWindows(first: 1 | 2 = 1): Generator<(base: string) => string[], never> {
  let from: number = first
  let size = first === 1 ? 1 : 9
  while (true) {
    yield (base) => Array.from({ length: size }, (_, at) => (from + at === 1 ? base : suffixedSlug(base, from + at)))
    from += size
    size = size === 1 ? 9 : size * 8
  }
}

/** Finds the first slug that is not taken. `takenOf` returns the taken ones of its candidates. */
export async function freeSlug(
  base: string,
  takenOf: (candidates: readonly string[]) => MaybePromise<readonly string[]>,
  first: 1 | 2 = 1,
): Promise<string> {
  const windows = slugWindows(first)
  while (true) {
    const candidates = windows.next().value(base)
    const taken = await takenOf(candidates)
    const free = candidates.find((slug) => !taken.includes(slug))
    if (free !== undefined) return free
  }
}
