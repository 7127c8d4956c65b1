/** What the migrations of PostgreSQL share. */

export interface PostgresMigration {
  readonly name: string
  /** `schema` must be quoted. */
  readonly sql: (schema: string) => string
}

/** The length of the prefixes of texts in indexes. */
export const INDEXED_LENGTH = 200

/** Transactions on several connections that change one number do not wait for each other: each has a row of its own. */
export const SHARD = 'pg_backend_pid() % 16'

/** One of so many that no two are likely to be equal. */
export const randomToken = '(random() * 9007199254740991)::bigint'

/** The JSON text of the fields of the list `l` of a record. */
export const recordPart = (record: string) =>
  `(select json_object_agg(f.name, ${record}.body -> f.name)::text from json_array_elements_text(l.fields::json) f (name))`

/** What a file is counted by; `row` is empty, or a name and a dot. */
export const mediaPart = (row: string) => `${row}type || ' ' || ${row}status || ' ' || ${row}mime_type`

export function textsByCodePoint(ddl: string): string {
  return ddl.replace(/^( {2}\w+ text)\b/gm, '$1 collate "C"')
}
