/** Addresses that records had before lead to where they are now. */
import { afterEach, expect, test } from 'vitest'
import { full } from '../../src/profiles/full.ts'
import { oldSlugs } from '../../src/site/addresses/old-slugs.ts'
import { exportFile, inPieces, item } from '../management/import/export-file.ts'
import { baseUrl } from '../support/site.ts'
import { createTestPages, type TestPages } from './pages.ts'

let site: TestPages
afterEach(() => site.dispose())

const open = async () => {
  site = await createTestPages({ profile: full })
}
const edith = (method: string, path: string, body: object) => site.as('edith')(method, path, { body })
const target = async (path: string) => {
  const { status, location } = await site.get(path)
  return [status, location]
}

async function createPage(slug: string, parent = 0): Promise<number> {
  const { status, body } = await edith('POST', '/cms/v2/pages', { title: slug, slug, parent, status: 'publish' })
  expect(status).toBe(201)
  return body.id
}

test('the old slug of a post is redirected for good, and so are all that it had', async () => {
  await open()
  const id = site.ids['post.tide']
  expect((await target('/tide/'))[0]).toBe(200)
  await edith('PUT', `/cms/v2/posts/${id}`, { slug: 'low-tide' })
  await edith('PUT', `/cms/v2/posts/${id}`, { slug: 'high-tide' })
  for (const old of ['/tide/', '/low-tide/', '/TIDE']) expect(await target(old)).toEqual([301, `${baseUrl}/high-tide/`])
  expect(await target('/high-tide/')).toEqual([200, null])
})

test('a record that has the slug today wins over one that had it', async () => {
  await open()
  await edith('PUT', `/cms/v2/posts/${site.ids['post.tide']}`, { slug: 'high-tide' })
  const { body } = await edith('POST', '/cms/v2/posts', { title: 'New', slug: 'tide', status: 'publish' })
  expect(body.slug).toBe('tide')
  expect(await target('/tide/')).toEqual([200, null])
})

test('a draft, a record in the trash and a deleted one have no old address', async () => {
  await open()
  const id = site.ids['post.tide']
  await edith('PUT', `/cms/v2/posts/${id}`, { slug: 'high-tide', status: 'draft' })
  expect((await target('/tide/'))[0]).toBe(404)
  await edith('PUT', `/cms/v2/posts/${id}`, { status: 'publish' })
  expect((await target('/tide/'))[0]).toBe(301)
  await edith('DELETE', `/cms/v2/posts/${id}`, {})
  expect((await target('/tide/'))[0]).toBe(404)
  const draft = site.ids['post.draft']
  await edith('PUT', `/cms/v2/posts/${draft}`, { slug: 'was-a-draft' })
  await edith('PUT', `/cms/v2/posts/${draft}`, { slug: 'is-no-draft', status: 'publish' })
  expect((await target('/was-a-draft/'))[0]).toBe(404)
})

test('pages keep the old addresses of the pages above them', async () => {
  await open()
  const parent = await createPage('harbour')
  const child = await createPage('pilots', parent)
  await createPage('boats', child)
  await edith('PUT', `/cms/v2/pages/${parent}`, { slug: 'port' })
  await edith('PUT', `/cms/v2/pages/${child}`, { slug: 'guides' })
  expect(await target('/harbour/')).toEqual([301, `${baseUrl}/port/`])
  expect(await target('/harbour/pilots/boats/')).toEqual([301, `${baseUrl}/port/guides/boats/`])
  expect(await target('/port/pilots/')).toEqual([301, `${baseUrl}/port/guides/`])
  expect((await target('/pilots/'))[0]).toBe(404)
})

test('a copy of the site redirects the same addresses', async () => {
  await open()
  await edith('PUT', `/cms/v2/posts/${site.ids['post.tide']}`, { slug: 'high-tide' })
  const copy = await createTestPages({ profile: full, seed: await site.api.site.export() })
  try {
    expect((await copy.get('/tide/')).location).toBe(`${baseUrl}/high-tide/`)
  } finally {
    await copy.dispose()
  }
})

test('the old slugs of an imported post are redirected, once for each import of the file', async () => {
  await open()
  const meta = [
    ['_wp_old_slug', 'first-name'],
    ['_wp_old_slug', 'second-name'],
  ] as const
  const file = exportFile(item({ id: 5, slug: 'new-name', meta }))
  for (const update of [false, true]) {
    const { problems } = await site.api.site.import(inPieces(file, 999), { update })
    expect(problems.map(({ kind }) => kind)).not.toContain('meta-repeated')
    for (const old of ['/first-name/', '/second-name/'])
      expect(await target(old)).toEqual([301, `${baseUrl}/new-name/`])
  }
  const { records } = site.api['~parts'].storage
  const { rows } = await records.query(oldSlugs, {
    where: { field: 'slug', in: ['first-name', 'second-name'] },
    limit: 9,
  })
  expect(rows).toHaveLength(2)
})
