/** Numbers that look random and are the same each time. */
export interface Dice {
  /** One of them. */
  pick<T>(choices: readonly T[]): T
  /** An integer from 0 to below the bound. */
  below(limit: number): number
}

/** `xorshift32`. */
export function createDice(seed: number): Dice {
  let state = seed
  const below = (limit: number): number => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % limit
  }
  return { below, pick: <T>(choices: readonly T[]) => choices[below(choices.length)] as T }
}
