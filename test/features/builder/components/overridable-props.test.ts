import { expect, test } from 'vitest'
import { errorOf, item, openSite, root } from './fixture.ts'

const prop = (more: object = {}) => ({
  overrideKey: 'p1',
  label: 'Caption',
  elementId: '1a2b3c4',
  propKey: 'title',
  elType: 'widget',
  widgetType: 'e-heading',
  originValue: { $$type: 'string', value: 'Hi' },
  groupId: 'g1',
  originPropFields: null,
  ...more,
})
const group = (more: object = {}) => ({ id: 'g1', label: 'Texts', props: ['p1'], ...more })
const valid = () => ({ props: { p1: prop() }, groups: { items: { g1: group() }, order: ['g1'] } })
const withProps = (overridable_props: unknown) => ({ settings: { overridable_props, other: 1 } })

test('returns overridable properties as they were sent', async () => {
  const { ada, create } = await openSite()
  const id = await create(withProps(valid()))
  const { status, body } = await ada('GET', `${root}/overridable-props`, { query: { componentId: id } })
  expect([status, body]).toEqual([200, { data: valid(), meta: [] }])
})

test.each([[undefined], [null], [{ props: {}, groups: { items: {}, order: [] } }], [{ props: [], groups: [] }]])(
  'returns null for empty properties: %j',
  async (empty) => {
    const { ada, create } = await openSite()
    const id = await create(withProps(empty))
    const { body } = await ada('GET', `${root}/overridable-props`, { query: { componentId: id } })
    expect(body).toEqual({ data: null, meta: [] })
  },
)

test('refuses an invalid id with 400 and an unknown id with 404', async () => {
  const { ada, ids } = await openSite()
  const read = (componentId: number | string) => ada('GET', `${root}/overridable-props`, { query: { componentId } })
  expect(errorOf(await read(0))).toEqual([400, 'invalid_component_id'])
  expect(errorOf(await read(-1))).toEqual([400, 'invalid_component_id'])
  expect(errorOf(await read(99_999))).toEqual([404, 'component_not_found'])
  expect((await read(ids['post.hello'] ?? 0)).body).toMatchObject({
    code: 'component_not_found',
    data: { status: 404, meta: [] },
  })
  expect(errorOf(await read('x'))).toEqual([400, 'rest_invalid_param'])
  expect(errorOf(await ada('GET', `${root}/overridable-props`))).toEqual([400, 'rest_missing_callback_param'])
})

const groups = (items: object, order: unknown = Object.keys(items)) => ({ items, order })
const two = { p1: prop(), p2: prop({ overrideKey: 'p2', label: 'Link' }) }

test.each<[string, unknown]>([
  ['no object', 'x'],
  ['no props', { groups: valid().groups }],
  ['no groups', { props: valid().props }],
  ['no items', { props: valid().props, groups: { order: [] } }],
  ['a prop that is none', { ...valid(), props: { p1: 'x' } }],
  ...['overrideKey', 'label', 'elementId', 'elType', 'widgetType', 'propKey', 'groupId'].map(
    (name): [string, unknown] => [`no ${name}`, { ...valid(), props: { p1: prop({ [name]: undefined }) } }],
  ),
  ['a key of another', { ...valid(), props: { p1: prop({ overrideKey: 'p2' }) } }],
  ['an unknown group', { ...valid(), props: { p1: prop({ groupId: 'g2' }) } }],
  ['a prop in no group', { props: valid().props, groups: groups({ g1: group({ props: [] }) }) }],
  [
    'a prop in two groups',
    { props: valid().props, groups: groups({ g1: group(), g2: group({ id: 'g2', label: 'B' }) }) },
  ],
  ['an unknown prop in a group', { props: valid().props, groups: groups({ g1: group({ props: ['p1', 'p2'] }) }) }],
  ['a repeated prop in a group', { props: valid().props, groups: groups({ g1: group({ props: ['p1', 'p1'] }) }) }],
  ['a group under another key', { props: valid().props, groups: groups({ g1: group({ id: 'g2' }) }) }],
  ['a group without a label', { props: valid().props, groups: groups({ g1: group({ label: '' }) }) }],
  [
    'equal labels of groups',
    { props: valid().props, groups: groups({ g1: group(), g2: group({ id: 'g2', props: [] }) }) },
  ],
  [
    'equal labels of props in a group',
    { props: { ...two, p2: prop({ overrideKey: 'p2' }) }, groups: groups({ g1: group({ props: ['p1', 'p2'] }) }) },
  ],
  ['an order that lacks a group', { ...valid(), groups: groups({ g1: group() }, []) }],
  ['an order that repeats a group', { ...valid(), groups: groups({ g1: group() }, ['g1', 'g1']) }],
  ['an order of unknown groups', { ...valid(), groups: groups({ g1: group() }, ['g2']) }],
  ['an order that is no list of texts', { ...valid(), groups: groups({ g1: group() }, [1]) }],
])('refuses a request whose properties are invalid: %s', async (_, wrong) => {
  const { post, list } = await openSite()
  const items = [item(), item({ uid: 'wrong', ...withProps(wrong) })]
  for (const [action, body] of [
    ['', { status: 'publish', items }],
    ['/create-validate', { items }],
  ] as const) {
    const { status, body: error } = await post(action, body)
    expect([status, error.code, error.data.meta]).toEqual([422, 'settings_validation_failed', []])
    const problems = JSON.parse(error.message.slice(error.message.indexOf('{')))
    expect(problems).toEqual({ wrong: expect.any(String) })
  }
  expect(await list()).toEqual([])
})
