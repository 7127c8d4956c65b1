import { expect, test } from 'vitest'
import { counting, errorOf, invalidParams, openSite, root } from './fixture.ts'

test('a list shows the main value, a single submission all values', async () => {
  const { submit, ada, post, ids, api } = await openSite()
  const id = await submit({
    values: { name: 'Bob', email: 'bob@mail.test' },
    more: {
      referer: 'https://quay.example/contact/',
      refererTitle: 'Contact',
      userAgent: 'UA/1.0',
      userIp: '203.0.113.7',
      userId: ids['user.subscriber'] as number,
      actions: [
        { name: 'email', label: 'E-mail', status: 'success' },
        { name: 'hook', label: 'Hook', status: 'failed', log: 'timed out' },
      ],
    },
  })
  const main = { id: id * 1000 + 2, key: 'email', value: 'bob@mail.test' }
  const view = {
    id,
    post: { id: post, edit_url: `https://quay.example/?p=${post}&edit=builder` },
    form: { name: 'Contact', element_id: '476d0ce' },
    actions_count: 2,
    actions_succeeded_count: 1,
    referer: 'https://quay.example/contact/',
    referer_title: 'Contact',
    element_id: '476d0ce',
    main_meta_id: String(main.id),
    user_id: String(ids['user.subscriber']),
    user_agent: 'UA/1.0',
    user_ip: '203.0.113.7',
    user_name: 'Sam Subscriber',
    created_at_gmt: '2024-06-15 12:00:00',
    updated_at_gmt: '2024-06-15 12:00:00',
    created_at: '2024-06-15 13:00:00',
    updated_at: '2024-06-15 13:00:00',
    status: 'new',
    is_read: false,
    main,
    values: [main],
  }
  const { status, body } = await ada('GET', root)
  expect([status, body]).toEqual([
    200,
    {
      data: [view],
      meta: {
        pagination: { current_page: 1, per_page: 50, total: 1, last_page: 1 },
        count: { all: 1, trash: 0, read: 0, unread: 1 },
      },
    },
  ])
  const single = await ada('GET', `${root}/${id}`)
  expect(single.body).toEqual({
    data: {
      ...view,
      values: [{ id: id * 1000 + 1, key: 'name', value: 'Bob' }, main],
      form: {
        ...view.form,
        fields: [
          { id: 'name', type: 'text', label: 'NAME' },
          { id: 'email', type: 'email', label: 'EMAIL' },
        ],
      },
      form_actions_log: [
        {
          id: id * 1000 + 1,
          name: 'email',
          label: 'E-mail',
          status: 'success',
          created_at: '2024-06-15 13:00:00',
          updated_at: '2024-06-15 13:00:00',
        },
        {
          id: id * 1000 + 2,
          name: 'hook',
          label: 'Hook',
          status: 'failed',
          log: 'timed out',
          created_at: '2024-06-15 13:00:00',
          updated_at: '2024-06-15 13:00:00',
        },
      ],
    },
    meta: [],
  })
  await api.call('DELETE', `/cms/v2/posts/${post}`, {}, { as: 'system' })
  expect((await ada('GET', `${root}/${id}`)).body.data.post).toEqual({ id: post })
})

test('a submission without values has no main value, and a guest has no name', async () => {
  const { submit, read } = await openSite()
  const { main, values, main_meta_id, user_id, user_name, referer, referer_title } = await read(
    await submit({ values: {} }),
  )
  expect([main, values, main_meta_id, user_id, user_name]).toEqual([undefined, undefined, '0', '0', null])
  expect([referer, referer_title]).toEqual(['', null])
})

