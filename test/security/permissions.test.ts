/** Tests permissions on posts: contradicting ids, contexts, statuses, searches, orders, filters, and in-process callers. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestSite, type TestSite } from '../support/site.ts'
import { isWrite, recorded } from '../support/spied-storage.ts'

const { calls, wrap } = recorded()

describe('the id in the path is checked and written, whatever other id the request has', () => {
  let site: TestSite
  beforeEach(async () => {
    site = await createTestSite()
  })
  afterEach(() => site.dispose())

  interface Forms {
    readonly body?: (id: number) => object
    readonly query?: (id: number) => string
    readonly form?: (id: number) => string
  }
  test.each<[string, Forms]>([
    ['a number in the body', { body: (id: number) => ({ title: 'Taken', id }) }],
    ['a text in the body', { body: (id: number) => ({ title: 'Taken', id: `${id}abc` }) }],
    ['a list in the body', { body: (id: number) => ({ title: 'Taken', id: [id] }) }],
    ['a number in the query', { query: (id: number) => `id=${id}` }],
    ['a text in the query', { query: (id: number) => `id=${id}abc` }],
    ['a list in the query', { query: (id: number) => `id[]=${id}` }],
    ['a form body', { form: (id: number) => `title=Taken&id=${id}` }],
  ])('not %s', async (_, { body, query, form }) => {
    const [own, foreign] = [site.ids['post.ferry'] ?? 0, site.ids['post.tide'] ?? 0]
    const read = async (id: number) =>
      (await site.as('ada')('GET', `/cms/v2/posts/${id}`, { query: 'context=edit' })).body
    const before = await read(foreign)
    const send = (path: number, other: number) =>
      site.as('arthur')('POST', `/cms/v2/posts/${path}`, {
        body: form?.(other) ?? body?.(other) ?? { title: 'Taken' },
        ...(query ? { query: query(other) } : {}),
        ...(form ? { headers: { 'content-type': 'application/x-www-form-urlencoded' } } : {}),
      })
    expect(await send(own, foreign)).toMatchObject({ status: 200, body: { id: own, title: { raw: 'Taken' } } })
    expect(await read(foreign)).toEqual(before)
    // The other way round: an own id in the arguments gives no access to another author's post.
    expect(await send(foreign, own)).toMatchObject({ status: 403, body: { code: 'rest_cannot_edit' } })
    expect(await read(foreign)).toEqual(before)
  })

  test('also when a post is deleted', async () => {
    const [own, foreign] = [site.ids['post.ferry'], site.ids['post.tide']]
    const sent = { query: `force=true&id=${own}`, body: { id: own } }
    expect((await site.as('arthur')('DELETE', `/cms/v2/posts/${foreign}`, sent)).status).toBe(403)
    expect((await site.visitor('GET', `/cms/v2/posts/${own}`)).status).toBe(200)
  })
})

describe('reads without permission', () => {
  let site: TestSite
  beforeAll(async () => {
    // Each read reaches the storage.
    site = await createTestSite({ storage: wrap, limits: { responseBytes: 0 } })
    await site.api.site.runDue()
  })
  afterAll(async () => {
    expect(site.failures).toEqual([])
    await site.dispose()
  })

  const rawMember = (value: unknown): boolean =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries(value).some(([key, inner]) => key === 'raw' || rawMember(inner))

  describe.each([
    ['a visitor', null, 401],
    ['a subscriber', 'sam', 403],
  ])('the edit context as %s', (_, login, status) => {
    test.each([
      ['of the list', '/cms/v2/posts', 'context=edit'],
      ['of an empty list', '/cms/v2/posts', 'context=edit&include=999999'],
      ['of a post', '/cms/v2/posts/{post.tide}', 'context=edit'],
      ['of a post with _embed and _fields', '/cms/v2/posts/{post.tide}', 'context=edit&_embed=1&_fields=title'],
      ['of a locked post, with its password', '/cms/v2/posts/{post.locked}', 'context=edit&password=sesame'],
    ])('%s is rejected', async (_name, path, query) => {
      const response = await site.as(login)('GET', filled(path), { query })
      expect(response).toMatchObject({ status, body: { code: 'rest_forbidden_context' } })
      expect(rawMember(response.body)).toBe(false)
    })

    test('of a post is rejected inside an envelope', async () => {
      const query = 'context=edit&_embed=1&_envelope=1&_fields=title'
      const { body } = await site.as(login)('GET', filled('/cms/v2/posts/{post.tide}'), { query })
      expect(body).toMatchObject({ status, body: { code: 'rest_forbidden_context' } })
      expect(rawMember(body)).toBe(false)
    })

    test.each([
      '/cms/v2/posts/{post.hello}/revisions',
      '/cms/v2/posts/{post.hello}/revisions/{revision.hello.1}',
      '/cms/v2/posts/{post.hello}/autosaves',
      '/cms/v2/posts/{post.hello}/autosaves/{revision.hello.1}',
    ])('of %s is rejected, and so is every other context', async (path) => {
      for (const query of ['context=edit', 'context=view', 'context=embed', '_embed=1', '']) {
        const response = await site.as(login)('GET', filled(path), { query })
        expect(response).toMatchObject({ status, body: { code: 'rest_cannot_read' } })
        expect(JSON.stringify(response.body)).not.toContain('wording')
      }
    })

    test('embedded records contain no raw text either', async () => {
      for (const context of ['view', 'embed']) {
        const { body } = await site.as(login)('GET', '/cms/v2/posts', {
          query: `_embed=1&per_page=100&context=${context}`,
        })
        expect(body.length).toBeGreaterThan(3)
        expect(rawMember(body)).toBe(false)
      }
    })
  })

  const filled = (path: string) => path.replace(/\{([^}]+)\}/g, (_, key: string) => String(site.ids[key]))

  describe('statuses', () => {
    test.each([
      'status=draft',
      'status=any',
      'status=trash',
      'status[]=publish&status[]=private',
      'status[0]=publish&status[9]=draft',
      'status=publish,private',
      'status=publish%20pending',
      'status=inherit',
      'status=auto-draft',
    ])('a visitor gets 400 for %s', async (query) => {
      const response = await site.visitor('GET', '/cms/v2/posts', { query })
      expect(response).toMatchObject({
        status: 400,
        body: { code: 'rest_invalid_param', data: { details: { status: { code: 'rest_forbidden_status' } } } },
      })
      expect(response.headers.get('x-cms-total')).toBeNull()
    })

    test.each(['', 'status=', 'status=publish', 'status[]=publish', 'status[]=publish&status[]=publish'])(
      'a visitor sees and counts published posts only: "%s"',
      async (query) => {
        const { body, headers } = await site.visitor('GET', '/cms/v2/posts', { query: `per_page=100&${query}` })
        expect(body.every((post: { status: string }) => post.status === 'publish')).toBe(true)
        expect(headers.get('x-cms-total')).toBe(String(body.length))
      },
    )

    // Recorded (filters: status as contributor): the total counts the rows of the query, including those that are not
    // returned. The rows themselves are never returned.
    test('a contributor sees only their own drafts; the total counts all drafts', async () => {
      const { body, headers } = await site.as('connie')('GET', '/cms/v2/posts', { query: 'status=draft' })
      expect(body.map(({ id }: { id: number }) => id)).toEqual([site.ids['post.draft-connie']])
      expect(headers.get('x-cms-total')).toBe('2')
    })
  })

  // Each word occurs in one hidden post only.
  test.each([
    ['a draft', 'Draft of an author', 'post.draft'],
    ['a pending post', 'Pending of a contributor', 'post.pending'],
    ['a private post', 'Private of an author', 'post.private'],
    ['a post of the future', 'Far ahead', 'post.future'],
    ['a trashed post', 'Thrown away', 'post.trashed'],
    ['a locked post, by its title', 'Behind a password', 'post.locked'],
    ['a locked post, by its content', 'Hidden', 'post.locked'],
    ['an earlier version', 'First wording', 'post.hello'],
  ])('a search of a visitor for the words of %s finds and counts nothing', async (_, words, key) => {
    for (const more of [
      '',
      '&orderby=relevance',
      `&include=${site.ids[key]}`,
      '&search_columns=post_content,post_title',
    ]) {
      const query = `search=${encodeURIComponent(`"${words}"`)}${more}`
      const { status, body, headers } = await site.visitor('GET', '/cms/v2/posts', { query })
      expect({ status, body, total: headers.get('x-cms-total') }).toEqual({ status: 200, body: [], total: '0' })
    }
  })

  describe('storage field names', () => {
    const names = ['password', 'user_pass', 'meta_value', 'post_password', 'dateGmt', 'featuredMedia', 'commentStatus']

    test.each([...names, 'status', 'id;drop', '__proto__', 'constructor', 'id desc', ' date', 'DATE'])(
      'are no order: %s',
      async (name) => {
        const response = await site.as('ada')('GET', '/cms/v2/posts', { query: { orderby: name } })
        expect(response).toMatchObject({ status: 400, body: { data: { params: { orderby: expect.any(String) } } } })
      },
    )

    const asked = async (query: string) => {
      calls.length = 0
      const { status, body } = await site.as('ada')('GET', '/cms/v2/posts', { query })
      return { status, body, calls: calls.filter(({ name }) => name === 'posts.query') }
    }

    test.each([
      ...names,
      'meta_key',
      'meta_query',
      'post_type',
      'type',
      'author_name',
      'withPassword',
      'statuses',
      'types',
    ])('do not filter: %s', async (name) => {
      const plain = await asked('per_page=3')
      expect(plain.calls).toHaveLength(1)
      expect(await asked(`per_page=3&${name}=sesame`)).toEqual(plain)
      expect(await asked(`per_page=3&${name}[]=revision&${name}[x]=1`)).toEqual(plain)
    })
  })

  test.each([
    ['a status', 'sam', 'status=draft', 400],
    ['a status among others', 'sam', 'status=publish,draft', 400],
    ['a context', 'sam', 'context=edit', 403],
    ['a context, with a filter that would find nothing', null, 'context=edit&include=999999', 401],
  ])('%s gets an error for a filter without permission; it is not ignored', async (_, login, query, status) => {
    expect((await site.as(login)('GET', '/cms/v2/posts', { query })).status).toBe(status)
  })
})

describe('calls inside the process', () => {
  let site: TestSite
  beforeEach(async () => {
    site = await createTestSite({ storage: wrap })
    await site.api.site.runDue()
  })
  afterEach(() => site.dispose())

  const body = { title: 'From inside', status: 'publish' }

  test('act as a visitor when no actor is named', async () => {
    const { api, ids } = site
    await expect(api.call('POST', '/cms/v2/posts', body)).rejects.toMatchObject({ status: 401 })
    await expect(api.call('GET', `/cms/v2/posts/${ids['post.draft']}`)).rejects.toMatchObject({ status: 401 })
    await expect(api.call('GET', '/cms/v2/posts', { context: 'edit' })).rejects.toMatchObject({ status: 401 })
    await expect(api.call('POST', '/cms/v2/posts', body, {})).rejects.toMatchObject({ status: 401 })
    const { data } = await api.call<{ status: string }[]>('GET', '/cms/v2/posts', { per_page: 100 })
    expect(data.every(({ status }) => status === 'publish')).toBe(true)
  })

  test('fail for a user that does not exist or is blocked', async () => {
    await expect(site.api.call('POST', '/cms/v2/posts', body, { as: 999_999 })).rejects.toThrow('no user 999999')
    await expect(site.api.call('POST', '/cms/v2/posts', body, { as: 0 })).rejects.toThrow('no user 0')
    calls.length = 0
    await expect(site.api.call('POST', '/cms/v2/posts', body, { as: 'admin' as 'system' })).rejects.toThrow()
    expect(calls.filter(isWrite)).toEqual([])
  })

  test("have the permissions of the named user; only 'system' has all", async () => {
    const { api, ids } = site
    const as = ids['user.contributor'] ?? 0
    await expect(api.call('POST', '/cms/v2/posts', body, { as })).rejects.toMatchObject({ code: 'rest_cannot_publish' })
    expect(await api.call('POST', '/cms/v2/posts', { title: 'Mine' }, { as })).toMatchObject({ data: { author: as } })
    expect(await api.call('POST', '/cms/v2/posts', body, { as: 'system' })).toMatchObject({ status: 201 })
  })

  test('read no identity from arguments', async () => {
    const args = { ...body, as: 'system', user: { id: 1 }, _as: 1, headers: { authorization: 'Basic x' } }
    await expect(site.api.call('POST', '/cms/v2/posts', args)).rejects.toMatchObject({ status: 401 })
  })
})
