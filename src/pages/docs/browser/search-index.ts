/** Ranks routes by the words of a search. Independent of the page. */

interface SearchableRoute {
  readonly id: string
  readonly methods: readonly string[]
  readonly path: string
  readonly summary: string
  /** The title of the feature. */
  readonly group: string
  readonly args: readonly string[]
}

export interface Found {
  readonly route: SearchableRoute
  /** The argument that a word of the search matched, if nothing else did. */
  readonly argument?: string
}

interface Indexed {
  readonly route: SearchableRoute
  readonly methods: readonly string[]
  readonly path: string
  readonly segments: readonly string[]
  readonly summary: readonly string[]
  readonly group: readonly string[]
  readonly args: readonly string[]
}

export type Search = (query: string) => readonly Found[]

/** The best routes first; empty if one of the words matches nothing. Short paths and earlier routes win among similar ones. */
export function createSearchIndex(routes: readonly SearchableRoute[]): Search {
  const index = routes.map(indexed)
  return (query) => {
    const words = wordsOfQuery(query)
    if (words.length === 0) return []
    const exact = ranked(index, words, exactScore)
    return exact.length > 0
      ? exact
      : ranked(index, words, (route, word) => exactScore(route, word) ?? similar(route, word))
  }
}

const indexed = (route: SearchableRoute): Indexed => ({
  route,
  methods: route.methods.map((method) => method.toLowerCase()),
  path: plainPath(route.path),
  segments: wordsIn(route.path.replace(/\{\w+\}/g, '')),
  summary: wordsIn(route.summary),
  group: wordsIn(route.group),
  args: route.args.map((name) => name.toLowerCase()),
})

const wordsIn = (text: string): string[] => [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])]

/** Names of parameters do not matter: `/posts/{id}` is `/posts/{}`. */
const plainPath = (path: string) => path.toLowerCase().replace(/\{\w*\}?/g, '{}')

const fillers = new Set(['a', 'an', 'the', 'of', 'to', 'for', 'in', 'how', 'and', 'with', 'my', 'by', 'one', 'new'])

/** A word with a slash is a path. Fillers count only if there is nothing else. */
function wordsOfQuery(query: string): string[] {
  const parts = query
    .toLowerCase()
    .trim()
    .split(/\s+/)
    .filter((part) => part !== '')
  const words = parts.flatMap((part) => (part.includes('/') ? [plainPath(part)] : wordsOfPart(part)))
  const meant = words.filter((word) => !fillers.has(word))
  return meant.length > 0 ? meant : words
}

/** `per_page` stays whole, because arguments have such names. */
const wordsOfPart = (part: string): string[] => part.match(/[\p{L}\p{N}_]+/gu) ?? []

interface Score {
  readonly points: number
  readonly argument?: string
}

type ScoreOf = (route: Indexed, word: string) => Score | undefined

function ranked(index: readonly Indexed[], words: readonly string[], scoreOf: ScoreOf): Found[] {
  const found = index.flatMap((route, position) => {
    const scores = words.map((word) => scoreOf(route, word))
    if (scores.some((score) => score === undefined)) return []
    const points = scores.reduce((sum, score) => sum + (score?.points ?? 0), 0)
    const argument = scores.find((score) => score?.argument !== undefined)?.argument
    return [
      {
        position,
        points: points - route.segments.length * 0.5 - position * 0.01,
        found: foundOf(route.route, argument),
      },
    ]
  })
  return found.sort((a, b) => b.points - a.points || a.position - b.position).map((one) => one.found)
}

const foundOf = (route: SearchableRoute, argument: string | undefined): Found =>
  argument === undefined ? { route } : { route, argument }

/** Words for what a method does, beside the words of the summary. */
const verbs: { readonly [word: string]: readonly string[] } = {
  create: ['post'],
  add: ['post'],
  write: ['post', 'put', 'patch'],
  update: ['put', 'patch'],
  change: ['put', 'patch'],
  edit: ['put', 'patch'],
  rename: ['put', 'patch'],
  replace: ['put'],
  delete: ['delete'],
  remove: ['delete'],
  trash: ['delete'],
  read: ['get'],
  get: ['get'],
  show: ['get'],
  fetch: ['get'],
  list: ['get'],
  find: ['get'],
}

function exactScore(route: Indexed, word: string): Score | undefined {
  if (word.includes('/')) return pathScore(route, word)
  const points = Math.max(
    methodScore(route, word),
    segmentScore(route, word),
    summaryScore(route, word),
    groupScore(route, word),
  )
  if (points > 0) return { points }
  const named = route.args.filter((name) => name.startsWith(word) || name.split('_').includes(word))
  const argument = named.find((name) => name === word) ?? named[0]
  return argument === undefined ? undefined : { points: argument === word ? 6 : 3, argument }
}

function pathScore({ path }: Indexed, word: string): Score | undefined {
  const wanted = word.startsWith('/') ? word : `/${word}`
  if (path === wanted || path === wanted.replace(/\/$/, '')) return { points: 100 }
  if (path.endsWith(wanted)) return { points: 50 }
  return path.includes(wanted) ? { points: 30 } : undefined
}

function methodScore({ methods }: Indexed, word: string): number {
  if (methods.includes(word)) return 9
  const meant = Object.hasOwn(verbs, word) ? verbs[word] : undefined
  return meant?.some((method) => methods.includes(method)) ? 6 : 0
}

/** The last segment says most of a path. */
function segmentScore({ segments }: Indexed, word: string): number {
  const best = Math.max(0, ...segments.map((segment) => wordScore(segment, word)))
  return best * 10 + (best > 0 && wordScore(segments.at(-1) ?? '', word) === best ? 4 : 0)
}

const summaryScore = ({ summary }: Indexed, word: string): number =>
  Math.max(0, ...summary.map((one, position) => wordScore(one, word) * (position === 0 ? 11 : 8)))

const groupScore = ({ group }: Indexed, word: string): number =>
  Math.max(0, ...group.map((one) => wordScore(one, word))) * 6

/** The score is 1 for the same word, also in the plural, and less for the beginning of a word. */
function wordScore(one: string, word: string): number {
  if (one === word || singular(one) === singular(word)) return 1
  return word.length > 1 && one.startsWith(word) ? 0.6 : 0
}

const singular = (word: string) => word.replace(/(?:ies|y)$/, 'y').replace(/s$/, '')

/** Words with one typing error, or two in long words. */
function similar({ segments, summary, group, args }: Indexed, word: string): Score | undefined {
  const most = word.length >= 8 ? 2 : word.length >= 4 ? 1 : 0
  if (most === 0) return undefined
  const best = Math.min(...[...segments, ...summary, ...group, ...args].map((one) => distance(one, word, most)))
  return best <= most ? { points: 4 - best } : undefined
}

/** Edits to make the words equal; a swap of neighbours is one. Above `most` the exact number does not matter. */
function distance(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1
  const rows = [Array.from({ length: other.length + 1 }, (_, column) => column)]
  const edits = (row: number, column: number): number => {
    const at = (above: number, before: number) => rows[row - above]?.[column - before] ?? 0
    const isSame = one[row - 1] === other[column - 1]
    const isSwap = row > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
    const swapped = isSwap ? at(2, 2) + 1 : most + 1
    return Math.min(at(1, 0) + 1, at(0, 1) + 1, at(1, 1) + (isSame ? 0 : 1), swapped)
  }
  for (let row = 1; row <= one.length; row++) {
    const current = [row]
    rows.push(current)
    for (let column = 1; column <= other.length; column++) current.push(edits(row, column))
  }
  return rows.at(-1)?.at(-1) ?? 0
}
