/** The page of changes: what has changed in a record, for people who may edit it. */
import { afterEach, expect, test } from 'vitest'
import { full } from '../../../../src/profiles/full.ts'
import { createTestSite, failuresOf, type TestSite } from '../../../support/site.ts'

let site: TestSite
afterEach(async () => {
  expect(failuresOf(site)).toEqual([])
  await site.dispose()
})

test('shows words and values that came and went, escaped, and leads to each change', async () => {
  site = await createTestSite({ profile: full })
  const arthur = site.as('arthur')
  const content = '<p>Six in the morning.</p><script>alert(1)</script>'
  const { body } = await arthur('POST', '/cms/v2/posts', { body: { title: 'Low water', content, status: 'publish' } })
  site.clock.now += 1000
  const from = new Date(site.clock.now).toISOString()
  site.clock.now += 1000
  await arthur('PUT', `/cms/v2/posts/${body.id}`, { body: { title: 'High water', content: '<p>Six at noon.</p>' } })
  const query = { record: `post:${body.id}`, from }
  const page = await arthur('GET', '/history/changes', { query })
  expect(page.status).toBe(200)
  expect(page.headers.get('content-type')).toBe('text/html; charset=UTF-8')
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(page.body).toContain('<del>Low</del><ins>High</ins> water')
  expect(page.body).not.toContain('<script')
  expect(page.body.match(/<li[^>]*><a href="\/api\/history\/changes\?[^"]*">/g)).toHaveLength(2)
  // Without a moment the page shows the newest change.
  const newest = await arthur('GET', '/history/changes', { query: { record: `post:${body.id}` } })
  expect(newest.body).toContain('<del>Low</del><ins>High</ins> water')
  expect((await site.as('aiko')('GET', '/history/changes', { query })).status).toBe(403)
  expect((await site.visitor('GET', '/history/changes', { query })).status).toBe(401)
})

test('begins with the record where the site has no name', async () => {
  site = await createTestSite({ profile: full })
  const ada = site.as('ada')
  await ada('POST', '/cms/v2/settings', { body: { title: '' } })
  const { body } = await ada('POST', '/cms/v2/posts', { body: { title: 'Low water' } })
  const page = await ada('GET', '/history/changes', { query: { record: `post:${body.id}` } })
  expect(page.body).toContain(`<p class="site">post:${body.id}</p>`)
  expect(page.body).toContain('<title>What changed: Low water</title>')
})
