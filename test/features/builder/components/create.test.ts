import { expect, test } from 'vitest'
import { createTestSite } from '../../../support/site.ts'
import { memoryMedia } from '../global-classes/fixture.ts'
import { box, errorOf, heading, instance, item, openSite, root } from './fixture.ts'

test('creating returns 201 with the ids by uid, and the list begins with the newest component', async () => {
  const { post, list, clock } = await openSite()
  const first = await post('', { status: 'publish', items: [item({ uid: 'one', title: '<b>Card</b>' })] })
  clock.now += 1000
  const second = await post('', { status: 'autosave', items: [item({ uid: 'two' }), item({ uid: 'three' })] })
  expect([first.status, second.status, first.body.meta]).toEqual([201, 201, []])
  const [one, two, three] = [first.body.data.one, second.body.data.two, second.body.data.three]
  expect(Object.keys(second.body.data)).toEqual(['two', 'three'])
  const rows = await list()
  expect(rows.map(({ id }: { id: number }) => id)).toEqual([three, two, one])
  expect(rows[2]).toEqual({ id: one, name: 'Card', uid: 'one', isArchived: false })
})

test('without components the list, the styles and the created ids are empty lists', async () => {
  const { ada, post } = await openSite()
  expect((await ada('GET', root)).body).toEqual({ data: [], meta: [] })
  expect((await ada('GET', `${root}/styles`)).body).toEqual({ data: [], meta: [] })
  expect((await post('', { status: 'publish', items: [] })).body).toEqual({ data: [], meta: [] })
})

test('reading requires edit_posts, writing requires manage_options', async () => {
  const { as, create } = await openSite()
  const id = await create()
  const reads = ['', '/styles', `/overridable-props?componentId=${id}`]
  const writes: [string, string, object?][] = [
    ['POST', '', { status: 'draft', items: [] }],
    ['POST', '/create-validate', { items: [] }],
    ['PUT', '/status', { status: 'publish', ids: [id] }],
    ['POST', '/lock', { componentId: id }],
    ['GET', `/lock-status?componentId=${id}`],
    ['POST', '/unlock', { componentId: id }],
    ['POST', '/archive', { componentIds: [], status: 'draft' }],
    ['POST', '/update-titles', { components: [], status: 'draft' }],
  ]
  const expected: [string | null, number, number][] = [
    [null, 401, 401],
    ['sam', 403, 403],
    ['connie', 200, 403],
    ['arthur', 200, 403],
    ['edith', 200, 403],
    ['ada', 200, 200],
  ]
  for (const [login, reading, writing] of expected) {
    for (const path of reads) {
      const { status, body } = await as(login)('GET', root + path)
      expect([login, path, status]).toEqual([login, path, reading])
      if (status !== 200) expect(body.code).toBe('rest_forbidden')
    }
    for (const [method, path, body] of writes) {
      const response = await as(login)(method, root + path, { body })
      expect([login, path, response.status === 201 ? 200 : response.status]).toEqual([login, path, writing])
      if (response.status >= 400) expect(response.body.code).toBe('rest_forbidden')
    }
  }
})

test.each([
  ['status', { items: [] }, 'rest_missing_callback_param'],
  ['items', { status: 'draft' }, 'rest_missing_callback_param'],
  ['an unknown status', { status: 'private', items: [] }, 'rest_invalid_param'],
  ['a short title', { status: 'draft', items: [{ uid: 'a', title: 'x', elements: [] }] }, 'rest_invalid_param'],
  [
    'a long title',
    { status: 'draft', items: [{ uid: 'a', title: 'x'.repeat(201), elements: [] }] },
    'rest_invalid_param',
  ],
  ['no uid', { status: 'draft', items: [{ title: 'Card', elements: [] }] }, 'rest_invalid_param'],
  [
    'elements that are none',
    { status: 'draft', items: [{ uid: 'a', title: 'Card', elements: ['x'] }] },
    'rest_invalid_param',
  ],
])('refuses wrong arguments with 400: %s', async (_, body, code) => {
  const { post } = await openSite()
  expect(errorOf(await post('', body))).toEqual([400, code])
})

