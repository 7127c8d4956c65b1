/** The redirect routes, tested over HTTP. */

import { createSiteApi, type SiteApi } from 'site-api'
import { memoryStorage } from 'site-api/storage/memory'
import { beforeEach, expect, test } from 'vitest'
import { magazine } from './magazine.ts'

const tide = { path: '/tide.html', target: 'https://example.com/tide/' }
const list = '/magazine/v1/redirects'

let api: SiteApi
let admin: number

beforeEach(async () => {
  api = createSiteApi({ storage: memoryStorage(), profile: magazine, url: 'https://example.com' })
  admin = (await api.site.users.create({ login: 'ada', roles: ['administrator'] })).id
})

test('an administrator adds and removes a redirect; everybody reads them', async () => {
  const { data } = await api.call<{ id: number }>('POST', list, tide, { as: admin })
  expect((await api.call('GET', list)).data).toEqual([{ id: data.id, ...tide }])
  await api.call('DELETE', `${list}/${data.id}`, {}, { as: admin })
  await expect(api.call('GET', `${list}/${data.id}`)).rejects.toMatchObject({ code: 'redirect_not_found', status: 404 })
})

test('a visitor adds nothing', async () => {
  await expect(api.call('POST', list, tide)).rejects.toMatchObject({ code: 'rest_forbidden', status: 401 })
})

test('a path is redirected once', async () => {
  await api.call('POST', list, tide, { as: admin })
  await expect(api.call('POST', list, tide, { as: admin })).rejects.toThrow('has this path')
})

test('wrong arguments are named', async () => {
  const answer = await api.fetch(
    new Request(`https://example.com/api${list}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ path: 'tide.html', target: 'https://example.com/tide/' }),
    }),
  )
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({
    code: 'rest_invalid_param',
    data: { params: { path: expect.any(String) } },
  })
})

test('the site index lists the routes, and an export carries the rows', async () => {
  await api.call('POST', list, tide, { as: admin })
  const { data } = await api.call<{ routes: object }>('GET', '/')
  expect(Object.keys(data.routes)).toContain(`${list}/(?P<id>[\\d]+)`)
  expect(await api.site.export()).toMatchObject({ records: { redirects: [tide] } })
})
