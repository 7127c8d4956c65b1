/** A freshly started sample site has one open release, and start prints a link that shows the site with it. */
import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { makeSampleRelease, previewLines } from '../../src/cli/start/sample-release.ts'
import type { Profile } from '../../src/core/declare/profile.ts'
import { createSiteApi } from '../../src/host/create-site-api.ts'
import { d1 } from '../../src/profiles/d1.ts'
import { full } from '../../src/profiles/full.ts'
import { createSitePages } from '../../src/site-pages/index.ts'
import { openStorage } from '../support/storage.ts'

const url = 'http://127.0.0.1:3000'
const docs = new URL('../../docs/', import.meta.url)
const file = new URL('sample-site/release.json', docs)

async function openSample<P extends Profile>(profile: P) {
  const { storage, dispose } = await openStorage()
  const api = createSiteApi({ storage, profile, url })
  onTestFinished(async () => {
    await api.close()
    await dispose()
  })
  const documents = ['sample-site.json', 'sample-site/pages.json'].map((path) =>
    JSON.parse(readFileSync(new URL(path, docs), 'utf8')),
  )
  await api.site.seed(documents)
  const ada = (await api.site.users.find({ login: 'ada' }))?.id as number
  await makeSampleRelease(api, file, ada)
  return { api, ada }
}

test('the release changes a page, the menu and a colour, and the site shows none of it', async () => {
  const { api, ada } = await openSample(full)
  const { data: releases } = await api.call('GET', '/site-api/v1/releases', {}, { as: ada })
  expect(releases).toMatchObject([{ name: 'River week', state: 'draft' }])
  const { data: changes } = await api.call(
    'GET',
    '/site-api/v1/releases/{id}/changes',
    { id: releases[0]?.id ?? 0 },
    { as: ada },
  )
  expect(changes.map(({ record }) => record.split(':')[0]).sort()).toEqual(['option', 'post', 'post'])
  expect(changes.flatMap(({ conflicts }) => conflicts)).toEqual([])

  const pages = createSitePages(api)
  const [line = ''] = await previewLines(api, file)
  const [link = ''] = line.split(' ')
  const opened = await pages.fetch(new Request(link))
  expect([opened.status, opened.headers.get('location')]).toEqual([303, '/'])
  const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? ''
  const shown = async (headers: { readonly [name: string]: string }) => {
    const page = await (await pages.fetch(new Request(`${url}/`, { headers }))).text()
    const sheets = [...page.matchAll(/href="([^"]*\/sheets\/[^"]*\.css)"/g)].map(([, sheet = '']) => sheet)
    const styles = await Promise.all(
      sheets.map(async (sheet) =>
        (await pages.fetch(new Request(sheet, { headers: { ...headers, referer: `${url}/` } }))).text(),
      ),
    )
    return {
      title: page.includes('The river has the word'),
      menu: /\/category\/valley\/river\/"[^>]*>\s*<span[^>]*>River</.test(page.split('<main')[0] ?? ''),
      color: styles.join('').includes('#1c4563'),
    }
  }
  expect(await shown({ cookie })).toEqual({ title: true, menu: true, color: true })
  expect(await shown({})).toEqual({ title: false, menu: false, color: false })
})

test('the next start ends the link of the last one, and none is printed for a release that is published', async () => {
  const { api, ada } = await openSample(full)
  const pages = createSitePages(api)
  const linkOf = (lines: readonly string[]) => lines[0]?.split(' ')[0] ?? ''
  const [first, second] = [linkOf(await previewLines(api, file)), linkOf(await previewLines(api, file))]
  expect((await pages.fetch(new Request(first))).status).toBe(403)
  expect((await pages.fetch(new Request(second))).status).toBe(303)
  const [release] = await api.site.releases.list()
  await api.site.releases.publish(release?.id ?? 0, { as: ada })
  expect(await previewLines(api, file)).toEqual([])
  expect(await (await pages.fetch(new Request(`${url}/`))).text()).toContain('The river has the word')
})

test('a profile without releases has none', async () => {
  const { api } = await openSample(d1)
  expect(await previewLines(api, file)).toEqual([])
})
