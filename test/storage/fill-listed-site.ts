/** A site with so many posts that its lists differ in their access paths. */
import type { Storage } from '../../src/contract/storage.ts'
import { postValues, termValues, userValues } from '../../src/testing/content.ts'
import type { ListedSite } from '../support/post-lists.ts'

/** Above the number of rows that may be sorted, for each of the frequent values. */
const size = 3000
const dateOf = (at: number) => new Date(Date.UTC(2020, 0, 1) + at * 3_600_000).toISOString().slice(0, 19)

export async function fillListedSite(storage: Storage): Promise<ListedSite> {
  const [editor = 0] = await storage.users.insert([userValues('ada', { roles: ['administrator'] })])
  const categories = ['a', 'b'].map((slug) => termValues(slug))
  const tags = ['c', 'd'].map((slug) => ({ ...termValues(slug), taxonomy: 'post_tag' }))
  const [category = 0, otherCategory = 0, tag = 0, otherTag = 0] = await storage.terms.insert([...categories, ...tags])
  const rows = Array.from({ length: size }, (_, at) =>
    postValues({
      ...{ slug: `post-${at}`, title: `The ${at * 7} ferry`, date: dateOf(at), modified: dateOf(at) },
      ...{ author: 1 + (at % 2), status: at % 10 === 4 ? 'draft' : 'publish', sticky: at % 300 === 3 },
      ...{ format: at % 100 === 5 ? 'gallery' : 'standard', content: at % 500 === 1 ? 'zephyrine' : 'harbour' },
    }),
  )
  const ids = await storage.posts.insert(rows)
  await storage.terms.assign(
    ids.flatMap((post, at) => [
      { post, taxonomy: 'category', terms: [at % 4 < 2 ? category : otherCategory] },
      { post, taxonomy: 'post_tag', terms: [at % 5 < 3 ? tag : otherTag] },
    ]),
  )
  return {
    ...{ category, otherCategory, tag, otherTag, editor, ids, author: 1, otherAuthor: 2, slug: 'post-9' },
    ...{ middle: dateOf(size / 2), later: dateOf((size / 10) * 9), rareWord: 'zephyrine', commonWord: 'harbour' },
  }
}
