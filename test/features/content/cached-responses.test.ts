/** Answers to visitors that are kept until something is written. */
import { expect, onTestFinished, test } from 'vitest'
import type { Storage } from '../../../src/contract/storage.ts'
import { createSiteApi } from '../../../src/host/create-site-api.ts'
import { full } from '../../../src/profiles/full.ts'
import { baseUrl, createTestSite, type TestSiteOptions } from '../../support/site.ts'
import { recorded, spied } from '../../support/spied-storage.ts'

const posts = '/cms/v2/posts'

async function openSite(options: TestSiteOptions = {}) {
  const { calls, wrap } = recorded()
  const site = await createTestSite({ profile: full, storage: wrap, ...options })
  onTestFinished(() => site.dispose())
  // The first request runs due tasks, and notes when the next one is due.
  await site.visitor('GET', '/')
  await site.api.site.runDue()
  return {
    ...site,
    calls,
    ada: site.as('ada'),
    /** How many calls of the storage a request makes. */
    async callsOf(path: string, headers: { readonly [name: string]: string } = {}): Promise<number> {
      calls.length = 0
      await site.visitor('GET', path, { headers })
      return calls.length
    },
  }
}

const paths = (ids: { readonly [reference: string]: number }) => [
  posts,
  `${posts}?per_page=2&orderby=title&order=asc`,
  `${posts}?_fields=id,title`,
  `${posts}?_embed=1`,
  `${posts}?search=hello`,
  `${posts}/${ids['post.hello']}`,
  '/cms/v2/pages',
  '/cms/v2/categories?hide_empty=true',
  '/cms/v2/tags',
  '/cms/v2/types',
  '/cms/v2/taxonomies',
  '/cms/v2/statuses',
  '/cms/v2/comments',
  '/cms/v2/media',
  '/cms/v2/users',
  '/cms/v2/search?search=hello',
]

test('a repeated request of a visitor reads nothing, whatever the endpoint', async () => {
  const { visitor, callsOf, ids } = await openSite()
  for (const path of paths(ids)) {
    const first = await visitor('GET', path)
    expect([path, await callsOf(path)]).toEqual([path, 0])
    const again = await visitor('GET', path)
    expect(again.body).toEqual(first.body)
    expect([...again.headers]).toEqual([...first.headers])
  }
})

test('a write of any kind, of another process too, ends what is kept', async () => {
  const { api, ada, visitor, ids, clock } = await openSite()
  const titles = async (path = posts) =>
    (await visitor('GET', path)).body.map(({ title }: { title: { rendered: string } }) => title.rendered)
  const before = await titles()
  expect(await titles()).toEqual(before)
  const made = (await ada('POST', posts, { body: { title: 'New', status: 'publish' } })).body
  expect(await titles()).toEqual(['New', ...before])
  await ada('POST', `${posts}/${made.id}`, { body: { status: 'draft' } })
  expect(await titles()).toEqual(before)

  const category = `/cms/v2/categories/${ids['category.news']}`
  await visitor('GET', category)
  await ada('POST', category, { body: { name: 'Tidings' } })
  expect((await visitor('GET', category)).body.name).toBe('Tidings')

  const hello = `${posts}/${ids['post.hello']}`
  await visitor('GET', hello)
  await api.site.options.write({ permalink: '/read/{slug}/' })
  expect((await visitor('GET', hello)).body.link).toContain('/read/')

  // A scheduled post that becomes due is a write as well.
  const later = new Date(clock.now + 3_600_000).toISOString().slice(0, 19)
  await ada('POST', posts, { body: { title: 'Due', status: 'future', date_gmt: later } })
  expect(await titles()).toEqual(before)
  clock.now += 2 * 3_600_000
  expect(await titles()).toContain('Due')
})

