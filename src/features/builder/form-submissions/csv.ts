/** Encodes the cells and lines of an export: as CSV, and as the JSON texts of the wrapped format. */
import { stringify } from 'csv-stringify/sync'
import { isTypedNumber } from '../../../site/form-schema.ts'

/** `isNumber`: the field accepts only numbers, so `-3` is not a formula. */
export interface Cell {
  readonly text: string
  readonly isNumber?: boolean
}

export interface CellOptions {
  /** False: texts that a spreadsheet runs as formulas are exported unchanged. */
  readonly neutralizesFormulas: boolean
}

/** A formula begins with one of these, including the full-width characters of East Asian keyboards. */
const formulaStart = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/

/** A spreadsheet shows text after an apostrophe instead of running it as a formula. */
export function cellText({ text, isNumber = false }: Cell, { neutralizesFormulas }: CellOptions): string {
  if (!neutralizesFormulas || !formulaStart.test(text)) return text
  return isNumber && isTypedNumber(text) ? text : `'${text}`
}

export const byteOrderMark = '\ufeff'

/**
 * Also quoted: single CR or LF, separators of other dialects, and leading or trailing spaces, which parsers may trim.
 */
const needsQuotes = /[\r\n;\t]|^ | $/

/** RFC 4180. */
export const csvLines = (rows: readonly (readonly Cell[])[], options: CellOptions): string =>
  stringify(
    rows.map((row) => row.map((cell) => cellText(cell, options))),
    { record_delimiter: 'windows', quoted_match: needsQuotes },
  )

// ---------------------------------------------------------------- the wrapped format

/**
 * Interface: a cell of the wrapped format is a JSON text. `value` (values and labels): slashes are escaped. `name`
 * (form names): slashes and non-ASCII characters. `plain` (data of the request): non-ASCII characters. `bare` has no
 * quotes.
 */
export type WrappedStyle = 'value' | 'name' | 'plain' | 'bare'

export function wrappedCell(text: string, style: WrappedStyle): string {
  if (style === 'bare') return text
  const json = JSON.stringify(text)
  if (style === 'value') return json.replaceAll('/', '\\/')
  const ascii = json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return style === 'name' ? ascii.replaceAll('/', '\\/') : ascii
}
