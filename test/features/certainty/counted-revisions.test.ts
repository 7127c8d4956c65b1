/** Views count the revisions of a post: an answer that shows one depends on them, also where its text was made for another answer. */
import { expect, onTestFinished, test } from 'vitest'
import { full } from '../../../src/profiles/full.ts'
import { createTestSite } from '../../support/site.ts'

const posts = '/cms/v2/posts'

test.each([
  ['the post', 'the list'],
  ['the list', 'the post'],
])('a removed revision ends the kept answers that count it, when %s was asked for before %s', async (...order) => {
  const site = await createTestSite({ profile: full, cacheTags: {} })
  onTestFinished(() => site.dispose())
  const ada = site.as('ada')
  const { body } = await ada('POST', posts, { body: { title: 'Neap', content: 'One', status: 'publish' } })
  for (const content of ['Two', 'Three', 'Four']) await ada('POST', `${posts}/${body.id}`, { body: { content } })
  const changed: string[] = []
  site.api.on('tags.changed', ({ tags }) => void changed.push(...tags))

  const paths = order.map((name) => (name === 'the post' ? `${posts}/${body.id}` : `${posts}?slug=neap`))
  const read = async (path: string) => {
    const { body: shown, headers } = await site.visitor('GET', path)
    const [post] = Array.isArray(shown) ? shown : [shown]
    const tags = (headers.get('cache-tag') ?? '').split(',')
    return { count: post._links['version-history'][0].count, tags }
  }
  // The third answer is one that the api has kept.
  for (let times = 0; times < 3; times++) for (const path of paths) expect((await read(path)).count).toBe(3)
  const before = await Promise.all(paths.map(read))

  const { body: revisions } = await ada('GET', `${posts}/${body.id}/revisions`)
  await ada('DELETE', `${posts}/${body.id}/revisions/${revisions.at(-1).id}`, { query: { force: true } })
  for (const [at, path] of paths.entries()) {
    expect([path, before[at]?.tags.some((tag) => changed.includes(tag))]).toEqual([path, true])
    expect([path, (await read(path)).count]).toEqual([path, 2])
  }
})
