import { expect, test } from 'vitest'
import type { Requester } from '../../../support/site.ts'
import { blamed, openSite, refusalOf, root, template } from './fixture.ts'

const path = `${root}/templates`

test('lists site templates, newest first', async () => {
  const { ada, id } = await openSite([
    template('top', 'header', ['include/general', 'include/singular/post/12', 'exclude/archive/category/5']),
    template('sketch', 'loop-item', [], { status: 'draft', date: '2024-03-01T09:00:00' }),
    template('landing', 'page'),
    template('gone', 'footer', [], { status: 'trash' }),
  ])
  const { status, body } = await ada('GET', path)
  expect([status, body.map((one: { id: number }) => one.id)]).toEqual([200, [id('sketch'), id('top')]])
  const top = id('top')
  const { placeholderUrl, ...header } = body[1]
  const file = `https://quay.example/api/builder/v1/template-library/templates/${top}/export`
  expect(placeholderUrl).toMatch(/^data:image\/svg\+xml,/)
  expect(header).toEqual({
    template_id: top,
    source: 'local',
    type: 'header',
    title: 'The top',
    thumbnail: '',
    date: Date.parse('2024-02-20T09:00:00Z') / 1000,
    human_date: 'February 20, 2024',
    human_modified_date: 'February 20, 2024',
    author: 'Edith Editor',
    status: 'publish',
    hasPageSettings: false,
    tags: [],
    export_link: file,
    url: 'https://quay.example/?builder_library=top',
    instances: { general: 'Entire site', post: 'Post #12' },
    defaultCondition: 'general',
    id: top,
    exportLink: file,
    modifiedDate: 'February 20, 2024',
    editURL: `https://quay.example/?p=${top}&edit=builder`,
    conditions: [
      { type: 'include', name: 'general', sub_name: '', sub_id: '', sub: '', subId: '' },
      { type: 'include', name: 'singular', sub_name: 'post', sub_id: '12', sub: 'post', subId: '12' },
      { type: 'exclude', name: 'archive', sub_name: 'category', sub_id: '5', sub: 'category', subId: '5' },
    ],
    isActive: true,
    previewUrl: `https://quay.example/?p=${top}&render_mode=template-preview`,
    pageLayout: 'strip',
    supportsSiteEditor: true,
    showInstances: true,
  })
  expect(body[0]).toMatchObject({
    ...{ type: 'loop-item', defaultCondition: null, isActive: false, pageLayout: 'grid', showInstances: false },
    instances: { no_instances: 'No instances' },
    status: 'draft',
  })
})

test('derives the type of old single templates from their conditions', async () => {
  const { ada } = await openSite([
    template('a', 'single', ['include/singular/post']),
    template('b', 'single', ['include/singular/front_page']),
    template('c', 'single', ['include/singular/not_found404']),
    template('d', 'single', ['include/archive/search']),
    template('e', 'single', ['exclude/singular/page']),
    template('f', 'single', ['include/singular/unheard_of/3']),
  ])
  const { body } = await ada('GET', path)
  const types = Object.fromEntries(body.map((one: { title: string; type: string }) => [one.title.slice(-1), one.type]))
  expect(types).toEqual({
    ...{ a: 'single-post', b: 'single-page', c: 'error-404', d: 'search-results', e: 'single-post', f: 'single-post' },
  })
  const last = body.find((one: { title: string }) => one.title === 'The f')
  expect(last.instances).toEqual({ unheard_of: 'unheard_of #3' })
})

test('renames, unpublishes and republishes a template', async () => {
  const { ada, id, clock } = await openSite([template('top', 'header', ['include/general'])])
  clock.now += 86_400_000
  const change = (body: object, method = 'POST') => ada(method, `${path}/${id('top')}`, { body })
  const renamed = await change({ post_title: 'New name', post_type: 'page', ID: 5, post_name: 'New Name' })
  expect([renamed.status, renamed.body.title, renamed.body.url, renamed.body.modifiedDate, renamed.body.id]).toEqual([
    ...[200, 'New name', 'https://quay.example/?builder_library=new-name', 'June 16, 2024'],
    id('top'),
  ])
  const draft = await change({ post_status: 'draft', post_content: 'x', post_excerpt: 'y' }, 'PUT')
  expect([draft.body.status, draft.body.isActive]).toEqual(['draft', false])
  expect((await change({ post_status: 'publish' }, 'PATCH')).body.isActive).toBe(true)
  expect(blamed(await change({ post_status: 'trash' }))).toEqual([400, 'rest_invalid_param', ['post_status']])
  expect(blamed(await change({ post_title: ['x'] }))).toEqual([400, 'rest_invalid_param', ['post_title']])
})

test('trashes a template and restores it by its status', async () => {
  const { ada, id, api } = await openSite([template('top', 'header', ['include/general'])])
  const events: string[] = []
  api.on('template.trashed', () => events.push('trashed'))
  api.on('template.updated', () => events.push('updated'))
  api.on('post.trashed', ({ post }) => events.push(`post ${post.trashedFrom}`))
  const trash = () => ada('DELETE', `${path}/${id('top')}`)
  expect([(await trash()).body, (await trash()).body]).toEqual([true, false])
  expect((await ada('GET', path)).body).toEqual([])
  expect(await api.site.templates.at('header', { archive: 'posts' })).toBeUndefined()
  expect((await ada('POST', `${path}/${id('top')}`, { body: { post_status: 'publish' } })).body.status).toBe('publish')
  expect(await api.site.templates.at('header', { archive: 'posts' })).toBe(id('top'))
  expect((await trash()).body).toBe(true)
  expect(events).toEqual(['post publish', 'trashed', 'updated', 'post publish', 'trashed'])
})

