/** The shapes of lists that are measured on sites of each size, and the bounds of their costs. */
import type { PostQuery, Storage } from '../src/contract/storage.ts'
import { type Filled, rareWord } from './growth-content.ts'

export interface Shape {
  readonly name: string
  /**
   * The maximal ratio of the costs on ten times as many posts, or to the shape `against`. Without it there is no bound.
   */
  readonly bound?: number
  /** The name of the shape that is compared with this one on a site of the same size. */
  readonly against?: string
  /** Runs before the first that is measured. Default: 5. */
  readonly warmUp?: number
  /** The minimal number of posts: smaller sites have no such page. */
  readonly minPosts?: number
  readonly run: (storage: Storage, filled: Filled, turn: number) => Promise<unknown>
}

const newest: PostQuery = {
  types: ['post'],
  statuses: [{ status: 'publish' }],
  order: { by: 'date', descending: true },
  offset: 0,
  limit: 10,
}

/** Reads the page of ids, then the rows. */
async function list(storage: Storage, query: Partial<PostQuery>): Promise<unknown> {
  const { idsPage } = await storage.posts.query({ ...newest, ...query })
  return storage.posts.read(idsPage.map(({ id }) => id))
}

const search = (text: string) => ({
  search: { every: [text], none: [], columns: ['title', 'content', 'excerpt'] as const, exact: false },
})

/** The number of posts that are read repeatedly, spread over the site. */
const warmPosts = 5000

export const shapes: readonly Shape[] = [
  {
    name: 'by id',
    bound: 1.5,
    warmUp: warmPosts,
    run: async (storage, { ids }, turn) =>
      storage.posts.read([ids[Math.floor(((turn % warmPosts) * ids.length) / warmPosts)] as number]),
  },
  {
    name: 'by id, each time another',
    // A prime, so that every post is read.
    run: async (storage, { ids }, turn) => storage.posts.read([ids[(turn * 7919) % ids.length] as number]),
  },
  { name: 'newest', bound: 1.2, run: (storage) => list(storage, {}) },
  { name: 'newest with total', bound: 1.2, run: (storage) => list(storage, { total: true }) },
  {
    name: 'several statuses',
    bound: 1.2,
    run: (storage) =>
      list(storage, {
        statuses: ['publish', 'draft', 'private', 'pending'].map((status) => ({ status })),
        total: true,
      }),
  },
  {
    name: 'two terms',
    bound: 3,
    run: (storage, { category, tag }) =>
      list(storage, { terms: { every: [category, tag].map((term) => ({ terms: [term], has: 'any' as const })) } }),
  },
  {
    name: 'page 5000',
    bound: 3,
    against: 'newest',
    minPosts: 50_000,
    run: (storage) => list(storage, { offset: 49_990 }),
  },
  {
    name: 'page after page, at three quarters',
    run: (storage, { ids }, turn) =>
      list(storage, { offset: Math.floor((ids.length * 0.9 * 3) / 4) + (turn % 100) * 10 }),
  },
  { name: 'rare word', bound: 4, run: (storage) => list(storage, search(rareWord)) },
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
