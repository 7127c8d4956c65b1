/** Reports a sweep over the lists of posts: the slowest lists, and how many keep the bounds. */
import type { StorageName } from './growth-storages.ts'

/** Microseconds. */
export interface Figure {
  readonly median: number
  readonly p99: number
}

export interface Swept {
  readonly storage: StorageName
  readonly sizes: readonly number[]
  /** By list: a figure for each size. */
  readonly figures: ReadonlyMap<string, readonly Figure[]>
}

/** The largest ratio of the costs on ten times as many posts. */
const maxRatio = 3
/** The highest cost on a million posts. */
const maxMicroseconds = 30_000
const million = 1_000_000
const worstShown = 15

/**
 * Lists whose first page no index has, and why: what they cost grows with what they match. A total is counted once, and again after
 * a write to a post.
 */
const expected: readonly { readonly list: RegExp; readonly why: string }[] = [
  {
    list: /common word/,
    why: 'all texts that hold the word are ranked before the first is known',
  },
  {
    list: /^(two tags|all of two tags|a category and a tag|a category or a tag|a tag, not a category|an author and a tag)/,
    why: 'the posts that two independent sets share are found only by walking the smaller one',
  },
  {
    list: /^(before|after|between|changed before|changed after)/,
    why: 'rows between two bounds of one column, in the order of another, are found only by walking the range or the order',
  },
  {
    list: /^a tag( without an id)?, by title/,
    why: 'the scan passes as many rows on a site of any size, but on a larger one fewer of them share a page',
  },
]

interface Verdict {
  readonly list: string
  readonly figures: readonly Figure[]
  readonly ratio: number
  readonly isMet: boolean
  readonly why: string | undefined
}

function verdictsOf({ sizes, figures }: Swept): readonly Verdict[] {
  const [before, after] = [sizes[0] ?? 1, sizes.at(-1) ?? 1]
  // A ratio of sizes other than ten is held to as many times the bound as there are tens in it.
  const bound = maxRatio ** Math.log10(after / before)
  return [...figures].map(([list, costs]) => {
    const [first = 1, last = 1] = [costs[0]?.median, costs.at(-1)?.median]
    const ratio = last / first
    const isMet = after === before || ratio <= bound
    const isFast = after < million || last <= maxMicroseconds
    return {
      list,
      figures: costs,
      ratio,
      isMet: isMet && isFast,
      why: expected.find((one) => one.list.test(list))?.why,
    }
  })
}

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
const figure = ({ median, p99 }: Figure) => `${median.toFixed(0)} (${p99.toFixed(0)})`
const verdictText = ({ isMet, why }: Verdict) => (isMet ? 'met' : why === undefined ? '**missed**' : 'missed, expected')

export function sweepText(swept: Swept): string {
  const verdicts = verdictsOf(swept)
  const missed = verdicts.filter(({ isMet }) => !isMet)
  const expectedMisses = missed.filter(({ why }) => why !== undefined)
  const worst = verdicts.toSorted((a, b) => Number(a.isMet) - Number(b.isMet) || b.ratio - a.ratio).slice(0, worstShown)
  const unexpected = missed.filter(({ why }) => why === undefined).toSorted((a, b) => b.ratio - a.ratio)
  const slowest = verdicts.toSorted((a, b) => lastOf(b) - lastOf(a)).slice(0, worstShown)
  const heads = [`µs (p99), ${swept.storage}`, ...swept.sizes.map((size) => `${size / 1000} k`), 'ratio', 'verdict']
  const table = (lines: readonly Verdict[]) => [
    row(heads),
    row(heads.map(() => '---')),
    ...lines.map((line) => row([line.list, ...line.figures.map(figure), line.ratio.toFixed(2), verdictText(line)])),
  ]
  return [
    `${swept.storage}: ${verdicts.length} lists, ${verdicts.length - missed.length} met, ${missed.length} missed, of which ${expectedMisses.length} are expected.`,
    '',
    'The lists that grow most:',
    '',
    ...table(worst),
    '',
    'The slowest lists:',
    '',
    ...table(slowest),
    '',
    ...(unexpected.length === 0 ? [] : ['All that grow unexpectedly:', '', ...table(unexpected), '']),
    ...expected.flatMap(({ list, why }) => {
      const count = expectedMisses.filter((line) => list.test(line.list)).length
      return count === 0 ? [] : [`- ${count} expected: ${why}.`]
    }),
  ].join('\n')
}

const lastOf = ({ figures }: Verdict) => figures.at(-1)?.median ?? 0
