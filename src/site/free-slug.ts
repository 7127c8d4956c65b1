/** Finds a slug that is not taken, in a number of look-ups that does not depend on how many records have the name already. */
import type { MaybePromise } from '../contract/storage.ts'
import { suffixedSlug } from './slug.ts'

/** Up to this number the smallest free one is found. */
const exactUpTo = 255
/** Up to this number the second round finds it: as many as the posts of a batch, which are made side by side. */
const soonUpTo = 30
/**
 * The numbers that tell how far a name is taken: each three percent above the one before, 256, 264, 271, … to 2^15, and nine percent beyond,
 * to 2^26. The next round looks up the numbers between two of them.
 */
const milestones = [
  ...Array.from({ length: 168 }, (_, at) => Math.round(256 * 2 ** (at / 24))),
  ...Array.from({ length: 89 }, (_, at) => Math.round(2 ** (15 + at / 8))),
]

const range = (from: number, to: number) => Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at)

/**
 * Searches a free number of a name in rounds: each lists numbers to look up, and the answers give the result or lead to the next round.
 * The number 1 stands for the name without a number.
 *
 * `Choice:` beyond 255 the result is a free number right behind a taken one. It is the smallest free one unless a number below it was
 * left out or has become free; a search for that one would cost each record more the more there are.
 */
export class NumberSearch {
  #round: number
  #exact: readonly number[] = []
  #probes: readonly number[] = []
  /** The search goes on between a taken number and a free one. */
  #taken = exactUpTo
  #free = Number.POSITIVE_INFINITY

  readonly #own: number | undefined

  /** `first`: 2 leaves out the name without a number. `own`: the number that the record has, which is the result unless a lower one is free. */
  constructor(first: 1 | 2 = 1, own?: number) {
    this.#round = first - 1
    this.#own = own
  }

  /** Returns the numbers to look up next. */
  next(): readonly number[] {
    const round = this.#round++
    if (this.#own !== undefined) this.#exact = range(1, Math.min(this.#own - 1, exactUpTo))
    else if (round === 0) this.#exact = [1]
    else if (round === 1) {
      this.#exact = range(2, soonUpTo)
      this.#probes = milestones
    } else {
      this.#exact = round === 2 ? range(soonUpTo + 1, exactUpTo) : []
      this.#probes = this.#between(1024)
    }
    return [...this.#exact, ...this.#probes]
  }

  /** Returns the result; undefined: another round is needed. */
  settle(isFree: (number: number) => boolean): number | undefined {
    const found = this.#exact.find(isFree)
    if (found !== undefined || this.#own !== undefined) return found ?? this.#own
    const at = this.#probes.findIndex(isFree)
    this.#free = this.#probes[at] ?? this.#free
    this.#taken = this.#probes[at === -1 ? this.#probes.length - 1 : at - 1] ?? this.#taken
    return this.#round > 2 && this.#free - this.#taken === 1 ? this.#free : undefined
  }

  /** Returns numbers at equal distances. */
  #between(count: number): number[] {
    const width = this.#free - this.#taken
    const step = Math.max(1, Math.ceil(width / count))
    return range(1, Math.ceil(width / step) - 1).map((at) => this.#taken + at * step)
  }
}

/** The name with a number, as slugs have it. */
export const numberedSlug = (base: string, number: number): string => (number === 1 ? base : suffixedSlug(base, number))

/** Finds a slug that is not taken. `takenOf` returns the taken ones of its candidates. */
export const freeSlug = (
  base: string,
  takenOf: (candidates: readonly string[]) => MaybePromise<readonly string[]>,
  first: 1 | 2 = 1,
): Promise<string> => freeName((number) => numberedSlug(base, number), takenOf, first)

/** Finds a name that is not taken, of those that a function makes from a number. */
export async function freeName(
  nameOf: (number: number) => string,
  takenOf: (candidates: readonly string[]) => MaybePromise<readonly string[]>,
  first: 1 | 2 = 1,
): Promise<string> {
  const search = new NumberSearch(first)
  while (true) {
    const taken = new Set(await takenOf(search.next().map(nameOf)))
    const number = search.settle((one) => !taken.has(nameOf(one)))
    if (number !== undefined) return nameOf(number)
  }
}
