/** What is asked of a site of any size: the shapes of lists, and what each may cost more when a site grows tenfold. */
import type { PostQuery, Storage } from '../src/storage/contract.ts'
import { type Filled, rareWord } from './growth-content.ts'

export interface Shape {
  readonly name: string
  /**
   * How much more it may cost on ten times as many posts; or, for a page far behind, how much more than the first page of
   * the same size. Without it the figure is only shown.
   */
  readonly hold?: number
  readonly against?: string
  /** Turns before the first that counts. Default: a few. */
  readonly warmUp?: number
  /** Smaller sites have no such page. */
  readonly atLeast?: number
  readonly run: (storage: Storage, filled: Filled, turn: number) => Promise<unknown>
}

const newest: PostQuery = {
  ...{ types: ['post'], statuses: [{ status: 'publish' }], order: { by: 'date', descending: true } },
  ...{ offset: 0, limit: 10 },
}

/** As a list does it: the heads of the window, then the rows. */
async function list(storage: Storage, query: Partial<PostQuery>): Promise<unknown> {
  const { heads } = await storage.posts.query({ ...newest, ...query })
  return storage.posts.read(heads.map(({ id }) => id))
}

const search = (text: string) => ({
  search: { every: [text], none: [], columns: ['title', 'content', 'excerpt'] as const, exact: false },
})

/** Posts that visitors ask for again and again, spread over all of the site. */
const warmPosts = 5000

export const shapes: readonly Shape[] = [
  {
    name: 'by id',
    hold: 1.5,
    warmUp: warmPosts,
    run: async (storage, { ids }, turn) =>
      storage.posts.read([ids[Math.floor(((turn % warmPosts) * ids.length) / warmPosts)] as number]),
  },
  {
    name: 'by id, each time another',
    // A prime, so that it comes to all of them.
    run: async (storage, { ids }, turn) => storage.posts.read([ids[(turn * 7919) % ids.length] as number]),
  },
  { name: 'newest', hold: 1.2, run: (storage) => list(storage, {}) },
  { name: 'newest with total', hold: 1.2, run: (storage) => list(storage, { total: true }) },
  {
    name: 'several statuses',
    hold: 1.2,
    run: (storage) =>
      list(storage, {
        statuses: ['publish', 'draft', 'private', 'pending'].map((status) => ({ status })),
        total: true,
      }),
  },
  {
    name: 'two terms',
    hold: 3,
    run: (storage, { category, tag }) =>
      list(storage, { terms: { every: [category, tag].map((term) => ({ terms: [term], has: 'any' as const })) } }),
  },
  {
    name: 'page 5000',
    ...{ hold: 3, against: 'newest', atLeast: 50_000 },
    run: (storage) => list(storage, { offset: 49_990 }),
  },
  {
    name: 'page after page, at three quarters',
    run: (storage, { ids }, turn) =>
      list(storage, { offset: Math.floor((ids.length * 0.9 * 3) / 4) + (turn % 100) * 10 }),
  },
  { name: 'rare word', hold: 4, run: (storage) => list(storage, search(rareWord)) },
  { name: 'common word', run: (storage) => list(storage, search('harbour')) },
  { name: 'by title', run: (storage) => list(storage, { order: { by: 'title', descending: false } }) },
  {
    name: 'one term with total',
    run: (storage, { category }) => list(storage, { terms: { terms: [category], has: 'any' }, total: true }),
  },
  {
    name: 'two terms with total',
    run: (storage, { category, tag }) =>
      list(storage, {
        terms: { every: [category, tag].map((term) => ({ terms: [term], has: 'any' as const })) },
        total: true,
      }),
  },
]
