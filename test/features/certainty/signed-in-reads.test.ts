/**
 * Reads of users are cached, for each user alone: whoever asks, in whatever order, after whatever was written, gets what a site that
 * caches nothing gives.
 */
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Storage } from '../../../src/contract/storage.ts'
import { createSiteApi } from '../../../src/host/create-site-api.ts'
import { full } from '../../../src/profiles/full.ts'
import { createEditor } from '../../support/editor.ts'
import { isFullRun } from '../../support/generated-cases.ts'
import type { Edited } from '../../support/random-edits.ts'
import { baseUrl, basic, createTestSite, type TestSiteOptions } from '../../support/site.ts'
import { recorded, type StorageCall } from '../../support/spied-storage.ts'
import { openTwo } from '../../support/two-storages.ts'

const posts = '/cms/v2/posts'
const project = process.env.TEST_STORAGE ?? 'memory'
const logins = ['ada', 'edith', 'arthur', 'aiko', 'connie', 'sam', null]

const stores = new Set(['posts', 'terms', 'users', 'meta'])

/** A site, and reads that count what the storage is asked for; a server is asked for the sender each time. */
async function openSite(options: TestSiteOptions = {}) {
  const { calls, wrap } = recorded()
  const site = await createTestSite({ storage: wrap, checkResponses: false, ...options })
  onTestFinished(() => site.dispose())
  const read = async (login: string, path: string, headers: { [name: string]: string } = {}) => {
    calls.length = 0
    const answer = await site.as(login)('GET', path, { headers })
    const names = calls.map(({ name }) => name).filter((name) => stores.has(name.split('.')[0] ?? ''))
    return { ...answer, reads: names.filter((name) => name !== 'users.query').length }
  }
  const ada = site.as('ada')
  return { site, read, ada }
}

const drafts = `${posts}?context=edit&status=draft,publish&per_page=20`

describe('a list that a user asks for again', () => {
  test('is read from no storage, also after writes that do not touch it', async () => {
    const { read, ada } = await openSite()
    const first = await read('edith', drafts)
    for (let times = 0; times < 2; times++) await read('edith', drafts)
    const again = await read('edith', drafts)
    expect([again.status, again.body, again.reads]).toEqual([200, first.body, 0])
    let tides = 0
    const write = () => ada('POST', '/cms/v2/tags', { body: { name: `Tide ${++tides}` } })
    // An answer that has ended once is noted when it is made anew.
    for (let times = 0; times < 2; times++) {
      await write()
      await read('edith', drafts)
    }
    await write()
    expect((await read('edith', drafts)).reads).toBe(0)
  })

  test('shows each write to it', async () => {
    const { site, read, ada } = await openSite()
    const id = site.ids['post.hello'] as number
    const titles = async () =>
      (await read('edith', drafts)).body.map((one: { title: { raw: string } }) => one.title.raw)
    for (let times = 0; times < 4; times++) {
      await ada('POST', `${posts}/${id}`, { body: { title: `Tide ${times}` } })
      expect(await titles()).toContain(`Tide ${times}`)
      expect(await titles()).toContain(`Tide ${times}`)
    }
    await ada('POST', posts, { body: { title: 'Draft' } })
    expect(await titles()).toContain('Draft')
  })

  test('is for no cache outside, and names no tags', async () => {
    const { read } = await openSite({ cacheTags: { cacheControl: 'public, max-age=60' } })
    for (let times = 0; times < 4; times++) {
      const { headers } = await read('edith', posts)
      expect([headers.get('cache-control'), headers.get('cache-tag')]).toEqual(['private, no-store', null])
    }
  })

  test('is another answer than that of a visitor, or of another user', async () => {
    const { site, read } = await openSite()
    const path = `${posts}?per_page=2`
    for (let times = 0; times < 3; times++) {
      await read('edith', path)
      const visitor = await site.visitor('GET', path)
      expect(visitor.headers.get('cache-control')).toBeNull()
      expect(visitor.body[0]._links.self[0].targetHints.allow).toEqual(['GET'])
      expect((await read('edith', path)).body[0]._links.self[0].targetHints.allow).toContain('DELETE')
      expect((await read('sam', path)).body[0]._links.self[0].targetHints.allow).toEqual(['GET'])
    }
  })

  test('is explained to an administrator who asks for it', async () => {
    const { read } = await openSite()
    for (let times = 0; times < 3; times++) await read('ada', drafts)
    const { body, headers } = await read('ada', drafts, { prefer: 'explain' })
    expect([headers.get('preference-applied'), body.status]).toEqual(['explain', 200])
  })

  test('asks the limit of the host each time', async () => {
    const asked: unknown[] = []
    const { read } = await openSite({ limit: ({ user }) => asked.push(user) * 0 })
    for (let times = 0; times < 4; times++) await read('edith', drafts)
    expect(asked).toHaveLength(4)
  })

  test('is answered with 304 where the client has it', async () => {
    const { site, read } = await openSite()
    const path = `${posts}/${site.ids['post.hello']}?context=edit`
    for (let times = 0; times < 3; times++) await read('edith', path)
    const { headers } = await read('edith', path)
    const { status } = await read('edith', path, { 'if-none-match': headers.get('etag') ?? '' })
    expect(status).toBe(304)
  })
})

