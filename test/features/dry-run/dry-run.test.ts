/** `Prefer: dry-run`: the answer of a write with its changes, events and calls outside, and nothing of it happens. */
import { expect, onTestFinished, test } from 'vitest'
import { full } from '../../../src/profiles/full.ts'
import { storeDocument } from '../../support/documents.ts'
import { baseUrl, createTestSite, type TestSiteOptions } from '../../support/site.ts'
import { openWatchedSite } from './site.ts'

const dry = { prefer: 'dry-run' }

async function openSite(options: TestSiteOptions = {}) {
  const site = await openWatchedSite(full, options)
  onTestFinished(site.dispose)
  await site.as('ada')('POST', '/cms/v2/posts', { body: { title: 'First' } })
  await site.api.site.runDue()
  // The first use of an application password in a day is noted, whatever the request does.
  for (const login of ['edith', 'arthur', 'connie']) await site.as(login)('GET', '/cms/v2/users/me')
  return site
}

test('a new post: the answer, its rows and the events', async () => {
  const site = await openSite()
  const before = await site.digest()
  const heard: string[] = []
  site.api.on('post.created', () => heard.push('post.created'))
  const { status, headers, body } = await site.as('edith')('POST', '/cms/v2/posts', {
    body: { title: 'Tides', status: 'publish', categories: [1] },
    headers: { ...dry, 'idempotency-key': 'k1' },
  })
  expect([status, headers.get('preference-applied'), body.dry_run, body.status]).toEqual([200, 'dry-run', true, 201])
  expect(body.body).toMatchObject({ title: { raw: 'Tides' }, slug: 'tides' })
  expect(body.headers['Location']).toBe(`${baseUrl}/api/cms/v2/posts/${body.body.id}`)
  const row = body.changes.find(({ record }: { record: { store: string } }) => record.store === 'posts')
  expect(row).toMatchObject({ record: { id: body.body.id, type: 'post' }, before: null, after: { title: 'Tides' } })
  expect(body.changes).toContainEqual({
    record: { store: 'assignments', id: body.body.id, type: 'post', taxonomy: 'category' },
    members: ['category'],
    before: { category: [] },
    after: { category: [1] },
  })
  // Payloads are for administrators.
  expect(body.events).toEqual([{ name: 'post.created' }, { name: 'post.published' }])
  expect([body.outside, body.complete]).toEqual([[], true])
  expect([await site.digest(), heard]).toEqual([before, []])
  const again = await site.as('edith')('POST', '/cms/v2/posts', {
    body: { title: 'Tides', status: 'publish', categories: [1] },
    headers: { 'idempotency-key': 'k1' },
  })
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, null])
})

test('a change names the members that change, and a read ignores the preference', async () => {
  const site = await openSite()
  const { body: post } = await site.as('ada')('POST', '/cms/v2/posts', { body: { title: 'One', status: 'publish' } })
  const path = `/cms/v2/posts/${post.id}`
  const { body } = await site.as('ada')('PATCH', path, { body: { title: 'Two' }, query: '_fields=title', headers: dry })
  expect(body.body).toEqual({ title: { raw: 'Two', rendered: 'Two' } })
  expect(body.changes[0]).toEqual({
    record: { store: 'posts', id: post.id, type: 'post' },
    members: ['title', 'version'],
    before: { title: 'One', version: 1 },
    after: { title: 'Two', version: 2 },
  })
  expect(body.events[0]).toMatchObject({
    name: 'post.updated',
    payload: { post: { title: 'Two' }, before: { title: 'One' } },
  })
  const read = await site.as('ada')('GET', path, { headers: dry })
  expect([read.body.title.rendered, read.headers.get('preference-applied')]).toEqual(['One', null])
  for (const prefer of ['respond-async, DRY-RUN; x=1', 'wait=5,dry-run=1']) {
    const { body: removed } = await site.as('ada')('DELETE', path, { query: 'force=true', headers: { prefer } })
    expect(removed).toMatchObject({ dry_run: true, status: 200, body: { deleted: true } })
  }
  const written = await site.as('ada')('PATCH', path, { body: { title: 'Two' }, headers: { prefer: 'no-dry-run' } })
  expect(written.body.title.raw).toBe('Two')
})

test('a refused write is refused, and tells nothing else', async () => {
  const site = await openSite()
  const { body: post } = await site.as('ada')('POST', '/cms/v2/posts', { body: { title: 'One', status: 'publish' } })
  const path = `/cms/v2/posts/${post.id}`
  const body = { title: 'Two' }
  const refused = await site.as('connie')('PATCH', path, { body, headers: dry })
  const real = await site.as('connie')('PATCH', path, { body })
  expect([refused.status, refused.body]).toEqual([403, real.body])
  expect(refused.headers.get('preference-applied')).toBe('dry-run')
  const old = await site.as('ada')('PATCH', path, { body, headers: { ...dry, 'if-match': '"old"' } })
  expect([old.status, old.body.code]).toEqual([412, 'rest_precondition_failed'])
  const visitor = await site.visitor('POST', '/cms/v2/comments', {
    body: { post: post.id, content: 'x' },
    headers: dry,
  })
  expect([visitor.status, visitor.body.code]).toEqual([401, 'rest_dry_run_needs_user'])
})

