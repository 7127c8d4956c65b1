/** Fields that a host declares for the records that every site has, by all ways in and out. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Json } from '../../../src/contract/storage.ts'
import { endpoint } from '../../../src/core/declare/endpoint.ts'
import { feature } from '../../../src/core/declare/feature.ts'
import { anyone } from '../../../src/core/declare/permissions.ts'
import { args, full, metaFields, profile } from '../../../src/index.ts'
import { exportFile, inPieces, item } from '../../management/import/export-file.ts'
import { createTestSite, type TestSite } from '../../support/site.ts'

const fields = metaFields({
  post: {
    subtitle: args.field(args.str({ maxLength: 40 }), { isSearched: true, isRevisioned: true }),
    minutes: args.int({ minimum: 0 }),
    fee: args.field(args.num(), { readCapability: 'manage_options', writeCapability: 'manage_options' }),
    hint: args.field(args.str({ context: ['edit'] }), { isSearched: true }),
  },
  page: { lead: args.str() },
  media: { credit: args.field(args.str(), { isSearched: true }) },
  term: { colour: args.oneOf(['red', 'blue']) },
  user: { points: args.int({ default: 1 }), phone: args.str({ context: ['edit'] }) },
  comment: { stars: args.int({ minimum: 1, maximum: 5 }) },
})
const magazine = profile({ ...full, name: 'magazine', features: [...full.features, fields] })

let site: TestSite
beforeEach(async () => {
  site = await createTestSite({ profile: magazine })
})
afterEach(async () => {
  expect(site.failures).toEqual([])
  await site.dispose()
})

const ada = () => site.as('ada')
const post = async (meta: object, more: object = {}) =>
  (await ada()('POST', '/cms/v2/posts', { body: { title: 'Tide', status: 'publish', meta, ...more } })).body
const stored = async (kind: 'post' | 'term' | 'user', id: number) =>
  Object.fromEntries(
    (await site.api['~parts'].storage.meta.read(kind, [id])).map(({ key, value }): [string, Json] => [key, value]),
  )
const slugsFound = async (search: string, as = site.visitor, more = '') =>
  (await as('GET', '/cms/v2/posts', { query: `search=${encodeURIComponent(search)}&_fields=slug${more}` })).body.map(
    ({ slug }: { slug: string }) => slug,
  )

describe('each kind of record', () => {
  test.each([
    ['posts', { title: 'x' }, { minutes: '7', subtitle: 'Low' }, { minutes: 7, subtitle: 'Low', footnotes: '' }],
    ['pages', { title: 'x' }, { lead: 'First' }, { lead: 'First', footnotes: '' }],
    ['categories', { name: 'x' }, { colour: 'red' }, { colour: 'red' }],
    ['tags', { name: 'x' }, { colour: 'blue' }, { colour: 'blue' }],
    [
      'users',
      { username: 'zoe', email: 'zoe@quay.example', password: 'a long secret' },
      { points: '3' },
      { points: 3 },
    ],
  ])('%s take, coerce, keep and show their fields', async (base, values, sent, shown) => {
    const made = await ada()('POST', `/cms/v2/${base}`, { body: { ...values, meta: sent } })
    expect([made.status, made.body.meta]).toMatchObject([201, shown])
    const read = await ada()('GET', `/cms/v2/${base}/${made.body.id}`)
    expect(read.body.meta).toMatchObject(shown)
    const [name = ''] = Object.keys(sent)
    const chosen = await ada()('GET', `/cms/v2/${base}/${made.body.id}`, { query: `_fields=meta.${name}` })
    expect(chosen.body).toEqual({ meta: { [name]: (shown as { [name: string]: Json })[name] } })
    const { body } = await ada()('POST', `/cms/v2/${base}/${made.body.id}`, { body: { meta: { [name]: null } } })
    expect(body.meta[name]).not.toEqual((shown as { [name: string]: Json })[name])
  })

  test('a long text of a user is no preference of an editor, which have a limit', async () => {
    const phone = '7'.repeat(70_000)
    const { status, body } = await ada()('PATCH', '/cms/v2/users/me', { body: { meta: { phone } } })
    expect([status, body.meta?.phone.length]).toEqual([200, phone.length])
  })

  test('media do, of an upload too', async () => {
    const { post: medium } = await (site.api as unknown as Uploading).site.media.upload('a.txt', new Uint8Array([65]), {
      meta: { credit: 'Ada' },
    })
    expect((await ada()('GET', `/cms/v2/media/${medium.id}`)).body.meta).toEqual({ credit: 'Ada' })
    const { body } = await ada()('POST', `/cms/v2/media/${medium.id}`, { body: { meta: { credit: 'Bea Müller' } } })
    expect(body.meta).toEqual({ credit: 'Bea Müller' })
    const { body: found } = await ada()('GET', '/cms/v2/media', { query: 'search=muller' })
    expect(found).toMatchObject([{ id: medium.id, meta: { credit: 'Bea Müller' } }])
  })

  test('comments do, beside what a note does', async () => {
    const { id } = await post({})
    const sent = { post: id, content: 'Fine.', meta: { stars: '4' } }
    const { status, body } = await site.as('sam')('POST', '/cms/v2/comments', { body: sent })
    expect([status, body.meta]).toEqual([201, { _cms_note_status: '', stars: 4 }])
    const refused = await ada()('POST', `/cms/v2/comments/${body.id}`, { body: { meta: { stars: 9 } } })
    expect([refused.status, refused.body.code]).toEqual([400, 'rest_out_of_bounds'])
    const changed = await ada()('POST', `/cms/v2/comments/${body.id}`, { body: { content: 'Good.', meta: {} } })
    expect(changed.body.meta.stars).toBe(4)
    const { records } = (await site.api.site.export()) as { records?: { [name: string]: { meta?: Json }[] } }
    expect(records?.['comments']?.map(({ meta }) => meta)).toContainEqual({ stars: 4 })
  })
})

interface Uploading {
  site: { media: { upload(name: string, bytes: Uint8Array, values: object): Promise<{ post: { id: number } }> } }
}

test('a value of another type is 400, names its field and changes nothing', async () => {
  const { id } = await post({ minutes: 5 })
  const { status, body } = await ada()('POST', `/cms/v2/posts/${id}`, {
    body: { title: 'y', meta: { minutes: 'many' } },
  })
  expect([status, body.code, body.message]).toEqual([400, 'rest_invalid_type', expect.stringContaining('meta.minutes')])
  const { body: read } = await ada()('GET', `/cms/v2/posts/${id}`, { query: 'context=edit' })
  expect([read.title.raw, read.meta.minutes]).toEqual(['Tide', 5])
})

test('a context and a capability decide who reads and writes a field, and a tag says nothing of hidden values', async () => {
  const { id } = await post({ fee: 9.5, hint: 'Ask Bea', subtitle: 'Low' })
  const path = `/cms/v2/posts/${id}`
  const [visitor, edith] = [
    await site.visitor('GET', path),
    await site.as('edith')('GET', path, { query: 'context=edit' }),
  ]
  expect(visitor.body.meta).toEqual({ subtitle: 'Low', minutes: 0, footnotes: '' })
  expect([edith.body.meta.hint, Object.hasOwn(edith.body.meta, 'fee')]).toEqual(['Ask Bea', false])
  expect((await ada()('GET', path)).body.meta.fee).toBe(9.5)
  expect((await site.visitor('GET', path)).body.meta).not.toHaveProperty('fee')
  const refused = await site.as('edith')('POST', path, { body: { title: 'y', meta: { fee: 1 } } })
  expect([refused.status, refused.body.code]).toEqual([403, 'rest_cannot_update'])
  expect(await stored('post', id)).toMatchObject({ fee: 9.5 })
  // The part of a tag behind the dot has the time of the change.
  const digestFor = async (login: string) =>
    (await site.as(login)('GET', path, { query: 'context=edit' })).headers.get('etag')?.split('.')[0] ?? ''
  const before = { ada: await digestFor('ada'), edith: await digestFor('edith') }
  await ada()('POST', path, { body: { meta: { fee: 12 } } })
  expect(await digestFor('edith')).toBe(before.edith)
  expect(await digestFor('ada')).not.toBe(before.ada)
  const user = await ada()('POST', '/cms/v2/users/me', { body: { meta: { phone: '555', points: 2 } } })
  expect(user.body.meta).toMatchObject({ phone: '555', points: 2 })
  expect((await site.visitor('GET', `/cms/v2/users/${user.body.id}`)).body.meta).toEqual({ points: 2 })
})

test('a search finds texts of the fields that say so, for those who may read them', async () => {
  await post({ subtitle: 'Die MÜHLE am Wasser', minutes: 5 }, { slug: 'mill' })
  await post({ hint: 'Mühle, later' }, { slug: 'hinted' })
  expect(await slugsFound('mühle')).toEqual(['mill'])
  expect(await slugsFound('muhle wasser')).toEqual(['mill'])
  expect(await slugsFound('mühle', ada(), '&context=edit')).toEqual(['hinted', 'mill'])
  expect(await slugsFound('mühle', site.visitor, '&search_columns=post_title')).toEqual([])
  const { body: all } = await site.visitor('GET', '/cms/v2/search', { query: 'search=MÜHLE' })
  expect(all.map(({ title }: { title: string }) => title)).toEqual(['Tide'])
})

test('a value that was stored before its field was searched is found once it is saved again', async () => {
  const { id } = await post({}, { slug: 'early' })
  await site.api['~parts'].storage.meta.write('post', [{ id, key: 'subtitle', value: 'Drawbridge' }])
  expect(await slugsFound('drawbridge')).toEqual([])
  await ada()('POST', `/cms/v2/posts/${id}`, { body: { meta: { subtitle: 'Drawbridge' } } })
  expect(await slugsFound('drawbridge')).toEqual(['early'])
})

test('a search of all types does not look into a field that one of them hides', async () => {
  const hint = args.field(args.str(), { isSearched: true })
  const secret = args.field(args.str(), { isSearched: true, readCapability: 'manage_options' })
  const declared = metaFields({ post: { hint: secret }, page: { hint } })
  const other = await createTestSite({ profile: profile({ ...full, features: [...full.features, declared] }) })
  const body = { title: 'Tide', status: 'publish', meta: { hint: 'walnut' } }
  for (const base of ['posts', 'pages']) await other.as('ada')('POST', `/cms/v2/${base}`, { body })
  const found = async (query: string) => (await other.visitor('GET', '/cms/v2/search', { query })).body.length
  expect([await found('search=walnut'), await found('search=walnut&subtype=post')]).toEqual([0, 0])
  expect(await found('search=walnut&subtype=page')).toBe(1)
  await other.dispose()
})

test('revisions keep the fields that say so, and a change of one makes a revision', async () => {
  const { id } = await post({ subtitle: 'One', minutes: 1 })
  for (const meta of [{ subtitle: 'Two' }, { minutes: 2 }, { subtitle: 'Three' }]) {
    await ada()('POST', `/cms/v2/posts/${id}`, { body: { meta } })
  }
  const { body } = await ada()('GET', `/cms/v2/posts/${id}/revisions`)
  expect(body.map(({ meta }: { meta: { subtitle: string } }) => meta.subtitle)).toEqual(['Three', 'Two'])
})

test('imports, documents and the host store declared types, and a warning says how to declare', async () => {
  const meta: [string, string][] = [
    ['subtitle', 'Old times'],
    ['minutes', '7'],
    ['old_key', 'x'],
  ]
  const { fields: undeclared } = await site.api.site.import(
    inPieces(exportFile(item({ id: 5, title: 'Old post', meta }))),
  )
  expect(undeclared).toContain('metaFields({\n  post: {\n    old_key: args.str(),\n  },\n})')
  const { body } = await site.visitor('GET', '/cms/v2/posts', { query: 'search=times' })
  expect(body).toMatchObject([{ meta: { subtitle: 'Old times', minutes: 7 } }])
  const { id } = await site.api.site.users.create({ login: 'kim', meta: { points: '8' } })
  expect(await stored('user', id)).toMatchObject({ points: 8 })
  const { _warnings: warnings } = await post({ headline: 'x', minutez: 1 })
  expect(warnings).toMatchObject([
    { message: expect.stringContaining('metaFields({ post: { headline: args.str() } }) declares it') },
    { message: 'There is no meta field minutez: did you mean minutes?' },
  ])
})

test('an import stores the fields of comments in their types, and names the others', async () => {
  const row = (key: string, value: string) =>
    `<wp:commentmeta><wp:meta_key>${key}</wp:meta_key><wp:meta_value>${value}</wp:meta_value></wp:commentmeta>`
  const comment = (id: number, type: string, ...meta: readonly string[]) =>
    `<wp:comment><wp:comment_id>${id}</wp:comment_id><wp:comment_author>Bo</wp:comment_author>
    <wp:comment_content>No ${id}</wp:comment_content><wp:comment_approved>1</wp:comment_approved>
    <wp:comment_type>${type}</wp:comment_type>${meta.join('')}</wp:comment>`
  const more = [
    comment(1, 'comment', row('stars', '4'), row('mood', 'calm'), row('_wp_trash_meta_time', '7')),
    comment(2, 'comment', row('stars', '9')),
    comment(3, 'note', row('_wp_note_status', 'resolved')),
    comment(4, 'comment'),
  ].join('')
  const { fields: undeclared, problems } = await site.api.site.import(inPieces(exportFile(item({ id: 5, more }))))
  expect(undeclared).toContain('metaFields({\n  comment: {\n    mood: args.str(),\n  },\n})')
  expect(problems.filter(({ kind }) => kind === 'meta-unreadable')).toMatchObject([{ what: 'stars', count: 1 }])
  const shown = async (type: string) =>
    (await ada()('GET', '/cms/v2/comments', { query: `type=${type}&orderby=id&order=asc&status=all` })).body
  const none = { _cms_note_status: '', stars: 0 }
  expect((await shown('comment')).map(({ meta }: { meta: Json }) => meta)).toEqual([{ ...none, stars: 4 }, none, none])
  expect((await shown('note'))[0].meta).toEqual({ ...none, _cms_note_status: 'resolved' })
  const { records } = (await site.api.site.export()) as { records?: { [name: string]: { meta?: Json }[] } }
  const kept = records?.['comments']?.map(({ meta = null }) => meta)
  expect(kept).toEqual([{ stars: 4, mood: 'calm' }, null, null, null])
})

test('a site document has the fields of comments in their types', async () => {
  const empty = await createTestSite({ profile: magazine, seed: false })
  const comments = (stars: string) => [
    { key: 'c', post: 'post.p', content: 'Fine.', date_gmt: '2024-01-01T10:00:00', meta: { stars } },
  ]
  const seed = (stars: string) => empty.api.site.seed({ posts: [{ key: 'p', title: 'P' }], comments: comments(stars) })
  await expect(seed('9')).rejects.toThrow('comment.c.meta.stars is refused')
  await seed('4')
  const { records } = (await empty.api.site.export()) as { records?: { [name: string]: { meta?: Json }[] } }
  expect(records?.['comments']).toMatchObject([{ meta: { stars: 4 } }])
  await empty.dispose()
})

test('the schema of the routes and the OpenAPI document have them', async () => {
  const { body } = await ada()('OPTIONS', '/cms/v2/posts')
  expect(body.schema.properties.meta.properties.minutes).toMatchObject({ type: 'integer', minimum: 0 })
  const document = JSON.stringify(await site.api.openapi())
  for (const name of ['subtitle', 'lead', 'credit', 'colour', 'points', 'stars'])
    expect(document).toContain(`"${name}"`)
})

test('routes and handlers read the same contributions, so that parts with fields are made once for each api', async () => {
  let ofRoutes: unknown
  const handler = ({ app }: { readonly app: { readonly contributions: unknown } }) => app.contributions === ofRoutes
  const path = '/same'
  const endpoints = [endpoint({ path, methods: ['GET'], args: {}, summary: 'Compare', permission: anyone, handler })]
  const compared = feature('compared', 'compared/v1', endpoints, {
    completed: (read) => {
      ofRoutes = read
      return endpoints
    },
  })
  const other = await createTestSite({ profile: profile({ ...full, features: [...full.features, compared] }) })
  expect((await other.visitor('GET', '/compared/v1/same')).body).toBe(true)
  await other.dispose()
})
