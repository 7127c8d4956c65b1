/** Next keeps answers by their tags, and ends them with the changes that touch them. */
import type { revalidateTag, unstable_cache } from 'next/cache'
import { expect, onTestFinished, test } from 'vitest'
import {
  createNextHandlers,
  type RevalidateTag,
  type RevalidationOptions,
  revalidateChanges,
  tagPage,
  tagsOf,
  type UnstableCache,
} from '../../adapters/next.ts'
import { full } from '../../src/profiles/full.ts'
import { basic, createTestSite, type TestSiteOptions } from '../support/site.ts'
import { siteUrl } from './sites.ts'

const posts = '/cms/v2/posts'

/** Keeps answers by their tags, as Next does, within its limits. */
class NextCache {
  readonly #kept = new Map<string, { readonly tags: ReadonlySet<string>; readonly data: unknown }>()
  made: string[] = []
  /** Next refuses the call outside of route handlers and server actions. */
  isAllowed = true

  readonly revalidateTag: RevalidateTag = (tag, profile) => {
    if (!this.isAllowed) throw new Error('Invariant: static generation store missing')
    expect([tag.length <= 256, profile]).toEqual([true, { expire: 0 }])
    for (const [key, { tags }] of this.#kept) if (tags.has(tag)) this.#kept.delete(key)
  }

  async get(key: string, make: () => Promise<{ readonly tags: readonly string[]; readonly data: unknown }>) {
    const known = this.#kept.get(key)
    if (known) return known.data
    this.made.push(key)
    const { tags, data } = await make()
    expect(tags.length).toBeLessThanOrEqual(128)
    expect(tags.filter((tag) => tag.length > 256)).toEqual([])
    this.#kept.set(key, { tags: new Set(tags), data })
    return data
  }
}

async function open(options: RevalidationOptions = {}, siteOptions: TestSiteOptions = {}) {
  const site = await createTestSite({ profile: full, cacheTags: {}, checkResponses: false, ...siteOptions })
  onTestFinished(() => site.dispose())
  const cache = new NextCache()
  const revalidate = revalidateChanges(site.api, cache.revalidateTag, options)
  const handlers = createNextHandlers(site.api, { revalidate })
  const read = (path: string, args: object = {}) =>
    cache.get(`${path} ${JSON.stringify(args)}`, async () => {
      const answer = await site.api.call('GET', path as '/cms/v2/posts', args)
      return { tags: tagsOf(answer), data: answer.data }
    })
  const write = async (path: string, body: object) => {
    const request = new Request(`${siteUrl}/api${path}`, {
      method: 'POST',
      headers: { authorization: basic('ada'), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const response = await handlers.POST(request, { params: Promise.resolve({ path: path.slice(1).split('/') }) })
    expect([200, 201]).toContain(response.status)
    return response.json() as Promise<{ readonly id: number }>
  }
  const madeBy = async (work: () => unknown) => {
    cache.made = []
    await work()
    return cache.made
  }
  return { site, cache, revalidate, read, write, madeBy }
}

test('a request ends what its change touches, and nothing else', async () => {
  const { site, read, write, madeBy } = await open()
  const hello = `${posts}/${site.ids['post.hello']}`
  const ferry = `${posts}/${site.ids['post.ferry']}`
  const readAll = async () => {
    for (const path of [hello, ferry, posts, '/cms/v2/categories']) await read(path)
  }
  expect((await madeBy(readAll)).length).toBe(4)
  expect(await madeBy(readAll)).toEqual([])
  await write(hello, { title: 'Another' })
  expect(await madeBy(readAll)).toEqual([`${hello} {}`, `${posts} {}`])
  expect(await read(hello)).toMatchObject({ title: { rendered: 'Another' } })
  await write('/cms/v2/categories', { name: 'Winds' })
  expect(await madeBy(readAll)).toEqual(['/cms/v2/categories {}'])
})

test('long lists of tags name rows as a whole, and still end with each change', async () => {
  const { site, read, write, madeBy } = await open()
  const made: number[] = []
  for (let at = 0; at < 30; at++) made.push((await write(posts, { title: `Post ${at}`, status: 'publish' })).id)
  const answer = await site.api.call('GET', posts, { per_page: 100 })
  expect(answer.cacheTags?.length).toBeGreaterThan(128)
  expect(tagsOf(answer)).toContain(`row:post:${made[0]}`)
  const list = () => read(posts, { per_page: 100 })
  await list()
  await write('/cms/v2/tags', { name: 'Elsewhere' })
  expect(await madeBy(list)).toEqual([])
  await write(`${posts}/${made[3]}`, { title: 'Changed' })
  expect((await madeBy(list)).length).toBe(1)
  await write(posts, { title: 'New', status: 'publish' })
  expect((await madeBy(list)).length).toBe(1)
})

test('the children of rows, such as revisions, are named by the row', () => {
  const rows = Array.from({ length: 100 }, (_, at) => [`post:${at}/title`, `posts:revision:*:parent:${at}`]).flat()
  const tags = tagsOf({ cacheTags: ['all', ...rows, 'posts:post:publish'] })
  expect(tags.length).toBe(102)
  expect(tags).toEqual(expect.arrayContaining(['all', 'row:post:0', 'row:post:99', 'posts:post:publish']))
})

test('more rows than Next takes tags are named by their kind, and long tags by theirs', () => {
  const rows = Array.from({ length: 200 }, (_, at) => [`post:${at}`, `post:${at}/title`]).flat()
  const lists = Array.from({ length: 40 }, (_, at) => `posts:post:publish:term:${at}`)
  expect(tagsOf({ cacheTags: ['all', ...rows, ...lists] })).toEqual(['all', 'kind:post', 'kind:posts'])
  expect(tagsOf({ cacheTags: ['all', `records:notes:${'a'.repeat(300)}`] })).toEqual(['all', 'kind:records'])
})

test('an answer without tags ends with each change', async () => {
  const { site, write } = await open()
  const answer = await site.api.call('GET', posts, {}, { as: site.ids['user.editor'] ?? 0 })
  expect([answer.cacheTags, tagsOf(answer)]).toEqual([undefined, ['all', 'site']])
  const told: string[] = []
  site.api.on('tags.changed', ({ tags }) => void told.push(...tags))
  await write('/cms/v2/tags', { name: 'Elsewhere' })
  expect(told).toContain('site')
})

test('a change outside of a request asks for one, once for all that change meanwhile', async () => {
  const asked: PromiseWithResolvers<void>[] = []
  const later = () => {
    const one = Promise.withResolvers<void>()
    asked.push(one)
    return one.promise
  }
  const { site, cache, read, madeBy, revalidate } = await open({ later })
  const list = () => read(posts)
  await list()
  cache.isAllowed = false
  const write = (title: string) => site.api.call('POST', posts, { title, status: 'publish' }, { as: 'system' })
  await write('One')
  await write('Two')
  expect(asked.length).toBe(1)
  expect(await madeBy(list)).toEqual([])
  cache.isAllowed = true
  await revalidate()
  expect((await madeBy(list)).length).toBe(1)
  asked[0]?.resolve()
  await expect.poll(() => asked.length).toBe(2)
  asked[1]?.reject(new Error('the route is not there'))
  await write('Three')
  await expect.poll(() => asked.length).toBe(3)
  // Whoever revalidates next takes it along.
  expect(await revalidate(() => 7)).toBe(7)
  expect((await madeBy(list)).length).toBe(1)
})

test('requests at the same time each revalidate all that has changed since they began', async () => {
  const { site, cache, revalidate, read, madeBy } = await open()
  const list = () => read(posts)
  await list()
  const slow = Promise.withResolvers<void>()
  const first = revalidate(() => slow.promise)
  await revalidate(() => site.api.call('POST', posts, { title: 'One', status: 'publish' }, { as: 'system' }))
  expect((await madeBy(list)).length).toBe(1)
  slow.resolve()
  await first
  // An answer that was made between the two may be older than the commit: it ends, too.
  expect((await madeBy(list)).length).toBe(1)
  expect(cache.made.length).toBe(1)
})

test('work that fails revalidates what it has changed, and keeps its error', async () => {
  const { site, read, revalidate, madeBy } = await open()
  const list = () => read(posts)
  await list()
  const work = revalidate(async () => {
    await site.api.call('POST', posts, { title: 'One', status: 'publish' }, { as: 'system' })
    throw new Error('later')
  })
  await expect(work).rejects.toThrow('later')
  expect((await madeBy(list)).length).toBe(1)
})

test('more changes than Next looks through end everything', async () => {
  const { site, read, revalidate, madeBy } = await open()
  await read('/cms/v2/categories')
  await revalidate(async () => {
    for (let at = 0; at < 60; at++)
      await site.api.call('POST', posts, { title: `Post ${at}`, status: 'publish' }, { as: 'system' })
  })
  expect((await madeBy(() => read('/cms/v2/categories'))).length).toBe(1)
})

test('a page that is kept gets the tags of its answers', async () => {
  const { site } = await open()
  const given: string[][] = []
  const unstableCache: UnstableCache = (work, _key, { tags }) => {
    given.push(tags)
    return work
  }
  const answers = [await site.api.call('GET', posts), await site.api.call('GET', '/cms/v2/tags')]
  await tagPage(unstableCache, ...answers)
  expect(given).toEqual(answers.map(tagsOf))
})

test('the functions have the types of those of Next', () => {
  const own: { readonly revalidateTag: RevalidateTag; readonly unstableCache: UnstableCache } = {
    // The casts: only the types count here.
    revalidateTag: undefined as unknown as typeof revalidateTag,
    unstableCache: undefined as unknown as typeof unstable_cache,
  }
  expect(Object.keys(own)).toEqual(['revalidateTag', 'unstableCache'])
})
