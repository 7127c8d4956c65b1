import { expect, onTestFinished, test } from 'vitest'
import type { Json, Storage } from '../../src/storage/contract.ts'
import { createTestSite, type Received, type TestSiteOptions } from '../support/site.ts'

const root = '/builder/v1/variables'
const color = { type: 'global-color-variable', label: 'sea', value: '#2F6B4F' }
const now = '2024-06-15 12:00:00'
const anId = expect.stringMatching(/^e-gv-[0-9a-f]{7}$/)

const refusalOf = ({ status, body }: Received) => [status, body.code]
const detailOf = ({ status, body }: Received, name: string) => [status, body.code, body.data.details[name]?.code]

async function openSite(options: TestSiteOptions = {}) {
  const site = await createTestSite(options)
  onTestFinished(async () => {
    expect(site.failures).toEqual([])
    await site.dispose()
  })
  const ada = site.as('ada')
  const post = (action: string, body: unknown) => ada('POST', `${root}/${action}`, { body })
  return {
    ...site,
    post,
    list: async () => (await ada('GET', `${root}/list`)).body.data,
    create: async (values: object = {}) =>
      (await post('create', { ...color, ...values })).body.data.variable.id as string,
    batch: (watermark: unknown, operations: unknown) => post('batch', { watermark, operations }),
  }
}

/** Puts variables into the kit, past the limits of a single request. */
async function store(
  site: { api: { site: { options: { write(values: { [name: string]: Json }): Promise<unknown> } } } },
  count: number,
) {
  const list = Array.from({ length: count }, (_, index) => ({
    ...{ id: `e-gv-${String(index).padStart(7, '0')}`, type: color.type, label: `tone-${index}`, value: '#000' },
    ...{ order: index + 1, changedAt: 1 },
  }))
  await site.api.site.options.write({ builder_kit_variables: { watermark: 1, list } })
}

test('a new site has no variables', async () => {
  const { as } = await openSite()
  const { status, body } = await as('connie')('GET', `${root}/list`)
  expect([status, body]).toEqual([200, { success: true, data: { variables: [], total: 0, watermark: 0 } }])
})

