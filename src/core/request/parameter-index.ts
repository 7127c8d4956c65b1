/**
 * From argument names to positions. A name inside a query string is found by its length and its first and last
 * character, then compared in place: slicing and hashing it would take twice as long.
 */

interface Entry {
  readonly name: string
  readonly slot: number
}

export class ParameterIndex {
  readonly #byName: ReadonlyMap<string, number>
  readonly #byLength: (Entry[] | undefined)[] = []

  constructor(slots: Iterable<readonly [name: string, slot: number]>) {
    this.#byName = new Map(slots)
    for (const [name, slot] of this.#byName) {
      const bucket = this.#byLength[name.length] ?? []
      this.#byLength[name.length] = bucket
      bucket.push({ name, slot })
    }
  }

  of(name: string): number | undefined {
    return this.#byName.get(name)
  }

  /** Finds the position of the name between two offsets of the text. */
  within(text: string, from: number, to: number): number | undefined {
    const length = to - from
    const bucket = this.#byLength[length]
    if (bucket === undefined) return undefined
    for (let i = 0; i < bucket.length; i++) {
      const { name, slot } = bucket[i] as Entry
      if (name.charCodeAt(length - 1) === text.charCodeAt(to - 1) && standsAt(name, text, from)) return slot
    }
    return undefined
  }
}

function standsAt(name: string, text: string, from: number): boolean {
  for (let at = 0; at < name.length - 1; at++) {
    if (name.charCodeAt(at) !== text.charCodeAt(from + at)) return false
  }
  return true
}
