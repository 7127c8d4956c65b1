import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestSite, type Requester, type TestSite } from '../../../support/site.ts'

let site: TestSite
let arthur: Requester
let edith: Requester
beforeAll(async () => {
  site = await createTestSite()
  arthur = site.as('arthur')
  edith = site.as('edith')
})
afterAll(() => site.dispose())

const posts = '/cms/v2/posts'

async function created(by: Requester, body: object): Promise<{ id: number; [field: string]: unknown }> {
  const response = await by('POST', posts, { body })
  expect(response.status, JSON.stringify(response.body)).toBe(201)
  return response.body
}

const stored = async (id: number) => (await site.as('ada')('GET', `${posts}/${id}`, { query: 'context=edit' })).body

describe('creating', () => {
  test('returns the new post in the edit context, with its URL', async () => {
    const { status, headers, body } = await arthur('POST', posts, {
      body: { title: 'Fresh “ink”', content: '<p>Text.</p>', status: 'publish' },
    })
    expect(status).toBe(201)
    expect(headers.get('location')).toBe(`https://quay.example/api/cms/v2/posts/${body.id}`)
    expect(body).toMatchObject({
      status: 'publish',
      slug: 'fresh-ink',
      type: 'post',
      password: '',
      sticky: false,
      format: 'standard',
      title: { raw: 'Fresh “ink”', rendered: 'Fresh “ink”' },
      content: { raw: '<p>Text.</p>', rendered: '<p>Text.</p>\n', protected: false, block_version: 0 },
      date: '2024-06-15T13:00:00',
      date_gmt: '2024-06-15T12:00:00',
      author: site.ids['user.author'],
      categories: [site.ids['category.uncategorized']],
    })
  })

  test('a draft has no slug until it is published, unless one is given', async () => {
    const draft = await created(arthur, { title: 'Slow news' })
    expect([draft.status, draft.slug]).toEqual(['draft', ''])
    expect((await arthur('POST', `${posts}/${draft.id}`, { body: { status: 'publish' } })).body.slug).toBe('slow-news')
    expect((await created(arthur, { title: 'Other', slug: 'Given Slug!' })).slug).toBe('given-slug')
  })

  test('makes slugs unique, and not empty once published', async () => {
    const slugs = []
    for (let i = 0; i < 3; i++) slugs.push((await created(arthur, { title: 'Same', status: 'publish' })).slug)
    expect(slugs).toEqual(['same', 'same-2', 'same-3'])
    const nameless = await created(arthur, { content: 'No title', status: 'publish' })
    // The permalink parser could read a number alone as a year.
    expect(nameless.slug).toBe(`${nameless.id}-2`)
  })

  test('accepts a title with escapes that are no valid text', async () => {
    const half = await created(arthur, { title: 'a%e6%97b 日 %e6%97%a5' })
    expect(half.generated_slug).toBe('a%e6%97b-日-日')
    expect((await arthur('GET', `${posts}/${half.id}`, { query: 'context=edit' })).status).toBe(200)
  })

  test('trims titles before they are sanitized, except no-break spaces', async () => {
    expect((await created(arthur, { title: ' \n<p>\nA</p> ' })).title).toMatchObject({ raw: '\nA' })
    expect((await created(arthur, { title: '\u00a0A\u00a0 ' })).title).toMatchObject({ raw: '\u00a0A\u00a0' })
  })

  test('100 parallel creates with one title get 100 different slugs', async () => {
    const responses = await Promise.all(
      Array.from({ length: 100 }, () => arthur('POST', posts, { body: { title: 'At once', status: 'publish' } })),
    )
    expect(responses.map(({ status }) => status)).toEqual(Array(100).fill(201))
    expect(new Set(responses.map(({ body }) => body.slug)).size).toBe(100)
  })

  test.each([{}, { title: '  ' }, { content: '', excerpt: '' }, { meta: { footnotes: '' } }, { title: 5 }])(
    'refuses %j without title, content and excerpt',
    async (body) => {
      expect(await arthur('POST', posts, { body })).toMatchObject({ status: 400, body: { code: 'empty_content' } })
    },
  )

  test('missing categories become the default one; an empty list removes all', async () => {
    const post = await created(arthur, { title: 'Shelves', categories: [] })
    expect(post.categories).toEqual([])
    // The order is by name: guides before news.
    const ids = [site.ids['category.guides'], site.ids['category.news']]
    const changed = await arthur('POST', `${posts}/${post.id}`, {
      body: { categories: [...ids, ids[0], 9999], tags: ['0'] },
    })
    expect(changed.body.categories).toEqual(ids)
    expect(changed.body.tags).toEqual([])
  })
})

