/** The tags of rows, column by column: who shows the name of a term does not depend on its description. */
import type { MetaOwner } from '../../contract/storage.ts'
import { any, anyColumn, columnTag, headColumns, rowTag } from './tag-names.ts'

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

/** The tags and `others`, without columns of rows that are shown as a whole, or of which many columns are read. */
export function compactTags(tags: ReadonlySet<string>, others: readonly string[] = []): ReadonlySet<string> {
  const whole = wholeRows(tags)
  if (whole.size === 0 && others.length === 0) return tags
  const compact = new Set<string>()
  for (const tag of tags) {
    const row = rowOfColumn(tag)
    compact.add(row !== undefined && whole.has(row) ? `${row}/${anyColumn}` : tag)
  }
  for (const tag of others) compact.add(tag)
  return compact
}

function wholeRows(tags: ReadonlySet<string>): ReadonlySet<string> {
  const whole = new Set<string>()
  const columns = new Map<string, number>()
  for (const tag of tags) {
    const row = rowOfColumn(tag)
    if (row === undefined || tag.endsWith(`/${headColumns}`)) continue
    const count = tag.endsWith(`/${anyColumn}`) ? Number.POSITIVE_INFINITY : (columns.get(row) ?? 0) + 1
    columns.set(row, count)
    if (count > mostColumns) whole.add(row)
  }
  return whole
}

/** The row whose column a tag names; the terms of a post are no column. */
function rowOfColumn(tag: string): string | undefined {
  const at = tag.indexOf('/')
  return at === -1 || tag.endsWith('/terms') ? undefined : tag.slice(0, at)
}

/** Returns the tag of the whole row that a tag tells something of: of its columns, meta or terms, or of the posts below it. */
export function wholeRowTag(tag: string): string | undefined {
  const row = /^(?:post|term|user):\d+/.exec(tag)?.[0]
  if (row !== undefined) return `${row}/${any}`
  const parent = /^posts:[^:]+:\*:parent:(\d+)$/.exec(tag)?.[1]
  return parent === undefined ? undefined : `${rowTag('post', Number(parent))}/${any}`
}
