/** Locks: while one user edits a post, writes of others are refused on every route, and say who has it open. */
import { afterEach, expect, test } from 'vitest'
import type { Storage } from '../../../src/contract/storage.ts'
import { withDocuments } from '../../support/documents-profile.ts'
import { createTestSite, type Received, type TestSite, type TestSiteOptions } from '../../support/site.ts'
import type { OpenStorage } from '../../support/storage.ts'

let site: TestSite
afterEach(() => site.dispose())

const elements = [{ id: 'aaaaaa0', elType: 'container', settings: {}, elements: [] }]
const lockOf = (id: number) => `/site-api/v1/locks/${id}`
const told = ({ status, body }: Received) => [status, body.code, body.data?.locked_by_name]

const open = async (base: 'posts' | 'pages' = 'posts', options: TestSiteOptions = {}) => {
  site = await createTestSite({ profile: withDocuments, ...options })
  const [ada, edith] = [site.as('ada'), site.as('edith')]
  const { body } = await ada('POST', `/cms/v2/${base}`, { body: { title: 'Shared', status: 'publish' } })
  return { ada, edith, id: body.id as number, content: `/cms/v2/${base}/${body.id}` }
}

test.each(['posts', 'pages'] as const)(
  'of %s: no route lets the second editor write, and each names the first',
  async (base) => {
    const { ada, edith, id, content } = await open(base)
    const taken = await ada('POST', lockOf(id))
    expect([taken.status, taken.body]).toMatchObject([200, { id, locked: true, is_yours: true }])
    const document = `/site-api/v1/documents/${id}`
    const refused = [
      await edith('POST', content, { body: { title: 'Mine' } }),
      await edith('PATCH', content, { body: { slug: 'mine' } }),
      await edith('DELETE', content),
      await edith('DELETE', content, { query: 'force=true' }),
      await edith('POST', document, { body: { title: 'Mine' } }),
      await edith('POST', document, { body: { elements } }),
      await edith('POST', `${document}/publish`),
      await edith('DELETE', document),
      await edith('POST', lockOf(id)),
    ]
    expect(refused.map(told)).toEqual(refused.map(() => [409, 'rest_locked', 'Ada Admin']))
    const batch = { requests: [{ method: 'POST', path: content, body: { title: 'Mine' } }] }
    const { body } = await edith('POST', '/batch/v1', { body: batch })
    expect(body.responses[0].status).toBe(409)
    expect((await ada('GET', content, { query: 'context=edit' })).body).toMatchObject({ title: { raw: 'Shared' } })
    expect((await ada('POST', content, { body: { title: 'Hers' } })).status).toBe(200)
    // An autosave lies beside the post.
    expect((await edith('POST', `${content}/autosaves`, { body: { title: 'Draft' } })).status).toBe(200)
  },
)

test('a refused change leaves the post as it was on a storage without transactions', async () => {
  const { ada, edith, id, content } = await open('posts', { storage: ({ atomic: _, ...storage }) => storage })
  await ada('POST', lockOf(id))
  expect((await edith('PATCH', content, { body: { title: 'Mine' } })).status).toBe(409)
  expect((await ada('GET', content, { query: 'context=edit' })).body.title.raw).toBe('Shared')
})

test('a lock ends with its time, when it is released, and when the other editor takes it over', async () => {
  const { ada, edith, id, content } = await open()
  const write = async (by: typeof ada) => (await by('POST', content, { body: { title: 'Text' } })).status
  await ada('POST', lockOf(id))
  site.clock.now += 149_000
  expect(await write(edith)).toBe(409)
  await ada('POST', lockOf(id))
  site.clock.now += 149_000
  expect(await write(edith)).toBe(409)
  site.clock.now += 2_000
  expect(await write(edith)).toBe(200)
  await ada('POST', lockOf(id))
  expect((await edith('DELETE', lockOf(id))).body).toMatchObject({ locked: true, is_yours: false })
  expect(await write(edith)).toBe(409)
  expect((await ada('DELETE', lockOf(id))).body).toMatchObject({ locked: false, user: null })
  expect(await write(edith)).toBe(200)
  const events: unknown[] = []
  site.api.on('lock.taken', (payload) => void events.push(payload))
  await ada('POST', lockOf(id))
  expect((await edith('POST', lockOf(id), { body: { take_over: true } })).body.is_yours).toBe(true)
  expect(told(await ada('POST', content, { body: { title: 'Late' } }))).toEqual([409, 'rest_locked', 'Edith Editor'])
  const [first, second] = [site.ids['user.admin'], site.ids['user.editor']]
  expect(events).toEqual([
    { id, user: first },
    { id, user: second, from: first },
  ])
})

test('of two editors who lock at once one gets it', async () => {
  const { ada, edith, id } = await open()
  const answers = await Promise.all([ada('POST', lockOf(id)), edith('POST', lockOf(id))])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  const { body } = await ada('GET', lockOf(id))
  expect(body.is_yours).toBe(answers[0]?.status === 200)
})