test('filters by state and counts each state', async () => {
  const { submit, list, ada } = await openSite()
  const [first, second, third, trashed] = [await submit(), await submit(), await submit(), await submit()]
  await ada('PATCH', `${root}/${second}`, { body: { is_read: true } })
  await ada('PATCH', `${root}/${trashed}`, { body: { is_read: true } })
  await ada('DELETE', `${root}/${trashed}`)
  expect(await list()).toEqual([third, second, first])
  expect(await list({ status: 'unread', order: 'asc' })).toEqual([first, third])
  expect(await list({ status: 'read' })).toEqual([second])
  expect(await list({ status: 'trash' })).toEqual([trashed])
  const { body } = await ada('GET', root, { query: { status: 'read', per_page: 1 } })
  expect(body.meta).toEqual({
    pagination: { current_page: 1, per_page: 1, total: 1, last_page: 1 },
    count: { all: 3, trash: 1, read: 1, unread: 2 },
  })
})

test('a page beyond the last one returns the last page', async () => {
  const { submit, ada } = await openSite()
  const all = []
  for (let n = 0; n < 5; n++) all.unshift(await submit())
  const { body, headers } = await ada('GET', root, { query: { per_page: 2, page: 99 } })
  expect(body.meta.pagination).toEqual({ current_page: 3, per_page: 2, total: 5, last_page: 3 })
  expect(body.data.map(({ id }: { id: number }) => id)).toEqual(all.slice(4))
  expect(headers.get('x-cms-total')).toBeNull()
  const empty = await ada('GET', root, { query: { search: 'nobody', page: 3 } })
  expect(empty.body).toEqual({
    data: [],
    meta: {
      pagination: { current_page: 1, per_page: 50, total: 0, last_page: 1 },
      count: { all: 0, trash: 0, read: 0, unread: 0 },
    },
  })
})

test('orders by date, id or main value', async () => {
  const { submit, list, clock } = await openSite()
  const late = await submit()
  clock.now -= 60_000
  const early = await submit()
  expect(await list({ order: 'asc' })).toEqual([early, late])
  expect(await list({ order_by: 'id' })).toEqual([early, late])
  expect(await list({ order_by: 'main_meta_id', order: 'asc' })).toEqual([late, early])
})

test('searches parts of values and of ids, without regard to case', async () => {
  const { submit, list } = await openSite()
  const all = []
  for (let n = 0; n < 12; n++) all.push(await submit({ values: { name: n === 3 ? 'Zoë 100%' : 'Bob' } }))
  expect(await list({ search: 'ZOE' })).toEqual([all[3]])
  expect(await list({ search: '0%' })).toEqual([all[3]])
  expect(await list({ search: 'o_b' })).toEqual([])
  expect(await list({ search: '11', order: 'asc' })).toEqual(all.filter((id) => String(id).includes('11')))
  const withOne = all.filter((id, n) => n === 3 || String(id).includes('1'))
  expect(await list({ search: '1', order: 'asc' })).toEqual(withOne)
})

test('filters by form, page and days of the site', async () => {
  const { submit, list, post, clock } = await openSite()
  // 22:30 GMT is 23:30 in Lisbon on the same day; 23:30 GMT is 00:30 in Lisbon on the next day.
  clock.now = Date.parse('2024-06-15T22:30:00Z')
  const evening = await submit({ more: { referer: 'https://quay.example/a' } })
  clock.now = Date.parse('2024-06-15T23:30:00Z')
  const night = await submit({ more: { referer: 'https://quay.example/ab', elementId: 'other01' } })
  expect(await list({ form: `${post}_476d0ce` })).toEqual([evening])
  expect(await list({ form: `${post + 1}_476d0ce` })).toEqual([])
  expect(await list({ referer: 'https://quay.example/a' })).toEqual([evening])
  expect(await list({ after: '2024-06-16' })).toEqual([night])
  expect(await list({ before: '2024-06-15' })).toEqual([evening])
  expect(await list({ after: '2024-06-15', before: '2024-06-16' })).toEqual([night, evening])
  expect(await list({ after: '9999-12-31' })).toEqual([])
  expect(await list({ before: '9999-12-31', after: '0000-01-01' })).toEqual([night, evening])
})

