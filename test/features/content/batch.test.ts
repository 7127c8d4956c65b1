/**
 * Tests which requests a batch may contain, and which of their writes stay. Permissions are in
 * test/security/batch.test.ts.
 */
import { afterEach, describe, expect, test } from 'vitest'
import { type Storage, StorageTooLarge, StorageUnavailable } from '../../../src/contract/storage.ts'
import { anyone } from '../../../src/core/declare/permissions.ts'
import { noHeaders, Result } from '../../../src/core/declare/result.ts'
import { ApiError, d1, endpoint, feature, profile } from '../../../src/index.ts'
import { content } from '../../../src/profiles/content.ts'
import { createTestSite, type TestSite, type TestSiteOptions } from '../../support/site.ts'
import { type StorageCall, spied } from '../../support/spied-storage.ts'

let site: TestSite
afterEach(() => site.dispose())

const open = async (options: TestSiteOptions = {}) => {
  site = await createTestSite(options)
}
const send = (requests: readonly object[], more: object = {}) =>
  site.as('arthur')('POST', '/batch/v1', { body: { requests, ...more } })
const draft = (title: string) => ({ path: '/cms/v2/posts', body: { title } })

interface Responses {
  readonly responses: readonly ({ readonly status: number; readonly body: { readonly code?: string } } | null)[]
}
const codes = ({ responses }: Responses) =>
  responses.map((slot) => slot && [slot.status, slot.body.code].filter((part) => part !== undefined).join(' '))
/** How many posts of any status have this title. */
const countOf = async (title: string) =>
  (await site.as('ada')('GET', '/cms/v2/posts', { query: { status: 'any', search: title } })).body.length

/** Fails in the middle of the write of a post called so. */
function failingWithin(title: string): (storage: Storage) => Storage {
  let isWithin = false
  const before = ({ name, args }: StorageCall) => {
    if (name === 'posts.insert') isWithin = JSON.stringify(args).includes(title)
    if (name === 'terms.assign' && isWithin) throw new StorageTooLarge(new Error('too big'))
  }
  return (storage) => spied(storage, before)
}

const withoutTransactions = ({ atomic: _, ...storage }: Storage): Storage => storage

/** The profile with a route that a batch may call. */
const withTides = (handler: (context: { readonly storage: Storage }) => unknown) => {
  const tides = endpoint({ path: '/tides', methods: ['DELETE'], args: {}, permission: anyone, batch: true, handler })
  return profile({ ...d1, features: [...d1.features, feature('tides', 'tides/v1', [tides])] })
}

/** Makes a storage say that its calls wait for a network, and notes the names of the calls. */
const remote =
  (calls: string[]) =>
  (storage: Storage): Storage => {
    const noted = spied(storage, ({ name }) => void calls.push(name))
    const inside = (target: Storage): Storage => ({
      ...target,
      isRemote: true,
      ...(target.atomic && {
        atomic: (work, options) => target.atomic?.((one) => work(inside(one)), options) as never,
      }),
    })
    return inside(noted)
  }

describe('what stays of a batch', () => {
  test('nothing of a request that its route refuses after it has written', async () => {
    const handler = async ({ storage }: { readonly storage: Storage }) => {
      await storage.options.write({ tide: 'high' })
      throw new ApiError('tides_out', 'There is no tide.', 400)
    }
    await open({ profile: withTides(handler) })
    const { body } = await send([{ method: 'DELETE', path: '/tides/v1/tides' }, draft('Last')])
    expect(codes(body)).toEqual(['400 tides_out', '201'])
    expect(await site.api.site.options.read(['tide'])).toEqual({})
  })

  test('nothing of a request that fails after it has written, and all of the others', async () => {
    await open({ storage: failingWithin('Torn') })
    const { body } = await send([draft('First'), draft('Torn'), draft('Last')])
    expect(codes(body)).toEqual(['201', '413 rest_too_large', '201'])
    expect([await countOf('First'), await countOf('Torn'), await countOf('Last')]).toEqual([1, 0, 1])
  })

  test('nothing at all when the storage fails within the batch, and the batch says so', async () => {
    let isBroken = false
    const before = ({ name }: StorageCall) => {
      if (isBroken && name === 'commit') throw new StorageUnavailable('the server is away', { written: 'no' })
    }
    await open({ storage: (storage) => spied(storage, before) })
    expect(codes((await send([draft('Before')])).body)).toEqual(['201'])
    for (const atomic of [false, true]) {
      isBroken = true
      const { status, body } = await send([draft('Lost')], { atomic })
      isBroken = false
      expect([status, body.code]).toEqual([503, 'storage_unavailable'])
      expect(await countOf('Lost')).toBe(0)
    }
  })

  test('on a storage without transactions each request for itself, and all or nothing is refused', async () => {
    await open({ storage: withoutTransactions })
    expect(await send([draft('One'), draft('Two')], { atomic: true })).toMatchObject({
      status: 400,
      body: { code: 'rest_batch_atomic_unsupported', message: 'This storage has no all-or-nothing batch.' },
    })
    expect(await countOf('One')).toBe(0)
    const wrong = { path: '/cms/v2/posts', body: { title: 'Wrong', status: 'bogus' } }
    expect(codes((await send([draft('One'), wrong, draft('Two')])).body)).toEqual([
      '201',
      '400 rest_invalid_param',
      '201',
    ])
    expect([await countOf('One'), await countOf('Two')]).toEqual([1, 1])
  })
})

