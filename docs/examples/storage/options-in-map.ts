/** Keeps the options of a site in a Map, and all other data in the memory storage. */
import type { Json, Storage } from 'site-api'
import { memoryStorage } from 'site-api/storage/memory'

export function optionsInMap(): Storage {
  const { posts, terms, users, meta, records } = memoryStorage()
  const texts = new Map<string, string>()
  const valueIn = (name: string): Json => JSON.parse(texts.get(name) ?? 'null')
  return {
    ...{ posts, terms, users, meta, records },
    options: {
      read: (names = [...texts.keys()]) =>
        Object.fromEntries(names.filter((name) => texts.has(name)).map((name) => [name, valueIn(name)])),
      write: (values) => {
        // All texts are created before the first change, so that a failure changes nothing.
        const written = Object.entries(values).map(([name, value]) => [clean(name), textOf(value)] as const)
        for (const [name, text] of written) put(texts, name, text)
      },
      swap: (name, expected, next) => {
        const text = textOf(next)
        if (sorted(valueIn(clean(name))) !== sorted(expected)) return false
        put(texts, name, text)
        return true
      },
    },
  }
}

function put(texts: Map<string, string>, name: string, text: string | undefined): void {
  if (text === undefined) return
  if (text === 'null') texts.delete(name)
  else texts.set(name, text)
}

/** As JSON, so that values are copied. */
const textOf = (value: Json): string | undefined =>
  JSON.stringify(value, (name, inner) => {
    clean(name)
    return typeof inner === 'string' ? clean(inner) : inner
  })

/** Equal values have equal texts, whatever the order of their names. */
const sorted = (value: Json): string =>
  JSON.stringify(value, (_, inner) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )

function clean(text: string): string {
  if (text.includes('\0')) throw new TypeError('a text holds NUL')
  return text
}
