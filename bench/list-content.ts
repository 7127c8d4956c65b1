/** Sites with as many pages, media, terms and comments as asked for, to measure their lists. */

import { blankTerm, blankUser } from '../src/contract/fields/blank.ts'
import type { PostValues, Storage } from '../src/contract/storage.ts'
import { commentsCollection } from '../src/site/comments/comment.ts'
import { plainColumns } from './content.ts'
import { showProgress } from './progress.ts'

const chunk = 1000

export interface ListSite {
  /** In the order in which they were made; each has ten pages below it, as far as they last. */
  readonly pages: readonly number[]
  readonly media: readonly number[]
  readonly tags: readonly number[]
  readonly categories: readonly number[]
  readonly posts: readonly number[]
  readonly comments: readonly number[]
}

/** Pages below a page, categories below a category. */
const childrenOfOne = 10
/** The first post has half of the comments; this many reply to the same one elsewhere. */
const threads = 5

const dateOf = (at: number) => new Date(Date.UTC(2010, 0, 1) + at * 60_000).toISOString().slice(0, 19)

const row = (type: string, at: number, more: Partial<PostValues>): PostValues => ({
  ...{ type, status: 'publish', slug: `${type}-${at}`, title: `The ${type} ${at}`, content: `<p>Words ${at}.</p>` },
  ...{ author: 1, ...plainColumns(dateOf(at)) },
  ...more,
})

async function inChunks(count: number, what: string, insert: (from: number, length: number) => Promise<number[]>) {
  const ids: number[] = []
  for (let from = 0; from < count; from += chunk) {
    ids.push(...(await insert(from, Math.min(chunk, count - from))))
    showProgress(`${ids.length} of ${count} ${what}`)
  }
  return ids
}

const range = <T>(from: number, length: number, make: (at: number) => T) =>
  Array.from({ length }, (_, index) => make(from + index))

export async function fillLists(storage: Storage, size: number): Promise<ListSite> {
  await storage.options.write({ anonymous_comments: true })
  await storage.users.insert([
    {
      ...{ ...blankUser, login: 'ada', slug: 'ada', displayName: 'Ada', email: 'ada@example.test' },
      ...{ roles: ['administrator'], registered: dateOf(0) },
    },
  ])
  // All share one title.
  const slugOf = (at: number) => (at === 0 ? 'the-post' : `the-post-${at + 1}`)
  const posts = await inChunks(size / 10, 'posts', async (from, length) =>
    storage.posts.insert(range(from, length, (at) => row('post', at, { title: 'The post', slug: slugOf(at) }))),
  )
  const pages: number[] = []
  // One level after the other: a page is made after the one above it.
  for (let from = 0; from < size; from = pages.length) {
    const length = Math.min(chunk, size - from, from === 0 ? childrenOfOne : from * childrenOfOne)
    const above = (at: number) => (at < childrenOfOne ? 0 : (pages[Math.floor(at / childrenOfOne) - 1] ?? 0))
    const rows = range(from, length, (at) => row('page', at, { parent: above(at), menuOrder: at % childrenOfOne }))
    pages.push(...(await storage.posts.insert(rows)))
    showProgress(`${pages.length} of ${size} pages`)
  }
  const media = await inChunks(size, 'media', (from, length) => insertMedia(storage, from, length, posts))
  const tags = await inChunks(size, 'tags', (from, length) => insertTerms(storage, 'post_tag', from, length, () => 0))
  const categories: number[] = []
  await inChunks(size, 'categories', async (from, length) => {
    const above = (at: number) => (at < chunk ? 0 : (categories[Math.floor((at - chunk) / childrenOfOne)] ?? 0))
    const ids = await insertTerms(storage, 'category', from, length, above)
    categories.push(...ids)
    return ids
  })
  await assignTerms(storage, { posts, tags, categories })
  const comments = await inChunks(size, 'comments', (from, length) => insertComments(storage, from, length, posts))
  return { pages, media, tags, categories, posts, comments }
}

async function insertMedia(storage: Storage, from: number, length: number, posts: readonly number[]) {
  const mimeOf = (at: number) => (at % 4 === 3 ? 'application/pdf' : at < 100 ? 'audio/mpeg' : 'image/jpeg')
  const ids = await storage.posts.insert(
    range(from, length, (at) =>
      row('attachment', at, {
        ...{ status: 'inherit', mimeType: mimeOf(at) },
        // Every second file belongs to a post.
        parent: at % 2 === 0 ? 0 : (posts[at % posts.length] ?? 0),
      }),
    ),
  )
  await storage.meta.write(
    'post',
    ids.flatMap((id, index) => {
      const file = `2024/05/file-${from + index}.jpg`
      return [
        { id, key: '_attached_file', value: file },
        { id, key: '_attachment_metadata', value: { file, width: 640, height: 480, filesize: 9_000, sizes: {} } },
      ]
    }),
  )
  return ids
}

const insertTerms = async (
  storage: Storage,
  taxonomy: string,
  from: number,
  length: number,
  parentOf: (at: number) => number,
) =>
  storage.terms.insert(
    range(from, length, (at) => ({
      ...{ ...blankTerm, taxonomy, name: `Term ${at}`, slug: `term-${at}`, parent: parentOf(at) },
    })),
  )

/** Each post has three tags and a category; every tenth term has a post. */
async function assignTerms(
  storage: Storage,
  { posts, tags, categories }: Pick<ListSite, 'posts' | 'tags' | 'categories'>,
) {
  await inChunks(posts.length, 'posts with terms', async (from, length) => {
    await storage.terms.assign(
      range(from, length, (at) => at).flatMap((at) => {
        const post = posts[at] as number
        const of = (terms: readonly number[], step: number) => terms[(at * 10 + step) % terms.length] as number
        return [
          { post, taxonomy: 'post_tag', terms: [0, 1, 2].map((step) => of(tags, step)) },
          { post, taxonomy: 'category', terms: [of(categories, 0)] },
        ]
      }),
    )
    return posts.slice(from, from + length)
  })
}

/** The first post has half of them in long threads; the others are spread. */
async function insertComments(storage: Storage, from: number, length: number, posts: readonly number[]) {
  const values = range(from, length, (at) => ({
    ...{ post: posts[at % 2 === 0 ? 0 : at % posts.length] ?? 0, parent: at < threads * 20 ? 0 : 1 + (at % threads) },
    ...{
      author: at % 50 === 1 ? 1 : 0,
      author_name: `Vera ${at % 500}`,
      author_email: `vera${at % 500}@example.test`,
      author_url: '',
    },
    ...{ author_ip: '192.0.2.1', author_user_agent: '', date: dateOf(at), content: `Comment ${at}.` },
    ...{ status: at % 20 === 19 ? 'hold' : 'approved', type: 'comment', content_digest: `${at}` },
  }))
  return storage.records.insert(commentsCollection, values)
}
