/**
 * Writes the copies of texts anew that folds make, for a database whose copies were made by other folds. Texts of ASCII letters have the
 * same copies by all folds. The steps are statements; each engine runs them and gives the rows back.
 */
import type { StoredField, StoredFields } from '../../../contract/fields/stored-field.ts'
import { fold, identityFold } from '../../../contract/text-fold.ts'
import { jsonText } from '../../json-text.ts'
import { foldedColumn, identityColumn, storedTables } from './columns.ts'
import { parseJson } from './fields.ts'
import type { Row, SqlValue } from './fragments.ts'
import type { Steps } from './steps.ts'

interface RefoldWords {
  /** Precedes the names of tables: empty, or a quoted schema and a dot. */
  readonly prefix: string
  /** The place of the value with this number, from 1 on. */
  parameter(number: number): string
}

type Refolding = Steps<void>

/** Reads so many rows at a time. */
const batch = 200

export function* refolding(words: RefoldWords): Refolding {
  for (const [table, fields] of Object.entries<StoredFields>(storedTables)) {
    const copied = Object.values(fields).filter(({ isFolded, since }) => isFolded && since === undefined)
    const identified = copied.filter(({ hasIdentity }) => hasIdentity)
    if (identified.length > 0) {
      const sets = identified.map((field) => `${identityColumn(field)} = lower(${field.column})`)
      yield { text: `update ${words.prefix}${table} set ${sets.join(', ')}`, values: [] }
    }
    yield* refoldTable(words, table, copied)
  }
  yield* refoldRecords(words)
}

const isBeyondAscii = (text: string) => `octet_length(${text}) <> length(${text})`

function* refoldTable(words: RefoldWords, table: string, fields: readonly StoredField[]): Refolding {
  const texts = fields.map(({ column }) => column)
  const copies = fields.flatMap((field) => [
    { column: foldedColumn(field), of: field.column, by: fold },
    ...(field.hasIdentity ? [{ column: identityColumn(field), of: field.column, by: identityFold }] : []),
  ])
  yield* eachRow(words, { table, columns: [...texts, ...copies.map(({ column }) => column)], texts }, (row) => {
    const values = copies.map(({ of, by }) => by(String(row[texts.indexOf(of)])))
    return values.every((value, at) => value === row[texts.length + at])
      ? undefined
      : { columns: copies.map(({ column }) => column), values }
  })
}

/** `records.folded` is a JSON object with the search text of each text field of the record. */
function* refoldRecords(words: RefoldWords): Refolding {
  const [body, folded] = ['cast(body as text)', 'cast(folded as text)']
  yield* eachRow(words, { table: 'records', columns: [body, folded], texts: [body] }, (row) => {
    const texts = parseJson<{ [field: string]: string }>(row[0])
    const before = parseJson<{ [field: string]: string }>(row[1])
    const names = Object.keys(before)
    if (names.every((name) => fold(texts[name] ?? '') === before[name])) return undefined
    const after = Object.fromEntries(names.map((name) => [name, fold(texts[name] ?? '')]))
    return { columns: ['folded'], values: [jsonText(after)] }
  })
}

interface ReadRows {
  readonly table: string
  readonly columns: readonly string[]
  /** The expressions of which one has to be beyond ASCII. */
  readonly texts: readonly string[]
}

interface Written {
  readonly columns: readonly string[]
  readonly values: readonly string[]
}

/** Reads the rows in the order of their ids, and writes what `change` returns for each. */
function* eachRow(
  { prefix, parameter }: RefoldWords,
  { table, columns, texts }: ReadRows,
  change: (row: Row) => Written | undefined,
): Refolding {
  const select = `select ${[...columns, 'id'].join(', ')} from ${prefix}${table}
    where id > ${parameter(1)} and (${texts.map(isBeyondAscii).join(' or ')}) order by id limit ${batch}`
  for (let last: SqlValue = 0; ; ) {
    const rows = yield { text: select, values: [last] }
    for (const row of rows) {
      last = row.at(-1) as SqlValue
      const written = change(row)
      if (written === undefined) continue
      const sets = written.columns.map((column, at) => `${column} = ${parameter(at + 1)}`)
      const text = `update ${prefix}${table} set ${sets.join(', ')} where id = ${parameter(sets.length + 1)}`
      yield { text, values: [...written.values, last] }
    }
    if (rows.length < batch) return
  }
}