describe('dates', () => {
  test.each([
    ['2024-01-10T10:00:00', '2024-01-10T10:00:00', '2024-01-10T10:00:00'],
    ['2024-07-01T10:00:00', '2024-07-01T10:00:00', '2024-07-01T09:00:00'],
    ['2023-07-01T10:00:00Z', '2023-07-01T11:00:00', '2023-07-01T10:00:00'],
    ['2023-07-01T10:00:00+05:00', '2023-07-01T06:00:00', '2023-07-01T05:00:00'],
  ])('%s is %s in site time and %s in GMT', async (date, local, gmt) => {
    const post = await created(arthur, { title: 'Dated', date })
    expect([post.date, post.date_gmt]).toEqual([local, gmt])
  })

  test('prefers date to date_gmt, and converts GMT', async () => {
    const both = await created(arthur, { title: 'a', date: '2023-07-01T10:00:00', date_gmt: '2020-01-01T00:00:00' })
    expect(both.date_gmt).toBe('2023-07-01T09:00:00')
    expect((await created(arthur, { title: 'b', date_gmt: '2023-07-01T10:00:00' })).date).toBe('2023-07-01T11:00:00')
  })

  test('a future date schedules, and a past one publishes', async () => {
    const post = await created(arthur, { title: 'Soon', status: 'publish', date: '2030-01-01T00:00:00' })
    expect(post.status).toBe('future')
    const moved = await arthur('POST', `${posts}/${post.id}`, { body: { date: '2020-01-01T00:00:00' } })
    expect(moved.body.status).toBe('publish')
    expect((await created(arthur, { title: 'Late', status: 'future', date: '2020-01-01T00:00:00' })).status).toBe(
      'publish',
    )
    expect((await created(arthur, { title: 'Kept', status: 'private', date: '2030-01-01T00:00:00' })).status).toBe(
      'private',
    )
  })

  test('null makes the date of a draft floating: publishing sets it', async () => {
    const post = await created(arthur, { title: 'Float', date: '2020-02-02T02:02:02' })
    await arthur('POST', `${posts}/${post.id}`, { body: { date: null } })
    site.clock.now += 3_600_000
    const published = await arthur('POST', `${posts}/${post.id}`, { body: { status: 'publish' } })
    site.clock.now -= 3_600_000
    expect(published.body.date).toBe('2024-06-15T14:00:00')
  })
})

describe('invalid dates', () => {
  test.each([
    ['2024-01-01T25:00:00', 'rest_invalid_param'],
    ['2024-01-01T10:60:00', 'rest_invalid_param'],
    ['2024-13-01T10:00:00', 'rest_invalid_param'],
    ['2024-01-32T10:00:00', 'rest_invalid_param'],
    ['2024-01-01T10:00:00+25:00', 'rest_invalid_param'],
    ['0000-00-00T00:00:00', 'invalid_date'],
    ['0000-12-31T00:00:00', 'invalid_date'],
    ['9999-12-31T23:59:59-01:00', 'invalid_date'],
  ])('refuses %s with 400 %s, and writes nothing', async (date, code) => {
    const { id } = await created(arthur, { title: 'Dated', date: '2024-01-10T10:00:00' })
    const before = await stored(id)
    for (const body of [{ date }, { date_gmt: date }]) {
      const update = { title: 'Other', ...body }
      expect(await arthur('POST', `${posts}/${id}`, { body: update })).toMatchObject({ status: 400, body: { code } })
    }
    expect(await stored(id)).toEqual(before)
  })

  test.each(['after', 'before', 'modified_after', 'modified_before'])('refuses an invalid %s', async (name) => {
    const { status, body } = await site.visitor('GET', posts, { query: `${name}=2024-01-01T25:00:00` })
    expect([status, body.data.details[name].code]).toEqual([400, 'rest_invalid_date'])
  })

  test.each([
    ['2024-02-30T10:00:00', '2024-03-01T10:00:00'],
    ['2024-01-01T24:00:60', '2024-01-02T00:01:00'],
  ])('%s overflows to %s', async (date, local) => {
    expect((await created(arthur, { title: 'Over', date })).date).toBe(local)
  })
})

