/** Guesses at the password of a post: one count for each post and client, whichever door they come through. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { submissionHandler } from '../../src/features/builder/form-submissions/intake/handler.ts'
import { full } from '../../src/profiles/full.ts'
import { createVisitors } from '../../src/services/visitors.ts'
import { createSitePages } from '../../src/site-pages/index.ts'
import { counted } from '../support/counted.ts'
import { createTestSite, type TestSite } from '../support/site.ts'
import { smallSite } from '../support/small-site.ts'

const guesser = '192.0.2.1'
const reader = '198.51.100.7'
const form = {
  ...{ id: 'abc1234', elType: 'widget', widgetType: 'form', elements: [] },
  settings: { submit_actions: ['save-to-database'], form_fields: [{ custom_id: 'name', field_type: 'text' }] },
}

let site: TestSite
let id: number
let comment: number
let doors: { readonly [name: string]: (password: string, address: string) => Promise<number> }

beforeEach(async () => {
  const addressOf = ({ header }: { header(name: string): string | undefined }) => header('x-real-ip')
  const limit = { take: () => 0 }
  site = await createTestSite({
    profile: full,
    seed: { ...smallSite, options: { ...smallSite.options, anonymous_comments: true } },
    services: { visitors: createVisitors({ addressOf, limit }) },
  })
  const meta = {
    ...{ _builder_edit_mode: 'builder', _builder_template_type: 'wp-post' },
    _builder_data: JSON.stringify([form]),
  }
  const made = await site.as('ada')('POST', '/cms/v2/posts', {
    body: { title: 'Locked', status: 'publish', password: 'sesame', comment_status: 'open', meta },
  })
  id = made.body.id
  comment = (await site.as('ada')('POST', '/cms/v2/comments', { body: { post: id, content: 'Words' } })).body.id
  const pages = createSitePages(site.api)
  const submit = submissionHandler(site.api, { limit })
  const get = async (path: string, address: string) =>
    (await site.visitor('GET', path, { headers: { 'x-real-ip': address } })).status
  const headersOf = (address: string) => ({
    'content-type': 'application/x-www-form-urlencoded',
    'x-real-ip': address,
  })
  doors = {
    post: (password, address) => get(`/cms/v2/posts/${id}?password=${password}`, address),
    envelope: async (password, address) => {
      const answer = await site.visitor('GET', `/cms/v2/posts/${id}?_envelope=1&password=${password}`, {
        headers: { 'x-real-ip': address },
      })
      return answer.status === 200 ? answer.body.status : answer.status
    },
    comments: (password, address) => get(`/cms/v2/comments?post=${id}&password=${password}`, address),
    comment: (password, address) => get(`/cms/v2/comments/${comment}?password=${password}`, address),
    reply: async (password, address) => {
      const body = {
        post: id,
        password,
        content: `Reply ${Math.random()}`,
        author_name: 'A',
        author_email: 'a@b.example',
      }
      return (await site.visitor('POST', '/cms/v2/comments', { body, headers: { 'x-real-ip': address } })).status
    },
    page: async (password, address) => {
      const body = new URLSearchParams({ post: String(id), password })
      const request = { method: 'POST', body, headers: headersOf(address) }
      return (await pages.fetch(new Request('https://quay.example/_pages/unlock', request))).status
    },
    form: async (password, address) => {
      const values = { post_id: String(id), form_id: 'abc1234', 'form_fields[name]': 'Bo', post_password: password }
      const request = { method: 'POST', body: new URLSearchParams(values), headers: headersOf(address) }
      return (await submit(new Request('https://quay.example/submit', request))).status
    },
  }
})
afterEach(() => site.dispose())

const names = ['post', 'envelope', 'comments', 'comment', 'reply', 'page', 'form'] as const
const through = (name: (typeof names)[number]) => doors[name] as NonNullable<(typeof doors)[string]>

test.each(names)('ten wrong passwords through %s close all doors to the client, and none to others', async (name) => {
  for (let at = 0; at < 10; at++) expect([401, 403]).toContain(await through(name)(`guess${at}`, guesser))
  for (const other of names) expect([other, await through(other)('sesame', guesser)]).toEqual([other, 429])
  for (const other of names) expect([other, await through(other)('sesame', reader)]).not.toEqual([other, 429])
  expect(await through('post')('sesame', reader)).toBe(200)
  site.clock.now += 12_000
  expect(await through('post')('sesame', guesser)).toBe(200)
  counted(names.length, 'doors closed to the client that guesses, open to others')
})

test('right passwords are not counted, and other posts have their own count', async () => {
  for (let at = 0; at < 70; at++) expect(await through('post')('sesame', reader)).toBe(200)
  for (let at = 0; at < 12; at++) await through('post')('guess', guesser)
  const other = site.ids['post.locked']
  const wrong = await site.visitor('GET', `/cms/v2/posts/${other}?password=no`, { headers: { 'x-real-ip': guesser } })
  expect([wrong.status, wrong.body.code]).toEqual([403, 'rest_post_incorrect_password'])
})

test('a user counts by the account, wherever the requests come from', async () => {
  const send = (login: string, password: string, address: string) =>
    site.as(login)('GET', `/cms/v2/posts/${id}?password=${password}`, { headers: { 'x-real-ip': address } })
  for (let at = 0; at < 10; at++) await send('sam', 'guess', `192.0.2.${at}`)
  const late = await send('sam', 'sesame', '192.0.2.200')
  expect([late.status, late.body.code, late.headers.get('retry-after')]).toEqual([429, 'rest_too_many_requests', '12'])
  expect((await send('connie', 'sesame', '192.0.2.200')).status).toBe(200)
})

test('a list of comments tries its password on the named posts only', async () => {
  const list = await site.visitor('GET', '/cms/v2/comments?password=sesame', { headers: { 'x-real-ip': reader } })
  expect(list.body.map((one: { id: number }) => one.id)).not.toContain(comment)
  for (let at = 0; at < 40; at++) await site.visitor('GET', `/cms/v2/comments?password=guess${at}`)
  expect(await through('post')('sesame', reader)).toBe(200)
})

test('clients without a known address share a larger count', async () => {
  const send = async (password: string) =>
    (await site.visitor('GET', `/cms/v2/posts/${id}?password=${password}`)).status
  for (let at = 0; at < 60; at++) expect(await send(`guess${at}`)).toBe(403)
  expect(await send('sesame')).toBe(429)
  expect(await through('post')('sesame', reader)).toBe(200)
})

test('wrong passwords of an account count together by login, address and letters of another case, for each client', async () => {
  const enter = async (login: string, password: string, address: string) => {
    const body = new URLSearchParams({ app_name: 'Reader', decision: 'sign-in', login, password })
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-real-ip': address }
    return (await site.api.fetch(new Request('https://quay.example/api/authorize', { method: 'POST', body, headers })))
      .status
  }
  await site.api.site.users.update(Number(site.ids['user.editor']), { password: 'a long pass phrase' })
  const spellings = ['edith', 'EDITH', 'edith@example.test', 'Edith@Example.Test']
  for (let at = 0; at < 10; at++) expect(await enter(spellings[at % 4] as string, 'wrong', guesser)).toBe(401)
  for (const login of spellings) expect(await enter(login, 'a long pass phrase', guesser)).toBe(429)
  for (const login of spellings) expect(await enter(login, 'a long pass phrase', reader)).toBe(200)
  // Right ones are not counted.
  for (let at = 0; at < 12; at++) expect(await enter('edith', 'a long pass phrase', reader)).toBe(200)
}, 60_000)