test('what is kept is for visitors, and without passwords, times and headers', async () => {
  const { ada, visitor, callsOf, ids } = await openSite()
  await visitor('GET', posts)
  const own = await ada('GET', posts)
  expect(own.headers.get('cache-control')).toBe('private, no-store')
  const { body: locked } = await ada('POST', posts, { body: { title: 'Locked', status: 'publish', password: 'tide' } })
  const open = await visitor('GET', `${posts}/${locked.id}?password=tide`)
  expect(open.body.content.protected).toBe(true)
  expect(await callsOf(`${posts}/${locked.id}?password=tide`)).toBeGreaterThan(0)
  expect((await visitor('GET', `${posts}/${locked.id}`)).body.content.rendered).toBe('')

  const hello = `${posts}/${ids['post.hello']}`
  const plain = await visitor('GET', hello)
  const elsewhere = await visitor('GET', hello, { headers: { origin: 'https://elsewhere.example' } })
  expect(elsewhere.headers.get('access-control-allow-origin')).toBe('*')
  expect(elsewhere.body).toEqual(plain.body)
  expect((await visitor('GET', hello)).headers.get('access-control-allow-origin')).toBe(null)
  const tag = plain.headers.get('etag') ?? ''
  const unchanged = await visitor('GET', hello, { headers: { 'if-none-match': tag } })
  expect([unchanged.status, unchanged.body]).toEqual([304, undefined])
  const head = await visitor('HEAD', hello)
  expect([head.status, head.body]).toEqual([200, undefined])
  expect(Number(head.headers.get('content-length'))).toBe(new TextEncoder().encode(JSON.stringify(plain.body)).length)
})

test('names without effect, and refusals, are not kept', async () => {
  const { visitor, callsOf } = await openSite()
  const plain = await visitor('GET', posts)
  const named = await visitor('GET', `${posts}?utm=1`)
  expect(named.body).toEqual(plain.body)
  expect(await callsOf(`${posts}?utm=1`)).toBeGreaterThan(0)
  await visitor('GET', `${posts}/999999`)
  expect(await callsOf(`${posts}/999999`)).toBeGreaterThan(0)
})

test('equal requests at the same time are answered by the reads of one', async () => {
  const { ada, visitor, calls, callsOf } = await openSite()
  const touch = () => ada('POST', posts, { body: { title: 'New', status: 'publish' } })
  await touch()
  const alone = await callsOf(posts)
  expect(alone).toBeGreaterThan(0)
  await touch()
  calls.length = 0
  const origins = Array.from({ length: 10 }, (_, at) => `https://${at}.example`)
  const responses = await Promise.all(origins.map((origin) => visitor('GET', posts, { headers: { origin } })))
  expect(calls.length).toBe(alone)
  const [first] = responses
  for (const { status, body, headers } of responses) {
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, '*'])
    expect(body).toEqual(first?.body)
  }
})

test('a request after a write does not get the answer that was begun before it', async () => {
  const { ada, visitor } = await openSite()
  await ada('POST', posts, { body: { title: 'First', status: 'publish' } })
  const begun = visitor('GET', posts)
  await ada('POST', posts, { body: { title: 'Second', status: 'publish' } })
  const [, after] = await Promise.all([begun, visitor('GET', posts)])
  expect(after.body[0].title.rendered).toBe('Second')
})

test('requests that wait for one that fails are answered by themselves', async () => {
  let failures = 0
  const { ada, visitor } = await openSite({
    log: { error: () => undefined },
    storage: (opened) =>
      spied(opened, ({ name }) => {
        if (name === 'posts.query' && failures-- > 0) throw new Error('the disk is away')
      }),
  })
  await ada('POST', posts, { body: { title: 'New', status: 'publish' } })
  failures = 1
  const responses = await Promise.all([1, 2, 3].map(() => visitor('GET', posts)))
  expect(responses.map(({ status }) => status).toSorted(), 'one of three equal requests').toEqual([200, 200, 500])
})

test('an answer that a password opened is not shared', async () => {
  const { ada, visitor } = await openSite()
  const { body: locked } = await ada('POST', posts, {
    body: { title: 'Locked', content: 'Tide', status: 'publish', password: 'tide' },
  })
  const path = `${posts}/${locked.id}`
  const [open, closed] = await Promise.all([visitor('GET', `${path}?password=tide`), visitor('GET', path)])
  expect([open.body.content.rendered, closed.body.content.rendered]).toEqual(['<p>Tide</p>\n', ''])
})