describe('a batch on a remote storage', () => {
  const post = (body: object) => ({ path: '/cms/v2/posts', body: { status: 'publish', ...body } })
  const page = (body: object) => ({ path: '/cms/v2/pages', body: { status: 'publish', ...body } })

  interface Shown {
    readonly code?: string
    readonly title?: { readonly raw: string }
    readonly [field: string]: unknown
  }
  /** Without the ids: those of requests that were undone are not given again. */
  const shown = ({ code, title, slug, generated_slug, status, date, menu_order, categories, link }: Shown) => {
    const withoutId = (text: unknown) => String(text).replace(/^\d+$|\d+\/$/, 'ID')
    const texts = [slug, generated_slug, link].map(withoutId)
    return [code, title?.raw, ...texts, status, code === undefined ? date : '', menu_order, categories]
  }

  /** Returns the responses of a batch, and the posts that it leaves, in the order of their ids. */
  async function outcomeOf(requests: readonly object[], storage: ((storage: Storage) => Storage) | undefined) {
    await open({ profile: content, ...(storage && { storage }) })
    const send = site.as('edith')
    const { body } = await send('POST', '/batch/v1', { body: { requests } })
    const list = await send('GET', '/cms/v2/posts?status=any&orderby=id&order=asc&per_page=100&context=edit')
    return [body.responses.map((one: { body: Shown }) => shown(one.body)), list.body.map(shown)]
  }

  test('reads and writes the rows of all new posts at once', async () => {
    const calls: string[] = []
    await open({ profile: content, storage: remote(calls) })
    calls.length = 0
    const requests = Array.from({ length: 10 }, (_, at) => post({ title: `Tide ${at}`, meta: { footnotes: '[]' } }))
    const { body } = await site.as('edith')('POST', '/batch/v1', { body: { requests } })
    expect(codes(body)).toEqual(Array(10).fill('201'))
    const count = (name: string) => calls.filter((one) => one === name).length
    expect(['posts.takenSlugs', 'posts.insert', 'terms.assign', 'meta.write'].map(count)).toEqual([1, 1, 1, 1])
    const ids = body.responses.map((one: { body: { id: number } }) => one.body.id)
    expect(ids).toEqual(ids.toSorted((a: number, b: number) => a - b))
  })

  test.each([
    [
      'with one title',
      [post({ title: 'Same' }), post({ title: 'Same' }), post({ title: 'Same' }), post({ title: 'Else' })],
    ],
    ['without titles', [post({ content: 'a' }), post({ content: 'b' }), post({ title: 'c', status: 'draft' })]],
    [
      'of which one takes the slug that the title of an earlier one would give',
      [
        post({ title: 'Harbour', slug: 'by-hand' }),
        post({ title: 'Harbour' }),
        post({ title: 'Pier', slug: 'harbour' }),
      ],
    ],
    [
      'of which one fails',
      [post({ title: 'One' }), post({ title: 'Two', template: 'none.php' }), post({ title: 'Two' })],
    ],
    [
      'between other requests',
      [post({ title: 'One' }), { path: '//wrong' }, post({ title: 'Two' }), post({ title: 'Two' })],
    ],
    [
      'in the future',
      [post({ title: 'A', date: '2090-01-02T00:00:00' }), post({ title: 'B', date: '2090-01-01T00:00:00' })],
    ],
    ['that are pages', [page({ title: 'Up' }), page({ title: 'Up' }), page({ title: 'Over', menu_order: 2 })]],
  ])('answers and leaves what it does one request after another: posts %s', async (_, requests) => {
    expect(await outcomeOf(requests, remote([]))).toEqual(await outcomeOf(requests, undefined))
  })
})

