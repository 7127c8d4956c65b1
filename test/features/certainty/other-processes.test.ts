/** A write ends the answers that it touches, in every process, and no others. */
import { expect, onTestFinished, test } from 'vitest'
import type { Storage } from '../../../src/contract/storage.ts'
import { createSiteApi } from '../../../src/host/create-site-api.ts'
import { full } from '../../../src/profiles/full.ts'
import { memoryStorage } from '../../../src/storage/memory/index.ts'
import { baseUrl } from '../../support/site.ts'
import { recorded } from '../../support/spied-storage.ts'
import { openTwo } from '../../support/two-storages.ts'

const posts = '/cms/v2/posts'

async function openBoth() {
  const memory = memoryStorage()
  const isMemory = (process.env.TEST_STORAGE ?? 'memory') === 'memory'
  const { storage: first, other: second } = isMemory ? { storage: memory, other: memory } : await openTwo()
  const { calls, wrap } = recorded()
  const create = (storage: Storage) => createSiteApi({ storage, profile: full, url: baseUrl, cacheTags: {} })
  const [writer, reader] = [create(first), create(wrap(second))]
  const tagsOf = async (path: string) => {
    const { headers } = await reader.fetch(new Request(`${baseUrl}/api${path}`))
    return (headers.get('cache-tag') ?? '').split(',')
  }
  onTestFinished(() => writer.close())
  const read = async () => {
    const response = await reader.fetch(new Request(`${baseUrl}/api${posts}`))
    // The cast: the response of a list.
    const titles = ((await response.json()) as { title: { rendered: string } }[]).map(({ title }) => title.rendered)
    return titles.join()
  }
  const write = async (path: string, body: object) =>
    (await writer.call<{ id: number }>('POST', path, { ...body }, { as: 'system' })).data
  return {
    ...{ first, writer, read, write, tagsOf },
    /** Whether the reader had to make its answer anew. */
    async isMade(work: () => unknown): Promise<boolean> {
      await work()
      await writer.site.runDue()
      calls.length = 0
      await read()
      return calls.some(({ name }) => name === 'posts.query')
    },
  }
}

test('a write ends the answers that it touches, in each process, and keeps the others', async () => {
  const { write, read, isMade, writer } = await openBoth()
  const { id } = await write(posts, { title: 'First', status: 'publish' })
  const page = await write('/cms/v2/pages', { title: 'Page', status: 'publish' })
  // The first transaction of another process that a reader meets ends everything: it does not know what came before.
  for (let warm = 0; warm < 2; warm++) await isMade(() => write('/cms/v2/tags', { name: `Tag ${warm}` }))
  expect(await read()).toBe('First')
  expect(await isMade(() => writer.site.options.write({ unrelated: 1 }))).toBe(false)
  expect(await isMade(() => write(`/cms/v2/pages/${page.id}`, { title: 'Other' }))).toBe(false)
  expect(await isMade(() => write(posts, { title: 'Draft', status: 'draft' }))).toBe(false)
  expect(await isMade(() => write(`${posts}/${id}`, { title: 'Changed' }))).toBe(true)
  expect(await read()).toBe('Changed')
  await write(posts, { title: 'Second', status: 'publish' })
  expect(await read()).toBe('Second,Changed')
})

test('a write around the library ends everything', async () => {
  const { first, write, isMade, read } = await openBoth()
  const { id } = await write(posts, { title: 'First', status: 'publish' })
  for (let warm = 0; warm < 2; warm++) await isMade(() => write('/cms/v2/tags', { name: `Tag ${warm}` }))
  expect(await isMade(() => first.options.write({ unrelated: 1 }))).toBe(true)
  await first.posts.update([{ id, changes: { title: 'Written' } }])
  expect(await read()).toBe('Written')
  // One between two others.
  await write('/cms/v2/tags', { name: 'Before' })
  await first.posts.update([{ id, changes: { title: 'Again' } }])
  await write('/cms/v2/tags', { name: 'After' })
  expect(await read()).toBe('Again')
})

test('each commit tells what it has touched', async () => {
  const { writer, write } = await openBoth()
  const told: (readonly string[])[] = []
  writer.on('tags.changed', ({ tags }) => told.push(tags))
  const { id } = await write(posts, { title: 'First', status: 'publish' })
  expect(told.flat()).toEqual(expect.arrayContaining([`post:${id}`, 'posts:post:publish', 'site']))
  told.length = 0
  await write(`${posts}/${id}`, { title: 'Changed' })
  expect(told.flat()).toEqual(
    expect.arrayContaining([`post:${id}/title`, `post:${id}/all`, 'posts:post:publish:by:title']),
  )
  expect(told.flat()).not.toContain('posts:post:publish')
})

test('a list that is asked for again has one tag, which a write elsewhere touches where the list differs', async () => {
  const { writer, write, tagsOf } = await openBoth()
  const told: string[] = []
  writer.on('tags.changed', ({ tags }) => void told.push(...tags))
  const path = `${posts}?search=hull`
  const { id } = await write(posts, { title: 'Keel', status: 'publish' })
  // Each of these ends the answer, until the list has its name.
  const ofList = async (tries: number): Promise<string | undefined> => {
    await write(posts, { title: `Hull ${tries}`, status: 'publish' })
    const tags = await tagsOf(path)
    const named = tags.find((tag) => tag.startsWith('list:'))
    if (named === undefined) return tries > 0 ? ofList(tries - 1) : undefined
    expect(tags.filter((tag) => tag.startsWith('posts:post:'))).toEqual([])
    return named
  }
  const name = await ofList(10)
  expect(name).toBeDefined()
  told.length = 0
  await write(`${posts}/${id}`, { title: 'Mast' })
  expect(told).toContain('posts:post:publish:by:title')
  expect(told).not.toContain(name)
  await write(`${posts}/${id}`, { title: 'Hull' })
  expect(told).toContain(name)
})
