/** The graph of use names the users of a record, the reach of a change, and records that are unused or missing. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { full } from '../../../../src/profiles/full.ts'
import { postValues } from '../../../../src/testing/content.ts'
import { storeDocument } from '../../../support/documents.ts'
import { casesOf } from '../../../support/generated-cases.ts'
import { createTestSite, type Requester, type TestSite } from '../../../support/site.ts'
import { randomEdits, usageApi } from './random-edits.ts'

let site: TestSite
let ada: Requester

beforeEach(async () => {
  site = await createTestSite({ profile: full })
  ada = site.as('ada')
})
afterEach(async () => {
  expect(site.failures).toEqual([])
  await site.dispose()
})

const png = new Blob([
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
])
const upload = async (name: string) => {
  const headers = { 'Content-Disposition': `attachment; filename="${name}"`, 'Content-Type': 'image/png' }
  const { data } = await site.api.call<{ id: number; source_url: string }>('POST', '/cms/v2/media', undefined, {
    ...{ as: 'system' as const, headers, file: png },
  })
  return data
}
const recordsOf = (uses: readonly { record: string }[]) => uses.map(({ record }) => record).sort()

describe('who uses a medium', () => {
  test('by its id in a block, a gallery, an element and as the picture of a post, and by the address of its file', async () => {
    const { id, source_url } = await upload('pier.png')
    const post = async (body: object) => (await ada('POST', '/cms/v2/posts', { body })).body.id as number
    const users = [
      await post({ title: 'Block', content: `<!-- cms:image {"id":${id}} --><figure></figure><!-- /cms:image -->` }),
      await post({ title: 'Gallery', content: `[gallery ids="${id}"]` }),
      await post({ title: 'Featured', featured_media: id }),
      await post({ title: 'Address', content: `<p><img src="${source_url.replace('.png', '-1x1.png')}"></p>` }),
      await storeDocument(site, [
        { id: 'a1', elType: 'widget', widgetType: 'image', settings: { image: { id, url: source_url } }, elements: [] },
      ]),
    ]
    const { usedBy } = await usageApi(site)(`media:${id}`)
    expect(recordsOf(usedBy)).toEqual(users.map((one) => `post:${one}`).sort())
    expect(usedBy.find(({ record }) => record === `post:${users[2]}`)).toEqual({
      ...{ record: `post:${users[2]}`, parts: ['row'], type: 'post', title: 'Featured', status: 'draft' },
    })
  })

  test('until the last of them is changed, and a medium that nothing names is an orphan', async () => {
    const { id } = await upload('crane.png')
    const { body } = await ada('POST', '/cms/v2/posts', { body: { title: 'A crane', featured_media: id } })
    const orphans = async () => recordsOf(await usageApi(site).orphans('media'))
    expect(await orphans()).not.toContain(`post:${id}`)
    await ada('POST', `/cms/v2/posts/${body.id}`, { body: { featured_media: 0 } })
    expect(await orphans()).toContain(`post:${id}`)
    expect((await usageApi(site)(`media:${id}`)).usedBy).toEqual([])
  })
})

test('a change of a class reaches the documents that have it, and those that show such a document', async () => {
  const styled = await storeDocument(site, [
    {
      ...{
        id: 'b1',
        elType: 'e-flexbox',
        settings: { classes: { $$type: 'classes', value: ['g-tide', 'e-b1-local'] } },
      },
      elements: [],
    },
  ])
  const showing = await storeDocument(site, [
    { id: 'c1', elType: 'widget', widgetType: 'template', settings: { template_id: String(styled) }, elements: [] },
  ])
  const reached = await usageApi(site).reachedBy(['class:g-tide'])
  expect(recordsOf(reached)).toEqual([`post:${showing}`, `post:${styled}`].sort())
})

test('references to records that are not there are listed with their place', async () => {
  const { id } = await upload('gone.png')
  const { body } = await ada('POST', '/cms/v2/posts', { body: { title: 'A gap', featured_media: id } })
  const document = await storeDocument(site, [
    {
      ...{ id: 'd1', elType: 'widget', widgetType: 'heading', elements: [] },
      settings: { __globals__: { title_color: 'globals/colors?id=lost' } },
    },
  ])
  await usageApi(site).repair()
  await site.api.call('DELETE', `/cms/v2/media/${id}`, { force: true }, { as: 'system' })
  const broken = await usageApi(site).broken()
  expect(broken).toContainEqual({ source: `post:${document}`, part: 'meta:_builder_data', target: 'color:lost' })
  // A removed picture of a post is taken out of the post.
  const picture = (await ada('GET', `/cms/v2/posts/${body.id}`)).body.featured_media
  expect(broken.some(({ target }) => target === `post:${id}`)).toBe(picture === id)
})

test('the routes are for those who may edit the posts of others, and refuse a text that names no record', async () => {
  const query = { record: `post:${site.ids['post.hello']}` }
  expect(await ada('GET', '/site-api/v1/usage', { query })).toMatchObject({
    ...{ status: 200, body: { record: query.record, uses: expect.any(Array), used_by: [], reached: [] } },
  })
  expect(await site.as('arthur')('GET', '/site-api/v1/usage', { query })).toMatchObject({ status: 403 })
  expect(await site.visitor('GET', '/site-api/v1/usage/broken')).toMatchObject({ status: 401 })
  const wrong = await ada('GET', '/site-api/v1/usage', { query: { record: 'post:first' } })
  expect(wrong).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } })
  await expect(usageApi(site)('boat:1')).rejects.toThrow(TypeError)
})

test('a transaction with more changes than are listed leaves a graph that is made anew', async () => {
  const { id } = await upload('many.png')
  expect((await usageApi(site)(`media:${id}`)).usedBy).toEqual([])
  const rows = Array.from({ length: 5001 }, (_, index) => postValues({ slug: `many-${index}`, featuredMedia: id }))
  await site.api['~parts'].storage.posts.insert(rows)
  expect((await usageApi(site)(`media:${id}`)).usedBy).toHaveLength(1000)
  expect(await usageApi(site).repair()).toBe(0)
})

test('after random edits of every kind the graph is the one that is made anew', async () => {
  await usageApi(site)('post:1')
  const edits = randomEdits(site, 1)
  const all = casesOf(1000, 1 / 8)
  for (let times = 0; times < all; times++) await edits.next()
  expect(edits.refused()).toBeLessThan(all / 10)
  expect(await usageApi(site).repair()).toBe(0)
})