describe('updating', () => {
  test('null clears fields that can be empty; for the others it counts as not sent', async () => {
    const full = {
      title: 'Full',
      content: 'C',
      excerpt: 'E',
      slug: 'full-of-values',
      status: 'publish',
      template: 'wide.php',
      author: site.ids['user.author2'],
      featured_media: site.ids['media.pier'],
      format: 'aside',
      sticky: true,
      comment_status: 'closed',
      ping_status: 'closed',
      meta: { footnotes: 'f' },
      categories: [site.ids['category.news']],
      tags: [site.ids['tag.red']],
    }
    const { id, ...before } = await created(edith, full)
    const nothing = Object.fromEntries(Object.keys(full).map((name) => [name, null]))
    const { status, body } = await edith('POST', `${posts}/${id}`, { body: nothing })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      slug: 'full',
      template: '',
      featured_media: 0,
      sticky: false,
      categories: [],
      tags: [],
      title: before.title,
      content: before.content,
      excerpt: before.excerpt,
      status: 'publish',
      author: full.author,
      format: 'aside',
      comment_status: 'closed',
      ping_status: 'closed',
      meta: before.meta,
    })
    const locked = await created(edith, { title: 'Locked', password: 'x' })
    expect((await edith('POST', `${posts}/${locked.id}`, { body: { password: null } })).body.password).toBe('')
  })

  test('negative ids mean the same as positive ones', async () => {
    const [pier = 0, news = 0, red = 0] = ['media.pier', 'category.news', 'tag.red'].map((key) => site.ids[key])
    const post = await created(edith, { title: 'Signs', featured_media: -pier, categories: [-news], tags: [-red] })
    expect(post).toMatchObject({ featured_media: pier, categories: [news], tags: [red] })
  })

  test.each(['POST', 'PUT', 'PATCH'])('%s changes only the fields that were sent', async (method) => {
    const post = await created(arthur, { title: `Before ${method}`, content: 'Same', status: 'publish' })
    const { body } = await arthur(method, `${posts}/${post.id}`, { body: { title: { raw: 'After' }, unknown: 1 } })
    expect(body).toMatchObject({
      title: { raw: 'After' },
      content: { raw: 'Same' },
      slug: `before-${method.toLowerCase()}`,
      status: 'publish',
    })
  })

  test('a refused update changes nothing', async () => {
    const post = await created(edith, { title: 'Untouched', content: 'Same' })
    const before = await stored(post.id)
    for (const body of [
      { title: 'Half', status: 'bogus' },
      { title: 'Half', template: 'nope.php' },
      { title: 'Half', author: 999999 },
      { title: 'Half', sticky: true, password: 'x' },
      { title: 'Half', meta: { footnotes: 5 } },
      { title: '', content: '' },
    ]) {
      expect((await edith('POST', `${posts}/${post.id}`, { body })).status, JSON.stringify(body)).toBe(400)
    }
    expect(await stored(post.id)).toEqual(before)
  })

  test('the first update and each change create a revision; creating does not', async () => {
    const post = await created(arthur, { title: 'Versions', content: 'one' })
    const count = async () => (await stored(post.id))._links['version-history'][0].count
    expect(await count()).toBe(0)
    await arthur('POST', `${posts}/${post.id}`, { body: {} })
    expect(await count()).toBe(1)
    await arthur('POST', `${posts}/${post.id}`, { body: { comment_status: 'closed' } })
    expect(await count()).toBe(1)
    await arthur('POST', `${posts}/${post.id}`, { body: { content: 'two' } })
    await arthur('POST', `${posts}/${post.id}`, { body: { meta: { footnotes: '[{"content":"n","id":"1"}]' } } })
    const { _links } = await stored(post.id)
    expect(_links['version-history'][0].count).toBe(3)
    expect(_links['predecessor-version'][0].href).toBe(
      `https://quay.example/api/cms/v2/posts/${post.id}/revisions/${_links['predecessor-version'][0].id}`,
    )
  })

  test('checks meta against its schema, ignores unknown keys, and removes on null', async () => {
    const post = await created(edith, { title: 'Meta', meta: { footnotes: 'note', unknown: 1 } })
    expect(post.meta).toMatchObject({ footnotes: 'note', _builder_edit_mode: '' })
    for (const [meta, code] of [
      [{ footnotes: ['x'] }, 'rest_invalid_type'],
      [{ _builder_edit_mode: 'other' }, 'rest_not_in_enum'],
      [{ _builder_page_settings: { hide_title: 'maybe' } }, 'rest_not_in_enum'],
      ['text', 'rest_invalid_param'],
    ]) {
      expect((await edith('POST', `${posts}/${post.id}`, { body: { meta } })).body.code).toBe(code)
    }
    const removed = await edith('POST', `${posts}/${post.id}`, { body: { meta: { footnotes: null } } })
    expect(removed.body.meta.footnotes).toBe('')
  })

  test('stores no featured media that is no image', async () => {
    const post = await created(edith, { title: 'Picture', featured_media: site.ids['media.pier'] })
    expect(post.featured_media).toBe(site.ids['media.pier'])
    const { body } = await edith('POST', `${posts}/${post.id}`, { body: { featured_media: site.ids['post.hello'] } })
    expect(body.featured_media).toBe(0)
  })

  test('a post with a stored password cannot become sticky, until it loses the password', async () => {
    const secret = await edith('POST', '/cms/v2/posts', {
      body: { title: 'Secret', status: 'publish', password: 'tide' },
    })
    const path = `/cms/v2/posts/${secret.body.id}`
    const refused = await edith('POST', path, { body: { sticky: true } })
    expect([refused.status, refused.body.code]).toEqual([400, 'rest_invalid_field'])
    expect((await edith('GET', path, { query: 'context=edit' })).body).toMatchObject({
      sticky: false,
      password: 'tide',
    })
    const opened = await edith('POST', path, { body: { password: '' } })
    expect(opened.body).toMatchObject({ password: '', sticky: false })
    expect((await edith('POST', path, { body: { sticky: true } })).body.sticky).toBe(true)
  })

  test('a private post loses its password, and a sticky post cannot get one', async () => {
    expect((await created(edith, { title: 'x', status: 'private', password: 'x' })).password).toBe('')
    const pinned = await created(edith, { title: 'Pin', sticky: true })
    const refused = await edith('POST', `${posts}/${pinned.id}`, { body: { password: 'x' } })
    expect(refused).toMatchObject({ status: 400, body: { code: 'rest_invalid_field' } })
  })
})

