import { describe, expect, onTestFinished, test } from 'vitest'
import { documentFeatures } from '../../../src/features/builder/site-documents/index.ts'
import { d1, d2, full, profile } from '../../../src/index.ts'
import { createSitePages } from '../../../src/site-pages/index.ts'
import { createTestSite } from '../../support/site.ts'
import { smallSite } from '../../support/small-site.ts'

const built = { _builder_edit_mode: 'builder', _builder_data: '[]' }
const draft = { status: 'draft', date_gmt: null, meta: built }
const of = (key: string, title: string, modified: string, more: object = {}) => ({
  ...{ key, slug: key, title, content: '', status: 'publish', author: 'admin', date: '2024-01-01T10:00:00', modified },
  ...more,
})

/** The small site has one builder post, changed on 2024-02-06. */
const seed = {
  ...smallSite,
  pages: [...smallSite.pages, of('landing', 'Landing', '2024-05-01T10:00:00', { meta: built })],
  posts: [
    ...smallSite.posts,
    { ...of('mine', 'Mine', '2024-05-03T10:00:00', draft), author: 'contributor' },
    of('theirs', 'Theirs', '2024-05-04T10:00:00', draft),
    of('closed', 'Closed', '2024-05-05T10:00:00', { status: 'private', meta: built }),
    of('kit', 'Kit', '2024-05-06T10:00:00', { meta: { ...built, _builder_template_type: 'kit' } }),
    of('plain', 'Plain', '2024-05-07T10:00:00', { meta: { ...built, _builder_edit_mode: '' } }),
  ],
  documents: [
    of('block', 'Block', '2024-05-02T10:00:00', {
      type: 'builder_library',
      meta: { ...built, _builder_template_type: 'section' },
    }),
  ],
}

async function openSite(options: Parameters<typeof createTestSite>[0] = {}) {
  const site = await createTestSite({ seed, ...options })
  onTestFinished(async () => {
    expect(site.failures).toEqual([])
    await site.dispose()
  })
  return { ...site, ada: site.as('ada'), connie: site.as('connie') }
}

describe('recent posts', () => {
  const path = '/builder/v1/site-navigation/recent-posts'
  const titles = (body: readonly { title: string }[]) => body.map(({ title }) => title)

  test('lists builder documents by their last change, newest first', async () => {
    const { ada } = await openSite()
    const { status, body } = await ada('GET', path, { query: 'posts_per_page=10' })
    expect([status, titles(body)]).toEqual([200, ['Theirs', 'Mine', 'Block', 'Landing', 'Built in the builder']])
  })

  test('an entry contains its type, its address and whether the user may edit it', async () => {
    const { ada, ids } = await openSite()
    const { body } = await ada('GET', path, { query: 'posts_per_page=10&post_type[]=builder_library&post_type[]=page' })
    const entry = (key: string, title: string, modified: string, type: object) => ({
      id: ids[key],
      title,
      edit_url: `https://quay.example/?p=${ids[key]}&edit=builder`,
      date_modified: Date.parse(modified) / 1000,
      type,
      user_can: { edit: true },
    })
    // Lisbon is at UTC+1 in summer.
    expect(body).toEqual([
      entry('document.block', 'Block', '2024-05-02T09:00:00Z', {
        ...{ post_type: 'builder_library', doc_type: 'section', label: 'Section' },
      }),
      entry('page.landing', 'Landing', '2024-05-01T09:00:00Z', {
        ...{ post_type: 'page', doc_type: 'wp-page', label: 'Page' },
      }),
    ])
  })

  test('hides drafts of others from users who may not edit them', async () => {
    const { connie, ids } = await openSite()
    const { body } = await connie('GET', path, { query: 'posts_per_page=10' })
    expect(titles(body)).toEqual(['Mine', 'Block', 'Landing', 'Built in the builder'])
    const editable = body.filter((one: { user_can: { edit: boolean } }) => one.user_can.edit)
    expect(editable.map(({ id }: { id: number }) => id)).toEqual([ids['post.mine']])
  })

  test('uses the absolute value of the number, within bounds', async () => {
    const { ada } = await openSite()
    const count = async (value: string) => (await ada('GET', path, { query: `posts_per_page=${value}` })).body.length
    expect(await Promise.all(['-2', '2', '0', '1', '9999999'].map(count))).toEqual([2, 2, 1, 1, 5])
  })

  test('filters by type and excluded posts; unknown types match nothing', async () => {
    const { ada, ids } = await openSite()
    const list = async (query: string) => titles((await ada('GET', path, { query: `posts_per_page=9&${query}` })).body)
    expect(await list('post_type=page')).toEqual(['Landing'])
    expect(await list('post_type=page,builder_library')).toEqual(['Block', 'Landing'])
    expect(await list(`post_type=post&post__not_in=${ids['post.mine']},${ids['post.theirs']}`)).toEqual([
      'Built in the builder',
    ])
    expect(await list('post_type=revision,attachment,constructor')).toEqual([])
  })

  test('requires the number as an integer', async () => {
    const { ada } = await openSite()
    expect((await ada('GET', path)).body.code).toBe('rest_missing_callback_param')
    for (const query of ['posts_per_page=many', 'posts_per_page=1.5', 'posts_per_page=1&post__not_in=x']) {
      expect((await ada('GET', path, { query })).body.code).toBe('rest_invalid_param')
    }
  })

  test('a long list needs no more reads than a short one', async () => {
    let calls = 0
    const { ada } = await openSite({
      storage: (opened) => ({
        ...opened,
        posts: counted(opened.posts),
        meta: counted(opened.meta),
      }),
    })
    function counted<T extends object>(store: T): T {
      return new Proxy(store, {
        get(target, name) {
          const member = Reflect.get(target, name)
          if (typeof member !== 'function') return member
          return (...args: unknown[]) => {
            calls++
            return member.apply(target, args)
          }
        },
      })
    }
    const costOf = async (count: number) => {
      calls = 0
      await ada('GET', path, { query: `posts_per_page=${count}` })
      return calls
    }
    await costOf(1)
    expect(await costOf(5)).toBe(await costOf(1))
  })

  test('requires the capability to edit posts', async () => {
    const { as } = await openSite()
    for (const [login, status] of [
      [null, 401],
      ['sam', 403],
      ['connie', 200],
      ['arthur', 200],
      ['edith', 200],
      ['ada', 200],
    ] as const) {
      expect([login, (await as(login)('GET', path, { query: 'posts_per_page=1' })).status]).toEqual([login, status])
    }
  })
})

