/** The tags of rows, column by column: who shows the name of a term does not depend on its description. */
import type { MetaOwner } from '../../contract/storage.ts'
import { anyColumn, columnTag, headColumns, rowTag } from './tag-names.ts'

/** The id is the row; the version rises with each write, and nothing shows it. */
const untagged: ReadonlySet<PropertyKey> = new Set(['id', 'version'])
const heads: ReadonlySet<string> = new Set(['type', 'status', 'author', 'parent'])

/** Returns the tags of a row that has come or gone, or those of its columns that have changed. */
export function tagsOfColumns(
  store: MetaOwner,
  id: number,
  before: object | undefined,
  after: object | undefined,
): readonly string[] {
  if (!before || !after) return [rowTag(store, id)]
  // The cast: rows are records of JSON values.
  const [had, has] = [before, after] as unknown as readonly { readonly [column: string]: unknown }[]
  const changed = Object.keys(after).filter((name) => !untagged.has(name) && !isEqual(had?.[name], has?.[name]))
  if (changed.length === 0) return []
  const ofHead = changed.some((name) => heads.has(name)) ? [headColumns] : []
  return [...changed, ...ofHead, anyColumn].map((column) => columnTag(store, id, column))
}

const isEqual = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b))

/** Takes the tags of columns. */
interface RowRecorder {
  add(tag: string): void
  /** Whether it takes a tag again for a column that was read before. */
  isNoting(): boolean
}

/** The row, which hands over the tag of each column that is read. */
export function recordedRow<R extends { readonly id: number }>(
  store: MetaOwner,
  row: R,
  { add, isNoting }: RowRecorder,
): R {
  const noted = new Set<string>()
  return new Proxy(row, {
    get: (target, name) => {
      if (typeof name !== 'string' || (noted.has(name) && !isNoting())) return Reflect.get(target, name) as unknown
      if (!untagged.has(name) && Object.hasOwn(target, name)) {
        add(columnTag(store, row.id, name))
        noted.add(name)
      }
      return Reflect.get(target, name) as unknown
    },
  })
}

/** More columns of a row become all of them. */
const mostColumns = 14

/** The tags without columns of rows of which many are read. */
export function withoutManyColumns(tags: ReadonlySet<string>): ReadonlySet<string> {
  const counts = new Map<string, number>()
  for (const tag of tags) {
    const at = columnAt(tag)
    if (at > 0) counts.set(tag.slice(0, at), (counts.get(tag.slice(0, at)) ?? 0) + 1)
  }
  const whole = [...counts].filter(([, count]) => count > mostColumns).map(([row]) => row)
  if (whole.length === 0) return tags
  const rows = new Set(whole)
  const kept = [...tags].filter((tag) => columnAt(tag) < 0 || !rows.has(tag.slice(0, columnAt(tag))))
  return new Set([...kept, ...whole.map((row) => `${row}/${anyColumn}`)])
}

/** Where the column begins; the terms of a post are none. */
const columnAt = (tag: string): number => {
  const at = /^(?:post|term|user):\d+\/(?!terms$|head$)/.exec(tag)?.[0].length
  return at === undefined ? -1 : at - 1
}