describe('trash and delete', () => {
  test('trashing frees the slug; restoring requests it again', async () => {
    const post = await created(arthur, { title: 'Reuse me', status: 'publish' })
    expect((await arthur('DELETE', `${posts}/${post.id}`)).body).toMatchObject({
      id: post.id,
      status: 'trash',
      slug: 'reuse-me__trashed',
    })
    expect((await created(arthur, { title: 'Reuse me', status: 'publish' })).slug).toBe('reuse-me')
    const back = await arthur('POST', `${posts}/${post.id}`, { body: { status: 'publish' } })
    expect(back.body).toMatchObject({ status: 'publish', slug: 'reuse-me-2' })
  })

  test('shortens the slug in the trash to 200 characters, and restores the original', async () => {
    const slug = 's'.repeat(200)
    const long = await created(arthur, { title: 'Long', slug, status: 'publish' })
    expect((await arthur('DELETE', `${posts}/${long.id}`)).body.slug).toBe(`${'s'.repeat(191)}__trashed`)
    expect((await arthur('POST', `${posts}/${long.id}`, { body: { status: 'publish' } })).body.slug).toBe(slug)
    const nameless = await created(arthur, { title: 'Nameless' })
    expect((await arthur('DELETE', `${posts}/${nameless.id}`)).body.slug).toBe('__trashed')
    expect((await arthur('POST', `${posts}/${nameless.id}`, { body: { status: 'draft' } })).body.slug).toBe('')
    await arthur('DELETE', `${posts}/${nameless.id}`)
    const update = { status: 'publish', slug: 'named' }
    expect((await arthur('POST', `${posts}/${nameless.id}`, { body: update })).body.slug).toBe('named')
  })

  test('a trashed post is not sticky and has no permalink', async () => {
    const { id } = await created(edith, { title: 'Pin me', status: 'publish', sticky: true })
    const { body } = await edith('DELETE', `${posts}/${id}`)
    expect([body.sticky, body.link]).toEqual([false, `https://quay.example/?p=${id}`])
  })

  test('trashing twice is 410; force deletes the post', async () => {
    const post = await created(arthur, { title: 'Twice', content: 'x', status: 'publish' })
    await arthur('POST', `${posts}/${post.id}`, { body: { content: 'y' } })
    await arthur('DELETE', `${posts}/${post.id}`)
    expect(await arthur('DELETE', `${posts}/${post.id}`)).toMatchObject({
      status: 410,
      body: { code: 'rest_already_trashed' },
    })
    const removed = await arthur('DELETE', `${posts}/${post.id}`, { query: 'force=true' })
    expect(removed).toMatchObject({ status: 200, body: { deleted: true, previous: { id: post.id, status: 'trash' } } })
    expect(removed.body.previous).not.toHaveProperty('_links')
    expect((await arthur('GET', `${posts}/${post.id}`)).body.code).toBe('rest_post_invalid_id')
  })

  test.each(['false', '0', 'False'])('force=%s does not delete', async (force) => {
    const post = await created(arthur, { title: 'Odd force', status: 'publish' })
    expect((await arthur('DELETE', `${posts}/${post.id}`, { query: `force=${force}` })).body.status).toBe('trash')
    expect((await arthur('DELETE', `${posts}/${post.id}`, { query: 'force=perhaps' })).status).toBe(400)
    expect((await stored(post.id)).status).toBe('trash')
  })
})

