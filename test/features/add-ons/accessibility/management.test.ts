import { expect, test } from 'vitest'
import { d2 } from '../../../../src/profiles/d2.ts'
import { createTestSite } from '../../../support/site.ts'
import { about, home, openSite } from './fixture.ts'

async function registered() {
  const site = await openSite()
  for (const url of [home, about]) await site.send('POST', '/remediation/register', { url })
  const asked: string[] = []
  const show = (url: string, source = '<p>') =>
    site.api.site.accessibility.remediated(url, source, (html, remediations) => {
      asked.push(url)
      return `${html}${remediations.map(({ id }) => id).join()}`
    })
  /** Which of both pages is made anew. */
  const madeAnew = async (): Promise<string[]> => {
    asked.length = 0
    for (const url of [home, about]) await show(url)
    return [...asked]
  }
  const onHome = await site.add(home)
  const onAbout = await site.add(about)
  const shared = await site.add(about, { global: true })
  await madeAnew()
  return { ...site, show, asked, madeAnew, onHome, onAbout, shared }
}

test('the host is told what counts on a page', async () => {
  const { api, send, onHome, shared } = await registered()
  const read = async (url: string) => (await api.site.accessibility.remediations(url)).map(({ id }) => id)
  expect(await api.site.accessibility.remediations(home)).toMatchObject([
    {
      ...{ id: onHome, category: 'A', rule: 'img_alt_missing', group: 'altText', isGlobal: false },
      content: { type: 'ATTRIBUTE', category: 'A', xpath: '/html/body/img' },
    },
    { id: shared, isGlobal: true },
  ])
  await send('PUT', '/remediation/global-items', { url: home, active: false })
  expect(await read(home)).toEqual([onHome])
  await send('PATCH', '/remediation/items', { url: home, active: false })
  expect(await read(home)).toEqual([])
  expect(await read(about)).toHaveLength(2)
  expect(await read('https://quay.example/other/')).toEqual([shared])
})

test('what was made of a page is kept until its source is another one', async () => {
  const { show, asked, onHome, shared } = await registered()
  asked.length = 0
  expect(await show(home)).toBe(`<p>${onHome},${shared}`)
  expect(asked).toEqual([])
  expect(await show(home, '<b>')).toBe(`<b>${onHome},${shared}`)
  expect(asked).toEqual([home])
})

test('of a page that nobody registered nothing is kept, and without remediations nothing is made', async () => {
  const { show, asked } = await registered()
  asked.length = 0
  const other = 'https://quay.example/other/?x=1'
  await show(other)
  await show(other)
  expect(asked).toHaveLength(2)
  const plain = await openSite()
  const apply = () => 'never'
  expect(await plain.api.site.accessibility.remediated(home, '<p>', apply)).toBe('<p>')
})

test('each write drops what was made of the page, or of all pages', async () => {
  const { send, madeAnew, onHome, shared, api, ids } = await registered()
  const told: unknown[] = []
  api.on('accessibility.changed', ({ urls, by }) => told.push([urls, by]))
  expect(await madeAnew()).toEqual([])
  const content = '{}'
  const one: readonly (readonly [method: string, path: string, body: object])[] = [
    ['POST', '/item', { url: home, remediation: {}, rule: 'x', group: 'other' }],
    ['PUT', '/item', { id: onHome, url: home, content }],
    ['PATCH', '/item', { id: onHome, url: home, active: true }],
    ['PATCH', '/items', { url: home, active: true }],
    ['POST', '/heading-level', { url: home, xpath: '/h2', level: 'h2' }],
    ['PUT', '/global-item', { id: shared, url: home, active: true }],
    ['PUT', '/global-items', { url: home, active: true }],
    ['PUT', '/global-items-group', { url: home, group: 'altText', active: true }],
    ['DELETE', '/clear-cache', { url: home }],
    ['DELETE', '/item', { id: onHome, url: home }],
    ['DELETE', '/items', { url: home, group: 'other' }],
  ]
  for (const [method, path, body] of one) {
    await send(method, `/remediation${path}`, body)
    expect([method, path, await madeAnew()]).toEqual([method, path, [home]])
    expect(told.splice(0)).toEqual([[[home], ids['user.admin']]])
  }
  const every: readonly (readonly [method: string, path: string, body: object])[] = [
    ['POST', '/item', { url: home, remediation: {}, rule: 'x', group: 'other', global: true }],
    ['PUT', '/item', { id: shared, url: home, content }],
    ['POST', '/global-item', { id: shared }],
    ['PATCH', '/global-item', { id: shared, active: true }],
    ['PATCH', '/global-items', { active: true }],
    ['PATCH', '/global-items-group', { group: 'altText', active: true }],
    ['DELETE', '/clear-cache', {}],
    ['DELETE', '/global-item', { id: shared }],
    ['DELETE', '/global-items', {}],
  ]
  for (const [method, path, body] of every) {
    await send(method, `/remediation${path}`, body)
    expect(told.splice(0)).toEqual([['all', ids['user.admin']]])
    // The first page is left without any remediation at the end.
    expect([method, path, (await madeAnew()).at(-1)]).toEqual([method, path, about])
  }
})

test('a save that is told anew drops the pages of the post', async () => {
  const { send, show, asked, ids } = await registered()
  const url = 'https://quay.example/by-hand/'
  await send('POST', '/remediation/register', { url, object_id: ids['post.hello'], object_type: 'post' })
  await show(url)
  await send('POST', '/remediation/trigger-save', { object_id: ids['post.hello'], object_type: 'post' })
  asked.length = 0
  await show(url)
  expect(asked).toEqual([url])
})

test('what was made while something changed is not kept', async () => {
  const { api, send, madeAnew } = await registered()
  await api.site.accessibility.remediated(home, '<new>', async () => {
    await send('PATCH', '/remediation/items', { url: home, active: false })
    return 'made of the old'
  })
  expect(await madeAnew()).toEqual([home])
})

test('a write that is refused drops nothing', async () => {
  const { send, madeAnew } = await registered()
  await send('PATCH', '/remediation/items', { url: home, active: 'maybe' })
  await send('PATCH', '/remediation/item', { id: 999, url: home, active: true })
  await send('PATCH', '/remediation/global-item', { id: 999, active: true })
  expect(await madeAnew()).toEqual([])
})

test('a seed of an export has the same pages, remediations and overrides', async () => {
  const { api, send, shared } = await registered()
  await send('PUT', '/remediation/global-item', { id: shared, url: home, active: false })
  const document = await api.site.export()
  expect(JSON.stringify(document)).not.toContain('a11y_html')
  expect(JSON.stringify(document)).not.toContain('a11y_stamp')
  const other = await createTestSite({ profile: d2, seed: document })
  const { body } = await other.as('ada')('GET', '/a11y/v1/remediation/items', { query: { url: home } })
  expect(body.data.data.page).toHaveLength(1)
  expect(body.data.data.global).toMatchObject([{ active: '1', active_for_page: '0' }])
  await other.dispose()
})
