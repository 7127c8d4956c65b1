import { expect, test } from 'vitest'
import { d2 } from '../../../../src/profiles/d2.ts'
import { aClass, adding, asJson, itemsOf, openSite, refusalOf, root, variant } from './fixture.ts'

test('returns an empty map without classes', async () => {
  const { read } = await openSite()
  expect(await read()).toEqual({ data: {}, meta: { order: [] } })
  expect(await read('preview')).toEqual({ data: {}, meta: { order: [] } })
})

test('who may', async () => {
  const { as, put } = await openSite()
  const expected: [string | null, number, number, number][] = [
    [null, 401, 401, 401],
    ['sam', 200, 403, 403],
    ['connie', 200, 403, 403],
    ['arthur', 200, 403, 403],
    ['edith', 200, 403, 403],
    ['ada', 200, 204, 200],
  ]
  for (const [login, reading, writing, counting] of expected) {
    const send = as(login)
    const responses = [
      await send('GET', root),
      await put(adding(aClass('g-1')), send),
      await send('GET', `${root}/usage`),
    ]
    expect([login, ...responses.map(({ status }) => status)]).toEqual([login, reading, writing, counting])
    for (const { status, body } of responses) if (status > 400) expect(body.code).toBe('rest_forbidden')
  }
})

test('profiles without the feature have no such route', async () => {
  const { ada } = await openSite({ profile: d2 })
  expect(refusalOf(await ada('GET', root))).toEqual([404, 'rest_no_route'])
})

test('returns added classes as they were sent', async () => {
  const { put, read } = await openSite()
  const first = aClass('g-1a2b3c4', 'card-title', {
    variants: [variant(), variant({}, { breakpoint: 'mobile', state: 'focus-visible' })],
    sync_to_v3: false,
  })
  const response = await put(adding(aClass('g-2'), first))
  expect([response.status, response.body]).toEqual([204, undefined])
  expect(await read()).toEqual({
    data: { 'g-2': aClass('g-2'), 'g-1a2b3c4': first },
    meta: { order: ['g-2', 'g-1a2b3c4'] },
  })
})

test('changes only the listed classes; one that the sender does not know keeps its place', async () => {
  const { put, read } = await openSite()
  await put(adding(aClass('g-1', 'one'), aClass('g-2', 'two'), aClass('g-3', 'three'), aClass('g-4', 'four')))
  const response = await put({
    changes: { added: ['g-5', 'g-absent'], deleted: ['g-2'], modified: ['g-3'] },
    items: itemsOf(aClass('g-5', 'five'), aClass('g-3', 'drei'), aClass('g-4', 'silent'), aClass('g-9', 'nobody')),
    order: ['g-9', 'g-5', 'g-4', 'g-3'],
  })
  expect(response.status).toBe(204)
  const { data, meta } = await read()
  expect(meta.order).toEqual(['g-1', 'g-5', 'g-4', 'g-3'])
  expect(meta.order.map((id: string) => data[id].label)).toEqual(['one', 'five', 'four', 'drei'])
  expect(Object.keys(data)).toHaveLength(4)
})

test('a class that the sender does not know keeps its place among the others', async () => {
  const { put, read } = await openSite()
  const ordered = async (ids: readonly string[], { added = [] as string[], deleted = [] as string[] }) => {
    const items = itemsOf(...ids.map((id) => aClass(id)))
    expect((await put({ changes: { added, deleted, modified: [] }, items, order: ids })).status).toBe(204)
    return (await read()).meta.order
  }
  const all = ['g-a', 'g-x', 'g-b', 'g-y', 'g-c']
  await ordered(all, { added: all })
  expect(await ordered(['g-c', 'g-b', 'g-a'], {})).toEqual(['g-c', 'g-x', 'g-b', 'g-y', 'g-a'])
  const added = await ordered(['g-c', 'g-n', 'g-b', 'g-a'], { added: ['g-n'] })
  expect(added).toEqual(['g-c', 'g-x', 'g-n', 'g-b', 'g-y', 'g-a'])
  expect(await ordered(['g-c', 'g-a'], { deleted: ['g-b'] })).toEqual(['g-c', 'g-x', 'g-n', 'g-y', 'g-a'])
  expect(await ordered(['g-m'], { added: ['g-m'] })).toEqual(['g-c', 'g-x', 'g-n', 'g-y', 'g-a', 'g-m'])
})

test('the preview is separate until the live copy is written', async () => {
  const { put, read } = await openSite()
  await put(adding(aClass('g-1')))
  await put({ context: 'preview', ...adding(aClass('g-2')) })
  expect((await read()).meta.order).toEqual(['g-1'])
  expect((await read('preview')).meta.order).toEqual(['g-1', 'g-2'])
  await put({ context: 'preview', changes: { added: [], deleted: ['g-1'], modified: [] }, items: {}, order: [] })
  expect((await read('preview')).meta.order).toEqual(['g-2'])
  await put(adding(aClass('g-3')))
  expect((await read()).meta.order).toEqual(['g-1', 'g-3'])
  expect((await read('preview')).meta.order).toEqual(['g-1', 'g-3'])
})

test('changes taken labels of added classes and reports them', async () => {
  const { put, read } = await openSite()
  const long = 'x'.repeat(50)
  await put(adding(aClass('g-1', 'card'), aClass('g-2', 'DUP_card'), aClass('g-3', long), aClass('g-4', 'Card')))
  const { status, body } = await put(
    adding(
      aClass('g-5', 'card'),
      aClass('g-6', 'DUP_card'),
      aClass('g-7', long),
      aClass('g-8', 'free'),
      aClass('g-9', 'free'),
    ),
  )
  const cut = `DUP_${'x'.repeat(46)}`
  expect([status, body]).toEqual([
    200,
    {
      data: {
        code: 'DUPLICATED_LABEL',
        modifiedLabels: {
          'g-5': { original: 'card', modified: 'DUP_card1' },
          'g-6': { original: 'DUP_card', modified: 'DUP_card2' },
          'g-7': { original: long, modified: cut },
          'g-9': { original: 'free', modified: 'DUP_free' },
        },
      },
      meta: [],
    },
  ])
  const { data } = await read()
  expect(data['g-5'].label).toBe('DUP_card1')
  const again = await put(adding(aClass('g-10', long)))
  expect(again.body.data.modifiedLabels['g-10'].modified).toBe(`DUP_${'x'.repeat(45)}1`)
})