describe('permissions', () => {
  test.each([
    [null, {}, 401, 'rest_cannot_create'],
    ['sam', {}, 403, 'rest_cannot_create'],
    ['sam', { author: 1 }, 403, 'rest_cannot_edit_others'],
    [null, { sticky: true }, 401, 'rest_cannot_assign_sticky'],
    ['connie', { status: 'publish' }, 403, 'rest_cannot_publish'],
    ['connie', { status: 'private' }, 403, 'rest_cannot_publish'],
    ['arthur', { author: 1 }, 403, 'rest_cannot_edit_others'],
    ['arthur', { sticky: true }, 403, 'rest_cannot_assign_sticky'],
    ['edith', { author: 99999 }, 400, 'rest_invalid_author'],
  ])('%s creates with %j', async (login, extra, status, code) => {
    const response = await site.as(login)('POST', posts, { body: { title: 'x', ...extra } })
    expect(response).toMatchObject({ status, body: { code } })
  })

  test.each([
    ['aiko', 'hello', 403],
    ['connie', 'pending', 200],
    ['connie', 'draft', 403],
    ['arthur', 'ferry', 200],
    ['arthur', 'trashed', 200],
    ['arthur', 'trashed-editor', 403],
    ['edith', 'private', 200],
    [null, 'ferry', 401],
  ])('%s changes %s', async (login, key, status) => {
    const response = await site.as(login)('PATCH', `${posts}/${site.ids[`post.${key}`]}`, {
      body: { comment_status: 'open' },
    })
    expect(response.status).toBe(status)
    if (status !== 200) expect(response.body.code).toBe('rest_cannot_edit')
  })
})

test('emits an event for each committed change, and none for failures', async () => {
  const events: string[] = []
  const names = [
    'post.created',
    'post.updated',
    'post.published',
    'post.trashed',
    'post.deleted',
    'revision.created',
  ] as const
  const stop = names.map((name) => site.api.on(name, () => void events.push(name)))
  const post = await created(edith, { title: 'Told' })
  await edith('POST', `${posts}/${post.id}`, { body: { status: 'publish' } })
  await edith('POST', `${posts}/${post.id}`, { body: { status: 'bogus' } })
  await edith('DELETE', `${posts}/${post.id}`)
  await edith('DELETE', `${posts}/${post.id}`, { query: 'force=1' })
  await edith('POST', '/batch/v1', {
    body: { atomic: true, requests: [{ path: posts, body: { title: 'Undone' } }, { path: '/nowhere' }] },
  })
  for (const off of stop) off()
  expect(events).toEqual([
    'post.created',
    'post.updated',
    'post.published',
    'revision.created',
    'post.updated',
    'post.trashed',
    'post.deleted',
  ])
})

test('a listener that throws does not fail the request', async () => {
  const stop = site.api.on('post.created', () => {
    throw new Error('the host has a bug')
  })
  expect((await edith('POST', posts, { body: { title: 'Survives' } })).status).toBe(201)
  stop()
  expect(site.failures.splice(0)).toHaveLength(1)
})
