/** Iteration over listings. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { d1 } from '../../src/profiles/d1.ts'
import { d2 } from '../../src/profiles/d2.ts'
import { type ServedSite, serveTestSite } from './served.ts'

let site: ServedSite<typeof d1>
let plus: ServedSite<typeof d2>
beforeAll(async () => {
  site = await serveTestSite({ profile: d1 })
  plus = await serveTestSite({ profile: d2 })
})
afterAll(async () => {
  await site.dispose()
  await plus.dispose()
})

async function collected<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const row of rows) all.push(row)
  return all
}

describe.each(['overHttp', 'inProcess'] as const)('%s', (way) => {
  test('returns all rows once and in order', async () => {
    const client = site[way]('ada')
    const { data } = await client.orThrow.get('/cms/v2/posts', { per_page: 100, status: ['publish', 'draft'] })
    const rows = client.iterate('/cms/v2/posts', { per_page: 2, status: ['publish', 'draft'], _fields: ['id'] })
    expect((await collected(rows)).map(({ id }) => id)).toEqual(data.map(({ id }) => id))
  })

  test('returns pages with their results, from the given page on', async () => {
    const pages = await collected(site[way](null).pages('/cms/v2/posts', { per_page: 2, page: 2 }))
    const totalPages = pages[0]?.totalPages ?? 0
    expect(totalPages).toBeGreaterThan(2)
    expect(pages).toHaveLength(totalPages - 1)
    expect(pages.every(({ status }) => status === 200)).toBe(true)
  })

  test('reads a listing that counts its pages in the body', async () => {
    const form = { postId: plus.ids['post.hello'] as number, elementId: way.toLowerCase(), formName: way }
    for (const value of ['a', 'b', 'c']) {
      await plus.api.site.submissions.add({ ...form, fields: [{ id: 'text', type: 'text', label: 'Text', value }] })
    }
    const asked = { per_page: 2, form: `${form.postId}_${form.elementId}` }
    const rows = await collected(plus[way]('ada').iterate('/builder/v1/form-submissions', asked))
    expect(rows).toHaveLength(3)
  })

  test('throws an error and ends', async () => {
    const rows = site[way](null).iterate('/cms/v2/posts', { per_page: 2, status: ['draft'] })
    await expect(collected(rows)).rejects.toMatchObject({ isClientError: true, status: 400 })
  })
})

test('reads pages only on demand', async () => {
  let count = 0
  const counted = (url: string, init: RequestInit) => {
    count++
    return fetch(url, init)
  }
  const client = site.overHttp(null, { fetch: counted })
  const rows = client.iterate('/cms/v2/posts', { per_page: 1 })
  expect(count).toBe(0)
  for await (const _ of rows) if (count === 2) break
  expect(count).toBe(2)
})

test('returns a row that moves to the next page once', async () => {
  const client = site.inProcess('ada')
  const ids: number[] = []
  for await (const { id } of client.iterate('/cms/v2/posts', { per_page: 2 })) {
    ids.push(id)
    if (ids.length === 2) await client.orThrow.post('/cms/v2/posts', { title: 'Just now', status: 'publish' })
  }
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).toContain(site.ids['post.hello'])
})

test('ends when the call is aborted', async () => {
  const controller = new AbortController()
  const rows = site.overHttp(null).iterate('/cms/v2/posts', { per_page: 1 }, { signal: controller.signal })
  await rows.next()
  controller.abort()
  await expect(rows.next()).rejects.toMatchObject({ code: 'client_aborted' })
})
