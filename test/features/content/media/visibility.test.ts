/** Who sees a file: whoever may read its post, and its author. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestSite } from '../../../support/site.ts'
import { mediaSite, upload } from './pictures.ts'

let site: TestSite
let file: number
beforeAll(async () => {
  site = await mediaSite()
  const post = await site.as('edith')('POST', '/cms/v2/posts', { body: { title: 'Hidden', status: 'private' } })
  const query = `post=${post.body.id}&title=Chart`
  file = (await upload(site, 'chart.txt', 'High at six.', { type: 'text/plain', query })).body.id
})
afterAll(() => site.dispose())

test.each([
  [null, 401, false],
  ['sam', 403, false],
  ['arthur', 403, false],
  ['edith', 200, true],
  ['ada', 200, true],
] as const)('a file of a private post is %s: %i, and the list has it: %s', async (login, status, isListed) => {
  expect((await site.as(login)('GET', `/cms/v2/media/${file}`)).status).toBe(status)
  const list = await site.as(login)('GET', '/cms/v2/media', { query: 'search=chart' })
  expect(list.body.map(({ id }: { id: number }) => id)).toEqual(isListed ? [file] : [])
  expect(list.headers.get('x-cms-total')).toBe(isListed ? '1' : '0')
})

test('an unpublished file shows when its post is published', async () => {
  const { body } = await site.as('edith')('GET', `/cms/v2/media/${file}`)
  const { post } = body
  await site.as('edith')('POST', `/cms/v2/posts/${post}`, { body: { status: 'publish' } })
  const seen = await site.visitor('GET', `/cms/v2/media/${file}`)
  expect([seen.status, seen.body.post]).toEqual([200, post])
  expect(seen.body._links['cms:attached-to'][0]).toMatchObject({ embeddable: true, post_type: 'post', id: post })
})

test('kinds and types widen the list together, and the name of a file is found', async () => {
  const listed = async (query: string) =>
    (await site.as('edith')('GET', '/cms/v2/media', { query })).body.map(({ id }: { id: number }) => id)
  expect(await listed('media_type=text&mime_type=application/pdf')).toContain(file)
  expect(await listed('media_type=audio')).toEqual([])
  expect(await listed('mime_type=not/known')).toContain(file)
  expect(await listed('search=chart.txt')).toEqual([file])
  expect(await listed('search=chart.txt&search_columns=post_title')).toEqual([])
})

test('a file that belongs to a post takes a new title', async () => {
  const changed = await site.as('edith')('POST', `/cms/v2/media/${file}`, { body: { title: 'Tide table' } })
  expect([changed.status, changed.body.title?.raw]).toEqual([200, 'Tide table'])
})
