/** The public JavaScript clients of the reference CMS must work unchanged; these tests send what they send, with its names. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { wordpress } from '../../../src/names/wordpress.ts'
import { d1 } from '../../../src/profiles/d1.ts'
import { d2 } from '../../../src/profiles/d2.ts'
import { createTestSite, type Received, type TestSite } from '../../support/site.ts'

const root = 'https://quay.example/api'
const posts = '/wp/v2/posts'
let site: TestSite

beforeEach(async () => {
  site = await createTestSite({ names: wordpress })
})
afterEach(async () => {
  expect(site.failures).toEqual([])
  await site.dispose()
})

const tide = () => `${posts}/${site.ids['post.tide']}`
const hello = () => `${posts}/${site.ids['post.hello']}`
const allowOf = ({ headers }: Received) => headers.get('allow')?.split(', ')
const all = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

describe('the fetch layer of the block editor', () => {
  test.each([
    ['PUT', { title: 'Put' }, 200],
    ['PATCH', { title: 'Patched' }, 200],
  ])('sends %s as POST with an override header', async (method, body, status) => {
    const headers = { 'x-http-method-override': method }
    const response = await site.as('edith')('POST', `${tide()}?_locale=user`, { body, headers })
    expect([response.status, response.body.title.raw]).toEqual([status, body.title])
  })

  test('sends DELETE as POST, with a JSON content type and no body', async () => {
    const headers = { 'x-http-method-override': 'DELETE', 'content-type': 'application/json' }
    const trashed = await site.as('edith')('POST', `${tide()}?_locale=user`, { headers })
    expect([trashed.status, trashed.body.status]).toEqual([200, 'trash'])
    const removed = await site.as('edith')('POST', `${tide()}?force=true&_locale=user`, { headers })
    expect(removed.body).toMatchObject({ deleted: true, previous: { id: site.ids['post.tide'] } })
  })

  test('follows the link to the next page to the end', async () => {
    const seen: number[] = []
    let next: string | undefined = `${root}${posts}?per_page=3&_locale=user`
    let total: string | null = null
    while (next !== undefined) {
      const { headers, body } = await site.visitor('GET', next.slice(root.length))
      total = headers.get('x-wp-total')
      seen.push(...body.map(({ id }: { id: number }) => id))
      next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
    }
    expect([new Set(seen).size, String(seen.length)]).toEqual([seen.length, total])
    expect(seen.length).toBeGreaterThan(6)
  })

  test('sends requests through the alternate root', async () => {
    const input = { query: `rest_route=${encodeURIComponent(posts)}&per_page=1&_locale=user` }
    const { status, headers, body } = await site.visitor('GET', '/', input)
    expect([status, body.length]).toEqual([200, 1])
    expect(headers.get('link')).toMatch(/<([^>]+)>; rel="next"/)
  })

  test('finds the root in a link of every response', async () => {
    const requests: readonly (readonly [string, string, object?])[] = [
      ['GET', '/'],
      ['GET', posts],
      ['HEAD', posts],
      ['OPTIONS', posts],
      ['GET', '/nowhere'],
      ['GET', '/wp/v2/users/me'],
      ['GET', `${posts}?per_page=0`],
      ['POST', posts, { body: '{', headers: { 'content-type': 'application/json' } }],
      ['POST', '/batch/v1', { body: { requests: [] } }],
    ]
    for (const [method, path, input = {}] of requests) {
      const { headers } = await site.visitor(method, path, input)
      expect([method, path, headers.get('link')?.split(', ')[0]]).toEqual([
        method,
        path,
        `<${root}/>; rel="https://api.w.org/"`,
      ])
    }
  })
})

describe('the data layer of the block editor', () => {
  test('reads the allowed methods of a record', async () => {
    expect(allowOf(await site.as('edith')('GET', hello()))).toEqual(all)
    expect(allowOf(await site.as('connie')('GET', hello()))).toEqual(['GET'])
    expect(allowOf(await site.visitor('GET', hello()))).toEqual(['GET'])
  })

  test('reads the allowed methods of records and collections by OPTIONS', async () => {
    const editor = await site.as('edith')('OPTIONS', `${hello()}?_locale=user`)
    expect([editor.status, allowOf(editor)]).toEqual([200, all])
    expect(editor.body.endpoints[0].args).toHaveProperty('context')
    expect(allowOf(await site.as('connie')('OPTIONS', hello()))).toEqual(['GET'])
    expect(allowOf(await site.as('connie')('OPTIONS', posts))).toEqual(['GET', 'POST'])
    expect(allowOf(await site.as('sam')('OPTIONS', posts))).toEqual(['GET'])
  })

  test('finds autosaves and revisions by their links', async () => {
    const edith = site.as('edith')
    const { body: post } = await edith('GET', hello(), { query: 'context=edit' })
    const [history] = post._links['version-history']
    expect(history.count).toBe(3)
    const { body: revisions } = await edith('GET', history.href.slice(root.length), { query: 'context=edit' })
    expect(revisions).toHaveLength(3)
    const [latest] = post._links['predecessor-version']
    expect((await edith('GET', latest.href.slice(root.length))).body.id).toBe(revisions[0].id)
    const saved = await edith('POST', `${hello()}/autosaves?_locale=user`, { body: { title: 'Kept', content: 'x' } })
    expect(saved.body._links.parent).toEqual([{ href: `${root}${hello()}` }])
    const { body: autosaves } = await edith('GET', `${hello()}/autosaves`, { query: 'context=edit' })
    expect(autosaves.map(({ id }: { id: number }) => id)).toEqual([saved.body.id])
  })

  test('validates a whole batch before the first write', async () => {
    const edith = site.as('edith')
    const requests = [
      { method: 'PUT', path: tide(), body: { title: 'Never' } },
      { method: 'PUT', path: hello(), body: { status: 'nonsense' } },
    ]
    const input = { body: { validation: 'require-all-validate', requests } }
    const refused = await edith('POST', '/batch/v1?_locale=user', input)
    expect([refused.status, refused.body.failed]).toEqual([207, 'validation'])
    expect(refused.body.responses).toMatchObject([null, { status: 400, body: { code: 'rest_invalid_param' } }])
    expect((await edith('GET', tide())).body.title.rendered).toBe('Reading the tide')
    const { body } = await edith('POST', '/batch/v1', {
      body: { validation: 'require-all-validate', requests: requests.slice(0, 1) },
    })
    expect(body.responses).toMatchObject([{ status: 200, body: { title: { raw: 'Never' } } }])
  })

  test('reads types, taxonomies and the user at the start', async () => {
    const edith = site.as('edith')
    const types = await edith('GET', '/wp/v2/types', { query: 'per_page=-1&context=view&_locale=user' })
    expect(types.body.post).toMatchObject({ rest_base: 'posts', rest_namespace: 'wp/v2' })
    const taxonomies = await edith('GET', '/wp/v2/taxonomies', { query: 'per_page=-1&context=edit&_locale=user' })
    expect(Object.keys(taxonomies.body)).toEqual(['category', 'post_tag'])
    const me = await edith('GET', '/wp/v2/users/me', { query: '_locale=user' })
    expect(me.body.name).toBe('Edith Editor')
  })
})

test('returns the members that typed clients declare', async () => {
  const { body: listed } = await site.visitor('GET', posts)
  for (const post of listed) {
    expect(post).toMatchObject({ guid: { rendered: expect.stringMatching(/^https:/) }, class_list: expect.any(Array) })
  }
  const { body: revisions } = await site.as('ada')('GET', `${hello()}/revisions`)
  for (const revision of revisions) expect(revision.guid).toEqual({ rendered: expect.stringMatching(/^https:/) })
})

test('DELETE reads its arguments from a JSON body too', async () => {
  const { status, body } = await site.as('edith')('DELETE', tide(), { body: { force: true } })
  expect([status, body.deleted]).toEqual([200, true])
})

describe.each([d1, d2])('profile $name', (profile) => {
  beforeEach(async () => {
    await site.dispose()
    site = await createTestSite({ profile, names: wordpress })
  })

  test('clients can compile the route patterns of the index', async () => {
    const { body } = await site.visitor('GET', '/')
    const patternAt = new Map<string, string>()
    for (const [key, route] of Object.entries<{ endpoints: { args: unknown }[] }>(body.routes)) {
      for (const { args } of route.endpoints)
        expect([key, typeof args, Array.isArray(args)]).toEqual([key, 'object', false])
      for (const [group] of key.matchAll(/\(\?P<\w+>[^)]+\)/g)) {
        if (key.startsWith(posts)) {
          const level = key.slice(0, key.indexOf(group))
          const text = group.replace(/<\w+>/, '')
          // Clients build a tree of routes: one position has one pattern, whatever the name of the parameter.
          expect([key, patternAt.get(level) ?? text]).toEqual([key, text])
          patternAt.set(level, text)
        }
        expect(() => new RegExp(group.replace('?P<', '?<'))).not.toThrow()
      }
    }
    expect(patternAt.get(`${posts}/`)).toBe('(?P[\\d]+)')
  })

  test('every route accepts the language argument that the fetch layer adds', async () => {
    const { body } = await site.visitor('GET', '/')
    const ada = site.as('ada')
    for (const [key, { methods }] of Object.entries<{ methods: string[] }>(body.routes)) {
      if (!methods.includes('GET') || key.includes('(?P<')) continue
      const [plain, localized] = [await ada('GET', key), await ada('GET', key, { query: '_locale=user' })]
      expect([key, localized.status, localized.body]).toEqual([key, plain.status, plain.body])
    }
  })
})