test('with the limit 0 nothing is kept', async () => {
  const { visitor, callsOf } = await openSite({ limits: { responseBytes: 0 } })
  await visitor('GET', posts)
  expect(await callsOf(posts)).toBeGreaterThan(0)
})

test('requests that all differ do not drive out what is asked for again', async () => {
  const { callsOf } = await openSite({ limits: { responseBytes: 100_000 } })
  const askForOthers = async (from: number) => {
    for (let id = from; id < from + 200; id++) await callsOf(`${posts}?include=1,2,3,4,5,6,7,8,9,${id}`)
  }
  await askForOthers(100)
  expect(await callsOf(posts)).toBeGreaterThan(0)
  expect(await callsOf(posts)).toBeGreaterThan(0)
  expect(await callsOf(posts)).toBe(0)
  await askForOthers(300)
  expect(await callsOf(posts)).toBe(0)
})

test('a post that the page builder has made is kept, unless it shows the time', async () => {
  const { ada, visitor, callsOf } = await openSite()
  const { body } = await ada('POST', posts, { body: { title: 'Built', status: 'publish' } })
  const build = async (settings: object) => {
    const elements = [{ id: '1a2b3c4', elType: 'widget', widgetType: 'heading', settings, elements: [] }]
    const meta = { _builder_edit_mode: 'builder', _builder_data: JSON.stringify(elements) }
    const { status } = await ada('POST', `${posts}/${body.id}`, { body: { meta } })
    expect(status).toBe(200)
    const shown = await visitor('GET', `${posts}/${body.id}`)
    return shown.body.content.rendered
  }
  expect(await build({ title: 'Hi' })).toContain('Hi')
  expect(await callsOf(`${posts}/${body.id}`)).toBe(0)
  const now = { __dynamic__: { title: '[builder-tag id="a" name="current-date-time" settings="%7B%7D"]' } }
  expect(await build({ title: '', ...now })).toContain('2024')
  expect(await callsOf(`${posts}/${body.id}`)).toBeGreaterThan(0)
})

test('random reads and writes get the answers of a site that keeps none', async () => {
  let shared: Storage | undefined
  const site = await createTestSite({
    profile: full,
    storage: (storage) => {
      shared = storage
      return storage
    },
  })
  onTestFinished(() => site.dispose())
  const plain = createSiteApi({
    // The cast: the site has opened it.
    storage: shared as Storage,
    profile: full,
    url: baseUrl,
    clock: () => site.clock.now,
    limits: { responseBytes: 0 },
  })
  const writer = site.as('ada')
  let seed = 7
  const next = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed % below
  }
  const all = paths(site.ids)
  const writes = [
    (n: number) =>
      writer('POST', posts, { body: { title: `P${n}`, status: n % 3 ? 'publish' : 'draft', sticky: n % 5 === 0 } }),
    (n: number) => writer('POST', `${posts}/${site.ids['post.hello']}`, { body: { title: `Hello ${n}` } }),
    (n: number) => writer('POST', '/cms/v2/categories', { body: { name: `C${n}` } }),
    (n: number) => writer('POST', '/cms/v2/comments', { body: { post: site.ids['post.hello'], content: `Said ${n}` } }),
    (n: number) => writer('POST', `/cms/v2/users/${site.ids['user.author']}`, { body: { name: `Arthur ${n}` } }),
    (n: number) => plain.site.options.write({ name: `Site ${n}` }),
  ]
  for (let step = 0; step < 150; step++) {
    if (next(3) === 0) await (writes[next(writes.length)] as (n: number) => unknown)(step)
    const path = all[next(all.length)] as string
    const kept = await site.visitor('GET', path)
    const fresh = await plain.fetch(new Request(`${baseUrl}${plain.root}${path}`))
    expect([path, kept.status, kept.body]).toEqual([path, fresh.status, await fresh.json()])
    expect(kept.headers.get('x-cms-total')).toBe(fresh.headers.get('x-cms-total'))
  }
})