test('secrets are left out, and so is what a caller may not read', async () => {
  const site = await openSite()
  const admin = site.ids['user.admin']
  const { body } = await site.as('ada')('POST', `/cms/v2/users/${admin}`, {
    body: { password: 'a new secret of mine', first_name: 'Ada' },
    headers: dry,
  })
  expect(body.status).toBe(200)
  expect(JSON.stringify(body)).not.toMatch(/a new secret of mine|\$2|scrypt/)
  expect(body.changes.map(({ record }: { record: { store: string } }) => record.store)).toEqual(['meta'])
  const own = await site.as('ada')('POST', `/cms/v2/users/${admin}/application-passwords`, {
    body: { name: 'Reader' },
    headers: dry,
  })
  expect([own.body.status, own.body.changes]).toEqual([201, []])
  const { body: written } = await site.as('arthur')('POST', '/cms/v2/posts', { body: { title: 'Mine' }, headers: dry })
  expect(written.changes.length).toBeGreaterThan(0)
  const options = await site.as('ada')('POST', '/cms/v2/settings', { body: { title: 'New name' }, headers: dry })
  expect(options.body.changes).toMatchObject([{ record: { store: 'options' }, after: expect.anything() }])
})

test('a batch lists the changes of each of its requests', async () => {
  const site = await openSite()
  const before = await site.digest()
  const requests = [
    { path: '/cms/v2/posts', body: { title: 'A' } },
    { path: '/cms/v2/posts/9999', body: { title: 'x' } },
    { path: '/cms/v2/tags', body: { name: 'Ebb' } },
  ]
  const { body } = await site.as('ada')('POST', '/batch/v1', { body: { requests }, headers: dry })
  expect(body.status).toBe(207)
  expect(body.body.responses.map(({ status }: { status: number }) => status)).toEqual([201, 404, 201])
  type Request = { path: string; changes: { record: { store: string } }[] }
  const stores = body.requests.map(({ path, changes }: Request) => [path, changes.map(({ record }) => record.store)])
  expect(stores).toEqual([
    ['/cms/v2/posts', expect.arrayContaining(['posts'])],
    ['/cms/v2/posts/9999', []],
    ['/cms/v2/tags', ['terms']],
  ])
  expect(body.changes.length).toBe(body.requests.flatMap(({ changes }: Request) => changes).length)
  expect(await site.digest()).toBe(before)
})

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

test('a file is not stored: the report says which would be', async () => {
  const site = await openSite()
  const before = await site.digest()
  const headers = { 'content-type': 'image/png', 'content-disposition': 'attachment; filename="dot.png"' }
  const file = new Blob([pixel], { type: 'image/png' })
  const options = { as: 'system', headers, file, dryRun: true } as const
  const { status, data, dryRun } = await site.api.call('POST', '/cms/v2/media', {}, options)
  expect([status, (data as { mime_type: string }).mime_type]).toEqual([201, 'image/png'])
  const path = expect.stringMatching(/dot\.png$/)
  expect(dryRun?.outside).toContainEqual({
    ...{ service: 'media', call: 'write' },
    detail: { path, type: 'image/png', bytes: pixel.length },
  })
  expect(await site.digest()).toBe(before)
})

test('mails, listeners and hooks: a hook sees that nothing is written', async () => {
  const mails: unknown[] = []
  const seen: unknown[] = []
  const site = await openSite({
    services: { mail: { send: (mail) => void mails.push(mail) } },
    hooks: { 'post.saving': (_, { app }) => void seen.push(app.isDryRun) },
  })
  seen.length = 0
  const { dryRun, data, status } = await site.api.call(
    'POST',
    '/cms/v2/posts',
    { title: 'Ebb' },
    { as: 'system', dryRun: true },
  )
  expect([status, (data as { title: { raw: string } }).title.raw]).toEqual([201, 'Ebb'])
  expect(dryRun).toMatchObject({
    complete: true,
    events: [{ name: 'post.created', payload: { post: { title: 'Ebb' } } }],
  })
  await site.api.call('POST', '/cms/v2/posts', { title: 'Ebb' }, { as: 'system' })
  expect([seen, mails]).toEqual([[true, undefined], []])
})

test('the host tries what it does through api.site', async () => {
  const site = await openSite()
  const before = await site.digest()
  const { result, changes, complete } = await site.api.site.dryRun(async ({ users, options }) => {
    const { id } = await users.create({ login: 'wren', roles: ['author'], password: 'a long secret' })
    await options.write({ name: 'Harbour' })
    return { id, users: (await users.list()).length }
  })
  expect(result.users).toBe((await site.api.site.users.list()).length + 1)
  expect(complete).toBe(true)
  expect(changes).toMatchObject([
    { record: { store: 'users', id: result.id }, before: null, after: { login: 'wren' } },
    { record: { store: 'options', key: 'name' }, after: { name: 'Harbour' } },
  ])
  expect(JSON.stringify(changes)).not.toMatch(/secret|password/)
  expect(await site.digest()).toBe(before)
  await expect(site.api.site.dryRun(() => Promise.reject(new Error('mine')))).rejects.toThrow('mine')
})

test('another server is not asked: the report says that the answer depends on it', async () => {
  const asked: string[] = []
  const site = await openSite({
    services: {
      outbound: {
        get: async (address) => {
          asked.push(address)
          throw new Error('no')
        },
      },
    },
  })
  const image = { id: 7, url: 'https://elsewhere.example/pier.png' }
  const id = await storeDocument(site, [
    { id: 'a1', elType: 'widget', widgetType: 'image', settings: { image }, elements: [] },
  ])
  const { body } = await site.as('ada')('POST', `/builder/v1/documents/${id}/media/import`, { headers: dry })
  expect(body.outside).toEqual([expect.objectContaining({ service: 'outbound' })])
  expect(asked).toEqual([])
})

test('a storage without transactions can not try', async () => {
  const site = await createTestSite({
    storage: ({ posts, terms, users, meta, options, records }) => ({ posts, terms, users, meta, options, records }),
  })
  onTestFinished(site.dispose)
  const { status, body } = await site.as('ada')('POST', '/cms/v2/posts', { body: { title: 'x' }, headers: dry })
  expect([status, body.code]).toEqual([501, 'rest_dry_run_unsupported'])
})
