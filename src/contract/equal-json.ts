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
