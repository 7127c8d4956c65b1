/** The members of a record in public names. What its views translate themselves, and user content, stays as it is. */
import type { Names } from './word-map.ts'

/** The members whose own members have names of the interface too: `title.rendered`. */
const texts = new Set(['guid', 'title', 'content', 'excerpt'])

export function publicRecord(record: object, names: Names): object {
  if (names.isEmpty) return record
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      names.toPublic(name),
      texts.has(name) ? publicRecord(value, names) : value,
    ]),
  )
}
