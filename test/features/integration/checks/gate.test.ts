/** The gate before publishing: findings warn, refuse a write, or are left out; a release obeys it, and rights hide records of others. */
import { afterEach, expect, test } from 'vitest'
import {
  type AppliedPatch,
  type Check,
  type CheckFinding,
  feature,
  isApiError,
  type PublishingOptions,
  profile,
  type SiteApi,
} from '../../../../src/index.ts'
import { content } from '../../../../src/profiles/content.ts'
import { full } from '../../../../src/profiles/full.ts'
import { createTestPages, type TestPages } from '../../../site-pages/pages.ts'
import { storeDocument, widgetElement } from '../../../support/documents.ts'
import { createTestSite, failuresOf, type Requester } from '../../../support/site.ts'

let site: TestPages
let ada: Requester
afterEach(async () => {
  expect(failuresOf(site)).toEqual([])
  await site.dispose()
})

// The cast: the profile of these tests has more than the type of test sites.
const managed = () => site.api.site as unknown as SiteApi<typeof full>['site']

async function open(publishing?: PublishingOptions): Promise<void> {
  site = await createTestPages({ profile: full, ...(publishing && { publishing }) })
  ada = site.as('ada')
}

const good = { title: 'Tides', excerpt: 'When the boats leave.', content: '<p>Low water is at six in the morning.</p>' }
const bad = { ...good, content: '<p>See <a href="/nowhere/">the map</a>.</p>' }
const create = (body: object, send = ada) => send('POST', '/cms/v2/posts', { body })
const change = (id: number, body: object, send = ada) => send('POST', `/cms/v2/posts/${id}`, { body })
const codesIn = (body: { _warnings?: { code: string }[] }) => (body._warnings ?? []).map(({ code }) => code)
const codesOf = (findings: readonly CheckFinding[]) => findings.map(({ code }) => code)

test('warns of findings when a record is published, and as long as it stays so', async () => {
  await open({ checks: 'warn' })
  expect(codesIn((await create({ ...bad, status: 'draft' })).body)).toEqual([])
  const made = await create({ ...bad, status: 'publish' })
  expect([made.status, made.body._warnings]).toEqual([
    201,
    expect.arrayContaining([
      {
        code: 'dead-link',
        message: 'The link to /nowhere/ leads nowhere: visitors find no page there.',
        param: `post:${made.body.id} content`,
      },
    ]),
  ])
  expect(codesIn((await change(made.body.id, { title: 'Tides of May' })).body)).toContain('dead-link')
  expect(codesIn((await change(made.body.id, { content: good.content })).body)).not.toContain('dead-link')
  expect(codesIn((await change(made.body.id, { ...bad, status: 'draft' })).body)).toEqual([])
})

test('refuses errors, and writes nothing then', async () => {
  await open({ checks: 'refuse' })
  const before = (await ada('GET', '/cms/v2/posts')).headers.get('x-cms-total')
  const refused = await create({ ...bad, status: 'publish' })
  expect([refused.status, refused.body.code]).toEqual([422, 'publishing_refused'])
  expect(refused.body.message).toContain('/nowhere/')
  expect(codesOf(refused.body.data.findings)).toEqual(['dead-link'])
  expect((await ada('GET', '/cms/v2/posts')).headers.get('x-cms-total')).toBe(before)

  const draft = await create({ ...bad, excerpt: '', status: 'draft' })
  expect(draft.status).toBe(201)
  const future = { status: 'future', date: '2035-01-01T10:00:00' }
  expect((await change(draft.body.id, future)).status).toBe(422)
  expect((await change(draft.body.id, { status: 'private' })).status).toBe(200)
  const published = await change(draft.body.id, { status: 'publish', content: good.content })
  // A notice does not refuse.
  expect([published.status, codesIn(published.body)]).toEqual([200, ['missing-excerpt']])
})

test('takes a verdict for each code', async () => {
  await open({ checks: { 'missing-excerpt': 'refuse', 'dead-link': 'off' } })
  expect((await create({ ...bad, excerpt: '', status: 'publish' })).body.code).toBe('publishing_refused')
  const passed = await create({ ...bad, title: '', status: 'publish' })
  expect([passed.status, codesIn(passed.body)]).toEqual([201, expect.arrayContaining(['missing-title'])])
  expect(codesIn(passed.body)).not.toContain('dead-link')
})

test('judges documents of the page builder, each item of a batch, dry runs and writes of the program', async () => {
  await open({ checks: 'refuse' })
  const button = widgetElement('bbbb002', 'button', { text: 'Map', link: { url: '/nowhere/' } })
  const id = await storeDocument(site, [button], { status: 'draft' })
  const publish = await ada('POST', `/site-api/v1/documents/${id}`, { body: { status: 'publish' } })
  expect([publish.status, publish.body.data.findings[0].place]).toEqual([
    422,
    { record: `post:${id}`, element: 'bbbb002' },
  ])
  const requests = [bad, good].map((body) => ({ path: '/cms/v2/posts', body: { ...body, status: 'publish' } }))
  const batch = await ada('POST', '/batch/v1', { body: { requests } })
  expect(batch.body.responses.map(({ status }: { status: number }) => status)).toEqual([422, 201])
  const tried = await ada('POST', '/cms/v2/posts', {
    body: { ...bad, status: 'publish' },
    headers: { Prefer: 'dry-run' },
  })
  expect(tried.status).toBe(422)
  const refusal = await site.api
    .call('POST', '/cms/v2/posts', { ...bad, status: 'publish' }, { as: 'system' })
    .catch((e) => e)
  expect(isApiError(refusal) && refusal.code).toBe('publishing_refused')
})

