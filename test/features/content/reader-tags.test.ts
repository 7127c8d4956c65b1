/** Entity tags of the views of one record: each reader has a tag, which answers 304 to that reader alone. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { content } from '../../../src/profiles/content.ts'
import { counted } from '../../support/counted.ts'
import { createTestSite, type TestSite } from '../../support/site.ts'

let site: TestSite
beforeAll(async () => {
  site = await createTestSite({ profile: content })
})
afterAll(() => site.dispose())

const readers = [null, 'sam', 'arthur', 'edith', 'ada']

test.each(['posts/{post.hello}', 'pages/{page.about}', 'posts/{post.locked}'])('readers of %s', async (path) => {
  const where = `/cms/v2/${path.replace(/\{(.+)\}/, (_, key: string) => String(site.ids[key]))}`
  const read = (login: string | null, tag?: string, query = '') =>
    site.as(login)('GET', where, { query, headers: tag === undefined ? {} : { 'if-none-match': tag } })
  const tags = await Promise.all(readers.map(async (login) => (await read(login)).headers.get('etag') as string))
  expect(new Set(tags).size).toBe(readers.length)
  for (const [at, login] of readers.entries()) {
    for (const [own, tag] of tags.entries()) expect((await read(login, tag)).status).toBe(at === own ? 304 : 200)
  }
  counted(readers.length ** 2, 'pairs of a reader and a tag')
})

test('what a password opens has another tag than the locked post', async () => {
  const where = `/cms/v2/posts/${site.ids['post.locked']}`
  const read = (query: string, tag = '"none"') =>
    site.visitor('GET', where, { query, headers: { 'if-none-match': tag } })
  const locked = (await read('')).headers.get('etag') as string
  const opened = (await read('password=sesame')).headers.get('etag') as string
  expect(opened).not.toBe(locked)
  expect((await read('password=sesame', locked)).status).toBe(200)
  expect((await read('', opened)).status).toBe(200)
  const again = await read('password=sesame', opened)
  expect([again.status, again.headers.get('cache-control')]).toEqual([304, 'private, no-store'])
})

test('a tag of before a change of the rights is that of another view', async () => {
  const where = `/cms/v2/posts/${site.ids['post.hello']}`
  const tag = (await site.as('aiko')('GET', where)).headers.get('etag') as string
  await site.api.site.users.update(Number(site.ids['user.author2']), { roles: ['editor'] })
  expect((await site.as('aiko')('GET', where, { headers: { 'if-none-match': tag } })).status).toBe(200)
})
