/** Parses JSON texts. Several readers of one record ask for the same text one after the other, which is parsed once then. */

/** Longer texts are not kept. */
const maxKept = 1024 * 1024

let last: { readonly text: string; readonly value: unknown } | undefined

/** Undefined for a text that does not parse. Callers share the value, and do not change it. */
export function parsedJson(text: string): unknown {
  if (last?.text === text) return last.value
  const value = parse(text)
  last = text.length > maxKept ? undefined : { text, value }
  return value
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
