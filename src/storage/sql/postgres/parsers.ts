/** How the texts of PostgreSQL become values: numbers as numbers, true as 1, everything else as text, JSON too. */
import { lookupTable } from '../../../contract/lookup-table.ts'
import type { SqlValue } from '../engine/fragments.ts'

const asText = (text: string): SqlValue => text
const numeric = [20, 21, 23, 26, 700, 701, 1700]
/** JSON and dates, which drivers parse by default. */
const textual = [25, 114, 3802, 1043, 1082, 1114, 1184]

/**
 * Makes values of the texts of PostgreSQL, by the ids of its types, for a driver that takes parsers: numbers as numbers, true as 1,
 * everything else as text, JSON too.
 *
 * ```ts
 * import { postgresParsers } from 'site-api/storage/sql'
 *
 * console.log(postgresParsers[16]?.('t'))
 * ```
 */
export const postgresParsers: { readonly [oid: number]: (text: string) => SqlValue } = lookupTable({
  16: (text: string) => (text === 't' ? 1 : 0),
  ...Object.fromEntries(numeric.map((oid) => [oid, Number])),
  ...Object.fromEntries(textual.map((oid) => [oid, asText])),
})

export const parserOf = (oid: number): ((text: string) => SqlValue) => postgresParsers[oid] ?? asText
