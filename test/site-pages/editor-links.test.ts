/** The addresses of the editor that the API gives out open on the pages of a site whose host has named none. */
import { afterEach, describe, expect, test } from 'vitest'
import { full } from '../../src/profiles/full.ts'
import { basic } from '../support/site.ts'
import { createTestPages, type TestPages } from './pages.ts'

let site: TestPages
afterEach(() => site.dispose())

const home = 'https://quay.example'
const pathOf = (address: string) => address.replace(home, '')
/** A sign-in by a header, as that of a host would read its cookie. */
const bySession = ({ header }: { header(name: string): string | undefined }) => Number(header('x-session') ?? 0) || null
const open = (address: string, login?: string) =>
  site.get(pathOf(address), login === undefined ? {} : { authorization: basic(login) })
const elements = JSON.stringify([
  { id: 'a1', elType: 'widget', widgetType: 'heading', settings: { title: 'Built words' }, elements: [] },
])

describe('the edit_url of a draft', () => {
  const draftOf = async (login: string) =>
    (await site.as(login)('POST', '/builder/v1/site-navigation/add-new-post', { body: { post_type: 'post' } })).body

  test('shows its document to those who may edit it, and to no cache', async () => {
    site = await createTestPages()
    const { id, edit_url } = await draftOf('connie')
    expect(edit_url).toBe(`${home}/?p=${id}&edit=builder`)
    await site.as('connie')('POST', `/cms/v2/posts/${id}`, { body: { meta: { _builder_data: elements } } })
    for (const login of ['connie', 'ada']) {
      const { status, text, headers } = await open(edit_url, login)
      expect([login, status, text.includes('Built words')]).toEqual([login, 200, true])
      expect([headers.get('cache-control'), headers.get('x-robots-tag')]).toEqual(['private, no-store', 'noindex'])
    }
    await site.as('connie')('POST', `/cms/v2/posts/${id}/autosaves`, { body: { title: 'Saved by itself' } })
    expect((await open(edit_url, 'connie')).text).toContain('Saved by itself')
  })

  test('is not found by others, and wrong credentials are 401', async () => {
    site = await createTestPages()
    const { id, edit_url } = await draftOf('arthur')
    for (const login of [undefined, 'connie', 'sam']) {
      const { status, text, headers } = await open(edit_url, login)
      expect([login, status, text.includes(`#${id}`)]).toEqual([login, 404, false])
      expect(headers.get('cache-control')).toBe('private, no-store')
    }
    expect((await site.get(pathOf(edit_url), { authorization: basic('ada', 'wrong') })).status).toBe(401)
    await site.as('ada')('DELETE', `/cms/v2/posts/${id}`)
    expect((await open(edit_url, 'ada')).status).toBe(404)
  })

  test('leads to the sign-in page of the host, whether there is such a draft or not', async () => {
    site = await createTestPages({
      authenticate: bySession,
      consent: { signInUrl: (to) => `https://login.example/?to=${encodeURIComponent(to)}` },
    })
    const { edit_url } = await draftOf('arthur')
    for (const address of [edit_url, `${home}/?p=987654&edit=builder`]) {
      const { status, location, headers } = await open(address)
      expect([status, location]).toEqual([302, `https://login.example/?to=${encodeURIComponent(address)}`])
      expect(headers.get('cache-control')).toBe('no-store')
    }
    for (const [login, status] of [
      ['arthur', 200],
      ['sam', 404],
    ] as const) {
      const user = await site.api.site.users.find({ login })
      const shown = await site.get(pathOf(edit_url), { 'x-session': String(user?.id) })
      expect([login, shown.status]).toEqual([login, status])
    }
  })
})

test('the edit_url of a published post leads visitors to the post', async () => {
  site = await createTestPages({ profile: full })
  const { body } = await site.as('ada')('POST', '/cms/v2/posts', { body: { title: 'Tides', status: 'publish' } })
  const address = `${home}/?p=${body.id}&edit=builder`
  for (const login of [undefined, 'sam']) {
    const { status, location, headers } = await open(address, login)
    expect([status, location, headers.get('cache-control')]).toEqual([302, body.link, 'no-store'])
  }
  const edited = await open(address, 'edith')
  expect([edited.status, edited.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
})

test('the addresses of a template open for editors alone', async () => {
  site = await createTestPages({ profile: full })
  const ada = site.as('ada')
  const made = await ada('POST', '/builder/v1/template-library/templates', {
    body: { title: 'Main header', type: 'header', content: JSON.parse(elements) },
  })
  const [listed] = (await ada('GET', '/builder/v1/site-editor/templates')).body
  for (const address of [listed.editURL, listed.previewUrl, listed.url, made.body.url]) {
    const shown = await open(address, 'ada')
    expect([address, shown.status, shown.text.includes('Built words')]).toEqual([address, 200, true])
    expect([address, (await open(address, 'sam')).status, (await open(address)).status]).toEqual([address, 404, 404])
  }
})

test('they begin with the home of the site, which may be another place than its url', async () => {
  // The cast: without the option, the stored settings say where the site is.
  site = await createTestPages({ url: undefined as never })
  await site.api.site.options.write({ home, url: `${home}/cms` })
  const { body } = await site.as('ada')('POST', '/builder/v1/site-navigation/add-new-post', { body: {} })
  expect(body.edit_url).toBe(`${home}/?p=${body.id}&edit=builder`)
  expect((await open(body.edit_url, 'ada')).status).toBe(200)
})
