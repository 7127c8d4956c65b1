/** An autosave has the address of a preview, which shows it on the pages of the site. */
import { afterEach, expect, test } from 'vitest'
import { full } from '../../src/profiles/full.ts'
import { createTestPages, type TestPages } from './pages.ts'

let site: TestPages
afterEach(() => site.dispose())

const shown = (address: string) => site.get(new URL(address).pathname + new URL(address).search)

test.each(['posts', 'pages'])(
  'of %s: the response to an autosave names it, and the live page stays as it is',
  async (base) => {
    site = await createTestPages({ profile: full })
    const ada = site.as('ada')
    const { body } = await ada('POST', `/cms/v2/${base}`, {
      body: { title: 'Tides', content: '<p>Live words</p>', status: 'publish' },
    })
    const saved = await ada('POST', `/cms/v2/${base}/${body.id}/autosaves`, {
      body: { content: '<p>Unsaved words</p>' },
    })
    expect(saved.status).toBe(200)
    const preview = await shown(saved.body.preview_link)
    expect([preview.status, preview.text.includes('Unsaved words')]).toEqual([200, true])
    expect(preview.headers.get('cache-control')).toContain('no-store')
    expect((await shown(body.link)).text).toContain('Live words')
    const autosaves = `/cms/v2/${base}/${body.id}/autosaves`
    const of = async (login: string, query: string) =>
      (await site.as(login)('GET', autosaves, { query })).body.map((row: { preview_link?: string }) => row.preview_link)
    expect(await of('ada', 'context=edit')).toEqual([saved.body.preview_link])
    expect(await of('ada', 'context=view')).toEqual([undefined])
    expect(await of('edith', 'context=edit')).toEqual([undefined])
    const one = await ada('GET', `${autosaves}/${saved.body.id}`, { query: 'context=edit' })
    expect(one.body.preview_link).toBe(saved.body.preview_link)
    site.clock.now += 2 * 24 * 60 * 60 * 1000
    expect((await shown(saved.body.preview_link)).text).not.toContain('Unsaved words')
  },
)

test('a draft of one’s own, which the autosave writes itself, has one too', async () => {
  site = await createTestPages({ profile: full })
  const connie = site.as('connie')
  const { body } = await connie('POST', '/cms/v2/posts', { body: { title: 'Tides', content: 'First' } })
  const saved = await connie('POST', `/cms/v2/posts/${body.id}/autosaves`, { body: { content: 'Second words' } })
  expect((await shown(saved.body.preview_link)).text).toContain('Second words')
})

test('a type that visitors do not see has no preview', async () => {
  site = await createTestPages({ profile: full })
  const ada = site.as('ada')
  const { body } = await ada('POST', '/cms/v2/blocks', { body: { title: 'Box', content: 'First', status: 'publish' } })
  const saved = await ada('POST', `/cms/v2/blocks/${body.id}/autosaves`, { body: { content: 'Second' } })
  expect([saved.status, saved.body.preview_link]).toEqual([200, undefined])
})
