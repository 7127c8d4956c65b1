/** docs/examples/certainty/purge.ts tells a CDN each change, also one that fails at first, and goes on after a restart. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type PurgeOptions, purgeChanges } from '../../docs/examples/certainty/purge.ts'
import { createSiteApi, full, type SiteApi } from '../../src/index.ts'
import { memoryStorage } from '../../src/storage/memory/index.ts'

type Reply = number | 'lost' | { readonly status: number; readonly after: string }

/** A CDN that gives the first requests these replies, and answers all others with 204. */
async function openCdn() {
  const asked: { readonly tags: readonly string[]; readonly status: Reply }[] = []
  const replies: Reply[] = []
  const server = createServer(async (request, response) => {
    const { tags } = (await json(request)) as { readonly tags: readonly string[] }
    const reply = request.headers.authorization === 'Bearer secret' ? (replies.shift() ?? 204) : 401
    asked.push({ tags, status: reply })
    if (reply === 'lost') return void response.destroy()
    const { status, after } = typeof reply === 'number' ? { status: reply, after: undefined } : reply
    response.writeHead(status, after === undefined ? {} : { 'retry-after': after }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  // The cast: the server listens on a port.
  const { port } = server.address() as AddressInfo
  const purged = () => asked.filter(({ status }) => status === 204).flatMap(({ tags }) => tags)
  return { url: `http://127.0.0.1:${port}/`, asked, replies, purged }
}

async function open(options: Partial<PurgeOptions> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'site-api-'))
  const cursorFile = join(folder, 'cursor')
  const api: SiteApi = createSiteApi({
    storage: memoryStorage(),
    profile: full,
    url: 'https://a.example',
    cacheTags: {},
  })
  const cdn = await openCdn()
  const create = (more: Partial<PurgeOptions> = {}) => {
    const pauses = { pauseMs: () => 0, againAfterMs: 1_000_000 }
    const purges = purgeChanges(api, { url: cdn.url, token: 'secret', cursorFile, ...pauses, ...options, ...more })
    onTestFinished(() => purges.close())
    return purges
  }
  onTestFinished(async () => {
    await api.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const write = async (title: string) =>
    (await api.call<{ id: number }>('POST', '/cms/v2/posts', { title, status: 'publish' }, { as: 'system' })).data.id
  return { api, cdn, create, write, cursorFile }
}

test('sends the tags of each commit, in requests of the length that the CDN takes', async () => {
  const { cdn, create, write } = await open({ tagsPerRequest: 5 })
  const purges = create()
  const ids = [await write('One'), await write('Two'), await write('Three')]
  await purges.run()
  expect(cdn.purged()).toEqual(expect.arrayContaining(ids.map((id) => `post:${id}`)))
  expect(cdn.purged()).toContain('posts:post:publish')
  expect(cdn.asked.length).toBeGreaterThan(3)
  expect(Math.max(...cdn.asked.map(({ tags }) => tags.length))).toBe(5)
})

test('sends a request again until the CDN has taken it, and the later ones after it', async () => {
  const { cdn, create, write } = await open({ tagsPerRequest: 4 })
  const purges = create()
  cdn.replies.push(503, 'lost', { status: 429, after: '0' })
  await write('One')
  await purges.run()
  const [first, ...rest] = cdn.asked
  expect(cdn.asked.slice(0, 4).map(({ status }) => status)).toEqual([503, 'lost', { status: 429, after: '0' }, 204])
  for (const { tags } of rest.slice(0, 3)) expect(tags).toEqual(first?.tags)
  const { length } = cdn.asked
  await purges.run()
  expect(cdn.asked.length).toBe(length)
})

test('purges once more what may have been on its way, and then notes the event', async () => {
  const { cdn, create, write, cursorFile } = await open()
  const purges = create({ againAfterMs: 0 })
  await write('One')
  await purges.run()
  await expect.poll(() => Number(readFileSync(cursorFile, { encoding: 'utf8', flag: 'a+' }))).toBeGreaterThan(0)
  const tags = cdn.purged()
  expect(tags.filter((tag) => tag === 'posts:post:publish').length).toBe(2)
})

test('a process that ended reads what it has not purged twice, and what was committed since', async () => {
  const { cdn, create, write } = await open()
  const first = create()
  const one = await write('One')
  await first.run()
  first.close()
  const two = await write('Two')
  cdn.asked.length = 0
  await create().run()
  expect(cdn.purged()).toEqual(expect.arrayContaining([`post:${one}`, `post:${two}`]))
})

test('tells of a refusal, keeps its place, and tries with the next change', async () => {
  const said = vi.spyOn(console, 'error').mockReturnValue()
  onTestFinished(() => said.mockRestore())
  const { cdn, create, write } = await open()
  const purges = create()
  cdn.replies.push(403)
  const one = await write('One')
  await purges.run()
  expect(String(said.mock.calls[0])).toContain('the CDN has answered 403 to a purge')
  const two = await write('Two')
  await purges.run()
  expect(cdn.purged()).toEqual(expect.arrayContaining([`post:${one}`, `post:${two}`]))
})