test('lets patches pass that leave other findings', async () => {
  await open({ checks: { 'dead-link': 'refuse' } })
  const two = `${bad.content}<p><a href="/neither/">Or this</a></p>`
  const made = await create({ ...good, status: 'publish' })
  const { id } = made.body
  await site.api['~parts'].storage.posts.update([{ id, changes: { content: two } }])
  expect((await change(id, { title: 'Other' })).status).toBe(422)
  const { findings } = await managed().check(`post:${id}`)
  const dead = findings.filter(({ code }) => code === 'dead-link')
  expect(dead).toHaveLength(2)
  const [first, second] = dead as [CheckFinding, CheckFinding]
  await managed().check.apply(first, { as: site.ids['user.admin'] as number, dryRun: true })
  expect(codesOf((await managed().check(`post:${id}`)).findings)).toContain('dead-link')
  const applied: AppliedPatch = await managed().check.apply(first, { as: site.ids['user.admin'] as number })
  expect(applied.patch.says).toBe('Takes away the link to /nowhere/, and leaves its text.')
  // A patch that the caller has changed is a write like any other.
  const own = { ...second.patch, record: `post:${id}`, says: '', content: [{ from: 'Or this', to: 'Or that' }] }
  await expect(managed().check.apply(own)).rejects.toMatchObject({ code: 'publishing_refused' })
  await managed().check.apply(second)
  expect(codesOf((await managed().check(`post:${id}`)).findings)).not.toContain('dead-link')
  await expect(managed().check.apply({ ...own, content: [{ from: 'gone', to: '' }] })).rejects.toMatchObject({
    code: 'check_patch_outdated',
  })
})

test('a release shows the findings of its records, and is refused before anything is written', async () => {
  await open({ checks: 'refuse' })
  const { id: release } = await managed().releases.create('Summer')
  const headers = { 'X-CMS-Release': String(release) }
  const changed = await create({ ...good, status: 'publish' })
  expect(
    (await ada('POST', `/cms/v2/posts/${changed.body.id}`, { body: { title: 'Summer tides' }, headers })).status,
  ).toBe(200)
  const written = await ada('POST', '/cms/v2/posts', { body: { ...bad, status: 'publish' }, headers })
  expect([written.status, codesIn(written.body)]).toEqual([201, expect.arrayContaining(['dead-link'])])
  await ada('POST', '/cms/v2/posts', { body: { ...bad, status: 'draft' }, headers })

  const shown = await ada('GET', `/site-api/v1/checks/release:${release}`)
  expect(codesOf(shown.body.findings)).toContain('dead-link')
  expect(new Set(shown.body.findings.map(({ place }: CheckFinding) => place.record))).not.toContain('post:0')
  expect((await managed().check(release)).findings).toEqual(shown.body.findings)
  expect((await ada('GET', `/site-api/v1/checks/post:${written.body.id}`)).status).toBe(404)
  const inRelease = await ada('GET', `/site-api/v1/checks/post:${written.body.id}`, { headers })
  expect(codesOf(inRelease.body.findings)).toContain('dead-link')

  const refused = await ada('POST', `/site-api/v1/releases/${release}/publish`, { body: {} })
  expect([refused.status, refused.body.code]).toEqual([422, 'publishing_refused'])
  expect(refused.body.data.findings.map(({ place }: CheckFinding) => place.record)).toEqual([`post:${written.body.id}`])
  expect((await ada('GET', `/cms/v2/posts/${changed.body.id}`)).body.title.rendered).toBe('Tides')

  const [finding] = shown.body.findings.filter(({ code }: CheckFinding) => code === 'dead-link')
  const mended = await ada('POST', `/site-api/v1/checks/post:${written.body.id}/apply`, {
    body: { finding: finding.id },
    headers,
  })
  expect(mended.status, JSON.stringify(mended.body)).toBe(200)
  const published = await ada('POST', `/site-api/v1/releases/${release}/publish`, { body: {} })
  expect([published.status, published.body.release?.state]).toEqual([200, 'published'])
  expect(codesOf(published.body.findings ?? [])).not.toContain('dead-link')
  expect((await ada('GET', `/cms/v2/posts/${written.body.id}`)).body.content.rendered).not.toContain('nowhere')
})

test('a release that is published says what it has found', async () => {
  await open({ checks: 'warn' })
  const { id: release } = await managed().releases.create('Summer')
  await site.api.call('POST', '/cms/v2/posts', { ...bad, status: 'publish' }, { as: 'system', release })
  const published = await managed().releases.publish(release)
  expect(codesOf(published.findings)).toContain('dead-link')
})