test('a modified class may use the label of another class', async () => {
  const { put, read } = await openSite()
  await put(adding(aClass('g-1', 'one'), aClass('g-2', 'two')))
  const items = itemsOf(aClass('g-2', 'one'))
  expect((await put({ changes: { added: [], deleted: [], modified: ['g-2'] }, items, order: ['g-2'] })).status).toBe(
    204,
  )
  expect((await read()).data['g-2'].label).toBe('one')
})

test('repairs the order on read', async () => {
  const { api, read } = await openSite()
  const items = itemsOf(aClass('g-3'), aClass('g-1'), aClass('g-2'))
  const live = { items, order: ['g-9', 'g-2', 'g-2'] }
  await api.site.options.write({ builder_kit_global_classes: asJson({ live, preview: null }) })
  expect((await read()).meta.order).toEqual(['g-2', 'g-1', 'g-3'])
})

test('limits classes to 100 per request and in total', async () => {
  const { put, read } = await openSite()
  const many = (count: number, from = 0) =>
    adding(...Array.from({ length: count }, (_, index) => aClass(`g-${from + index}`, `c-${from + index}`)))
  const tooMany = await put(many(101))
  expect([tooMany.status, tooMany.body.code, tooMany.body.data]).toEqual([
    400,
    'global_classes_limit_exceeded',
    { status: 400, meta: { current_count: 101, max_allowed: 100 } },
  ])
  expect((await put(many(99))).status).toBe(204)
  const more = await put(many(2, 99))
  expect([more.status, more.body.code, more.body.data.meta]).toEqual([
    400,
    'global_classes_limit_exceeded',
    { current_count: 101, max_allowed: 100 },
  ])
  expect((await put(many(1, 99))).status).toBe(204)
  expect((await read()).meta.order).toHaveLength(100)
})

test('unchanged data writes nothing and emits no event', async () => {
  const { api, put } = await openSite()
  const events: unknown[] = []
  api.on('global-classes.changed', (payload) => void events.push(payload))
  await put(adding(aClass('g-1')))
  const { added } = adding(aClass('g-1')).changes
  expect((await put({ ...adding(aClass('g-1')), changes: { added: [], deleted: [], modified: added } })).status).toBe(
    204,
  )
  expect(events).toEqual([{ context: 'frontend', added: ['g-1'], modified: [], deleted: [] }])
})

test('stores the classes of 50 parallel writers', async () => {
  const { put, read } = await openSite()
  const ids = Array.from({ length: 50 }, (_, index) => `g-${index}`)
  const responses = await Promise.all(ids.map((id) => put(adding(aClass(id, 'card')))))
  const labels = Object.values<{ label: string }>((await read()).data).map(({ label }) => label)
  expect(new Set(labels).size).toBe(50)
  expect(responses.filter(({ status }) => status === 204)).toHaveLength(1)
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(49)
})

test('each copy has its own style sheet, generated again after a change', async () => {
  const { ada, put, files } = await openSite()
  const linked = async (context: string) => {
    const { headers } = await ada('GET', root, { query: { context } })
    const path = /uploads\/([^>?]*)\?ver=\d+>; rel="stylesheet"/.exec(headers.get('link') ?? '')?.[1]
    return path === undefined ? undefined : files.get(path)
  }
  expect(await linked('frontend')).toBeUndefined()
  const sides = { 'block-start': { $$type: 'size', value: { size: 1, unit: 'px' } }, 'inline-end': 'auto' }
  const props = {
    color: { $$type: 'color', value: 'oklch(0.5 0.1 20)' },
    margin: { $$type: 'dimensions', value: sides },
    background: { $$type: 'background', value: { color: { $$type: 'color', value: '#FFF' } } },
    'z-index': { $$type: 'number', value: 3 },
    'background-image': { $$type: 'url', value: '/uploads/a.png' },
    'box-shadow': {
      $$type: 'box-shadow',
      value: [
        {
          $$type: 'shadow',
          value: { hOffset: '1px', vOffset: '2px', blur: '3px', spread: '0', color: 'red', position: null },
        },
      ],
    },
    unknown: { $$type: 'string', value: 'x' },
  }
  const raw = Buffer.from(
    'opacity: .5; } body { display: none } .x { width: 1px; background: url(//evil.example)',
  ).toString('base64')
  const more = { variants: [{ ...variant(props), custom_css: { raw } }] }
  await put(adding(aClass('g-1', 'card', more)))
  await put({ context: 'preview', ...adding(aClass('g-2', 'tile')) })
  const sheet = await linked('frontend')
  expect(sheet).toMatch(
    /^\.card\{color:oklch\(0\.5 0\.1 20\);margin-block-start:1px;margin-inline-end:auto;background-color:#FFF;z-index:3;box-shadow:1px 2px 3px 0 red/,
  )
  expect(sheet).not.toMatch(/display|evil|unknown|\}.+\}/)
  expect(await linked('preview')).toBe(`${sheet}.tile{color:#222}`)
  await put({ changes: { added: [], deleted: ['g-1'], modified: [] }, items: {}, order: [] })
  expect(await linked('frontend')).toBeUndefined()
})
