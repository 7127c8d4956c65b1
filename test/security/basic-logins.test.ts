/** The option `basic`: which Basic credentials are for the site, and which for a proxy in front of it. */
import { afterEach, describe, expect, test } from 'vitest'
import { full } from '../../src/profiles/full.ts'
import { basic, createTestSite, type TestSite, type TestSiteOptions } from '../support/site.ts'
import { passwordOf } from '../support/small-site.ts'

let site: TestSite
afterEach(() => site.dispose())

const open = async (options: TestSiteOptions) => {
  site = await createTestSite({ profile: full, ...options })
}
const send = (method: string, path: string, login: string, password: string, body?: object) =>
  site.visitor(method, path, { headers: { authorization: basic(login, password) }, ...(body ? { body } : {}) })
const draft = () => `/cms/v2/posts/${site.ids['post.draft']}`

describe.each([
  ['ignore-unknown', 'ignore-unknown' as const],
  ['a function', (login: string) => login === 'edith'],
  ['a function that waits', async (login: string) => login === 'edith'],
])('%s', (_, value) => {
  test('lets others read as visitors, and write as none', async () => {
    await open({ basic: value })
    expect((await send('GET', '/cms/v2/posts', 'staging', 'door')).status).toBe(200)
    expect((await send('GET', '/cms/v2/posts', '', 'door')).status).toBe(200)
    expect((await send('GET', draft(), 'staging', 'door')).status).toBe(401)
    expect((await send('POST', '/cms/v2/posts', 'staging', 'door', { title: 'x' })).status).toBe(401)
    const batch = { requests: [{ path: '/cms/v2/tags', body: { name: 'x' } }] }
    const { body } = await send('POST', '/batch/v1', 'staging', 'door', batch)
    expect(body.responses?.[0]?.status ?? body.data.status).toBe(401)
  })

  test('keeps the rules of the site’s own logins', async () => {
    await open({ basic: value })
    expect((await send('GET', draft(), 'edith', passwordOf('edith'))).status).toBe(200)
    const wrong = await send('GET', '/cms/v2/posts', 'edith', 'wrong')
    expect(wrong).toMatchObject({ status: 401, body: { code: 'rest_invalid_credentials' } })
  })
})

test('the addresses of users are theirs too', async () => {
  await open({ basic: 'ignore-unknown' })
  const { body } = await site.as('ada')('GET', '/cms/v2/users?search=edith&context=edit')
  expect((await send('GET', '/cms/v2/posts', body[0].email, 'wrong')).status).toBe(401)
})

test('credentials that are not the site’s leave the sign-in to the host', async () => {
  await open({ basic: () => false, authenticate: ({ header }) => Number(header('x-user')) || null })
  const { data } = await site.api.call<{ id: number; slug: string }[]>('GET', '/cms/v2/users', {}, { as: 'system' })
  const edith = data.find(({ slug }) => slug.startsWith('edith'))?.id
  const authorization = basic('staging', 'door')
  const read = (headers: { readonly [name: string]: string }) => site.visitor('GET', draft(), { headers })
  expect((await read({ authorization })).status).toBe(401)
  expect((await read({ authorization, 'x-user': String(edith) })).status).toBe(200)
})

test('credentials without a form are wrong ones, as before', async () => {
  await open({ basic: 'ignore-unknown' })
  for (const authorization of ['Basic', 'Basic !!', `Basic ${btoa('no-colon')}`]) {
    expect((await site.visitor('GET', '/cms/v2/posts', { headers: { authorization } })).status).toBe(401)
  }
})

test('without the option all wrong credentials are 401', async () => {
  await open({})
  for (const login of ['staging', '']) expect((await send('GET', '/cms/v2/posts', login, 'door')).status).toBe(401)
})