test('whoever may not edit the post may neither lock it nor read its lock', async () => {
  const { id } = await open()
  for (const [login, status] of [
    ['sam', 403],
    ['connie', 403],
  ] as const) {
    expect((await site.as(login)('POST', lockOf(id))).status).toBe(status)
    expect((await site.as(login)('GET', lockOf(id))).status).toBe(status)
  }
  expect((await site.visitor('POST', lockOf(id))).status).toBe(401)
  expect((await site.as('ada')('POST', lockOf(77_777))).status).toBe(404)
})

test('a component has one lock, which its own routes and these share', async () => {
  site = await createTestSite({ profile: withDocuments })
  const ada = site.as('ada')
  await site.api.site.users.create({ login: 'rob', roles: ['administrator'] })
  const made = await ada('POST', '/builder/v1/components', {
    body: {
      status: 'publish',
      items: [
        {
          uid: 'card',
          title: 'Card',
          elements: [{ id: 'c000001', elType: 'e-div-block', settings: {}, styles: {}, elements: [] }],
        },
      ],
    },
  })
  const componentId = made.body.data.card as number
  const rename = (by: typeof ada) =>
    by('POST', '/builder/v1/components/update-titles', {
      body: { components: [{ componentId, title: 'Renamed' }], status: 'publish' },
    })
  const archive = () =>
    ada('POST', '/builder/v1/components/archive', { body: { componentIds: [componentId], status: 'publish' } })
  expect((await ada('POST', '/builder/v1/components/lock', { body: { componentId } })).status).toBe(200)
  const by = { id: site.ids['user.admin'] as number }
  expect((await ada('GET', lockOf(componentId))).body).toMatchObject({ is_yours: true, user: by })
  const edith = site.as('edith')
  expect((await edith('POST', lockOf(componentId))).status).toBe(403)
  const other = { as: (await site.api.site.users.find({ login: 'rob' }))?.id as number }
  const renamed = site.api.call(
    'POST',
    '/builder/v1/components/update-titles',
    { components: [{ componentId, title: 'R' }], status: 'publish' },
    other,
  )
  await expect(renamed).rejects.toMatchObject({ code: 'rest_locked', status: 409 })
  await ada('POST', '/builder/v1/components/unlock', { body: { componentId } })
  await site.api.call('POST', lockOf(componentId), {}, other)
  expect(told(await rename(ada))[0]).toBe(409)
  expect((await archive()).status).toBe(409)
  expect((await ada('POST', '/builder/v1/components/lock', { body: { componentId } })).status).toBe(409)
  await site.api.call('DELETE', lockOf(componentId), {}, other)
  expect((await rename(ada)).status).toBe(200)
})

test('a write that says so overrides the lock of another, if its sender may edit the posts of others', async () => {
  const { ada, edith, id, content } = await open()
  const events: unknown[] = []
  site.api.on('lock.overridden', (payload) => void events.push(payload))
  await ada('POST', lockOf(id))
  const override = { headers: { Prefer: 'override' } }
  expect((await edith('POST', content, { body: { title: 'Urgent' }, ...override })).status).toBe(200)
  expect((await ada('GET', lockOf(id))).body.is_yours).toBe(true)
  const [first, second] = [site.ids['user.admin'], site.ids['user.editor']]
  expect(events).toEqual([{ id, user: second, from: first }])

  const arthur = site.as('arthur')
  const { body } = await arthur('POST', '/cms/v2/posts', { body: { title: 'His', status: 'publish' } })
  await ada('POST', lockOf(body.id))
  expect(told(await arthur('POST', `/cms/v2/posts/${body.id}`, { body: { title: 'Mine' }, ...override }))).toEqual([
    409,
    'rest_locked',
    'Ada Admin',
  ])
})

test('one who has lost a lock is told by whom and since when', async () => {
  const { ada, edith, id, content } = await open()
  await ada('POST', lockOf(id))
  site.clock.now += 60_000
  const { since } = (await edith('POST', lockOf(id), { body: { take_over: true } })).body
  site.clock.now += 60_000
  await edith('POST', lockOf(id))
  const renewed = await ada('POST', lockOf(id))
  expect(renewed.body.data).toMatchObject({ locked_by_name: 'Edith Editor', since, taken_over: true })
  expect(renewed.body.message).toContain('has taken this over from you')
  expect((await ada('POST', content, { body: { title: 'Late' } })).body.data).toMatchObject({ since, taken_over: true })
  expect((await ada('GET', lockOf(id))).body.taken_over).toBe(true)
  expect((await site.as('arthur')('GET', lockOf(id))).body.taken_over).not.toBe(true)
})

const withClock = (storage: OpenStorage['storage'], now: () => number): OpenStorage['storage'] => ({
  ...storage,
  now,
  atomic: (work, how) => (storage as Required<Storage>).atomic((inside) => work({ ...inside, now }), how),
})

test('locks end by the clock of the storage, which all processes share', async () => {
  let now = Date.now()
  const { ada, edith, id, content } = await open('posts', {
    clock: Date.now,
    storage: (opened) => withClock(opened, () => now),
  })
  await ada('POST', lockOf(id))
  const write = async () => (await edith('POST', content, { body: { title: 'Mine' } })).status
  now += 149_000
  expect(await write()).toBe(409)
  now += 2_000
  expect(await write()).toBe(200)
})
