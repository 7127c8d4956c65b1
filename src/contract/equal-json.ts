/** Equal as JSON values: the order of keys does not matter. */
export function equalJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const entries = Object.entries(a)
  return entries.length === Object.keys(b).length && entries.every(([key, value]) => equalMember(value, b, key))
}

function equalMember(value: unknown, other: object, key: string): boolean {
  if (!Object.hasOwn(other, key)) return false
  return equalJson(value, Object.getOwnPropertyDescriptor(other, key)?.value)
}

/** Equal as JSON text: the order of keys counts, because style sheets are made in it. */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [entries, others] = [Object.entries(a), Object.entries(b)]
  return entries.length === others.length && entries.every((entry, at) => isSameEntry(entry, others[at]))
}

const isSameEntry = (
  [key, value]: readonly [string, unknown],
  other: readonly [string, unknown] | undefined,
): boolean => key === other?.[0] && isSameJson(value, other[1])