const unreadable = (path: string): [string, string] => [path, '400 parse_path_failed']

describe('a request of a batch', () => {
  test.each<[string, string]>([
    ['cms/v2/posts', '404 rest_no_route'],
    ['cms/v2/posts with words', '404 rest_no_route'],
    ['//evil.example/#x', '404 rest_no_route'],
    ['http://evil.example/api/cms/v2/posts', '404 rest_no_route'],
    ['http://me@evil.example:443/cms/v2/posts', '404 rest_no_route'],
    ['//[::1]:80/cms/v2/posts', '404 rest_no_route'],
    ['file:///cms/v2/posts', '404 rest_no_route'],
    ...['//', '///', '///cms/v2/posts', 'http:///cms/v2/posts', 'http://?x', '//#x'].map(unreadable),
    ...['http://:80', 'http://me@:80', '//host:99999/x', '//host:80a/x', '//[::1/x', ':80'].map(unreadable),
    ['/cms/v2/posts//', '201'],
    ['/cms/v2/posts#x', '400 parse_path_failed'],
    ['/cms/v2/posts x', '400 parse_path_failed'],
    ['/cms/v2/posts/..', '400 parse_path_failed'],
    ['/cms/v2/../v2/posts', '400 parse_path_failed'],
    ['/cms/v2/posts/.?title=x', '400 parse_path_failed'],
    ['/cms/v2/posts/...', '404 rest_no_route'],
    ['/builder/v1/favorites/widgets', '400 rest_batch_not_allowed'],
  ])('to the path %s is answered with %s', async (path, code) => {
    await open()
    expect(codes((await send([{ path, body: { title: 'x', favorite: 'heading' } }])).body)).toEqual([code])
  })

  test('tells in words what is wrong with its path', async () => {
    await open()
    const { body } = await send([{ path: '/cms/v2/posts/..' }, { path: '/builder/v1/favorites/widgets' }])
    expect(body.responses).toMatchObject([
      { body: { message: 'This is no path of a route.' } },
      { body: { message: 'A batch may not call this route.' } },
    ])
  })

  test('has the arguments of its query, which may have question marks of its own', async () => {
    await open()
    const { body } = await send([{ path: '/cms/v2/posts?title=Who?&excerpt=Why?' }])
    expect(body.responses).toMatchObject([{ status: 201, body: { title: { raw: 'Who?' }, excerpt: { raw: 'Why?' } } }])
  })

  test('has no arguments in a body with a number as a name, which is a list', async () => {
    await open()
    const of = (more: object) => ({ path: '/cms/v2/posts', body: { title: 'x', ...more } })
    const { body } = await send([of({ '0': 'a' }), of({ '10': 'a' }), of({ '1a': 'b', a1: 'b' })])
    expect(codes(body)).toEqual(['400 empty_content', '400 empty_content', '201'])
  })

  test('names the versions that it may change in a header, in any case, as a text or a list', async () => {
    await open()
    const path = `/cms/v2/posts/${site.ids['post.ferry']}`
    const tag = (await site.as('arthur')('GET', path, { query: 'context=edit' })).headers.get('etag') as string
    const item = (title: string, headers: object) => ({ path, body: { title }, headers })
    const { body } = await send([
      item('One', { 'X-Other': tag, 'if-match': ['"none"', tag] }),
      item('Two', { 'X-Other': 'x', 'IF-MATCH': tag }),
      item('Three', {}),
    ])
    expect(body.responses.map(({ status }: { status: number }) => status)).toEqual([200, 412, 200])
  })

  test('is null in the responses where its route answers nothing', async () => {
    await open({ profile: withTides(() => new Result(undefined, 204, noHeaders)) })
    const { body } = await send([{ method: 'DELETE', path: '/tides/v1/tides' }])
    expect(body.responses).toEqual([{ status: 204, headers: expect.anything(), body: null }])
  })
})
