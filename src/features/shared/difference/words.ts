/** The words that were added to and removed from a text. */

/** A run of words: those of both texts, those that only the text before has, and those of the text after. */
export interface WordRun {
  readonly change: 'same' | 'removed' | 'added'
  readonly text: string
}

/** Beyond so many differences, the whole middle counts as replaced: the search takes the square of their number. */
const maxDifferences = 600

/** Matches words, blanks, and signs one by one. */
const wordForm = /[\p{L}\p{M}\p{N}_]+|\s+|[^\p{L}\p{M}\p{N}_\s]/gu

export function wordDifference(before: string, after: string): readonly WordRun[] {
  const [a, b] = [before.match(wordForm) ?? [], after.match(wordForm) ?? []]
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let end = 0
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  const middle = differenceOf(a.slice(start, a.length - end), b.slice(start, b.length - end))
  return joined([
    { change: 'same', text: a.slice(0, start).join('') },
    ...middle,
    { change: 'same', text: end === 0 ? '' : a.slice(-end).join('') },
  ])
}

/** The shortest list of removals and additions, by Myers: the furthest point on each diagonal, for one difference more each time. */
function differenceOf(a: readonly string[], b: readonly string[]): WordRun[] {
  const trace: Map<number, number>[] = []
  let furthest = new Map<number, number>([[1, 0]])
  for (let differences = 0; differences <= Math.min(a.length + b.length, maxDifferences); differences++) {
    const next = new Map(furthest)
    trace.push(furthest)
    for (let diagonal = -differences; diagonal <= differences; diagonal += 2) {
      const x = alongEqual(a, b, startOn(furthest, diagonal, differences), diagonal)
      next.set(diagonal, x)
      if (x >= a.length && x - diagonal >= b.length) return walkedBack(trace, a, b)
    }
    furthest = next
  }
  return [
    { change: 'removed', text: a.join('') },
    { change: 'added', text: b.join('') },
  ]
}

const startOn = (furthest: ReadonlyMap<number, number>, diagonal: number, differences: number): number =>
  comesDown(furthest, diagonal, differences) ? (furthest.get(diagonal + 1) ?? 0) : (furthest.get(diagonal - 1) ?? 0) + 1

function alongEqual(a: readonly string[], b: readonly string[], from: number, diagonal: number): number {
  let x = from
  while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x++
  return x
}

const comesDown = (furthest: ReadonlyMap<number, number>, diagonal: number, differences: number): boolean =>
  diagonal === -differences ||
  (diagonal !== differences && (furthest.get(diagonal - 1) ?? -1) < (furthest.get(diagonal + 1) ?? -1))

function walkedBack(
  trace: readonly ReadonlyMap<number, number>[],
  a: readonly string[],
  b: readonly string[],
): WordRun[] {
  const runs: WordRun[] = []
  let [x, y] = [a.length, b.length]
  for (let differences = trace.length - 1; differences >= 0; differences--) {
    const furthest = trace[differences] as ReadonlyMap<number, number>
    const isDown = comesDown(furthest, x - y, differences)
    const diagonal = isDown ? x - y + 1 : x - y - 1
    const fromX = furthest.get(diagonal) ?? 0
    const fromY = fromX - diagonal
    while (x > fromX && y > fromY && x > 0 && y > 0 && a[x - 1] === b[y - 1]) {
      runs.push({ change: 'same', text: a[x - 1] as string })
      x--
      y--
    }
    if (differences === 0) break
    if (isDown) runs.push({ change: 'added', text: b[--y] as string })
    else runs.push({ change: 'removed', text: a[--x] as string })
  }
  return runs.reverse()
}

/**
 * Neighbours of one kind become one; between two equal words, all that was removed comes before all that was added. Blanks and signs alone
 * between two changes belong to both: words that have nothing in common are not interleaved.
 */
function joined(runs: readonly WordRun[]): WordRun[] {
  const lists: WordRun[] = []
  let [removed, added, between] = ['', '', '']
  const flush = () => {
    if (removed !== '') lists.push({ change: 'removed', text: removed })
    if (added !== '') lists.push({ change: 'added', text: added })
    removed = ''
    added = ''
    if (between !== '') addSame(lists, between)
    between = ''
  }
  for (const { change, text } of runs) {
    if (text === '') continue
    if (change === 'same') {
      between += text
      if (isWord.test(text) || removed + added === '') flush()
      continue
    }
    if (removed + added === '') flush()
    removed += between + (change === 'removed' ? text : '')
    added += between + (change === 'added' ? text : '')
    between = ''
  }
  flush()
  return lists
}

const isWord = /[\p{L}\p{N}]/u

function addSame(lists: WordRun[], text: string): void {
  const last = lists.at(-1)
  if (last?.change === 'same') lists[lists.length - 1] = { change: 'same', text: last.text + text }
  else lists.push({ change: 'same', text })
}
