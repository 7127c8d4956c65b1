/** Refusals and headers disclose nothing to users who may not see more. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSiteApi } from '../../src/host/create-site-api.ts'
import { d1 } from '../../src/profiles/d1.ts'
import { d2 } from '../../src/profiles/d2.ts'
import { sqliteStorage } from '../../src/storage/sqlite.ts'
import { storeDocument, widgetElement } from '../support/documents.ts'
import { createTestSite, type TestSite } from '../support/site.ts'

let site: TestSite
beforeAll(async () => {
  site = await createTestSite({ profile: d2 })
})
afterAll(() => site.dispose())

test('a record that is there and one that is not have one answer for those who may see none', async () => {
  const heading = widgetElement('a1b2c3d', 'heading', { title: 'x' })
  const post_id = await storeDocument(site, [heading])
  const note = { post_id, element_id: 'a1b2c3d', content: 'Who goes there?', position: { x: 1, y: 2 } }
  const created = await site.as('ada')('POST', '/builder/v1/notes', { body: note })
  expect(created.status).toBe(200)
  const id = created.body.data.id
  for (const [login, status] of [
    [null, 401],
    ['sam', 403],
  ] as const) {
    const send = site.as(login)
    for (const path of ['/builder/v1/form-submissions', '/builder/v1/notes']) {
      const answers = await Promise.all([
        ...[id, 999_999].map((one) => send('GET', `${path}/${one}`)),
        ...[id, 999_999].map((one) => send('DELETE', `${path}/${one}`)),
      ])
      const [first, ...others] = answers.map(({ status: code, body }) => ({ status: code, body }))
      expect([path, login, first?.status]).toEqual([path, login, status])
      for (const other of others) expect(other).toEqual(first)
    }
  }
  // Those who may read notes learn that there is none.
  expect((await site.as('ada')('GET', '/builder/v1/notes/999999')).status).toBe(404)
})

test('the links to other pages are left out where they would make the head too long', async () => {
  const short = await site.visitor('GET', '/cms/v2/posts', { query: 'per_page=1&page=2' })
  expect(short.headers.get('link')).toContain('rel="next"')
  const long = await site.visitor('GET', '/cms/v2/posts', { query: `per_page=1&page=2&x=${'%20'.repeat(8000)}` })
  expect(long.status).toBe(200)
  expect(long.headers.get('x-cms-totalpages')).toBe(short.headers.get('x-cms-totalpages'))
  const size = [...long.headers].reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0)
  expect(size).toBeLessThan(8192)
})

test('closing an api that was never used opens nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'unused-'))
  try {
    const file = join(folder, 'site.db')
    const api = createSiteApi({ storage: sqliteStorage(file), profile: d1, url: 'https://quay.example' })
    await api.close()
    expect(existsSync(file)).toBe(false)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
