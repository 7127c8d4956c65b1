/** Finds a slug that is not taken. */
import { andThen, type MaybePromise } from '../contract/maybe-promise.ts'
import { suffixedSlug } from './slug.ts'

/** `base`, `base-2`, `base-3` and so on: `size` of them, beginning with the one of this number. */
export const slugWindow = (base: string, from: number, size: number): string[] =>
  Array.from({ length: size }, (_, at) => (from + at === 1 ? base : suffixedSlug(base, from + at)))

/**
 * The first slug that is not taken. `takenOf` returns those of its candidates that are; it is asked in growing windows, so that the
 * thousandth record of a name costs a few look-ups.
 */
export function freeSlug(
  base: string,
  takenOf: (candidates: readonly string[]) => MaybePromise<readonly string[]>,
  from = 1,
  size = from === 1 ? 1 : 8,
): MaybePromise<string> {
  const candidates = slugWindow(base, from, size)
  return andThen(takenOf(candidates), (taken) => {
    const free = candidates.find((slug) => !taken.includes(slug))
    return free ?? freeSlug(base, takenOf, from + size, size * 8)
  })
}
