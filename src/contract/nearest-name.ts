/** Finds the name that a misspelt one probably means. */

/** The nearest of the names, for "did you mean"; undefined when none is near. */
export function nearestName(sent: string, names: readonly string[]): string | undefined {
  let nearest: string | undefined
  // A third of the letters may differ, but two in every name of three letters or more.
  let distance = Math.max(2, Math.floor(sent.length / 3)) + 1
  for (const name of names) {
    if (Math.abs(name.length - sent.length) >= distance) continue
    const changes = editDistance(sent.toLowerCase(), name.toLowerCase())
    if (changes >= distance || changes >= name.length) continue
    distance = changes
    nearest = name
  }
  return nearest ?? longerName(sent, names)
}

/** `admin` and `adminn` mean `administrator`: all letters but the last one or two begin one of the names. */
function longerName(sent: string, names: readonly string[]): string | undefined {
  const start = sent.slice(0, Math.max(4, sent.length - 2)).toLowerCase()
  return names.find((name) => name.toLowerCase().startsWith(start))
}

/** "did you mean NAME?", or the list of names. */
export function nameAdvice(sent: string, names: readonly string[], what: string): string {
  const nearest = nearestName(sent, names)
  return nearest === undefined ? `${what} are ${names.join(', ')}` : `did you mean ${nearest}?`
}

/** Insertions, removals, replacements and swaps of neighbours (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const replaced = at(last, j - 1) + (isSame ? 0 : 1)
      const swapped = isSwap ? at(beforeLast, j - 2) + 1 : Number.POSITIVE_INFINITY
      row.push(Math.min(at(last, j) + 1, at(row, j - 1) + 1, replaced, swapped))
    }
    beforeLast = last
    last = row
  }
  return at(last, b.length)
}

const at = (row: readonly number[], index: number) => row[index] as number