describe('a new post', () => {
  const path = '/builder/v1/site-navigation/add-new-post'

  test.each([
    [undefined, 'Post', 'wp-post', 'post'],
    ['page', 'Page', 'wp-page', 'page'],
    ['builder_library', 'Template', 'page', 'builder_library'],
  ])('creates a draft of type %s for the builder', async (type, label, documentType, stored) => {
    const { ada, api, ids } = await openSite()
    const events: unknown[] = []
    api.on('post.created', ({ post }) => events.push([post.id, post.title, post.type]))
    const { status, body } = await ada('POST', path, { body: type === undefined ? {} : { post_type: type } })
    const { id } = body
    expect([status, body]).toEqual([200, { id, edit_url: `https://quay.example/?p=${id}&edit=builder` }])
    expect(events).toEqual([[id, `Builder ${label} #${id}`, stored]])
    const list = await ada('GET', '/builder/v1/site-navigation/recent-posts', { query: 'posts_per_page=1' })
    expect(list.body[0]).toMatchObject({ id, title: `Builder ${label} #${id}`, type: { doc_type: documentType } })
    if (stored !== 'post') return
    const post = (await ada('GET', `/cms/v2/posts/${id}`, { query: 'context=edit' })).body
    expect(post).toMatchObject({
      ...{ status: 'draft', slug: '', author: ids['user.admin'], categories: [ids['category.uncategorized']] },
      meta: { _builder_edit_mode: 'builder', _builder_template_type: 'wp-post' },
    })
  })

  test('creates the post when the default category was deleted', async () => {
    const { ada, api } = await openSite()
    await api.site.options.write({ default_category: 9999 })
    expect((await ada('POST', path, { body: {} })).status).toBe(200)
  })

  test('reports an unknown type before it checks permissions', async () => {
    const { as } = await openSite()
    for (const login of [null, 'sam', 'ada']) {
      for (const type of ['no-such-type', 'revision', 'constructor', '']) {
        const { status, body } = await as(login)('POST', path, { body: { post_type: type } })
        expect([type, status, body.code]).toEqual([type, 400, 'rest_invalid_post_type'])
      }
    }
  })

  test('rejects media, which the builder does not open', async () => {
    const { ada } = await openSite()
    const { status, body } = await ada('POST', path, { body: { post_type: 'attachment' } })
    expect([status, body.code]).toEqual([401, 'rest_forbidden'])
  })

  test('users who may edit the type may create one', async () => {
    const { as } = await openSite()
    const posts = [401, 401, 200, 200, 200, 200]
    const pages = [401, 401, 401, 401, 200, 200]
    for (const [index, login] of [null, 'sam', 'connie', 'arthur', 'edith', 'ada'].entries()) {
      const statuses = [
        (await as(login)('POST', path, { body: {} })).status,
        (await as(login)('POST', path, { body: { post_type: 'page' } })).status,
      ]
      expect([login, ...statuses]).toEqual([login, posts[index], pages[index]])
    }
  })
})

describe.each([d1, d2, full])('in profile $name', (given) => {
  test('what add-new-post makes is read, saved, published, shown and trashed as a document', async () => {
    const { ada, api } = await openSite({ profile: given })
    const pages = createSitePages(api as never)
    const shown = async () => {
      const response = await pages.fetch(new Request('https://quay.example/harbour/'))
      return [response.status, (await response.text()).includes('At the quay')]
    }
    const made = await ada('POST', '/builder/v1/site-navigation/add-new-post', { body: { post_type: 'page' } })
    const path = `/site-api/v1/documents/${made.body.id}`
    expect((await ada('GET', path)).body).toMatchObject({ kind: 'page', status: 'draft', elements: [] })
    const elements = [{ id: 'a1', elType: 'widget', widgetType: 'heading', settings: { title: 'At the quay' } }]
    const saved = await ada('POST', path, { body: { title: 'Harbour', elements } })
    expect([saved.status, await shown()]).toEqual([200, [404, false]])
    expect((await ada('POST', `${path}/publish`)).status).toBe(200)
    expect(await shown()).toEqual([200, true])
    expect((await ada('DELETE', path)).status).toBe(200)
    expect(await shown()).toEqual([404, false])
  })

  test('the index lists the routes of documents in full alone', async () => {
    const { visitor } = await openSite({ profile: given })
    const { namespaces, routes } = (await visitor('GET', '/')).body
    const isListed = given === full
    expect(namespaces.includes('site-api/v1')).toBe(isListed)
    expect(Object.keys(routes).some((route) => route.startsWith('/site-api/v1'))).toBe(isListed)
    expect((await visitor('GET', '/site-api/v1')).status).toBe(isListed ? 200 : 404)
  })

  test('a host that adds the documents once more has them once', async () => {
    const own = profile({ ...given, features: [...given.features, ...documentFeatures] })
    const { visitor } = await openSite({ profile: own })
    expect((await visitor('GET', '/')).body.namespaces.filter((one: string) => one === 'site-api/v1')).toHaveLength(1)
  })
})
