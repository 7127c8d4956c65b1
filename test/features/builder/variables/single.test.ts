import { expect, test } from 'vitest'
import { anId, color, detailCodeOf, errorOf, now, openSite, root, store } from './fixture.ts'

test('a new site has no variables', async () => {
  const { as } = await openSite()
  const { status, body } = await as('connie')('GET', `${root}/list`)
  expect([status, body]).toEqual([200, { success: true, data: { variables: [], total: 0, watermark: 0 } }])
})

test('listing requires edit_posts, writing requires manage_options', async () => {
  const { as, create } = await openSite()
  const id = await create()
  const bodies = {
    create: { ...color, label: 'foam' },
    update: { id, label: 'sea', value: '#000' },
    delete: { id },
    restore: { id },
    batch: { watermark: 99, operations: [{ type: 'delete', id }] },
  }
  const expected: [string | null, number, number][] = [
    [null, 401, 401],
    ['sam', 403, 403],
    ['connie', 200, 403],
    ['arthur', 200, 403],
    ['edith', 200, 403],
    ['ada', 200, 200],
  ]
  for (const [login, reading, writing] of expected) {
    expect([login, (await as(login)('GET', `${root}/list`)).status]).toEqual([login, reading])
    for (const [action, body] of Object.entries(bodies)) {
      const methods = action === 'create' || action === 'batch' ? ['POST'] : ['POST', 'PUT', 'PATCH']
      for (const method of methods) {
        const { status } = await as(login)(method, `${root}/${action}`, { body })
        const wanted = action === 'create' && writing === 200 ? 201 : writing
        expect([login, method, action, status]).toEqual([login, method, action, wanted])
      }
    }
  }
})

test('creating returns 201 with the variable and the next watermark', async () => {
  const { post, list } = await openSite()
  const created = await post('create', { ...color, label: ' <b>sea</b> ' })
  expect(created.status).toBe(201)
  expect(created.body).toEqual({ success: true, data: { variable: { id: anId, ...color, order: 1 }, watermark: 1 } })
  const { id } = created.body.data.variable
  expect(await list()).toEqual({ variables: { [id]: { ...color, order: 1 } }, total: 1, watermark: 1 })
  const next = await post('create', { ...color, label: 'foam' })
  expect(next.body.data).toMatchObject({ variable: { order: 2 }, watermark: 2 })
})

test('updating changes label, value and order and sets updated_at', async () => {
  const { post, create } = await openSite()
  const id = await create()
  const { status, body } = await post('update', { id, label: 'deep', value: '#111', order: 0 })
  expect([status, body.data]).toEqual([
    200,
    { variable: { id, ...color, label: 'deep', value: '#111', order: 0, updated_at: now }, watermark: 2 },
  ])
})

test('deleting sets deleted and deleted_at; deleting again updates deleted_at', async () => {
  const { post, create, list, clock } = await openSite()
  const id = await create()
  const { body } = await post('delete', { id })
  expect(body.data).toEqual({
    variable: { id, ...color, order: 1, deleted: true, deleted_at: now },
    watermark: 2,
  })
  clock.now += 60_000
  expect((await post('delete', { id })).body.data.variable.deleted_at).toBe('2024-06-15 12:01:00')
  const { variables, total } = await list()
  expect(total).toBe(1)
  expect(variables[id]).toMatchObject({ deleted: true })
})

test('a deleted variable can still be updated', async () => {
  const { post, create } = await openSite()
  const id = await create()
  await post('delete', { id })
  const { body } = await post('update', { id, label: 'deep', value: '#111' })
  expect(body.data.variable).toMatchObject({ label: 'deep', deleted: true, updated_at: now })
})

test('restoring removes deleted and can change label, value and type', async () => {
  const { post, create } = await openSite()
  const id = await create({ type: 'global-size-variable', value: '1px' })
  await post('delete', { id })
  const { status, body } = await post('restore', {
    id,
    label: 'deep',
    value: '2px',
    type: 'global-custom-size-variable',
  })
  expect([status, body.data]).toEqual([
    200,
    {
      variable: { id, type: 'global-custom-size-variable', label: 'deep', value: '2px', order: 1, updated_at: now },
      watermark: 3,
    },
  ])
})

test('active labels are unique without regard to case; labels of deleted variables are free', async () => {
  const { post, create } = await openSite()
  const id = await create()
  const other = await create({ label: 'foam' })
  expect(errorOf(await post('create', { ...color, label: 'SEA' }))).toEqual([400, 'duplicated_label'])
  expect(errorOf(await post('update', { id: other, label: 'Sea', value: '#000' }))).toEqual([400, 'duplicated_label'])
  expect((await post('update', { id, label: 'SEA', value: '#000' })).status).toBe(200)
  await post('delete', { id })
  expect((await post('update', { id: other, label: 'sea', value: '#000' })).status).toBe(200)
  expect(errorOf(await post('restore', { id }))).toEqual([400, 'duplicated_label'])
  expect((await post('restore', { id, label: 'lake' })).status).toBe(200)
})