test('answers for records that the caller may not edit like for those that are not there', async () => {
  await open()
  const connie = site.as('connie')
  const draft = await create({ ...bad, status: 'draft' })
  const answers = [`post:${draft.body.id}`, 'post:99999'].map(async (record) => {
    const read = await connie('GET', `/site-api/v1/checks/${record}`)
    const applied = await connie('POST', `/site-api/v1/checks/${record}/apply`, { body: { finding: 'x' } })
    const patch = { record, says: '', members: { title: 'Mine' } }
    const patched = await connie('POST', `/site-api/v1/checks/${record}/apply`, { body: { patch } })
    return [read, applied, patched].map(({ status, body }) => [status, body.code])
  })
  const [hidden, missing] = await Promise.all(answers)
  expect(hidden).toEqual(missing)
  expect(hidden).toEqual(Array.from({ length: 3 }, () => [404, 'check_no_record']))
  for (const patch of [
    5,
    { record: 'post:1', content: 5 },
    { record: 'post:1', settings: { ab: 5 } },
    { members: {} },
  ]) {
    const odd = await ada('POST', '/site-api/v1/checks/post:1/apply', { body: { patch } })
    expect([odd.status, odd.body.code]).toEqual([400, 'rest_invalid_param'])
  }
  expect((await site.as('sam')('GET', '/site-api/v1/checks/post:1')).status).toBe(403)
  expect((await site.visitor('GET', '/site-api/v1/checks/post:1')).status).toBe(401)
  expect((await connie('GET', '/site-api/v1/checks/release:1')).status).toBe(403)

  // She may edit her own draft, and not the medium that it shows.
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const { data: medium } = await site.api.call<{ id: number; source_url: string }>('POST', '/cms/v2/media', undefined, {
    ...{ as: 'system' as const, file: new Blob([Buffer.from(png, 'base64')]) },
    headers: { 'Content-Disposition': 'attachment; filename="secret-plan.png"', 'Content-Type': 'image/png' },
  })
  const image = { image: { id: medium.id, url: medium.source_url } }
  const id = await storeDocument(site, [widgetElement('cccc003', 'image', image)], {
    status: 'draft',
    author: 'contributor',
  })
  const own = (await connie('GET', `/site-api/v1/checks/post:${id}`)).body.findings
  const alt = own.find(({ code }: CheckFinding) => code === 'missing-alt')
  expect(alt).toBeDefined()
  expect(alt.patch).toBeUndefined()
})

test('a site without pages says which checks could not look; one without the option asks nothing of its writes', async () => {
  await open()
  expect(codesIn((await create({ ...bad, status: 'publish' })).body)).toEqual([])
  const plain = await createTestSite({ profile: full, publishing: { checks: 'refuse' } })
  const made = await plain.as('ada')('POST', '/cms/v2/posts', { body: { ...bad, status: 'publish' } })
  expect(made.status).toBe(201)
  const { body } = await plain.as('ada')('GET', `/site-api/v1/checks/post:${made.body.id}`)
  expect(body.unchecked).toEqual(expect.arrayContaining(['dead-link', 'page-weight', 'accessibility']))
  await plain.dispose()
  const small = await createTestSite({ profile: content, publishing: { checks: 'refuse' } })
  expect(
    (await small.as('ada')('POST', '/cms/v2/posts', { body: { ...bad, title: '', status: 'publish' } })).status,
  ).toBe(201)
  await small.dispose()
})

test('checks the whole site for the program', async () => {
  await open()
  const made = await create({ ...bad, status: 'publish' })
  const { findings } = await managed().check.site()
  expect(findings).toContainEqual(
    expect.objectContaining({ code: 'dead-link', place: { record: `post:${made.body.id}`, member: 'content' } }),
  )
  expect((await managed().check.site({ limit: 1 })).findings).toHaveLength(1)
  await expect(managed().check('nonsense')).rejects.toThrow('names no record')
})

test('takes a check of the host, and refuses the code that none has', async () => {
  const shouting: Check = {
    code: 'shouting-title',
    looksAt: 'record',
    find: ({ post: { title } }) =>
      title === title.toUpperCase() ? [{ severity: 'error', place: { member: 'title' }, message: 'It shouts.' }] : [],
  }
  const own = feature('house-style', 'host/v1', [], { contributes: { checks: [shouting] } })
  const house = profile({ ...full, name: 'house', features: [...full.features, own] })
  site = await createTestPages({ profile: house, publishing: { checks: { 'shouting-title': 'refuse' } } })
  ada = site.as('ada')
  expect((await create({ ...good, title: 'TIDES', status: 'publish' })).body.data?.findings).toMatchObject([
    { code: 'shouting-title', severity: 'error', message: 'It shouts.' },
  ])
  expect((await create({ ...good, status: 'publish' })).status).toBe(201)
  const misspelt = createTestSite({ profile: full, publishing: { checks: { 'ded-link': 'refuse' } } })
  await expect(misspelt).rejects.toThrow('dead-link')
})
