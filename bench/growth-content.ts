/** Generated sites of any size for the growth part; the same size gives the same content. */
import type { PostValues, Storage } from '../src/contract/storage.ts'
import { plainColumns } from './content.ts'
import { showProgress } from './progress.ts'

/** A word that `rarePosts` posts contain on a site of any size. */
export const rareWord = 'zephyrine'
const rarePosts = 20

const chunk = 1000
const tagCount = 200
/** Among them, the tag whose lists are measured. */
const listedTag = 5

export interface Filled {
  /** A category of every third post. */
  readonly category: number
  /** A tag of about one post in forty. */
  readonly tag: number
  readonly ids: readonly number[]
}

const nouns = ['harbour', 'morning', 'ferry', 'lantern', 'market', 'island', 'letter', 'winter', 'garden', 'bridge']
const verbs = ['waits for', 'leaves', 'remembers', 'crosses', 'follows', 'hides']

/** A linear congruential generator: the same numbers on every machine. */
function numbersFrom(seed: number): (below: number) => number {
  let state = (seed * 2654435761 + 1013904223) >>> 0
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const start = Date.UTC(2004, 0, 1)
const minute = 60_000

/** Which of the posts with the rare word this one is. */
function rareNumber(seed: number, size: number): number | undefined {
  const step = Math.floor(size / rarePosts)
  return seed % step === 1 ? Math.floor(seed / step) : undefined
}

/** The newest has the largest seed. */
function postValues(seed: number, size: number): PostValues {
  const next = numbersFrom(seed)
  const word = () => nouns[next(nouns.length)] as string
  const sentence = () => `The ${word()} ${verbs[next(verbs.length)]} the ${word()} of ${word()} ${next(100_000)}.`
  const date = new Date(start + seed * 9 * minute).toISOString().slice(0, 19)
  const kind = next(100)
  const status = kind < 90 ? 'publish' : kind < 95 ? 'draft' : kind < 98 ? 'private' : 'pending'
  const isRare = rareNumber(seed, size) !== undefined
  return {
    type: 'post',
    status,
    slug: `post-${seed}`,
    title: `The ${word()} of ${word()} ${seed}`,
    content: `<p>${sentence()} ${sentence()}${isRare ? ` ${rareWord}` : ''}</p>\n\n<p>${sentence()} ${sentence()}</p>`,
    author: 1 + next(50),
    ...plainColumns(date),
  }
}

export async function fill(storage: Storage, size: number): Promise<Filled> {
  const categories = await insertTerms(storage, 'category', 3)
  const tags = await insertTerms(storage, 'post_tag', tagCount)
  const ids: number[] = []
  for (let from = 0; from < size; from += chunk) {
    const seeds = Array.from({ length: Math.min(chunk, size - from) }, (_, at) => from + at)
    const inserted = await storage.posts.insert(seeds.map((seed) => postValues(seed, size)))
    await storage.terms.assign(
      inserted.flatMap((post, at) => {
        const next = numbersFrom(from + at + 7)
        // The first tags have many posts, the last ones few. Of the posts with the rare word, every fourth has the tag of the lists,
        // so that both together match as many posts of a site of any size.
        const isOfLists = (rareNumber(from + at, size) ?? 1) % 4 === 0
        const tag = tags[isOfLists ? listedTag : Math.floor(tagCount * (next(1000) / 1000) ** 3)] as number
        return [
          { post, taxonomy: 'category', terms: [categories[(from + at) % 3] as number] },
          { post, taxonomy: 'post_tag', terms: [tag] },
        ]
      }),
    )
    ids.push(...inserted)
    showProgress(`${bar(ids.length / size)} ${ids.length} of ${size} posts`)
  }
  return { category: categories[0] as number, tag: tags[listedTag] as number, ids }
}

const bar = (share: number) => `${'#'.repeat(Math.round(share * 30)).padEnd(30, '.')}`

function insertTerms(storage: Storage, taxonomy: string, count: number) {
  return storage.terms.insert(
    Array.from({ length: count }, (_, at) => ({
      taxonomy,
      name: `${taxonomy} ${at}`,
      slug: `${taxonomy}-${at}`,
      description: '',
      parent: 0,
    })),
  )
}
