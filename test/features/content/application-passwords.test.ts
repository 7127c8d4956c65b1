/** Application passwords over the routes: shown once, usable at once, refused from their removal on. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { content } from '../../../src/profiles/content.ts'
import { createVisitors } from '../../../src/services/visitors.ts'
import { basic, createTestSite, failuresOf, type TestSite } from '../../support/site.ts'
import { openStorage } from '../../support/storage.ts'

let site: TestSite

beforeEach(async () => {
  site = await createTestSite({ profile: content })
})

afterEach(async () => {
  expect(failuresOf(site)).toEqual([])
  await site.dispose()
})

const users = '/cms/v2/users'

describe('application passwords', () => {
  const passwords = `${users}/me/application-passwords`
  const add = async (name = 'Reader', more: object = {}) =>
    (await site.as('arthur')('POST', passwords, { body: { name, ...more } })).body
  const signIn = (password: string, api = site.api) =>
    api.fetch(
      new Request(`https://quay.example${api.root}/cms/v2/users/me`, {
        headers: { authorization: basic('arthur', password) },
      }),
    )

  test('are shown once, sign in, and are refused from their removal on', async () => {
    const appId = '6A1F2B7E-3f7c-4d59-9a11-5d2f0c3b8e10'
    const { uuid, password, app_id } = await add('Reader <b>one</b>', { app_id: appId })
    expect(app_id).toBe(appId)
    expect((await signIn(password)).status).toBe(200)
    const { body } = await site.as('arthur')('GET', `${passwords}/${uuid}`)
    expect(body).toMatchObject({ uuid, name: 'Reader one', last_used: '2024-06-15T12:00:00', last_ip: null })
    expect(body).not.toHaveProperty('password')
    expect(JSON.stringify(body)).not.toContain(password)
    expect((await site.as('arthur')('DELETE', `${passwords}/${uuid}`)).body).toMatchObject({
      deleted: true,
      previous: { uuid },
    })
    expect((await signIn(password)).status).toBe(401)
    expect((await site.as('arthur')('GET', `${passwords}/${uuid}`)).status).toBe(404)
  })

  test('are refused by another process of the same storage as soon as they are removed', async () => {
    const { storage, dispose } = await openStorage()
    const options = { profile: content, storage: () => storage }
    const [one, two] = [await createTestSite(options), await createTestSite({ ...options, seed: false })]
    const { body } = await one.as('arthur')('POST', passwords, { body: { name: 'Shared' } })
    expect((await signIn(body.password, two.api)).status).toBe(200)
    expect((await one.as('arthur')('DELETE', `${passwords}/${body.uuid}`)).status).toBe(200)
    expect((await signIn(body.password, two.api)).status).toBe(401)
    await Promise.all([one.dispose(), two.dispose(), dispose()])
  })

  test('remember from where they were last used, where the host knows it', async () => {
    const visitors = createVisitors({ addressOf: ({ header }) => header('x-real-ip') })
    const known = await createTestSite({ profile: content, services: { visitors } })
    const headers = { 'x-real-ip': '192.0.2.7' }
    const { body } = await known.as('arthur')('GET', passwords, { headers })
    expect(body).toMatchObject([{ name: 'Seed', last_ip: '192.0.2.7' }])
    await known.dispose()
  })

  test('keep their uuid through an export', async () => {
    const { uuid } = await add()
    const copy = await createTestSite({ profile: content, seed: await site.api.site.export() })
    expect((await copy.as('arthur')('GET', `${passwords}/${uuid}`)).body.name).toBe('Reader')
    await copy.dispose()
  })

  test('name the one in use, and only to who uses it', async () => {
    const { uuid, password } = await add('In use')
    const headers = { authorization: basic('arthur', password) }
    const own = await site.visitor('GET', `${passwords}/introspect`, { headers })
    expect(own.body).toMatchObject({ uuid, name: 'In use' })
    const inProcess = site.api.call('GET', `${passwords}/introspect`, {}, { as: site.ids['user.author'] as number })
    await expect(inProcess).rejects.toMatchObject({ code: 'rest_no_authenticated_app_password', status: 404 })
  })

  test('may have one name twice, and none without a visible character', async () => {
    await add('Twice')
    expect((await add('Twice')).name).toBe('Twice')
    for (const name of ['', ' ', '\n\t']) {
      expect((await site.as('arthur')('POST', passwords, { body: { name } })).status).toBe(400)
    }
    const wrong = await site.as('arthur')('POST', passwords, { body: { name: 'a', app_id: 'x' } })
    expect(wrong.body.data.details.app_id.code).toBe('rest_no_matching_schema')
  })

  test('are all removed at once, without those of others', async () => {
    await add()
    const removed = await site.as('ada')('DELETE', `${users}/${site.ids['user.author']}/application-passwords`)
    expect(removed.body).toEqual({ deleted: true, count: 2 })
    expect((await site.as('arthur')('GET', `${users}/me`)).status).toBe(401)
    expect((await site.as('ada')('GET', `${users}/me`)).status).toBe(200)
  })

  test('of an unknown user are 404 for everybody', async () => {
    expect((await site.visitor('GET', `${users}/999/application-passwords`)).status).toBe(404)
    expect((await site.as('ada')('GET', `${users}/${'9'.repeat(30)}/application-passwords`)).status).toBe(404)
    expect((await site.as('ada')('GET', `${users}/ME/application-passwords`)).status).toBe(200)
  })
})
