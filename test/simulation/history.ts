/**
 * Holds the history of a simulation, and checks it: is there an order of the operations, each at one moment between its
 * start and its end, that explains every response? Operations with an unknown outcome may have happened at any time after
 * their start, or never.
 */

/** The effect of an operation on the registers, each of which holds a text. */
export type Effect =
  | { readonly kind: 'read'; readonly register: number; readonly value: string }
  | { readonly kind: 'write'; readonly registers: readonly number[]; readonly value: string }
  /** Writes if the register still has the expected value. */
  | { readonly kind: 'swap'; readonly register: number; readonly expected: string; readonly value: string }
  /** Was refused because the register has another value. */
  | { readonly kind: 'refused'; readonly register: number; readonly expected: string }

export interface Operation {
  readonly effect: Effect
  readonly start: number
  /** Infinite while the outcome is unknown. */
  readonly end: number
}

type State = readonly string[]

/** The state after an effect; undefined if it contradicts the state. */
function after(state: State, effect: Effect): State | undefined {
  switch (effect.kind) {
    case 'read':
      return state[effect.register] === effect.value ? state : undefined
    case 'refused':
      return state[effect.register] === effect.expected ? undefined : state
    case 'swap':
      return state[effect.register] === effect.expected ? replaced(state, [effect.register], effect.value) : undefined
    case 'write':
      return replaced(state, effect.registers, effect.value)
  }
}

const replaced = (state: State, registers: readonly number[], value: string): State =>
  state.map((before, at) => (registers.includes(at) ? value : before))

/** Searches as Wing and Gong do, and remembers the visited sets of operations and states (Lowe). */
export function isExplained(history: readonly Operation[], initial: State): boolean {
  const operations = history.toSorted((a, b) => a.start - b.start)
  const visited = new Set<string>()
  const isRequired = ({ end }: Operation) => end !== Number.POSITIVE_INFINITY
  const search = (done: ReadonlySet<number>, state: State): boolean => {
    const open = operations.map((operation, at) => ({ operation, at })).filter(({ at }) => !done.has(at))
    if (!open.some(({ operation }) => isRequired(operation))) return true
    const key = `${[...done].sort((a, b) => a - b).join()}|${state.join('\u0000')}`
    if (visited.has(key)) return false
    visited.add(key)
    // Nothing may come before an operation that had ended when it started.
    const firstEnd = Math.min(...open.map(({ operation }) => operation.end))
    return open.some(({ operation, at }) => {
      if (operation.start > firstEnd) return false
      const next = after(state, operation.effect)
      return next !== undefined && search(new Set([...done, at]), next)
    })
  }
  return search(new Set(), initial)
}
