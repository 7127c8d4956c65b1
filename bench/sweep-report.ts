/** Reports a sweep over the lists of posts: how many keep their bounds, the slowest of each kind, and why some miss theirs. */
import type { StorageName } from './growth-storages.ts'

/** `word`: a common word beside another filter, with a total that is kept; `first`: a common word, counted anew. */
export type Kind = 'every list' | 'word' | 'usual' | 'added up' | 'deep' | 'first'

export interface Measured {
  readonly kind: Kind
  readonly name: string
  /** The median of the runs: SQLite is measured in CPU time, PostgreSQL by the clock. */
  readonly ms: number
}

export interface Swept {
  readonly storage: StorageName
  readonly size: number
  readonly lists: readonly Measured[]
}

type Bounds = { readonly [kind in Kind]?: number }

/** A list keeps this many milliseconds, page and total, after a write to a post; searches after one to a page, but for `first`. */
const bounds: { readonly [storage: string]: { readonly [size: number]: Bounds } } = {
  sqlite: {
    100000: { 'every list': 30, word: 80, usual: 3, 'added up': 5, deep: 40, first: 200 },
    1000000: { 'every list': 250, word: 750, usual: 5, 'added up': 80, deep: 400, first: 1500 },
  },
  postgres: {
    100000: { 'every list': 50, word: 700, usual: 15, 'added up': 50, deep: 50, first: 700 },
  },
}
/** At 100,000 posts on SQLite, 98 of 100 lists keep this. */
const most = { share: 0.98, ms: 20 }

/** Why lists miss a bound: what it would take is not worth its price. */
const reasons: readonly { readonly list: RegExp; readonly why: string }[] = [
  { list: /common word/, why: 'all texts that may hold the word are compared, or ranked' },
  {
    list: /^(before|after|between|changed)/,
    why: 'the rows between two bounds of one column, in the order of another, are found by walking the range or the order',
  },
  {
    list: /^(two tags|all of two|a category (and|or)|a tag, not|an author and|any of two|category and|related)/,
    why: 'the posts that two independent sets share are found by walking the smaller one',
  },
]

/** Deep pages miss theirs for another reason. */
const reasonOfDeep = 'a page in the middle of a list passes all entries before it'

const kinds: readonly Kind[] = ['every list', 'word', 'usual', 'added up', 'deep', 'first']
const worstShown = 8
const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
const at = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

export function sweepText({ storage, size, lists }: Swept): string {
  const ofSize = bounds[storage]?.[size] ?? {}
  const heads = ['lists', 'number', 'median', '95 of 100', 'worst', 'bound', 'above it']
  const lines = kinds.flatMap((kind) => {
    const costs = lists.filter((list) => list.kind === kind).map(({ ms }) => ms)
    if (costs.length === 0) return []
    const sorted = costs.toSorted((a, b) => a - b)
    const bound = ofSize[kind]
    const above = bound === undefined ? '' : String(costs.filter((ms) => ms > bound).length)
    const parts = [at(sorted, 0.5), at(sorted, 0.95), at(sorted, 1)].map((ms) => ms.toFixed(2))
    return [row([kind, String(costs.length), ...parts, bound === undefined ? '' : String(bound), above])]
  })
  const every = lists.filter(({ kind }) => kind === 'every list' || kind === 'word')
  const within = every.filter(({ ms }) => ms <= most.ms).length
  const missed = lists.filter(({ kind, ms }) => ms > (ofSize[kind] ?? Number.POSITIVE_INFINITY))
  const unit = storage === 'postgres' ? 'of the clock' : 'of CPU'
  return [
    `${storage}, ${size.toLocaleString('en')} posts, ms ${unit} for the page with its total:`,
    '',
    row(heads),
    row(heads.map(() => '---')),
    ...lines,
    '',
    `${within} of ${every.length} lists take at most ${most.ms} ms (${((100 * within) / Math.max(1, every.length)).toFixed(1)} of 100; wanted at 100,000 posts on SQLite: ${most.share * 100}).`,
    '',
    'The slowest of each kind:',
    '',
    ...kinds.flatMap((kind) => {
      const slowest = lists.filter((list) => list.kind === kind).toSorted((a, b) => b.ms - a.ms)
      if (slowest.length === 0) return []
      return [
        `- ${kind}: ${slowest
          .slice(0, worstShown)
          .map(({ name, ms }) => `${name} ${ms.toFixed(1)}`)
          .join('; ')}`,
      ]
    }),
    ...(missed.length === 0 ? [] : ['', 'Above their bounds:', '', ...missedLines(missed)]),
  ].join('\n')
}

function missedLines(missed: readonly Measured[]): string[] {
  const whyOf = ({ kind, name }: Measured) =>
    kind === 'deep' ? reasonOfDeep : (reasons.find(({ list }) => list.test(name))?.why ?? '**not expected**')
  return [...Map.groupBy(missed, whyOf)].map(
    ([why, lists]) =>
      `- ${lists.map(({ kind, name, ms }) => `${name} (${kind}) ${ms.toFixed(1)}`).join('; ')}: ${why}.`,
  )
}
