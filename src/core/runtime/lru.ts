/** A least-recently-used cache; the sum of its entries' weights is bounded. */

export interface Lru<V> {
  get(key: string): V | undefined
  set(key: string, value: V, weight: number): void
  readonly size: number
  /** Whether an entry had to go for another one; it stays so. */
  readonly isFull: boolean
}

export function createLru<V>(maxWeight: number): Lru<V> {
  const entries = new Map<string, { readonly value: V; readonly weight: number }>()
  let total = 0
  let isFull = false

  const forget = (key: string) => {
    total -= entries.get(key)?.weight ?? 0
    entries.delete(key)
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
      if (!entry) return undefined
      entries.delete(key)
      entries.set(key, entry)
      return entry.value
    },
    set(key, value, weight) {
      forget(key)
      if (weight > maxWeight) return
      entries.set(key, { value, weight })
      total += weight
      for (const oldest of entries.keys()) {
        if (total <= maxWeight) break
        isFull = true
        forget(oldest)
      }
    },
  }
}
