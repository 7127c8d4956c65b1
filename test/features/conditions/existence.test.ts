/** Conditions on whether a document exists, on a larger one that holds it, and in batches. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { profile } from '../../../src/core/declare/profile.ts'
import { wordpress } from '../../../src/names/wordpress.ts'
import { withCurrentClients } from '../../../src/profiles/current-clients.ts'
import { full } from '../../../src/profiles/full.ts'
import { createTestSite, failuresOf, type Received, type Requester, type TestSite } from '../../support/site.ts'
import { bytesOf, picture, upload } from '../content/media/pictures.ts'
import { allFeatures, seed } from './documents.ts'

let site: TestSite
let ada: Requester
beforeEach(async () => {
  site = await createTestSite({ profile: allFeatures, seed })
  ada = site.as('ada')
})
afterEach(async () => {
  expect(failuresOf(site)).toEqual([])
  await site.dispose()
})

const outcome = ({ status, body }: Received) => (status < 300 ? 'done' : [status, body.code])
const failed = [412, 'rest_precondition_failed']
const unsupported = [412, 'rest_precondition_unsupported']
const tagOf = async (path: string) => (await ada('GET', path)).headers.get('etag') as string

const created = [
  ['POST', '/builder/v1/globals/colors/river', { title: 'River', value: '#123456' }],
  ['POST', '/builder/v1/globals/typography/river', { title: 'River', value: {} }],
  ['PUT', '/builder/v1/kit-elements-defaults/heading', { settings: { title: 'A' } }],
  ['PUT', '/builder/v1/settings/builder_mine', { value: 1 }],
] as const

describe.each(created)('%s %s', (method, path, body) => {
  const write = async (headers: { readonly [name: string]: string }) =>
    outcome(await ada(method, path, { body, headers }))

  test('under `If-Match: *` changes what exists, and makes nothing', async () => {
    expect(await write({ 'if-match': '*' })).toEqual(failed)
    expect(await write({})).toBe('done')
    expect(await write({ 'if-match': '*' })).toBe('done')
  })

  test('under `If-None-Match: *` makes what does not exist, and changes nothing', async () => {
    expect(await write({ 'if-none-match': '*' })).toBe('done')
    expect(await write({ 'if-none-match': '*' })).toEqual(failed)
  })

  test('under `If-None-Match: *` is made by one of two clients at once', async () => {
    const outcomes = await Promise.all([write({ 'if-none-match': '*' }), write({ 'if-none-match': '*' })])
    expect(outcomes.filter((one) => one === 'done')).toHaveLength(1)
    expect(outcomes).toContainEqual(failed)
  })

  test('under a date is refused: no response has one', async () => {
    expect(await write({ 'if-unmodified-since': 'Thu, 01 Jan 2099 00:00:00 GMT' })).toEqual(unsupported)
    expect(await write({})).toBe('done')
  })
})

test('posts take `If-None-Match` too', async () => {
  const path = `/cms/v2/posts/${site.ids['post.ferry']}`
  const write = async (tag: string) =>
    outcome(await ada('PUT', path, { body: { title: 'Mine' }, headers: { 'if-none-match': tag } }))
  expect([await write('*'), await write(await tagOf(path)), await write('"other"')]).toEqual([failed, failed, 'done'])
})

test('a global item is written under the tag of its list, and of all lists, as long as they have not changed', async () => {
  const path = '/builder/v1/globals/colors/river'
  const write = async (tag: string, value: string) =>
    outcome(await ada('POST', path, { body: { title: 'River', value }, headers: { 'if-match': tag } }))
  for (const [list, color] of [
    ['/builder/v1/globals/colors', '#111111'],
    ['/builder/v1/globals', '#444444'],
  ] as const) {
    const tag = await tagOf(list)
    expect([list, await write(tag, color)]).toEqual([list, 'done'])
    expect([list, await write(tag, '#222222')]).toEqual([list, failed])
  }
  expect(await write(await tagOf('/builder/v1/globals/typography'), '#333333')).toEqual(failed)
})

test('a template is written under the tag of the list', async () => {
  const root = '/builder/v1/site-editor'
  const path = `${root}/templates/${site.ids['document.top']}`
  const headers = { 'if-match': await tagOf(`${root}/templates`) }
  expect(outcome(await ada('PATCH', path, { body: { post_title: 'One' }, headers }))).toBe('done')
  expect(outcome(await ada('PATCH', path, { body: { post_title: 'Two' }, headers }))).toEqual(failed)
})

test('the preview of the global classes has a tag of its own', async () => {
  const path = '/builder/v1/global-classes'
  const card = { id: 'g-1', type: 'class', label: 'card', variants: [] }
  const body = { changes: { added: ['g-1'], deleted: [], modified: [] }, items: { 'g-1': card }, order: ['g-1'] }
  const live = await tagOf(path)
  const put = async (context: string) =>
    outcome(await ada('PUT', path, { body: { ...body, context }, headers: { 'if-match': live } }))
  expect(await put('preview')).toBe('done')
  expect(await put('preview')).toEqual(failed)
  expect(await put('frontend')).toBe('done')
})

describe('autosaves', () => {
  const half = { content: 'Half a thought' }

  test('of a post are written under the tag of the post, until it changes', async () => {
    const post = `/cms/v2/posts/${site.ids['post.ferry']}`
    const headers = { 'if-match': await tagOf(post) }
    const any = { 'if-match': '*' }
    expect(outcome(await ada('POST', `${post}/autosaves`, { body: half, headers: any }))).toBe('done')
    expect(outcome(await ada('POST', `${post}/autosaves`, { body: half, headers }))).toBe('done')
    expect(outcome(await ada('POST', `${post}/autosaves`, { body: { content: 'More' }, headers }))).toBe('done')
    await ada('POST', post, { body: { title: 'Changed' } })
    expect(outcome(await ada('POST', `${post}/autosaves`, { body: half, headers }))).toEqual(failed)
  })

  test('of a draft of its author are written to the post under its tag', async () => {
    const { body } = await ada('POST', '/cms/v2/posts', { body: { title: 'Mine', status: 'draft' } })
    const post = `/cms/v2/posts/${body.id}`
    const headers = { 'if-match': await tagOf(post) }
    const first = await ada('POST', `${post}/autosaves`, { body: half, headers })
    expect([outcome(first), first.headers.get('etag')?.split('.')[0]]).toEqual([
      'done',
      (await tagOf(post)).split('.')[0],
    ])
    expect(outcome(await ada('POST', `${post}/autosaves`, { body: half, headers }))).toEqual(failed)
    const next = { 'if-match': first.headers.get('etag') as string }
    expect(outcome(await ada('POST', post, { body: { title: 'Yours' }, headers: next }))).toBe('done')
  })
})

describe('a batch', () => {
  const batch = async (requests: readonly object[], headers: { readonly [name: string]: string } = {}) =>
    ada('POST', '/batch/v1', { body: { requests }, headers })

  test('as a whole refuses a condition', async () => {
    const { status, body } = await batch([{ path: '/cms/v2/tags', body: { name: 'Fresh' } }], { 'if-match': '"0"' })
    expect([status, body.code]).toEqual(unsupported)
    expect((await ada('GET', '/cms/v2/tags', { query: { search: 'Fresh' } })).body).toEqual([])
  })

  test('holds the conditions of its requests, or refuses them', async () => {
    const tag = `/cms/v2/tags/${site.ids['tag.red']}`
    const { body } = await batch([
      { path: tag, body: { name: 'One' }, headers: { 'If-Match': '"0"' } },
      { path: tag, body: { name: 'Two' }, headers: { 'IF-NONE-MATCH': '*' } },
      { path: tag, body: { name: 'Three' }, headers: { 'If-Match': ['"0"', await tagOf(tag)] } },
      { path: '/cms/v2/tags', body: { name: 'Fresh' }, headers: { 'if-match': '*' } },
      { path: '/cms/v2/tags', body: { name: 'Other' } },
    ])
    const outcomes = body.responses.map(
      (one: { readonly status: number; readonly body: { readonly code?: string } }) =>
        one.status < 300 ? 'done' : [one.status, one.body.code],
    )
    expect(outcomes).toEqual([failed, failed, 'done', unsupported, 'done'])
  })
})

test('a copy and a preview of a document hold its tag', async () => {
  const path = `/site-api/v1/documents/${site.ids['post.built']}`
  const tag = await tagOf(path)
  for (const action of ['duplicate', 'preview']) {
    const write = async (match: string) =>
      outcome(await ada('POST', `${path}/${action}`, { headers: { 'if-match': match } }))
    expect([action, await write('"0"'), await write(tag)]).toEqual([action, failed, 'done'])
  }
})

test('changes of a picture hold the tag of the picture', async () => {
  const bytes = await bytesOf(picture(40, 30), 'png')
  const { body } = await upload(site, 'sea.png', bytes, { as: 'ada' })
  const path = `/cms/v2/media/${body.id}`
  const tag = await tagOf(path)
  const edit = { src: body.source_url, modifiers: [{ type: 'rotate', args: { angle: 90 } }] }
  const resize = { action: 'create-image-subsizes' }
  for (const [action, sent] of [
    ['edit', edit],
    ['post-process', resize],
  ] as const) {
    const write = async (match: string) =>
      outcome(await ada('POST', `${path}/${action}`, { body: sent, headers: { 'if-match': match } }))
    expect([action, await write('"0"'), await write(tag)]).toEqual([action, failed, 'done'])
  }
})

test('a picture is changed or removed by one of two clients at once', async () => {
  const { body } = await upload(site, 'sea.png', await bytesOf(picture(40, 30), 'png'), { as: 'ada' })
  const path = `/cms/v2/media/${body.id}`
  const headers = { 'if-match': await tagOf(path) }
  const answers = await Promise.all([
    ada('POST', path, { body: { title: 'Sea' }, headers }),
    ada('DELETE', path, { query: 'force=true', headers }),
  ])
  expect(answers.map(outcome).filter((one) => one === 'done')).toHaveLength(1)
})

test('front ends of today read classes in several forms, whose tags name one state', async () => {
  const clients = profile({ ...full, name: 'clients', features: withCurrentClients(full.features) })
  const today = await createTestSite({ profile: clients, seed, names: wordpress })
  const by = today.as('ada')
  const path = '/elementor/v1/global-classes'
  const forms = ['', '?view=map', '/styles?ids=g-1']
  const put = async (tag: string, label: string) => {
    const changes = { added: [], deleted: [], modified: ['g-1'], order: false }
    const items = { 'g-1': { id: 'g-1', type: 'class', label, variants: [] } }
    return outcome(await by('PUT', path, { body: { changes, items }, headers: { 'if-match': tag } }))
  }
  for (const form of forms) {
    const tag = (await by('GET', path + form)).headers.get('etag') as string
    expect([form, await put(tag, `label-${form.length}`)]).toEqual([form, 'done'])
    expect([form, await put(tag, 'late')]).toEqual([form, failed])
  }
  const head = await by('HEAD', path)
  expect(head.headers.get('etag')).toBe((await by('GET', path)).headers.get('etag'))
  await today.dispose()
})
