/**
 * A cache whose entries' weights have a bounded sum. It approximates the eviction of the least recently used entry ("second chance"): the
 * oldest one that was not read since it was last considered goes. A read marks its entry and moves nothing.
 */

export interface Lru<V> {
  get(key: string): V | undefined
  set(key: string, value: V, weight: number): void
  readonly size: number
  /** Whether an entry had to go for another one; it stays so. */
  readonly isFull: boolean
}

interface Entry<V> {
  readonly value: V
  readonly weight: number
  wasRead: boolean
}

export function createLru<V>(maxWeight: number): Lru<V> {
  const entries = new Map<string, Entry<V>>()
  let total = 0
  let isFull = false

  const forget = (key: string) => {
    total -= entries.get(key)?.weight ?? 0
    entries.delete(key)
  }

  /** Entries that move to the end are met a second time, without their mark. */
  const makeRoom = (weight: number) => {
    if (total + weight > maxWeight) isFull = true
    for (const [key, entry] of entries) {
      if (total + weight <= maxWeight) return
      entries.delete(key)
      if (entry.wasRead) {
        entry.wasRead = false
        entries.set(key, entry)
      } else total -= entry.weight
    }
  }

  return {
    get size() {
      return entries.size
    },
    get isFull() {
      return isFull
    },
    get(key) {
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      entry.wasRead = true
      return entry.value
    },
    set(key, value, weight) {
      forget(key)
      if (weight > maxWeight) return
      makeRoom(weight)
      entries.set(key, { value, weight, wasRead: false })
      total += weight
    },
  }
}
