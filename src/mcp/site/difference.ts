/** The difference of two texts by lines, as `diff` shows it: bounded in work and in length. */

/** Lines of the answer. */
const maxLines = 120
/** Cells of the table of common lines; larger changes are shown as a whole. */
const maxCells = 250_000
const maxLineLength = 300

/** Empty when nothing differs. A line that is gone begins with `- `, a new one with `+ `, one beside them with two blanks. */
export function difference(before: string, after: string): string {
  if (before === after) return ''
  const [old, now] = [before.split('\n'), after.split('\n')]
  const start = commonStart(old, now)
  const end = commonEnd(old, now, start)
  const [gone, come] = [old.slice(start, old.length - end), now.slice(start, now.length - end)]
  const lines = [
    ...old.slice(Math.max(0, start - 1), start).map((line) => `  ${line}`),
    ...(gone.length * come.length > maxCells ? replaced(gone, come) : compared(gone, come)),
    ...old.slice(old.length - end, old.length - end + 1).map((line) => `  ${line}`),
  ]
  const shown = lines.slice(0, maxLines).map((line) => cut(line, maxLineLength))
  const left = lines.length - shown.length
  return [...shown, ...(left > 0 ? [`(${left} more lines)`] : [])].join('\n')
}

export const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length - 1).trimEnd()}…` : text

/** A text around a place in it. */
export function around(text: string, at: number, length: number, margin = 40): string {
  const from = Math.max(0, at - margin)
  const to = Math.min(text.length, at + length + margin)
  return `${from > 0 ? '…' : ''}${text.slice(from, to).replace(/\s+/g, ' ')}${to < text.length ? '…' : ''}`
}

function commonStart(old: readonly string[], now: readonly string[]): number {
  let at = 0
  while (at < old.length && at < now.length && old[at] === now[at]) at++
  return at
}

function commonEnd(old: readonly string[], now: readonly string[], start: number): number {
  let count = 0
  while (count < Math.min(old.length, now.length) - start && old.at(-1 - count) === now.at(-1 - count)) count++
  return count
}

const replaced = (gone: readonly string[], come: readonly string[]): readonly string[] => [
  ...gone.map((line) => `- ${line}`),
  ...come.map((line) => `+ ${line}`),
]

/** Keeps the longest common sequence of lines. */
function compared(gone: readonly string[], come: readonly string[]): readonly string[] {
  const common = commonLengths(gone, come)
  const lines: string[] = []
  let [row, column] = [0, 0]
  while (row < gone.length && column < come.length) {
    if (gone[row] === come[column]) {
      lines.push(`  ${gone[row++]}`)
      column++
    } else if (common(row + 1, column) >= common(row, column + 1)) lines.push(`- ${gone[row++]}`)
    else lines.push(`+ ${come[column++]}`)
  }
  return [...lines, ...replaced(gone.slice(row), come.slice(column))]
}

/** The most lines that both lists have in common from a row and a column on. */
function commonLengths(gone: readonly string[], come: readonly string[]): (row: number, column: number) => number {
  const width = come.length + 1
  const lengths = new Uint32Array((gone.length + 1) * width)
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0
  for (let row = gone.length - 1; row >= 0; row--) {
    for (let column = come.length - 1; column >= 0; column--) {
      const isCommon = gone[row] === come[column]
      const length = isCommon ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1))
      lengths[row * width + column] = length
    }
  }
  return at
}