test('writers of posts list, only administrators write', async () => {
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

test('creating answers 201 with the variable and the next watermark', async () => {
  const { post, list } = await openSite()
  const made = await post('create', { ...color, label: ' <b>sea</b> ' })
  expect(made.status).toBe(201)
  expect(made.body).toEqual({ success: true, data: { variable: { id: anId, ...color, order: 1 }, watermark: 1 } })
  const { id } = made.body.data.variable
  expect(await list()).toEqual({ variables: { [id]: { ...color, order: 1 } }, total: 1, watermark: 1 })
  const next = await post('create', { ...color, label: 'foam' })
  expect(next.body.data).toMatchObject({ variable: { order: 2 }, watermark: 2 })
})

test('updating changes label, value, order and says when', async () => {
  const { post, create } = await openSite()
  const id = await create()
  const { status, body } = await post('update', { id, label: 'deep', value: '#111', order: 0 })
  expect([status, body.data]).toEqual([
    200,
    { variable: { id, ...color, label: 'deep', value: '#111', order: 0, updated_at: now }, watermark: 2 },
  ])
})

test('deleting keeps the variable, marked; doing it again refreshes the date', async () => {
  const { post, create, list, clock } = await openSite()
  const id = await create()
  const gone = await post('delete', { id })
  expect(gone.body.data).toEqual({
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

test('restoring takes the mark away and can change the variable', async () => {
  const { post, create } = await openSite()
  const id = await create({ type: 'global-size-variable', value: '1px' })
  await post('delete', { id })
  const { status, body } = await post('restore', {
    ...{ id, label: 'deep', value: '2px', type: 'global-custom-size-variable' },
  })
  expect([status, body.data]).toEqual([
    200,
    {
      variable: { id, type: 'global-custom-size-variable', label: 'deep', value: '2px', order: 1, updated_at: now },
      watermark: 3,
    },
  ])
})

test('an active label is unique whatever its case; a deleted one is free', async () => {
  const { post, create } = await openSite()
  const id = await create()
  const other = await create({ label: 'foam' })
  expect(refusalOf(await post('create', { ...color, label: 'SEA' }))).toEqual([400, 'duplicated_label'])
  expect(refusalOf(await post('update', { id: other, label: 'Sea', value: '#000' }))).toEqual([400, 'duplicated_label'])
  expect((await post('update', { id, label: 'SEA', value: '#000' })).status).toBe(200)
  await post('delete', { id })
  expect((await post('update', { id: other, label: 'sea', value: '#000' })).status).toBe(200)
  expect(refusalOf(await post('restore', { id }))).toEqual([400, 'duplicated_label'])
  expect((await post('restore', { id, label: 'lake' })).status).toBe(200)
})

test('errors of variables hold nothing but a status', async () => {
  const { post } = await openSite()
  for (const [action, body] of Object.entries({ update: { label: 'a', value: '1' }, delete: {}, restore: {} })) {
    const missing = await post(action, { id: 'e-gv-0000000', ...body })
    expect(refusalOf(missing)).toEqual([404, 'variable_not_found'])
    expect(missing.body.data).toEqual({ status: 404 })
  }
})

test('the type changes between the two size types only', async () => {
  const { post, create } = await openSite()
  const id = await create()
  const size = await create({ type: 'global-size-variable', label: 'gap', value: '4px' })
  const values = { label: 'gap2', value: '5px' }
  for (const type of ['global-font-variable', 'global-size-variable']) {
    expect(refusalOf(await post('update', { id, ...values, type }))).toEqual([400, 'type_mismatch'])
    expect(refusalOf(await post('restore', { id, type }))).toEqual([400, 'type_mismatch'])
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
])('%s refuses a wrong %s: %j', async (action, name, sent, code) => {
  const { post, create, list } = await openSite()
  const id = await create()
  const valid: { [action: string]: object } = {
    create: { ...color, label: 'foam' },
    update: { id, label: 'foam', value: '#000' },
    delete: { id },
    restore: { id },
    batch: { watermark: 1, operations: [{ type: 'delete', id }] },
  }
  const refused = await post(action, { ...valid[action], [name]: sent })
  expect(detailOf(refused, name)).toEqual([400, 'rest_invalid_param', code])
  expect((await list()).watermark).toBe(1)
})

test('texts at their limits are taken', async () => {
  const { post } = await openSite()
  const made = await post('create', { ...color, label: 'x'.repeat(50), value: 'x'.repeat(512) })
  expect(made.status).toBe(201)
})

test.each(['deep sea', 'sea}', '--', 'a.b', 'ö'])(
  '%j is no label, because it names a custom property',
  async (label) => {
    const { post, create } = await openSite()
    expect(refusalOf(await post('create', { ...color, label }))).toEqual([400, 'unexpected_server_error'])
    const id = await create()
    expect(refusalOf(await post('update', { id, label, value: '#000' }))).toEqual([400, 'unexpected_server_error'])
  },
)

test('there are at most 1000 active variables', async () => {
  const site = await openSite()
  await store(site, 1000)
  const id = 'e-gv-0000000'
  expect(refusalOf(await site.post('create', color))).toEqual([400, 'invalid_variable_limit_reached'])
  expect((await site.post('restore', { id })).status).toBe(200)
  await site.post('delete', { id })
  expect((await site.post('create', color)).status).toBe(201)
  expect(refusalOf(await site.post('restore', { id }))).toEqual([400, 'invalid_variable_limit_reached'])
  expect((await site.list()).total).toBe(1001)
})

// ---------------------------------------------------------------- batch

test('a batch makes all changes under one watermark', async () => {
  const { batch, create, post, list } = await openSite()
  const [one, two, three] = [await create({ label: 'a' }), await create({ label: 'b' }), await create({ label: 'c' })]
  await post('delete', { id: three })
  const { status, body } = await batch(4, [
    { type: 'create', variable: { id: 'tmp-1', ...color, sync_to_v3: true } },
    { type: 'update', id: one, variable: { label: 'd', order: 9, sync_to_v3: false } },
    { type: 'delete', id: two },
    { type: 'restore', id: three, label: 'b', value: '#123' },
  ])
  const made = body.data.results[0].id
  expect([status, body.success, body.data]).toEqual([
    200,
    true,
    {
      success: true,
      watermark: 5,
      results: [
        {
          ...{ type: 'create', id: anId, temp_id: 'tmp-1' },
          variable: { ...color, order: 3, created_at: now, updated_at: now, sync_to_v3: true },
        },
        {
          ...{ type: 'update', id: one },
          variable: { ...color, label: 'd', order: 9, updated_at: now, sync_to_v3: false },
        },
        { type: 'delete', id: two, deleted: true },
        { type: 'restore', id: three, variable: { ...color, label: 'b', value: '#123', order: 3, updated_at: now } },
      ],
    },
  ])
  const { variables, watermark } = await list()
  expect(watermark).toBe(5)
  expect(Object.keys(variables)).toEqual([one, two, three, made])
})

test('a batch that fails changes nothing and names what the client named', async () => {
  const { batch, create, list } = await openSite()
  const id = await create()
  const before = await list()
  const { status, body } = await batch(1, [
    { type: 'create', variable: { id: 'tmp-1', ...color, label: 'foam' } },
    { type: 'update', id: 'e-gv-0000000', variable: { label: 'x' } },
    { type: 'delete', id },
    { type: 'delete', id: 'unknown' },
    { type: 'delete' },
  ])
  expect([status, body]).toEqual([
    400,
    {
      success: false,
      code: 'batch_variables_not_found',
      message: expect.any(String),
      data: {
        'e-gv-0000000': { status: 404, message: expect.any(String) },
        unknown: { status: 404, message: expect.any(String) },
        operation_4: { status: 404, message: expect.any(String) },
      },
    },
  ])
  expect(await list()).toEqual(before)
})

test('only the errors of the first class are listed: limit, label, unknown, anything else', async () => {
  const site = await openSite()
  await store(site, 999)
  const twice = { type: 'create', variable: { id: 'label', ...color, label: 'TONE-1' } }
  const unknown = { type: 'delete', id: 'unknown' }
  const broken = { type: 'update', id: 'e-gv-0000000' }
  const full = [
    { type: 'create', variable: { id: 'fits', ...color } },
    { type: 'create', variable: { id: 'full', ...color, label: 'x' } },
  ]
  const failing: [object[], string, string][] = [
    [[broken, unknown, twice, ...full], 'batch_variables_limit_reached', 'full'],
    [[broken, unknown, twice], 'batch_duplicated_label', 'label'],
    [[broken, unknown], 'batch_variables_not_found', 'unknown'],
    [[broken], 'batch_operation_failed', 'e-gv-0000000'],
  ]
  for (const [operations, code, name] of failing) {
    const { status, body } = await site.batch(1, operations)
    expect([status, body.code, Object.keys(body.data)]).toEqual([400, code, [name]])
  }
})

test.each([
  [{ type: 'reorder', id: 'x' }],
  [{ type: 'create' }],
  [{ type: 'create', variable: null }],
  [{ type: 'create', variable: { id: 'x', type: color.type, label: 'a' } }],
  [{ type: 'create', variable: { id: 'x', ...color, value: 'red;}' } }],
  [{ type: 'create', variable: { id: 'x', ...color, type: 'other' } }],
  [{ type: 'create', variable: { id: 'x', ...color, label: 'two words' } }],
  [{ type: 'create', variable: { id: 'x', ...color, label: 7 } }],
  [{ type: 'create', variable: { id: 'x', ...color, order: -1 } }],
  [{ type: 'create', variable: { id: 'x', ...color, sync_to_v3: 'yes' } }],
  [{ type: 'create', variable: { id: 'x', ...color, value: 'x'.repeat(513) } }],
])('an operation that makes no sense fails as such: %j', async (operation) => {
  const { batch, list } = await openSite()
  const { status, body } = await batch(0, [operation])
  const [[name, entry] = []] = Object.entries(body.data) as [string, { status: number }][]
  expect([status, body.code]).toEqual([400, 'batch_operation_failed'])
  expect(['x', 'operation_0']).toContain(name)
  expect(entry?.status).toBe(400)
  expect((await list()).total).toBe(0)
})

test('later operations see earlier ones', async () => {
  const { batch, create } = await openSite()
  const id = await create()
  const { body } = await batch(1, [
    { type: 'update', id, variable: { label: 'foam' } },
    { type: 'create', variable: { id: 'tmp', ...color } },
    { type: 'delete', id },
    { type: 'create', variable: { id: 'tmp-2', ...color, label: 'foam' } },
  ])
  expect(body.data.watermark).toBe(2)
  const failed = await batch(2, [{ type: 'restore', id }])
  expect(failed.body.code).toBe('batch_duplicated_label')
})

test('a batch is refused when somebody else changed one of its variables since', async () => {
  const { batch, create, post, list } = await openSite()
  const id = await create()
  const other = await create({ label: 'foam' })
  await post('update', { id, label: 'sea', value: '#111' })
  for (const operation of [
    { type: 'update', id, variable: { value: '#222' } },
    { type: 'delete', id },
    { type: 'restore', id },
  ]) {
    const refused = await batch(2, [{ type: 'delete', id: other }, operation])
    expect(refusalOf(refused)).toEqual([409, 'watermark_conflict'])
    expect(refused.body.data).toEqual({ status: 409, watermark: 3 })
  }
  expect((await list()).watermark).toBe(3)
  expect((await batch(2, [{ type: 'delete', id: other }])).status).toBe(200)
  expect((await batch(0, [{ type: 'create', variable: { id: 'tmp', ...color, label: 'new' } }])).status).toBe(200)
  expect((await batch(3, [{ type: 'delete', id }])).status).toBe(200)
})

test('a watermark at the largest number begins anew', async () => {
  const { api, create, list } = await openSite()
  await api.site.options.write({ builder_kit_variables: { watermark: Number.MAX_SAFE_INTEGER, list: [] } })
  await create()
  expect((await list()).watermark).toBe(1)
})

test('names of objects are names like others', async () => {
  const { batch } = await openSite()
  const { body } = await batch(0, [
    { type: 'delete', id: 'constructor' },
    { type: 'delete', id: 'toString' },
  ])
  expect(Object.keys(body.data)).toEqual(['constructor', 'toString'])
})

// ---------------------------------------------------------------- races

test('of 50 parallel batches on one variable under one watermark exactly one succeeds', async () => {
  const { batch, create, list } = await openSite()
  const id = await create()
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      batch(1, [{ type: 'update', id, variable: { value: `#${100 + index}` } }]),
    ),
  )
  const statuses = answers.map(({ status }) => status)
  expect([statuses.filter((one) => one === 200).length, statuses.filter((one) => one === 409).length]).toEqual([1, 49])
  const winner = answers.find(({ status }) => status === 200)
  const { variables, watermark } = await list()
  expect(watermark).toBe(2)
  expect(variables[id].value).toBe(winner?.body.data.results[0].variable.value)
})

test('parallel creations all stand, each with a watermark of its own', async () => {
  const { post, list } = await openSite()
  const made = await Promise.all(
    Array.from({ length: 30 }, (_, index) => post('create', { ...color, label: `tone-${index}` })),
  )
  expect(new Set(made.map(({ body }) => body.data.watermark)).size).toBe(30)
  expect(await list()).toMatchObject({ total: 30, watermark: 30 })
})

/** As if another process wrote between the read and the write of each change, `times` times. */
function disturbed(storage: Storage, times: { left: number }): Storage {
  return new Proxy(storage, {
    get(target, name) {
      if (name === 'atomic') {
        return (work: (inside: Storage) => unknown) =>
          target.atomic?.((inside) => work(disturbed(inside, times)) as never)
      }
      if (name !== 'options') return Reflect.get(target, name)
      const { options } = target
      return {
        ...options,
        read: options.read.bind(options),
        write: options.write.bind(options),
        swap: async (option: string, expected: Json, next: Json) => {
          if (times.left > 0) {
            times.left--
            const stored = (await options.read([option]))[option] as { watermark?: number } | undefined
            await options.write({ [option]: { watermark: 0, list: [], ...stored, disturbance: times.left } })
          }
          return options.swap(option, expected, next)
        },
      }
    },
  })
}

test('a change is made anew on what somebody else wrote meanwhile', async () => {
  const times = { left: 5 }
  const { create, list } = await openSite({ storage: (storage) => disturbed(storage, times) })
  await create()
  expect(times.left).toBe(0)
  expect(await list()).toMatchObject({ total: 1, watermark: 1 })
})

test('a change that never finds a quiet moment is a conflict, not a failure', async () => {
  const { post } = await openSite({ storage: (storage) => disturbed(storage, { left: 1e9 }) })
  expect(refusalOf(await post('create', color))).toEqual([409, 'rest_conflict'])
})

// ---------------------------------------------------------------- events

test('each changed variable is told, with the watermark; a refused batch is not', async () => {
  const { api, batch, create, post } = await openSite()
  const told: unknown[] = []
  for (const name of ['created', 'updated', 'deleted', 'restored'] as const) {
    api.on(`variable.${name}`, ({ variable, watermark }) => void told.push([name, variable.label, watermark]))
  }
  const id = await create()
  await post('update', { id, label: 'lake', value: '#000' })
  await post('delete', { id })
  await post('restore', { id })
  await batch(4, [
    { type: 'update', id, variable: { label: 'pond' } },
    { type: 'create', variable: { id: 'tmp', ...color } },
  ])
  await batch(5, [
    { type: 'delete', id },
    { type: 'delete', id: 'unknown' },
  ])
  expect(told).toEqual([
    ['created', 'sea', 1],
    ['updated', 'lake', 2],
    ['deleted', 'lake', 3],
    ['restored', 'lake', 4],
    ['updated', 'pond', 5],
    ['created', 'sea', 5],
  ])
})
