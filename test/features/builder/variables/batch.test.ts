import { expect, test } from 'vitest'
import { anId, color, errorOf, now, openSite, store } from './fixture.ts'

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
  const created = body.data.results[0].id
  expect([status, body.success, body.data]).toEqual([
    200,
    true,
    {
      success: true,
      watermark: 5,
      results: [
        {
          type: 'create',
          id: anId,
          temp_id: 'tmp-1',
          variable: { ...color, order: 3, created_at: now, updated_at: now, sync_to_v3: true },
        },
        {
          type: 'update',
          id: one,
          variable: { ...color, label: 'd', order: 9, updated_at: now, sync_to_v3: false },
        },
        { type: 'delete', id: two, deleted: true },
        { type: 'restore', id: three, variable: { ...color, label: 'b', value: '#123', order: 3, updated_at: now } },
      ],
    },
  ])
  const { variables, watermark } = await list()
  expect(watermark).toBe(5)
  expect(Object.keys(variables)).toEqual([one, two, three, created])
})

test("a failed batch changes nothing and lists errors by the client's ids", async () => {
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

test('lists only the errors of the first class: limit, label, unknown id, other', async () => {
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
])('an invalid operation fails with batch_operation_failed: %j', async (operation) => {
  const { batch, list } = await openSite()
  const { status, body } = await batch(0, [operation])
  const [[name, entry] = []] = Object.entries(body.data) as [string, { status: number }][]
  expect([status, body.code]).toEqual([400, 'batch_operation_failed'])
  expect(['x', 'operation_0']).toContain(name)
  expect(entry?.status).toBe(400)
  expect((await list()).total).toBe(0)
})

test('operations work on the result of earlier operations', async () => {
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

test('refuses a batch with 409 when one of its variables has changed since the watermark', async () => {
  const { batch, create, post, list } = await openSite()
  const id = await create()
  const other = await create({ label: 'foam' })
  await post('update', { id, label: 'sea', value: '#111' })
  for (const operation of [
    { type: 'update', id, variable: { value: '#222' } },
    { type: 'delete', id },
    { type: 'restore', id },
  ]) {
    const response = await batch(2, [{ type: 'delete', id: other }, operation])
    expect(errorOf(response)).toEqual([409, 'watermark_conflict'])
    expect(response.body.data).toEqual({ status: 409, watermark: 3 })
  }
  expect((await list()).watermark).toBe(3)
  expect((await batch(2, [{ type: 'delete', id: other }])).status).toBe(200)
  expect((await batch(0, [{ type: 'create', variable: { id: 'tmp', ...color, label: 'new' } }])).status).toBe(200)
  expect((await batch(3, [{ type: 'delete', id }])).status).toBe(200)
})

test('after the largest safe integer the watermark starts again at 1', async () => {
  const { api, create, list } = await openSite()
  await api.site.options.write({ builder_kit_variables: { watermark: Number.MAX_SAFE_INTEGER, list: [] } })
  await create()
  expect((await list()).watermark).toBe(1)
})

test('member names of Object.prototype are ordinary ids', async () => {
  const { batch } = await openSite()
  const { body } = await batch(0, [
    { type: 'delete', id: 'constructor' },
    { type: 'delete', id: 'toString' },
  ])
  expect(Object.keys(body.data)).toEqual(['constructor', 'toString'])
})