test('the data of an error has only a status', async () => {
  const { post } = await openSite()
  for (const [action, body] of Object.entries({ update: { label: 'a', value: '1' }, delete: {}, restore: {} })) {
    const missing = await post(action, { id: 'e-gv-0000000', ...body })
    expect(errorOf(missing)).toEqual([404, 'variable_not_found'])
    expect(missing.body.data).toEqual({ status: 404 })
  }
})

test('a type can change only between the two size types', async () => {
  const { post, create } = await openSite()
  const id = await create()
  const size = await create({ type: 'global-size-variable', label: 'gap', value: '4px' })
  const values = { label: 'gap2', value: '5px' }
  for (const type of ['global-font-variable', 'global-size-variable']) {
    expect(errorOf(await post('update', { id, ...values, type }))).toEqual([400, 'type_mismatch'])
    expect(errorOf(await post('restore', { id, type }))).toEqual([400, 'type_mismatch'])
  }
  const changed = await post('update', { id: size, ...values, type: 'global-custom-size-variable' })
  expect(changed.body.data.variable.type).toBe('global-custom-size-variable')
  expect((await post('update', { id: size, ...values, type: 'global-size-variable' })).status).toBe(200)
})

test.each([
  ['create', 'label', '', 'invalid_variable_label_empty'],
  ['create', 'label', '<i></i> ', 'invalid_variable_label_empty'],
  ['create', 'label', 'x'.repeat(51), 'invalid_variable_label_length'],
  ['create', 'value', ' ', 'invalid_variable_value_empty'],
  ['create', 'value', 'x'.repeat(513), 'invalid_variable_value_length'],
  ['create', 'value', 'red;}body{color:red}', 'invalid_variable_value'],
  ['create', 'value', 'url(javascript:alert(1))', 'invalid_variable_value'],
  ['create', 'value', '@import "x"', 'invalid_variable_value'],
  ['create', 'type', 'global-sound-variable', 'invalid_variable_type'],
  ['update', 'id', '', 'invalid_variable_id_empty'],
  ['update', 'id', 'x'.repeat(65), 'invalid_variable_id_length'],
  ['update', 'order', -1, 'invalid_order'],
  ['update', 'label', '', 'invalid_variable_label_empty'],
  ['delete', 'id', ' ', 'invalid_variable_id_empty'],
  ['restore', 'id', 'x'.repeat(65), 'invalid_variable_id_length'],
  ['restore', 'value', '', 'invalid_variable_value_empty'],
  ['batch', 'watermark', -1, 'invalid_watermark'],
  ['batch', 'operations', [], 'invalid_operations_empty'],
  ['batch', 'operations', [{ id: 'a' }], 'invalid_operation_structure'],
  ['batch', 'operations', ['create'], 'invalid_operation_structure'],
  ['batch', 'operations', [{ type: 'delete', id: 'a' }, { type: 'burn' }], 'invalid_operation_type'],
  ['batch', 'operations', Array.from({ length: 2001 }, () => ({ type: 'delete' })), 'invalid_operations_length'],
])('%s refuses an invalid %s: %j', async (action, name, input, code) => {
  const { post, create, list } = await openSite()
  const id = await create()
  const valid: { [action: string]: object } = {
    create: { ...color, label: 'foam' },
    update: { id, label: 'foam', value: '#000' },
    delete: { id },
    restore: { id },
    batch: { watermark: 1, operations: [{ type: 'delete', id }] },
  }
  const response = await post(action, { ...valid[action], [name]: input })
  expect(detailCodeOf(response, name)).toEqual([400, 'rest_invalid_param', code])
  expect((await list()).watermark).toBe(1)
})

test('accepts texts of the maximum length', async () => {
  const { post } = await openSite()
  const created = await post('create', { ...color, label: 'x'.repeat(50), value: 'x'.repeat(512) })
  expect(created.status).toBe(201)
})

test.each(['deep sea', 'sea}', '--', 'a.b', 'ö'])(
  'refuses the label %j, which cannot be the name of a custom property',
  async (label) => {
    const { post, create } = await openSite()
    expect(errorOf(await post('create', { ...color, label }))).toEqual([400, 'unexpected_server_error'])
    const id = await create()
    expect(errorOf(await post('update', { id, label, value: '#000' }))).toEqual([400, 'unexpected_server_error'])
  },
)

test('permits 1000 active variables', async () => {
  const site = await openSite()
  await store(site, 1000)
  const id = 'e-gv-0000000'
  expect(errorOf(await site.post('create', color))).toEqual([400, 'invalid_variable_limit_reached'])
  expect((await site.post('restore', { id })).status).toBe(200)
  await site.post('delete', { id })
  expect((await site.post('create', color)).status).toBe(201)
  expect(errorOf(await site.post('restore', { id }))).toEqual([400, 'invalid_variable_limit_reached'])
  expect((await site.list()).total).toBe(1001)
})
