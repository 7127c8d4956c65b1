import { expect, test } from 'vitest'
import { aClass, adding, color, openSite, refusalOf, variant } from './fixture.ts'

test.each([
  ['no changes', { items: {}, order: [] }, 'rest_missing_callback_param'],
  ['no list of modified ids', { changes: { added: [], deleted: [] }, items: {}, order: [] }, 'rest_invalid_param'],
  [
    'an unknown list of changes',
    { changes: { added: [], deleted: [], modified: [], moved: [] }, items: {}, order: [] },
    'rest_invalid_param',
  ],
  ['an unknown context', { context: 'x', ...adding() }, 'rest_invalid_param'],
  ['items of another type', { ...adding(), items: { 'g-1': 'x' } }, 'rest_invalid_param'],
  ['an item of another type', { ...adding(), items: { 'g-1': { type: 'id' } } }, 'rest_invalid_param'],
  [
    'variants that are not an array',
    { ...adding(), items: { 'g-1': { variants: { a: 1 }, label: 1 } } },
    'rest_invalid_param',
  ],
])('rejects a wrong argument with 400: %s', async (_, body, code) => {
  const { put } = await openSite()
  expect(refusalOf(await put(body))).toEqual([400, code])
})

const noVariant = (more: object) => ({ ...variant(), ...more })

test.each<[string, object, string]>([
  ['no id', { id: undefined }, 'g-1.id: missing_or_invalid'],
  ['an empty id', { id: '' }, 'g-1.id: missing_or_invalid'],
  ['the id of another class', { id: 'g-2' }, 'g-1.id: mismatching_value'],
  ['an id in capitals', { id: 'G-1' }, 'g-1.id: mismatching_value'],
  ['no type', { type: undefined }, 'g-1.type: missing_or_invalid'],
  ['no label', { label: undefined }, 'g-1.label: missing_or_invalid'],
  ['a long label', { label: 'x'.repeat(51) }, 'g-1.label: class_name_too_long'],
  ['a short label', { label: 'x' }, 'g-1.label: class_name_too_short'],
  ['a reserved label', { label: 'container' }, 'g-1.label: reserved_class_name'],
  ['a digit first', { label: '1st' }, 'g-1.label: class_name_starts_with_digit'],
  ['a blank', { label: 'a b' }, 'g-1.label: class_name_contains_spaces'],
  ['an odd sign', { label: 'a.b' }, 'g-1.label: class_name_invalid_chars'],
  ['an accent', { label: 'été' }, 'g-1.label: class_name_invalid_chars'],
  ['two hyphens first', { label: '--a' }, 'g-1.label: class_name_double_hyphen'],
  ['a hyphen and a digit first', { label: '-1a' }, 'g-1.label: class_name_starts_with_hyphen_digit'],
  ['no variants', { variants: undefined }, 'g-1.variants: missing_or_invalid'],
  ['a variant that is none', { variants: ['x'] }, 'g-1.variants.0: invalid_type'],
  ['no meta', { variants: [noVariant({ meta: undefined })] }, 'g-1.variants.0.meta: missing'],
  ['meta that is none', { variants: [noVariant({ meta: 'x' })] }, 'g-1.variants.0.meta: invalid_type'],
  [
    'no breakpoint',
    { variants: [variant({}, { breakpoint: undefined })] },
    'g-1.variants.0.meta.breakpoint: missing_or_invalid_value',
  ],
  [
    'an unknown state',
    { variants: [variant({}, { state: 'seen' })] },
    'g-1.variants.0.meta.state: missing_or_invalid_value',
  ],
  ['no props', { variants: [noVariant({ props: undefined })] }, 'g-1.variants.0.props: missing_or_invalid_value'],
  [
    'custom CSS that is none',
    { variants: [noVariant({ custom_css: 'a{}' })] },
    'g-1.variants.0.custom_css: invalid_type',
  ],
  [
    'custom CSS that is not base64',
    { variants: [noVariant({ custom_css: { raw: 'a{}' } })] },
    'g-1.variants.0.custom_css: missing_or_invalid_value',
  ],
  ['a wrong mark', { sync_to_v3: 'yes' }, 'g-1.sync_to_v3: invalid_type'],
])('reports a wrong class with its path: %s', async (_, wrong, problem) => {
  const { put, read } = await openSite()
  const items = { 'g-2': aClass('g-2', 'fine'), 'g-1': aClass('g-1', 'card', wrong) }
  const { status, body } = await put({ ...adding(), items, order: ['g-2', 'g-1'] })
  expect([status, body.code, body.data]).toEqual([400, 'invalid_items', { status: 400, meta: [] }])
  expect(body.message).toBe(`These items are wrong: ${problem}`)
  expect((await read()).data).toEqual({})
})

test.each([
  ['a missing id', ['g-1'], 'g-2: missing'],
  ['an unknown id', ['g-1', 'g-2', 'g-3'], 'g-3: excess'],
  ['a duplicate id', ['g-1', 'g-2', 'g-1'], 'g-1: excess'],
])('rejects an order with %s', async (_, order, problem) => {
  const { put } = await openSite()
  const { status, body } = await put({ ...adding(aClass('g-1', 'one'), aClass('g-2', 'two')), order })
  expect([status, body.code, body.message, body.data.meta]).toEqual([
    400,
    'invalid_order',
    `The order is wrong: ${problem}`,
    [],
  ])
})

test.each(
  [
    'red;}body{display:none}',
    'red}',
    '</style><script>alert(1)</script>',
    '@import "//evil.example/x.css"',
    'url(javascript:alert(1))',
    'expression(alert(1))',
    'red\\3b',
    'red/*',
    'red\u0001',
    'x'.repeat(10_000),
  ].map((hostile) => [hostile.slice(0, 40), hostile]),
)('rejects %j anywhere in a style', async (_, hostile) => {
  const { put, read } = await openSite()
  const props = [
    color(hostile),
    { 'font-family': { $$type: 'string', value: hostile } },
    { 'font-size': { $$type: 'size', value: { size: hostile, unit: 'custom' } } },
    { background: { $$type: 'background', value: { color: { $$type: 'color', value: hostile } } } },
    { 'background-image': { $$type: 'url', value: hostile } },
    { [hostile]: { $$type: 'string', value: 'red' } },
  ]
  for (const prop of props) {
    const response = await put(adding(aClass('g-1', 'card', { variants: [variant(prop)] })))
    expect(refusalOf(response)).toEqual([400, 'invalid_items'])
  }
  expect((await read()).data).toEqual({})
})
