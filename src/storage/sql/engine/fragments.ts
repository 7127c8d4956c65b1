/** Parts of statements, each a text with its values. Placeholders are question marks, which a server's client numbers. */

export type SqlValue = null | number | string

/** The row has its values in the order of the selected columns. */
export type Row = readonly SqlValue[]

/** A statement is a fragment too. */
export interface Fragment {
  readonly text: string
  readonly values: readonly SqlValue[]
}

/** Says what decides how much a statement reads. `list`: the size of the lists of the site. `search`: the words too. */
export type Extent = 'list' | 'search'

const isFragment = (part: Fragment | SqlValue): part is Fragment => typeof part === 'object' && part !== null

/** A part with parts and values in it. */
export function sql(texts: TemplateStringsArray, ...parts: readonly (Fragment | SqlValue)[]): Fragment {
  let text = texts[0] as string
  const values: SqlValue[] = []
  for (let at = 0; at < parts.length; at++) {
    const each = parts[at] as Fragment | SqlValue
    if (isFragment(each)) {
      text += each.text
      for (const value of each.values) values.push(value)
    } else {
      text += '?'
      values.push(each)
    }
    text += texts[at + 1] as string
  }
  return { text, values }
}

/** A part that is written as it is: the name of a column, or a checked word. */
export const raw = (text: string): Fragment => ({ text, values: [] })

/** A name of a table or a column, which is quoted. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** A value in the text itself. */
export const literal = (value: string): string => `'${value.replaceAll("'", "''")}'`

export function joined(parts: readonly Fragment[], separator: string): Fragment {
  return { text: parts.map(({ text }) => text).join(separator), values: parts.flatMap(({ values }) => values) }
}

/** SQLite limits expressions to a depth of 1000, in a Durable Object of 100, and a plain chain is as deep as it is long: long chains are halved. */
const maxChain = 16

function chained(parts: readonly Fragment[], empty: string, operator: string): Fragment {
  const [only] = parts
  if (only === undefined) return raw(empty)
  if (parts.length === 1) return only
  if (parts.length <= maxChain) return sql`(${joined(parts, operator)})`
  const middle = parts.length >> 1
  const halves = [parts.slice(0, middle), parts.slice(middle)]
  return sql`(${joined(
    halves.map((half) => chained(half, empty, operator)),
    operator,
  )})`
}

/** True without parts. */
export const every = (parts: readonly Fragment[]): Fragment => chained(parts, '1 = 1', ' and ')

/** False without parts. */
export const some = (parts: readonly Fragment[]): Fragment => chained(parts, '1 = 0', ' or ')

/** `where` and the conditions, or nothing. */
export const where = (conditions: readonly Fragment[]): Fragment =>
  conditions.length === 0 ? raw('') : sql` where ${every(conditions)}`

/** Where an engine limits the selects of a union, unions of unions. */
export function unionOf(selects: readonly Fragment[], most = selects.length): Fragment {
  if (selects.length <= most) return joined(selects, ' union all ')
  const size = Math.ceil(selects.length / most)
  const groups = Array.from({ length: Math.ceil(selects.length / size) }, (_, at) =>
    selects.slice(at * size, (at + 1) * size),
  )
  return joined(
    groups.map((group) => sql`select * from (${unionOf(group, most)}) g`),
    ' union all ',
  )
}

/** Rows as one JSON text, for `rowTable` of the dialect. Replaces lone surrogates, which databases refuse. */
export function rowsText(rows: readonly (readonly SqlValue[])[]): string {
  return JSON.stringify(rows, (_, value) => (typeof value === 'string' ? value.toWellFormed() : value))
}

/** The number of rows after `limit`, as engines accept it: at most the largest safe integer. */
export const limitOf = (dialect: { readonly limit: string }, limit: number): Fragment => ({
  text: dialect.limit,
  values: [Math.min(limit, Number.MAX_SAFE_INTEGER)],
})

/** Reads the first column of the first row as a number, 0 without rows: the result of a count. */
export function countOf(rows: readonly Row[]): number {
  return Number(rows[0]?.[0] ?? 0)
}

/** Removes the older half of the entries; the ones still in use are added again on their next use. */
export function evictOldest(cache: Map<unknown, unknown>): void {
  let surplus = cache.size >> 1
  for (const key of cache.keys()) {
    if (surplus-- <= 0) return
    cache.delete(key)
  }
}
