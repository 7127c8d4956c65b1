/** A removed record that is restored has the first version once more; no text of that version from before its removal is shown. */
import { expect, onTestFinished, test } from 'vitest'
import { full } from '../../../../src/profiles/full.ts'
import { createTestSite } from '../../../support/site.ts'

test('a restored record is shown as it was removed', async () => {
  const site = await createTestSite({ profile: full })
  onTestFinished(site.dispose)
  const ada = site.as('ada')
  const titles = async () =>
    (await ada('GET', '/cms/v2/posts', { query: { per_page: '2' } })).body.map(
      ({ title }: { title: { rendered: string } }) => title.rendered,
    )
  const write = async (path: string, body: object) => {
    const found = await ada('POST', path, { body })
    expect(found.status, JSON.stringify(found.body)).toBeLessThan(300)
    site.clock.now += 60_000
    return found.body
  }
  const { id } = await write('/cms/v2/posts', { title: 'First', status: 'publish' })
  const path = `/cms/v2/posts/${id}`
  const read = async () => (await ada('GET', path)).body.title.rendered
  expect([await read(), (await titles())[0]]).toEqual(['First', 'First'])
  await write(path, { title: 'Second' })
  const before = new Date(site.clock.now).toISOString()
  site.clock.now += 60_000
  expect((await ada('DELETE', path, { query: { force: 'true' } })).status).toBe(200)
  site.clock.now += 60_000
  await write('/site-api/v1/history/restore', { to: before })
  expect([await read(), (await titles())[0]]).toEqual(['Second', 'Second'])
})
