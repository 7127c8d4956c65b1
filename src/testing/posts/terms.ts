/** Post queries: conditions on terms and formats. */
import type { Storage, TermTree } from '../../contract/storage.ts'
import { type ConformanceCase, equal } from '../case.ts'
import { addPosts, addTerm, assign, countPosts, findPosts } from '../content.ts'

interface Shelf {
  /** Posts that have no terms, x, y, x and y, and x, y and z. */
  readonly posts: readonly [number, number, number, number, number]
  readonly x: number
  readonly y: number
  readonly z: number
}

async function fill(storage: Storage): Promise<Shelf> {
  const posts = await addPosts(storage, [
    { format: 'standard' },
    { format: 'aside' },
    { format: 'standard' },
    { format: 'video' },
    { format: 'aside' },
  ])
  const x = await addTerm(storage, 'x')
  const y = await addTerm(storage, 'y')
  const z = await addTerm(storage, 'z', { taxonomy: 'tag' })
  // The cast: an insert returns one id per row.
  const [none, withX, withY, withBoth, withAll] = posts as [number, number, number, number, number]
  await assign(storage, withX, [x])
  await assign(storage, withY, [y])
  await assign(storage, withBoth, [x, y])
  await assign(storage, withAll, [y, x])
  await assign(storage, withAll, [z], 'tag')
  return { posts: [none, withX, withY, withBoth, withAll], x, y, z }
}

async function finds(storage: Storage, terms: TermTree, expected: readonly number[], about: string): Promise<void> {
  equal(await findPosts(storage, { terms }), expected, about)
  equal(await countPosts(storage, { terms, limit: 1 }), expected.length, `${about}, counted`)
}