test('reports all problems of titles, uids and the count together', async () => {
  const { post, create, list } = await openSite()
  await create({ uid: 'taken', title: 'Taken' })
  const archived = await create({ uid: 'kept', title: 'Free again' })
  await post('/archive', { componentIds: [archived], status: 'publish' })
  const items = [
    item({ title: 'Taken' }),
    item({ uid: 'taken' }),
    item({ uid: 'kept', title: 'Free again' }),
    item({ uid: 'same', title: 'Twice' }),
    item({ uid: 'same', title: 'Twice' }),
    item({ uid: '' }),
    item({ title: '<i>x</i>' }),
  ]
  const before = await list()
  for (const [action, body] of [
    ['', { status: 'publish', items }],
    ['/create-validate', { items }],
  ] as const) {
    const { status, body: error } = await post(action, body)
    expect([status, error.code, error.data]).toEqual([422, 'components_validation_failed', { status: 422, meta: [] }])
    expect(error.message.split('\n')).toEqual([
      'Another component has the title "Taken".',
      'Another component has the title "Twice".',
      'The title "x" does not have 2 to 200 characters.',
      'Another component has the uid "taken".',
      'Another component has the uid "kept".',
      'Another component has the uid "same".',
      'A uid has 1 to 200 characters.',
    ])
  }
  expect(await list()).toEqual(before)
})

test('compares titles with regard to case', async () => {
  const { create } = await openSite()
  await create({ title: 'Card' })
  await create({ title: 'card' })
})

test('permits 100 components in use, without counting archived ones', async () => {
  const { post, create, list } = await openSite()
  const many = Array.from({ length: 99 }, () => item())
  expect((await post('', { status: 'draft', items: many })).status).toBe(201)
  expect(errorOf(await post('', { status: 'draft', items: [item(), item()] }))).toEqual([
    422,
    'components_validation_failed',
  ])
  const last = await create()
  expect(errorOf(await post('/create-validate', { items: [item()] }))).toEqual([422, 'components_validation_failed'])
  await post('/archive', { componentIds: [last], status: 'publish' })
  await create()
  expect(await list()).toHaveLength(100)
})

test('create-validate accepts valid components and stores nothing', async () => {
  const { post, list } = await openSite()
  const { status, body } = await post('/create-validate', { items: [item()] })
  expect([status, body]).toEqual([200, { data: null, meta: [] }])
  expect(await list()).toEqual([])
})

test('refuses components that contain themselves, directly or through new or stored components', async () => {
  const { post, create } = await openSite()
  const stored = await create({ uid: 'stored', elements: [box([instance('to-come')])] })
  const failing = [
    [item({ uid: 'self', elements: [box([instance('self')])] })],
    [item({ uid: 'a', elements: [instance('b')] }), item({ uid: 'b', elements: [box([box([instance('a')])])] })],
    [item({ uid: 'to-come', elements: [instance(stored)] })],
    [item({ uid: 'to-come', elements: [instance('stored')] })],
    [item({ uid: 'to-come', elements: [instance(String(stored))] })],
  ]
  for (const items of failing) {
    const { status, body } = await post('', { status: 'publish', items })
    expect([status, body.code]).toEqual([422, 'circular_dependency_detected'])
    expect(body.data.meta.caused_by).toHaveLength(items.length)
  }
  await create({ elements: [instance(stored), instance(stored), instance(99_999), instance('nobody')] })
})

test('permits 50 levels of nesting', async () => {
  const { post } = await openSite()
  const tower = (height: number) =>
    Array.from({ length: height }, (_, index) =>
      item({ uid: `floor-${index}`, elements: index === 0 ? [heading()] : [instance(`floor-${index - 1}`)] }),
    )
  expect(errorOf(await post('/create-validate', { items: tower(52) }))).toEqual([422, 'circular_dependency_detected'])
  expect((await post('/create-validate', { items: tower(51) })).status).toBe(200)
})

test('stores instances of components of the same request with their ids', async () => {
  const { api, post } = await openSite()
  const items = [item({ uid: 'inner' }), item({ uid: 'outer', title: 'Outer', elements: [box([instance('inner')])] })]
  const { inner } = (await post('', { status: 'publish', items })).body.data
  const { documents = [] } = await api.site.export({ ids: true })
  const outer = documents.find(({ title }) => title === 'Outer')
  expect(JSON.parse(String(outer?.meta?.['_builder_data']))).toEqual([box([instance(inner)])])
})

test('refuses elements that are not atomic and reports the first component with such elements', async () => {
  const { post, list } = await openSite()
  const old = [
    { elType: 'widget', widgetType: 'heading', elements: [] },
    { elType: 'container', elements: [{ elType: 'widget', widgetType: 'heading' }, { elType: 'e-flexbox' }, {}] },
  ]
  const items = [item(), item({ elements: [box(old)] }), item({ elements: [{ elType: 'section' }] })]
  const { status, body } = await post('', { status: 'publish', items })
  expect([status, body.code]).toEqual([422, 'non_atomic_element_in_component'])
  expect(body.data.meta).toEqual({ non_atomic_elements: ['heading', 'container', 'unknown'] })
  expect(await list()).toEqual([])
})