test('responds with 404 for posts that are no site template', async () => {
  const { ada, id, ids } = await openSite([template('landing', 'page')])
  for (const one of [id('landing'), ids['post.hello'], ids['page.front'], 999_999, 'abc', '1e3', '99999999999999999']) {
    const changed = await ada('POST', `${path}/${one}`, { body: { post_title: 'x' } })
    const read = await ada('GET', `${root}/templates-conditions/${one}`)
    const set = await ada('POST', `${root}/templates-conditions/${one}`, { body: {} })
    const trashed = await ada('DELETE', `${path}/${one}`)
    expect([one, ...[changed, read, set].map(refusalOf)]).toEqual([
      one,
      ...Array(3).fill([404, 'rest_post_invalid_id']),
    ])
    expect([trashed.status, trashed.body]).toEqual([200, false])
  }
})

test('rejects changes to a template that another user has open', async () => {
  const { ada, id, ids, api, clock } = await openSite([template('top', 'header')])
  const calls: [string, string, object][] = [
    ['POST', `${path}/${id('top')}`, { post_title: 'x' }],
    ['POST', `${root}/templates-conditions/${id('top')}`, { conditions: [] }],
    ['DELETE', `${path}/${id('top')}`, {}],
  ]
  const editor = ids['user.editor'] as number
  await api.site.templates.hold(id('top'), editor)
  clock.now += 149_999
  for (const [method, at, body] of calls) {
    const received = await ada(method, at, { body })
    expect([...refusalOf(received), received.body.data]).toEqual([
      ...[403, 'post_lock'],
      { status: 403, locked_by_user_id: String(editor), locked_by_user_name: 'Edith Editor' },
    ])
  }
  expect((await ada('GET', `${root}/templates-conditions/${id('top')}`)).status).toBe(200)
  clock.now += 1
  expect((await ada('POST', `${path}/${id('top')}`, { body: {} })).status).toBe(200)
  await api.site.templates.hold(id('top'), ids['user.admin'] as number)
  expect((await ada('POST', `${path}/${id('top')}`, { body: {} })).status).toBe(200)
  await api.site.templates.hold(id('top'), editor)
  await api.site.templates.release(id('top'))
  expect((await ada('DELETE', `${path}/${id('top')}`)).body).toBe(true)
})

test('describes the routes of the site editor', async () => {
  const { ada } = await openSite()
  const { body } = await ada('GET', root)
  expect([body.namespace, body.controller, body._links.up]).toEqual([
    ...['builder/v1', 'builder/v1/site-editor'],
    [{ href: 'https://quay.example/api/' }],
  ])
  expect(Object.keys(body.routes)).toEqual([
    `${root}`,
    `${root}/templates`,
    `${root}/templates/(?P<id>[\\w]+)`,
    `${root}/templates-conditions/(?P<id>[\\w]+)`,
    `${root}/templates-conditions-conflicts`,
    `${root}/conditions-config`,
  ])
})

test('only users who may edit the design can use the site editor', async () => {
  const { as, visitor, id, ids, api, ada } = await openSite([template('top', 'header')])
  const calls: [string, string][] = [
    ['GET', root],
    ['GET', path],
    ['POST', path],
    ...['DELETE', 'POST', 'PUT', 'PATCH'].map((method): [string, string] => [method, `${path}/${id('top')}`]),
    ...['GET', 'POST', 'PUT', 'PATCH'].map(
      (method): [string, string] => [...[method, `${root}/templates-conditions/${id('top')}`]] as [string, string],
    ),
    ['GET', `${root}/templates-conditions-conflicts`],
    ['GET', `${root}/conditions-config`],
  ]
  const senders: [Requester, number][] = [
    [visitor, 401],
    ...['sam', 'connie', 'arthur', 'edith'].map((login): [Requester, number] => [as(login), 403]),
  ]
  for (const [send, status] of senders) {
    for (const [method, at] of calls) {
      expect([method, at, ...refusalOf(await send(method, at))]).toEqual([method, at, status, 'rest_forbidden'])
    }
  }
  await api.site.users.update(ids['user.author'] as number, { capabilities: { edit_theme_options: true } })
  expect((await as('arthur')('GET', path)).status).toBe(403)
  await api.site.users.update(ids['user.editor'] as number, { capabilities: { edit_theme_options: true } })
  expect((await as('edith')('GET', path)).status).toBe(200)
  const [password] = await api.site.passwords.list(ids['user.admin'] as number)
  await api.site.passwords.revoke(password?.id ?? 0)
  expect((await ada('GET', path)).status).toBe(401)
})

test('names members of a change that it does not know, with the ones that are meant', async () => {
  const { ada, id } = await openSite([template('top', 'header')])
  const one = `${path}/${id('top')}`
  const { status, body } = await ada('POST', one, { body: { title: 'Renamed', post_status: 'draft', mood: 1, _x: 1 } })
  expect([status, body.status, body.title]).toEqual([200, 'draft', 'The top'])
  expect(body._warnings).toEqual([
    { code: 'unknown_argument', param: 'title', message: expect.stringContaining('post_title') },
    { code: 'unknown_argument', param: 'mood', message: expect.stringContaining('no argument mood') },
  ])
  expect((await ada('POST', one, { body: { post_title: 'Renamed' } })).body._warnings).toBeUndefined()
})
