/** The table of figures on the terminal. */
import type { Figure, Row } from './row.ts'

export interface Result extends Figure {
  readonly row: Row
  readonly size: number
  readonly seconds: number
}

const verdictOf = ({ isMet }: Figure) => (isMet === undefined ? 'not measured' : isMet ? 'met' : 'MISSED')

/** A cell is wrapped at blanks, so that a row stays as wide as a terminal. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

const widths = [26, 36, 40, 40, 12] as const

const line = (cells: readonly string[]) =>
  cells
    .map((cell, at) => cell.padEnd(widths[at] ?? 0))
    .join('  ')
    .trimEnd()

function tableRow(cells: readonly string[]): string {
  const columns = cells.map((cell, at) => wrapped(cell, widths[at] ?? 0))
  const height = Math.max(...columns.map(({ length }) => length))
  return Array.from({ length: height }, (_, at) => line(columns.map((column) => column[at] ?? ''))).join('\n')
}

export function printTable(results: readonly Result[]): void {
  console.log(`\n${line(['Row', 'What', 'Bound', 'Figure', 'Verdict'])}`)
  console.log(line(widths.map((width) => '-'.repeat(width))))
  for (const { row, size, seconds: _, ...figure } of results) {
    const what = size === 0 ? row.what : `${row.what} (${size.toLocaleString('en')} ${row.size.unit})`
    console.log(tableRow([row.name, what, row.bound, figure.figure, verdictOf(figure)]))
  }
  const count = (verdict: string) => results.filter((result) => verdictOf(result) === verdict).length
  const counts = ['met', 'MISSED', 'not measured'].map((verdict) => `${count(verdict)} ${verdict}`)
  console.log(`\n${counts.join(', ')}`)
}
