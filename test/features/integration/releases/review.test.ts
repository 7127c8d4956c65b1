/** Previews of releases, their review, and their time. */
import { afterEach, expect, test } from 'vitest'
import type { SiteApi } from '../../../../src/index.ts'
import { type Full, full } from '../../../../src/profiles/full.ts'
import { createSitePages } from '../../../../src/site-pages/index.ts'
import { baseUrl, createTestSite, failuresOf, type TestSite, type TestSiteOptions } from '../../../support/site.ts'

let site: TestSite
afterEach(async () => {
  expect(failuresOf(site)).toEqual([])
  await site.dispose()
})

const base = '/site-api/v1/releases'

async function begun(options: TestSiteOptions = {}) {
  site = await createTestSite({ profile: full, ...options })
  const [ada, edith] = [site.as('ada'), site.as('edith')]
  const { body: release } = await ada('POST', base, { body: { name: 'Summer' } })
  const { body: page } = await ada('POST', '/cms/v2/pages', { body: { title: 'Tides', status: 'publish' } })
  const path = `/cms/v2/pages/${page.id}`
  const headers = { 'X-CMS-Release': String(release.id) }
  await edith('POST', path, { body: { title: 'Summer tides' }, headers })
  return { ada, edith, path, link: page.link as string, url: `${base}/${release.id}`, release: release.id as number }
}

test('shows the pages and the answers with a release to whoever has a token, until it ends', async () => {
  const { ada, path, link, url, release } = await begun()
  const { body: preview, status } = await ada('POST', `${url}/previews`, { body: { days: 2 } })
  expect([status, preview.url]).toEqual([201, `${baseUrl}/?release=${preview.token}`])
  const read = (name: string) => site.visitor('GET', path, { headers: { 'X-CMS-Release': name } })
  expect((await read(preview.token)).body.title.rendered).toBe('Summer tides')
  expect((await read(String(release))).status).toBe(401)
  expect((await ada('POST', path, { body: {}, headers: { 'X-CMS-Release': preview.token } })).status).toBe(400)

  const pages = createSitePages(site.api)
  const opened = await pages.fetch(new Request(`${link}?release=${preview.token}`))
  const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? ''
  expect([opened.status, opened.headers.get('location')]).toEqual([303, new URL(link).pathname])
  const show = async () => {
    const shown = await pages.fetch(new Request(link, { headers: { cookie } }))
    return { text: await shown.text(), headers: shown.headers }
  }
  const { text, headers } = await show()
  expect(text).toContain('Summer tides')
  expect([headers.get('cache-control'), headers.get('x-robots-tag')]).toEqual(['private, no-store', 'noindex'])
  expect(await (await pages.fetch(new Request(link))).text()).not.toContain('Summer tides')

  expect((await ada('GET', `${url}/previews`)).body).toEqual([{ id: preview.id, until: preview.until, user: 1 }])
  site.clock.now += 2 * 24 * 60 * 60 * 1000
  expect((await read(preview.token)).body.code).toBe('release_no_preview')
  expect((await show()).text).not.toContain('Summer tides')
  const { body: other } = await ada('POST', `${url}/previews`)
  expect((await ada('DELETE', `${url}/previews/${other.id}`)).status).toBe(204)
  expect((await read(other.token)).status).toBe(403)
  expect((await pages.fetch(new Request(`${link}?release=${other.token}`))).status).toBe(403)
})

test('publishes at its time, once, and keeps the conflicts where it can not', async () => {
  const { ada, edith, path, url } = await begun()
  const at = new Date(site.clock.now + 60_000).toISOString().slice(0, 19)
  expect((await ada('POST', url, { body: { publish_at: at } })).body.publish_at).toBe(`${at}.000Z`)
  expect((await site.visitor('GET', path)).body.title.rendered).toBe('Tides')
  site.clock.now += 60_000
  expect((await site.visitor('GET', path)).body.title.rendered).toBe('Summer tides')
  const { body: published } = await ada('GET', url)
  expect([published.state, published.published_by, published.publish_at]).toEqual(['published', 1, null])

  await ada('POST', `${url}/undo`)
  await edith('POST', path, { body: { title: 'Autumn' } })
  await ada('POST', url, { body: { publish_at: new Date(site.clock.now + 1000).toISOString() } })
  site.clock.now += 1000
  await site.api.site.runDue()
  const { body: failed } = await ada('GET', url)
  expect([failed.state, failed.publish_at, failed.failure.code, failed.failure.conflicts.length]).toEqual([
    'undone',
    null,
    'release_conflict',
    1,
  ])
  expect((await site.visitor('GET', path)).body.title.rendered).toBe('Autumn')
})

test('asks for the approval of another user, which a later change ends', async () => {
  const { ada, edith, path, url, release } = await begun({ releases: { needsApproval: true } })
  expect((await ada('POST', `${url}/publish`)).body.code).toBe('release_not_approved')
  expect((await edith('POST', url, { body: { state: 'in_review' } })).body.state).toBe('in_review')
  expect((await edith('POST', url, { body: { state: 'approved' } })).body.code).toBe('release_own_approval')
  const { body: approved } = await ada('POST', url, { body: { state: 'approved' } })
  expect([approved.state, approved.approved_by]).toEqual(['approved', 1])
  await edith('POST', path, { body: { title: 'Later' }, headers: { 'X-CMS-Release': String(release) } })
  expect((await ada('GET', url)).body.state).toBe('draft')
  await ada('POST', url, { body: { state: 'approved' } })
  expect((await edith('POST', `${url}/publish`)).status).toBe(200)
  expect((await site.visitor('GET', path)).body.title.rendered).toBe('Later')
})

test('is reviewed, timed and shown by the program, for a user or for itself', async () => {
  const { path, release } = await begun({ releases: { needsApproval: true } })
  // The cast: the test site has the type of any profile.
  const { releases } = (site.api as unknown as SiteApi<Full>).site
  const edith = (await site.as('edith')('GET', '/cms/v2/users/me')).body.id as number
  const refusal = (error: { code?: unknown }) => error.code
  expect(await releases.publish(release, { as: edith }).catch(refusal)).toBe('release_not_approved')
  expect(await releases.change(release, { state: 'approved' }, { as: edith }).catch(refusal)).toBe(
    'release_own_approval',
  )
  const changed = await releases.change(release, { name: 'Summer 2026', state: 'approved' }, { as: 1 })
  expect([changed.name, changed.state, changed.approvedBy]).toEqual(['Summer 2026', 'approved', 1])

  const { token, url } = await releases.preview(release, { days: 1 })
  expect(url).toBe(`${baseUrl}/?release=${token}`)
  const shown = await site.visitor('GET', path, { headers: { 'X-CMS-Release': token } })
  expect(shown.body.title.rendered).toBe('Summer tides')
  await expect(releases.preview(release, { days: 91 })).rejects.toThrow('days takes a number from 1 to 90')

  await expect(releases.change(release, { publishAt: 'soon' })).rejects.toThrow('publishAt takes')
  const publishAt = new Date(site.clock.now + 1000).toISOString()
  expect((await releases.change(release, { publishAt }, { as: edith })).publishAt).toBe(publishAt)
  site.clock.now += 1000
  await site.api.site.runDue()
  expect((await site.visitor('GET', path)).body.title.rendered).toBe('Summer tides')
})
