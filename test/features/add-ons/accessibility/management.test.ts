import { expect, test } from 'vitest'
import { d2 } from '../../../../src/profiles/d2.ts'
import { createTestSite } from '../../../support/site.ts'
import { about, home, openSite } from './fixture.ts'

async function openRegistered() {
  const site = await openSite()
  for (const url of [home, about]) await site.send('POST', '/remediation/register', { url })
  const applied: string[] = []
  const show = (url: string, source = '<p>') =>
    site.api.site.accessibility.remediate(url, source, (html, remediations) => {
      applied.push(url)
      return `${html}${remediations.map(({ id }) => id).join()}`
    })
  /** Which of the two pages `apply` is called for. */
  const reapplied = async (): Promise<string[]> => {
    applied.length = 0
    for (const url of [home, about]) await show(url)
    return [...applied]
  }
  const onHome = await site.add(home)
  const onAbout = await site.add(about)
  const shared = await site.add(about, { global: true })
  await reapplied()
  return { ...site, show, applied, reapplied, onHome, onAbout, shared }
}

test('returns the active remediations of a page to the host', async () => {
  const { api, send, onHome, shared } = await openRegistered()
  const read = async (url: string) => (await api.site.accessibility.remediations(url)).map(({ id }) => id)
  expect(await api.site.accessibility.remediations(home)).toMatchObject([
    {
      id: onHome,
      category: 'A',
      rule: 'img_alt_missing',
      group: 'altText',
      isGlobal: false,
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

test('caches the HTML of a page until its source changes', async () => {
  const { show, applied, onHome, shared } = await openRegistered()
  applied.length = 0
  expect(await show(home)).toBe(`<p>${onHome},${shared}`)
  expect(applied).toEqual([])
  expect(await show(home, '<b>')).toBe(`<b>${onHome},${shared}`)
  expect(applied).toEqual([home])
})

test('caches only registered pages, and returns the source without remediations', async () => {
  const { show, applied } = await openRegistered()
  applied.length = 0
  const other = 'https://quay.example/other/?x=1'
  await show(other)
  await show(other)
  expect(applied).toHaveLength(2)
  const plain = await openSite()
  const apply = () => 'never'
  expect(await plain.api.site.accessibility.remediate(home, '<p>', apply)).toBe('<p>')
})

test('each write drops the cached HTML of the page, or of all pages', async () => {
  const { send, reapplied, onHome, shared, api, ids } = await openRegistered()
  const events: unknown[] = []
  api.on('accessibility.changed', ({ urls, by }) => events.push([urls, by]))
  expect(await reapplied()).toEqual([])
  const content = '{}'
  const ofOnePage: readonly (readonly [method: string, path: string, body: object])[] = [
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
  for (const [method, path, body] of ofOnePage) {
    await send(method, `/remediation${path}`, body)
    expect([method, path, await reapplied()]).toEqual([method, path, [home]])
    expect(events.splice(0)).toEqual([[[home], ids['user.admin']]])
  }
  const ofAllPages: readonly (readonly [method: string, path: string, body: object])[] = [
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
  for (const [method, path, body] of ofAllPages) {
    await send(method, `/remediation${path}`, body)
    expect(events.splice(0)).toEqual([['all', ids['user.admin']]])
    // After the loop over single pages the first page has no remediation left.
    expect([method, path, (await reapplied()).at(-1)]).toEqual([method, path, about])
  }
})

test('trigger-save drops the cached HTML of the pages of the post', async () => {
  const { send, show, applied, ids } = await openRegistered()
  const url = 'https://quay.example/by-hand/'
  await send('POST', '/remediation/register', { url, object_id: ids['post.hello'], object_type: 'post' })
  await show(url)
  await send('POST', '/remediation/trigger-save', { object_id: ids['post.hello'], object_type: 'post' })
  applied.length = 0
  await show(url)
  expect(applied).toEqual([url])
})

test('does not cache HTML when a remediation changed during apply', async () => {
  const { api, send, reapplied } = await openRegistered()
  await api.site.accessibility.remediate(home, '<new>', async () => {
    await send('PATCH', '/remediation/items', { url: home, active: false })
    return 'outdated'
  })
  expect(await reapplied()).toEqual([home])
})

test('a write that fails or changes nothing drops no cached HTML', async () => {
  const { send, reapplied } = await openRegistered()
  await send('PATCH', '/remediation/items', { url: home, active: 'maybe' })
  await send('PATCH', '/remediation/item', { id: 999, url: home, active: true })
  await send('PATCH', '/remediation/global-item', { id: 999, active: true })
  expect(await reapplied()).toEqual([])
})

test('an export contains pages, remediations and overrides', async () => {
  const { api, send, shared } = await openRegistered()
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