test('lists the styles of all elements by component', async () => {
  const { ada, create } = await openSite()
  const style = (id: string) => ({ [id]: { id, label: 'local', type: 'class', variants: [] } })
  const elements = [
    box([{ ...heading(), styles: style('e-2') }], { styles: style('e-1') }),
    { ...heading(), styles: { ...style('e-3'), ...style('e-4') } },
    { ...heading(), styles: [] },
  ]
  const [plain, styled] = [await create(), await create({ elements })]
  const { body } = await ada('GET', `${root}/styles`)
  expect(body).toEqual({
    data: { [plain]: [], [styled]: { ...style('e-1'), ...style('e-2'), ...style('e-3'), ...style('e-4') } },
    meta: [],
  })
})

test('the Link header names a style sheet that is written again after components change', async () => {
  const { ada, visitor, create, files } = await openSite()
  const style = (id: string, value: string) => ({
    [id]: {
      id,
      label: 'local',
      type: 'class',
      variants: [
        {
          meta: { breakpoint: 'desktop', state: null },
          props: { color: { $$type: 'color', value } },
          custom_css: null,
        },
        { meta: { breakpoint: 'tablet', state: 'hover' }, props: { color: { $$type: 'color', value: 'red' } } },
        { meta: { breakpoint: 'desktop', state: 'seen' }, props: { color: { $$type: 'color', value: 'red' } } },
        { meta: null },
        'x',
      ],
    },
  })
  const file = 'builder/css/components.css'
  const linkOf = async () => {
    const { headers } = await ada('GET', `${root}/styles`)
    return /<([^>]*)>; rel="stylesheet"/.exec(headers.get('link') ?? '')?.[1]
  }
  await create({ elements: [box([])] })
  expect([await linkOf(), files.size]).toEqual([undefined, 0])
  await create({ elements: [box([], { styles: { ...style('e-1', '#222'), ...style('e}2', 'red'), x: 'y' } })] })
  await ada('HEAD', `${root}/styles`)
  await visitor('GET', `${root}/styles`)
  expect(files.size).toBe(0)
  const first = await linkOf()
  expect(first).toMatch(/^https:\/\/quay\.example\/uploads\/builder\/css\/components\.css\?ver=\d+$/)
  expect(files.get(file)).toBe('.e-1{color:#222}@media(max-width:1024px){.e-1:hover,.e-1:focus-visible{color:red}}')
  expect(await linkOf()).toBe(first)
  await create({ elements: [box([], { styles: style('e-3', 'teal;}x{') })] })
  await create({ elements: [box([], { styles: style('e-4', 'teal') })] })
  expect(await linkOf()).not.toBe(undefined)
  expect(files.get(file)).toContain('.e-4{color:teal}')
  expect(files.get(file)).not.toContain('x{')
})

test('responds with the styles when the style sheet cannot be written, and logs the failure', async () => {
  const media = { ...memoryMedia().media, write: () => Promise.reject(new Error('the disk is full')) }
  const { ada, create, failures } = await openSite({ services: { media } })
  const styles = {
    'e-1': { id: 'e-1', variants: [{ meta: { breakpoint: 'desktop', state: null }, props: { width: 0 } }] },
  }
  const id = await create({ elements: [box([], { styles })] })
  const { status, body } = await ada('GET', `${root}/styles`)
  expect([status, body.data]).toEqual([200, { [id]: styles }])
  expect(failures.splice(0)).toHaveLength(1)
})

test('exactly one of 20 concurrent creations with the same title succeeds', async () => {
  const { post, list } = await openSite()
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      post('', { status: 'publish', items: [item({ uid: `racer-${index}`, title: 'Same' })] }),
    ),
  )
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201, 422]))
  expect(await list()).toHaveLength(1)
})

test('an export contains components and drafts, but no locks', async () => {
  const { api, ada, create, post } = await openSite()
  const id = await create({ uid: 'kept', title: 'Kept' })
  await post('/lock', { componentId: id })
  await post('/update-titles', { components: [{ componentId: id, title: 'Draft of it' }], status: 'draft' })
  const document = JSON.parse(JSON.stringify(await api.site.export()))
  expect(Object.keys(document.options).filter((name) => name.startsWith('builder_component'))).toEqual([])
  for (const user of document.users) user.application_passwords = []
  document.users.find(({ login }: { login: string }) => login === 'ada').application_password =
    'adax 1a2B 3c4D 5e6F 7g8H 9i0J'
  const copy = await createTestSite({ seed: document })
  try {
    const { body } = await copy.as('ada')('GET', root)
    expect(body.data).toEqual([{ id: expect.any(Number), name: 'Draft of it', uid: 'kept', isArchived: false }])
    expect((await ada('GET', root)).body.data[0].name).toBe('Draft of it')
  } finally {
    await copy.dispose()
  }
})