export const postTermCases: readonly ConformanceCase[] = [
  {
    name: 'finds posts with any, all or none of several terms',
    async run(storage) {
      const { posts, x, y, z } = await fill(storage)
      const [none, withX, withY, withBoth, withAll] = posts
      await finds(storage, { terms: [x], has: 'any' }, [withX, withBoth, withAll], 'one term')
      await finds(storage, { terms: [x, y], has: 'any' }, [withX, withY, withBoth, withAll], 'any of two')
      await finds(storage, { terms: [x, y], has: 'all' }, [withBoth, withAll], 'all of two')
      await finds(storage, { terms: [x, z, x], has: 'all' }, [withAll], 'all of two, one of them twice')
      await finds(storage, { terms: [x], has: 'none' }, [none, withY], 'not one term')
      await finds(storage, { terms: [x, y], has: 'none' }, [none], 'none of two')
      await finds(storage, { terms: [z], has: 'none' }, [none, withX, withY, withBoth], 'not another term')
    },
  },
  {
    name: 'counts the posts that have none of a frequent and a rare term',
    async run(storage) {
      const posts = await addPosts(
        storage,
        Array.from({ length: 8 }, () => ({})),
      )
      const frequent = await addTerm(storage, 'frequent')
      const rare = await addTerm(storage, 'rare')
      for (const post of posts.slice(0, 5)) await assign(storage, post, [frequent])
      for (const post of posts.slice(5, 6)) await assign(storage, post, [rare])
      await finds(storage, { terms: [frequent, rare], has: 'any' }, posts.slice(0, 6), 'any of both')
      await finds(storage, { terms: [frequent, rare], has: 'none' }, posts.slice(6), 'none of both')
    },
  },
  {
    name: 'matches nothing with any, and everything with all or none, of an empty list of terms',
    async run(storage) {
      const { posts } = await fill(storage)
      await finds(storage, { terms: [], has: 'any' }, [], 'any')
      await finds(storage, { terms: [], has: 'all' }, posts, 'all')
      await finds(storage, { terms: [], has: 'none' }, posts, 'none')
      await finds(storage, { every: [] }, posts, 'an empty every')
      await finds(storage, { some: [] }, [], 'some branch of none')
      await finds(storage, { formats: [] }, [], 'no formats')
    },
  },
  {
    name: 'treats unknown terms as terms that no post has',
    async run(storage) {
      const { posts, x, z } = await fill(storage)
      const [, withX, , withBoth, withAll] = posts
      const unknown = z + 100
      await finds(storage, { terms: [unknown], has: 'any' }, [], 'any')
      await finds(storage, { terms: [unknown, x], has: 'any' }, [withX, withBoth, withAll], 'any with a known one')
      await finds(storage, { terms: [unknown, x], has: 'all' }, [], 'all')
      await finds(storage, { terms: [unknown], has: 'none' }, posts, 'none')
    },
  },
  {
    name: 'finds posts by format',
    async run(storage) {
      const [none, withX, withY, withBoth, withAll] = (await fill(storage)).posts
      await finds(storage, { formats: ['aside'] }, [withX, withAll], 'one format')
      await finds(storage, { formats: ['video', 'standard', 'video'] }, [none, withY, withBoth], 'two formats')
      await finds(storage, { formats: ['ASIDE'] }, [], 'a format in another case')
    },
  },
  {
    name: 'combines branches of a term tree by AND and OR at every depth',
    async run(storage) {
      const { posts, x, y, z } = await fill(storage)
      const [none, withX, withY, withBoth, withAll] = posts
      const hasX: TermTree = { terms: [x], has: 'any' }
      const hasY: TermTree = { terms: [y], has: 'any' }
      const hasZ: TermTree = { terms: [z], has: 'any' }
      const notX: TermTree = { terms: [x], has: 'none' }
      await finds(storage, { every: [hasX, hasY] }, [withBoth, withAll], 'every')
      await finds(storage, { some: [notX, hasZ] }, [none, withY, withAll], 'some')
      await finds(
        storage,
        { every: [{ some: [hasX, hasY] }, { terms: [z], has: 'none' }] },
        [withX, withY, withBoth],
        'OR in AND',
      )
      await finds(storage, { some: [{ every: [hasX, notX] }, { every: [hasY, notX] }] }, [withY], 'AND in OR')
      await finds(storage, { every: [{ formats: ['aside'] }, hasY] }, [withAll], 'a format and a term')
      await finds(storage, { some: [{ formats: ['video'] }, notX] }, [none, withY, withBoth], 'a format or a term')
      await finds(storage, { some: [{ some: [] }, { every: [{ every: [] }, hasZ] }] }, [withAll], 'empty branches')
      let deep: TermTree = hasZ
      for (let depth = 0; depth < 20; depth++) deep = depth % 2 === 0 ? { every: [deep] } : { some: [deep] }
      await finds(storage, deep, [withAll], 'twenty levels')
    },
  },
  {
    name: 'finds posts by hundreds of terms',
    async run(storage) {
      const { posts, x } = await fill(storage)
      const [none, withX, withY, withBoth, withAll] = posts
      const many = [...Array.from({ length: 2000 }, (_, index) => x + 1000 + index), x]
      await finds(storage, { terms: many, has: 'any' }, [withX, withBoth, withAll], 'any')
      await finds(storage, { terms: many, has: 'none' }, [none, withY], 'none')
      await finds(storage, { terms: many, has: 'all' }, [], 'all')
    },
  },
  {
    name: 'finds posts that have all of a dozen terms',
    async run(storage) {
      const { posts } = await fill(storage)
      const [none, withX, withY] = posts
      const dozen: number[] = []
      for (let at = 0; at < 12; at++) dozen.push(await addTerm(storage, `term ${at}`))
      await assign(storage, none, dozen)
      await assign(storage, withX, dozen.slice(1))
      await assign(storage, withY, dozen.slice(0, 11))
      const all: TermTree = { terms: [...dozen, ...dozen.slice(0, 2)], has: 'all' }
      await finds(storage, all, [none], 'all')
      await finds(storage, { terms: dozen.slice(0, 11), has: 'all' }, [none, withY], 'all but the last')
      await finds(
        storage,
        { every: [{ terms: dozen.slice(1), has: 'all' }, { formats: ['aside'] }] },
        [withX],
        'and a format',
      )
      await finds(storage, { some: [all, { terms: dozen.slice(1, 11), has: 'all' }] }, [none, withX, withY], 'either')
    },
  },
  {
    name: 'reflects assigned, unassigned and removed terms',
    async run(storage) {
      const { posts, x, y, z } = await fill(storage)
      const [none, withX, withY, withBoth, withAll] = posts
      await assign(storage, withX, [y])
      await assign(storage, none, [x])
      await assign(storage, withBoth, [])
      await finds(storage, { terms: [x], has: 'any' }, [none, withAll], 'after assigning')
      await finds(storage, { terms: [x, y], has: 'none' }, [withBoth], 'after taking away')
      await storage.posts.update([{ id: withAll, changes: { title: 'changed', date: '2030-01-01T00:00:00' } }])
      await finds(storage, { terms: [z], has: 'any' }, [withAll], 'after a change of the post')
      await storage.terms.remove([z])
      await finds(storage, { terms: [z], has: 'any' }, [], 'after removing the term')
      await storage.posts.remove([none])
      await finds(storage, { terms: [x, y], has: 'any' }, [withX, withY, withAll], 'after removing a post')
    },
  },
  {
    name: 'orders posts of a term by their current date',
    async run(storage) {
      const x = await addTerm(storage, 'x')
      const year = (number: number) => `${number}-01-01T00:00:00`
      const [a, b, c] = (await addPosts(
        storage,
        [2021, 2022, 2023].map((n) => ({ date: year(n) })),
      )) as [number, number, number]
      for (const id of [a, b, c]) await assign(storage, id, [x])
      await storage.posts.update([
        { id: a, changes: { date: year(2030) } },
        { id: b, changes: { status: 'draft' } },
      ])
      const query = { terms: { terms: [x], has: 'any' }, order: { by: 'date', descending: true } } as const
      equal(await findPosts(storage, query), [a, c, b], 'all of them')
      equal(await findPosts(storage, { ...query, statuses: [{ status: 'publish' }] }), [a, c], 'published ones')
      equal(await findPosts(storage, { ...query, statuses: [{ status: 'draft' }] }), [b], 'drafts')
    },
  },
]