test('refuses invalid filters with 400', async () => {
  const { ada } = await openSite()
  const invalid: [string, string, string][] = [
    [root, "form=1_x' OR 1=1", 'form'],
    [root, 'form=x_476d0ce', 'form'],
    [root, 'form=1', 'form'],
    [root, 'status=gone', 'status'],
    [root, 'order_by=user_ip', 'order_by'],
    [root, 'per_page=101', 'per_page'],
    [root, 'per_page=0', 'per_page'],
    [root, 'page=0', 'page'],
    [root, 'after=yesterday', 'after'],
    [root, 'before=2024-13-45', 'before'],
    [root, 'context=options', 'context'],
    [root, `search=${'x'.repeat(1001)}`, 'search'],
    [`${root}/export`, 'ids[]=1e9', 'ids'],
    [`${root}/export`, 'ids=1,2,<3', 'ids'],
    [`${root}/export`, 'per_page=10001', 'per_page'],
    [`${root}/export`, 'format=xlsx', 'format'],
    [`${root}/referer`, 'context=view', 'context'],
    ['/builder/v1/forms', 'context=edit', 'context'],
  ]
  for (const [path, query, name] of invalid) {
    const received = await ada('GET', path, { query: encodeURI(query) })
    expect([query, ...invalidParams(received)]).toEqual([query, 400, 'rest_invalid_param', [name]])
  }
})

test('an unknown submission is 404', async () => {
  const { ada } = await openSite()
  for (const id of ['0', '999', '99999999999999999999']) {
    expect(errorOf(await ada('GET', `${root}/${id}`))).toEqual([404, 'rest_not_found'])
  }
})

test('lists submitted forms with their latest name', async () => {
  const { submit, ada, post } = await openSite()
  const forms = async () => (await ada('GET', '/builder/v1/forms')).body
  expect(await forms()).toEqual({ data: [], meta: [] })
  await submit()
  await submit({ more: { formName: 'Say hello' } })
  await submit({ more: { elementId: 'other01', formName: '' } })
  expect(await forms()).toEqual({
    data: [
      { label: 'Say hello (476d0ce)', value: `${post}_476d0ce` },
      { label: '(other01)', value: `${post}_other01` },
    ],
    meta: [],
  })
})

test('lists each page once, until its last submission is removed', async () => {
  const { submit, ada } = await openSite()
  const referers = async (query = {}) => (await ada('GET', `${root}/referer`, { query })).body.data
  const contact = { referer: 'https://quay.example/contact/', refererTitle: 'Contact us' }
  const first = await submit({ more: contact })
  const second = await submit({ more: contact })
  await submit({ more: { referer: 'https://quay.example/', refererTitle: 'Home' } })
  const [one, two] = [
    { label: 'Contact us', value: 'https://quay.example/contact/' },
    { label: 'Home', value: 'https://quay.example/' },
  ]
  expect(await referers()).toEqual([one, two])
  expect(await referers({ search: 'CONTACT' })).toEqual([one])
  expect(await referers({ search: 'contact', value: two.value })).toEqual([two])
  expect(await referers({ value: 'https://quay.example/cont' })).toEqual([])
  await ada('DELETE', `${root}/${first}`, { query: { force: true } })
  await ada('DELETE', `${root}/${second}`)
  expect(await referers()).toEqual([one, two])
  await ada('DELETE', `${root}/${second}`, { query: { force: true } })
  expect(await referers()).toEqual([two])
})

test('a list costs the same number of storage calls for 5 and for 50 submissions', async () => {
  const calls: string[] = []
  const { submit, ada, ids, api } = await openSite({ storage: counting(calls) })
  const costs = []
  // The first request stores the use of the password, which the second one reads; scheduled tasks store when they are due next.
  await ada('GET', root)
  await ada('GET', root)
  await api.site.runDue()
  for (const count of [5, 45]) {
    for (let n = 0; n < count; n++) {
      await submit({ more: { postId: ids[n % 2 ? 'post.hello' : 'post.built'] as number, userId: 1 + (n % 3) } })
    }
    calls.length = 0
    await ada('GET', root, { query: { search: 'bob' } })
    costs.push([...calls])
  }
  expect(costs[1]).toEqual(costs[0])
})
