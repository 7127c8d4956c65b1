/** Calls in the process, clients, the OpenAPI document and the docs page know the tags of answers. */
import { expect, onTestFinished, test } from 'vitest'
import type { Operation } from '../../../src/core/describe/openapi/document.ts'
import { full } from '../../../src/profiles/full.ts'
import { serveTestSite } from '../../client/served.ts'
import type { TestSiteOptions } from '../../support/site.ts'

async function open(options: TestSiteOptions = {}) {
  const site = await serveTestSite({ profile: full, checkResponses: false, ...options })
  onTestFinished(() => site.dispose())
  return site
}

test('results of calls and of clients list the tags of answers to visitors', async () => {
  const site = await open({ cacheTags: {} })
  const id = site.ids['post.hello'] as number
  const { cacheTags } = await site.api.call('GET', '/cms/v2/posts/{id}', { id })
  const own = expect.arrayContaining(['all', `post:${id}`, `post:${id}/all`])
  expect(cacheTags).toEqual(own)
  for (const client of [site.overHttp(null), site.inProcess(null)]) {
    const read = await client.get('/cms/v2/posts/{id}', { id })
    expect([read.ok, read.cacheTags]).toEqual([true, own])
    expect((await client.get('/cms/v2/posts/{id}', { id: 99_999 })).cacheTags).toBeUndefined()
  }
  for (const client of [site.overHttp('edith'), site.inProcess('edith')])
    expect((await client.get('/cms/v2/posts/{id}', { id })).cacheTags).toBeUndefined()
  const written = await site.api.call('POST', '/cms/v2/posts/{id}', { id, title: 'Other' }, { as: 'system' })
  expect(written.cacheTags).toBeUndefined()
})

test('a call in the process has them with a header of another name, and none without the option', async () => {
  const named = await open({ cacheTags: { header: 'Surrogate-Key' } })
  expect((await named.api.call('GET', '/cms/v2/posts')).cacheTags).toContain('posts:post:publish')
  expect((await named.inProcess(null).get('/cms/v2/posts')).cacheTags).toContain('posts:post:publish')
  const without = await open()
  expect((await without.api.call('GET', '/cms/v2/posts')).cacheTags).toBeUndefined()
  expect((await without.inProcess(null).get('/cms/v2/posts')).cacheTags).toBeUndefined()
})

test('with `_fields`, members of the row depend on the columns that they show alone', async () => {
  const site = await open({ cacheTags: {} })
  const id = site.ids['post.hello'] as number
  const tagsOf = async (path: '/cms/v2/posts' | '/cms/v2/pages', _fields: string[]) =>
    (await site.api.call('GET', path, { _fields })).cacheTags
  const titles = await tagsOf('/cms/v2/posts', ['id', 'title.rendered'])
  expect(titles).toContain(`post:${id}/title`)
  for (const other of ['/all', '/terms', '/content', '/slug', '.*', '.footnotes'])
    expect(titles).not.toContain(`post:${id}${other}`)
  expect(titles?.filter((tag) => /revision|^term/.test(tag))).toEqual([])
  expect(await tagsOf('/cms/v2/posts', ['id', 'link'])).toContain(`post:${id}/slug`)
  expect(await tagsOf('/cms/v2/posts', ['id', 'excerpt'])).toContain(`post:${id}/all`)
  const { body } = await site.visitor('GET', '/cms/v2/pages', { query: '_fields=title,link,id' })
  const whole = (await site.visitor('GET', '/cms/v2/pages')).body as { id: number; link: string; title: object }[]
  expect(body.map((one: object) => Object.entries(one))).toEqual(
    whole.map(({ id, link, title }) => Object.entries({ id, link, title })),
  )
})

test('the answer to a removal shows the whole record where `_fields` names it', async () => {
  const site = await open()
  const path = `/cms/v2/posts/${site.ids['post.hello']}`
  const { body } = await site.as('ada')('DELETE', path, { query: 'force=true&_fields=previous' })
  expect(body.previous.content.rendered).not.toBe('')
})

const namesOf = (operation: Operation | undefined) =>
  Object.values(operation?.responses ?? {}).flatMap((one) => ('headers' in one ? Object.keys(one.headers ?? {}) : []))

test('the OpenAPI document and the docs page name the header of the responses that have it', async () => {
  const site = await open({ cacheTags: { header: 'Surrogate-Key' }, docs: true })
  const { paths, components } = await site.api.openapi()
  const posts = paths['/cms/v2/posts']
  expect([namesOf(posts?.get).includes('Surrogate-Key'), namesOf(posts?.post).includes('Surrogate-Key')]).toEqual([
    true,
    false,
  ])
  expect(namesOf(paths['/cms/v2/settings']?.get)).not.toContain('Surrogate-Key')
  expect(components.headers['CacheTag']?.description).toContain('tags.changed')
  for (const [path, item] of Object.entries(paths)) {
    if (path.includes('{') || !item.get || item.get.parameters?.some((one) => 'required' in one && one.required))
      continue
    const { status, headers } = await site.visitor('GET', path)
    if (status === 200 && headers.get('surrogate-key') !== null)
      expect([path, namesOf(item.get)]).toEqual([path, expect.arrayContaining(['Surrogate-Key'])])
  }
  const page = await (await fetch(`${site.address}/docs`)).text()
  expect(page).toContain('Surrogate-Key')
})

test('the document of a site without tags has no such header', async () => {
  const site = await open()
  const { paths, components } = await site.api.openapi()
  expect(namesOf(paths['/cms/v2/posts']?.get)).not.toContain('Cache-Tag')
  expect(components.headers['CacheTag']).toBeUndefined()
})
