/** Administrators test a running site. */
import { expect, test } from 'vitest'
import { full } from '../../../src/profiles/full.ts'
import { createTestSite } from '../../support/site.ts'

test('says that the storage answers, and what is not as it should be', async () => {
  const site = await createTestSite({ profile: full, url: 'http://quay.example' })
  const { body } = await site.as('ada')('GET', '/cms-site-health/v1/tests')
  const found = Object.fromEntries(
    body.map(({ test: name, status }: { test: string; status: string }) => [name, status]),
  )
  expect(found).toEqual({
    ...{ storage: 'good', 'https-status': 'recommended', 'authorization-header': 'good' },
    ...{ 'broken-references': 'good', 'unused-records': 'good' },
  })
  const one = await site.as('ada')('GET', '/cms-site-health/v1/tests/storage')
  expect(one.body).toMatchObject({ test: 'storage', status: 'good', label: expect.any(String) })
  expect((await site.as('ada')('GET', '/cms-site-health/v1/tests/none')).status).toBe(400)
  expect((await site.as('edith')('GET', '/cms-site-health/v1/tests')).status).toBe(403)
  expect((await site.visitor('GET', '/cms-site-health/v1/tests')).status).toBe(401)
  await site.dispose()
})

test('says which references lead nowhere, and what nothing uses', async () => {
  const site = await createTestSite({ profile: full })
  const test = async (name: string) => (await site.as('ada')('GET', `/cms-site-health/v1/tests/${name}`)).body
  const { id } = await site.api.site.media.create({ file: '2024/06/pier.png', mimeType: 'image/png', title: 'Pier' })
  expect((await test('unused-records')).label).toContain('media')
  const post = { title: 'Gone', content: '[gallery ids="99999"]', featured_media: id }
  await site.as('ada')('POST', '/cms/v2/posts', { body: post })
  expect(await test('broken-references')).toMatchObject({
    ...{ status: 'recommended', label: 'References that lead to records that are not there: 1.' },
  })
  await site.dispose()
})

test('lists the tests in the index of their namespace, with the words of the host', async () => {
  const site = await createTestSite({ profile: full, names: [['cms-site-health/v1', 'own-health/v1']] })
  const { body } = await site.visitor('GET', '/own-health/v1')
  expect(Object.keys(body.routes)).toContain('/own-health/v1/tests')
  await site.dispose()
})
