/** Options of the site that an empty site takes from an export file. */
import { expect, onTestFinished, test } from 'vitest'
import { content } from '../../../src/profiles/content.ts'
import { createSitePages } from '../../../src/site-pages/index.ts'
import { createTestSite } from '../../support/site.ts'
import { exportFile, fileEnd, fileStart, inPieces, item, site as oldSite } from './export-file.ts'

async function openSite(seed: object | false = false) {
  const site = await createTestSite({ profile: content, seed })
  onTestFinished(async () => {
    expect(site.failures).toEqual([])
    await site.dispose()
  })
  const pages = createSitePages(site.api)
  const page = async (path: string) => (await pages.fetch(new Request(`https://quay.example${path}`))).text()
  return { ...site, page }
}

const written = (head: string, ...items: readonly string[]) =>
  inPieces(`${fileStart.replace('<title>Old site</title>', head)}${items.join('')}${fileEnd}`, 999)

const head = '<title>The Ferry House</title><description>Rooms by the water</description><language>de-CH</language>'
const dated = (id: number, local: string, gmt: string) => item({ id, date: local, dateGmt: gmt })
const front = item({
  ...{ id: 5, type: 'page', slug: 'home', title: 'Home', link: `${oldSite}/` },
  ...{ date: '2023-05-01 10:00:00', dateGmt: '2023-05-01 08:00:00' },
})

test('are its title, tagline, language, time zone and front page', async () => {
  const { api, page } = await openSite()
  const winter = dated(1, '2023-01-10 10:00:00', '2023-01-10 09:00:00')
  const summer = dated(2, '2023-07-10 10:00:00', '2023-07-10 08:00:00')
  const { settings } = await api.site.import(written(head, winter, summer, front))
  const [{ id = 0 } = {}] = (await api.call<{ id: number }[]>('GET', '/cms/v2/pages', {}, { as: 'system' })).data
  const taken = {
    ...{ name: 'The Ferry House', description: 'Rooms by the water', language: 'de_CH' },
    ...{ timezone_string: 'Europe/Zurich', show_on_front: 'page', page_on_front: id },
  }
  expect(settings).toEqual(taken)
  expect(await api.site.options.read(Object.keys(taken))).toEqual(taken)
  expect(await page('/')).toContain('<title>The Ferry House – Rooms by the water</title>')
})

test.each([
  ['en', [120, 120], { gmt_offset: 2 }],
  ['en', [60, 120], { timezone_string: 'Europe/Berlin' }],
  ['en-US', [-300, -240], { timezone_string: 'America/New_York' }],
  ['en', [60, 345], {}],
])('in %s, offsets of %j minutes in winter and summer mean %j', async (language, [winter = 0, summer = 0], zone) => {
  const { api } = await openSite()
  const at = (id: number, gmt: string, minutes: number) =>
    dated(id, new Date(Date.parse(`${gmt}Z`) + minutes * 60_000).toISOString().slice(0, 19).replace('T', ' '), gmt)
  const items = [at(1, '2023-01-10 09:00:00', winter), at(2, '2023-07-10 09:00:00', summer)]
  const { settings } = await api.site.import(written(`<title></title><language>${language}</language>`, ...items))
  const { timezone_string, gmt_offset } = settings
  expect(JSON.parse(JSON.stringify({ timezone_string, gmt_offset }))).toEqual(zone)
})

test('do not replace those that the site has', async () => {
  const { api } = await openSite()
  await api.site.options.write({ name: 'Ours' })
  const { settings } = await api.site.import(written(head))
  expect(settings).toEqual({ description: 'Rooms by the water', language: 'de_CH' })
})

test('of a site with posts stay; the caller may name pages', async () => {
  const { api } = await openSite()
  await api.call('POST', '/cms/v2/posts', { title: 'Here', status: 'publish' }, { as: 'system' })
  expect((await api.site.import(written(head, front))).settings).toEqual({})
  const again = await api.site.import(written(head, front), { frontPage: 'home', postsPage: 'nowhere' })
  expect(Object.keys(again.settings)).toEqual(['page_on_front', 'show_on_front'])
  expect(again.problems).toMatchObject([{ kind: 'missing-post', what: 'page_for_posts' }])
})

test('without a title, pages are named by the host', async () => {
  const { api, page } = await openSite()
  await api.site.import(inPieces(exportFile().replace('Old site', ''), 999))
  const text = await page('/')
  expect(text).toContain('<title>quay.example</title>')
  expect(text).toContain('rel="home">quay.example</a>')
})
