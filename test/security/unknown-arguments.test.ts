/** Misspelt members of a body: dropped as in the interface, or refused where the host chooses so. */
import { afterEach, expect, test } from 'vitest'
import { endpoint } from '../../src/core/declare/endpoint.ts'
import { feature } from '../../src/core/declare/feature.ts'
import { anyone } from '../../src/core/declare/permissions.ts'
import { profile } from '../../src/core/declare/profile.ts'
import { d1 } from '../../src/profiles/d1.ts'
import { createTestSite, type TestSite, type TestSiteOptions } from '../support/site.ts'

let site: TestSite
afterEach(() => site.dispose())

async function open(options: TestSiteOptions) {
  site = await createTestSite(options)
  return site.as('ada')
}

test('drops unknown members by default', async () => {
  const ada = await open({})
  expect((await ada('POST', '/cms/v2/posts', { body: { titel: 'Tide', title: 'Ebb' } })).status).toBe(201)
})

test('refuses each unknown member with the name that was meant', async () => {
  const ada = await open({ unknownArguments: 'refuse' })
  const body = { titel: 'Tide', contnet: 'x', status: 'publish', colour: 'red' }
  expect(await ada('POST', '/cms/v2/posts', { body })).toMatchObject({
    status: 400,
    body: {
      code: 'rest_invalid_param',
      data: {
        params: {
          titel: 'There is no argument titel: did you mean title?',
          contnet: 'There is no argument contnet: did you mean content?',
          colour: expect.stringMatching(/^There is no argument colour: the arguments are date, /),
        },
        details: { titel: { code: 'rest_unknown_argument' } },
      },
    },
  })
  const right = { title: 'Tide', status: 'publish', _locale: 'user' }
  expect((await ada('POST', '/cms/v2/posts', { body: right })).status).toBe(201)
})

test('refuses them in the items of a batch, and in calls of the host', async () => {
  const ada = await open({ unknownArguments: 'refuse' })
  const requests = [{ method: 'POST', path: '/cms/v2/posts', body: { titel: 'Tide' } }]
  const { body } = await ada('POST', '/batch/v1', { body: { requests } })
  expect(body.responses[0]).toMatchObject({ status: 400 })
  await expect(site.api.call('POST', '/cms/v2/posts', { titel: 'x' }, { as: 'system' })).rejects.toMatchObject({
    code: 'rest_invalid_param',
  })
})

test('reads members in public names', async () => {
  const ada = await open({ unknownArguments: 'refuse', names: [['sticky', 'pinned']] })
  const send = (member: string) => ada('POST', '/cms/v2/posts', { body: { title: 'Tide', [member]: false } })
  expect((await send('pinned')).status).toBe(201)
  expect((await send('sticky')).status).toBe(400)
})

test('says of a route without arguments that it takes none', async () => {
  const bell = endpoint({ path: '/bell', methods: ['POST'], args: {}, permission: anyone, handler: () => 'rung' })
  const harbour = profile({ name: 'harbour', gmtOffset: 'text', features: [feature('bell', 'harbour/v1', [bell])] })
  await open({ unknownArguments: 'refuse', profile: harbour, seed: false })
  expect(await site.visitor('POST', '/harbour/v1/bell', { body: { times: 3 } })).toMatchObject({
    status: 400,
    body: { data: { params: { times: 'This route takes no arguments.' } } },
  })
})

test('leaves routes alone whose body has no fixed members', async () => {
  const ada = await open({ unknownArguments: 'refuse', profile: d1 })
  const { status } = await ada('POST', '/builder/v1/onboarding/user-progress', { body: { current_step: 1 } })
  expect(status).toBe(200)
})

test('answers members of posts and their revisions in public names', async () => {
  const ada = await open({
    names: [
      ['sticky', 'pinned'],
      ['raw', 'source'],
    ],
  })
  const body = { title: { source: 'Tide' }, status: 'draft', pinned: false }
  const { status, body: post } = await ada('POST', '/cms/v2/posts', { body })
  expect([status, post.pinned, post.title.source]).toEqual([201, false, 'Tide'])
  expect(post).not.toHaveProperty('sticky')
  const changed = await ada('POST', `/cms/v2/posts/${post.id}`, { body: { title: 'Ebb', pinned: true } })
  expect([changed.status, changed.body.pinned]).toEqual([200, true])
  const revisions = await ada('GET', `/cms/v2/posts/${post.id}/revisions`, { query: 'context=edit' })
  expect(revisions.body[0].title.source).toBe('Ebb')
})
