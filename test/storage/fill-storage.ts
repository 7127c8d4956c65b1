/** Fills a storage with the same rows each time: few values in many combinations, some rows changed or removed. */

import type { PostValues, Storage } from '../../src/contract/storage.ts'
import { postValues, termValues, things, userValues } from '../../src/testing/content.ts'

const texts = ['Banana', 'ana', 'Zoë Banana', 'Straße 100%', 'snake_case', '', 'Ba na na zo', 'ΣΑΣ 😀', 'a']

export async function fillStorage(storage: Storage): Promise<void> {
  const next = numbers(42)
  const pick = <T>(values: readonly T[]): T => values[next() % values.length] as T
  const date = () => `2024-01-${String(1 + (next() % 28)).padStart(2, '0')}T12:00:00`
  const post = (at: number): PostValues =>
    postValues({
      type: pick(['post', 'post', 'page', 'revision']),
      status: pick(['publish', 'publish', 'draft', 'private']),
      slug: next() % 4 === 0 ? '' : `slug-${at}`,
      title: pick(texts),
      content: `${pick(texts)} and ${pick(texts)}`,
      excerpt: pick(texts),
      author: next() % 4,
      parent: pick([0, 0, 1, 2, 3]),
      date: date(),
      dateGmt: next() % 5 === 0 ? null : date(),
      modified: date(),
      password: next() % 6 === 0 ? 'secret' : '',
      sticky: next() % 7 === 0,
      format: pick(['standard', 'gallery']),
    })
  await storage.terms.insert([1, 2, 3, 4, 5].map((at) => termValues(`term-${at}`)))
  const posts = await storage.posts.insert(Array.from({ length: 120 }, (_, at) => post(at)))
  await storage.terms.assign(
    posts.map((id) => ({ post: id, taxonomy: 'category', terms: [1, 2, 3, 4, 5].filter(() => next() % 3 === 0) })),
  )
  await storage.posts.update(
    posts
      .filter((id) => id % 5 === 0)
      .map((id) => ({ id, changes: { title: pick(texts), status: 'publish', date: date() } })),
  )
  await storage.posts.remove(posts.filter((id) => id % 11 === 0))
  await storage.users.insert(
    [1, 2, 3, 4].map((at) =>
      userValues(`User-${at}`, {
        slug: `user-${5 - at}`,
        roles: [['editor'], ['author', 'editor'], [], ['author']][at - 1] ?? [],
      }),
    ),
  )
  await storage.records.insert(
    things,
    Array.from({ length: 40 }, () => ({
      name: pick(['a', 'Ä', 'b', '', 'Zoë', null]),
      size: pick([-2, 0, 1, 3, null]),
      weight: pick([0.5, -1, 2, 1e21, null]),
      ready: pick([true, false, null]),
      owner: pick([1, 2, null]),
    })),
  )
}

/** A generator of pseudo-random numbers that depend only on the seed. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state >>> 8
  }
}
