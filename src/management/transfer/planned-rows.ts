/** Rows that a seed plans and writes window by window; each iteration reads the document anew. */
import type { EntryList, Located } from './site-source.ts'

export type Rows<T> = () => AsyncIterable<readonly T[]>

/** The rows of several lists, one after another. */
export const rowsOf = <T>(...all: readonly Rows<T>[]): Rows<T> =>
  async function* () {
    for (const rows of all) yield* rows()
  }

/** The rows that `convert` makes of each row: none, one or several. */
export const convertedRows = <A, B>(rows: Rows<A>, convert: (row: A) => readonly B[]): Rows<B> =>
  async function* () {
    for await (const window of rows()) yield window.flatMap(convert)
  }

/** The entries of a list as rows. */
export const entryRows = <E, T>(list: EntryList, convert: (located: Located<E>) => T, first = 0): Rows<T> =>
  async function* () {
    for await (const window of list.windows<E>(first)) yield window.map(convert)
  }

export async function forEachRow<T>(rows: Rows<T>, work: (row: T) => void): Promise<void> {
  for await (const window of rows()) for (const row of window) work(row)
}
