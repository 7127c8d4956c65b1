/** Random numbers that one seed decides: mulberry32, 32 bits of state. */
export interface Random {
  /** A number from 0 up to 1, without 1. */
  next(): number
  /** An integer from 0 up to `below`, without it. */
  below(below: number): number
  pick<T>(values: readonly T[]): T
  /** True with this probability. */
  chance(probability: number): boolean
}

export function randomOf(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    next,
    below,
    // The cast: no caller passes an empty list.
    pick: <T>(values: readonly T[]) => values[below(values.length)] as T,
    chance: (probability) => next() < probability,
  }
}