describe('the answer of a user ends at once', () => {
  const open = async () => {
    const opened = await openSite({ profile: full })
    const { site, read } = opened
    // After writes, the answer is one that ends by what it was made from: nothing of its user is part of that.
    for (let times = 0; times < 4; times++) {
      await opened.ada('POST', '/cms/v2/tags', { body: { name: `Tide ${times}` } })
      expect((await read('edith', drafts)).status).toBe(200)
    }
    return {
      ...opened,
      id: site.ids['user.editor'] as number,
      status: async () => (await read('edith', drafts)).status,
    }
  }

  test('with the role that allowed it, and is there again with it', async () => {
    const { site, id, status } = await open()
    await site.api.site.users.update(id, { roles: ['subscriber'] })
    expect(await status()).toBe(400)
    await site.api.site.users.update(id, { roles: ['editor'] })
    expect(await status()).toBe(200)
  })

  test('with a capability of the user', async () => {
    const { site, id, status } = await open()
    await site.api.site.users.update(id, { capabilities: { edit_posts: false } })
    expect(await status()).toBe(400)
  })

  test('with the password, and with the user', async () => {
    const { site, id, status } = await open()
    await site.api.site.users.update(id, { blocked: true })
    expect(await status()).toBe(401)
    await site.api.site.users.update(id, { blocked: false })
    expect(await status()).toBe(200)
    const { status: removed } = await site.as('ada')('DELETE', `/cms/v2/users/${id}/application-passwords`)
    expect([removed, await status()]).toEqual([200, 401])
  })
})

/** Lists the addresses that each of these users asks for; many may be read by some of them alone. */
const pathsOf = ({ posts: some, built, pages, categories, users, media, comments }: Edited) =>
  [
    ...[
      '',
      '?per_page=3',
      '?orderby=title&order=asc',
      '?search=hull',
      '?_fields=id,title',
      '?_embed=1',
      '?status=draft',
    ],
    ...['?context=edit', '?context=edit&status=any&per_page=20', `?context=edit&author=${users[0]}`],
  ]
    .map((query) => `${posts}${query}`)
    .concat(
      some.slice(0, 3).flatMap((id) => [`${posts}/${id}`, `${posts}/${id}?context=edit`]),
      built.slice(0, 1).map((id) => `${posts}/${id}?context=edit`),
      pages.slice(0, 2).map((id) => `/cms/v2/pages/${id}?context=edit`),
      ['/cms/v2/pages?context=edit', '/cms/v2/categories?context=edit', '/cms/v2/users?context=edit', '/cms/v2/users'],
      ['/cms/v2/comments?context=edit&status=all', '/cms/v2/comments', '/cms/v2/media?context=edit', '/cms/v2/types'],
      ['/cms/v2/types?context=edit', '/cms/v2/statuses?context=edit', '/cms/v2/taxonomies?context=edit'],
      ['/cms/v2/search?search=quay'],
      categories.slice(0, 1).map((id) => `/cms/v2/categories/${id}?context=edit`),
      users.slice(0, 2).map((id) => `/cms/v2/users/${id}?context=edit`),
      media.slice(0, 1).map((id) => `/cms/v2/media/${id}?context=edit`),
      comments.slice(0, 2).map((id) => `/cms/v2/comments/${id}?context=edit`),
    )

const begin = Date.parse('2024-06-15T12:00:00Z')

const isOfPosts = ({ name }: StorageCall) => name.startsWith('posts.')

/** A larger prime number than a turn has requests: its multiples are all of them. */
const step = 7919

/**
 * After each edit, every user asks for everything, in another order each time. Returns how many reads of posts by users asked the storage
 * for no post.
 */
async function compare(first: Storage, second?: Storage): Promise<number> {
  const { calls, wrap } = recorded()
  const [editing, answering] = second ? [first, wrap(second)] : [wrap(first), undefined]
  const editor = await createEditor(editing, Number(process.env['TAGS_SEED'] ?? 7), begin)
  onTestFinished(() => editor.close())
  const clock = { now: begin }
  const options = { profile: full, clock: () => clock.now, url: baseUrl, passwordCost: 10 }
  const api = answering ? createSiteApi({ ...options, storage: answering }) : editor.api
  const plain = createSiteApi({
    ...{ ...options, storage: second ?? first },
    ...{ limits: { responseBytes: 0 }, render: { cache: false } },
  })
  const answerOf = async (
    from: { fetch(request: Request): Promise<Response> } | undefined,
    login: string | null,
    path: string,
  ) => {
    const headers = login === null ? undefined : { authorization: basic(login) }
    const response = await from?.fetch(new Request(`${baseUrl}/api${path}`, headers && { headers }))
    const shown = ['cache-control', 'allow', 'x-cms-total', 'link'].map((name) => response?.headers.get(name))
    return [login, path, response?.status, ...shown, await response?.text()]
  }
  let cached = 0
  for (let turn = 1; turn <= count; turn++) {
    clock.now += 61_000
    const { kind, edited } = await editor.edit(turn, clock.now)
    const asked = pathsOf(edited).flatMap((path) => logins.map((login) => [login, path] as const))
    for (let at = 0; at < asked.length; at++) {
      const [login = null, path = ''] = asked[(at * step + turn) % asked.length] ?? []
      calls.length = 0
      const answer = await answerOf(api, login, path)
      if (login !== null && answer[2] === 200 && path.startsWith(posts) && !calls.some(isOfPosts)) cached++
      expect(answer, `after ${kind}`).toEqual(await answerOf(plain, login, path))
    }
  }
  return cached
}

const given = process.env['TAGS_EDITS']
const count = Number(given ?? (isFullRun ? 60 : project === 'memory' ? 12 : 4))

test.runIf(project === 'memory')('every user gets own answers after every edit', { timeout: 3_600_000 }, async () => {
  const { memoryStorage } = await import('../../../src/storage/memory/index.ts')
  expect(await compare(memoryStorage())).toBeGreaterThan(count)
})

test.runIf(project !== 'memory')(
  'and so beside another storage of the database, which edits',
  { timeout: 3_600_000 },
  async () => {
    const { storage, other } = await openTwo()
    expect(await compare(storage, other)).toBeGreaterThan(count)
  },
)
