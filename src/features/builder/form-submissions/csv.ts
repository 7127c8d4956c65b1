/** Cells and lines of an export, in the two forms that clients ask for. Which rows and columns there are is not known here. */
import { stringify } from 'csv-stringify/sync'
import { isTypedNumber } from './form.ts'

/** A text, or a number as it stands. `isNumber`: the form took numbers only, so that `-3` is no formula. */
export interface Cell {
  readonly text: string
  readonly isNumber?: boolean
}

export interface CellOptions {
  /** False: texts that a spreadsheet would take for a formula leave as they are. */
  readonly neutralizesFormulas: boolean
}

/** What a spreadsheet calculates, full-width signs of East Asian keyboards included. */
const formulaStart = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/

/** With an apostrophe before it, a spreadsheet shows a formula instead of running it. */
export function cellText({ text, isNumber = false }: Cell, { neutralizesFormulas }: CellOptions): string {
  if (!neutralizesFormulas || !formulaStart.test(text)) return text
  return isNumber && isTypedNumber(text) ? text : `'${text}`
}

export const byteOrderMark = '\ufeff'

/** Beside quotes and commas: half a line break, what other dialects separate by, and blanks that a reader might trim. */
const quoted = /[\r\n;\t]|^ | $/

/** RFC 4180. */
export const csvLines = (rows: readonly (readonly Cell[])[], options: CellOptions): string =>
  stringify(
    rows.map((row) => row.map((cell) => cellText(cell, options))),
    { record_delimiter: 'windows', quoted_match: quoted },
  )

// ---------------------------------------------------------------- the wrapped form

/**
 * Interface: a cell of the wrapped form is a JSON text. Values, labels and form names have their slashes escaped, form
 * names and what the browser sent everything beyond ASCII too; `bare` stands without quotes.
 */
export type WrappedStyle = 'value' | 'name' | 'plain' | 'bare'

export function wrappedCell(text: string, style: WrappedStyle): string {
  if (style === 'bare') return text
  const json = JSON.stringify(text)
  if (style === 'value') return json.replaceAll('/', '\\/')
  const ascii = json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return style === 'name' ? ascii.replaceAll('/', '\\/') : ascii
}
