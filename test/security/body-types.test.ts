/** Sends each JSON type to each writable argument of each route; the declarations say which ones must be rejected. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Arg, SchemaNode } from '../../src/core/declare/args.ts'
import { d1 } from '../../src/profiles/d1.ts'
import { d2 } from '../../src/profiles/d2.ts'
import { createTestSite, type TestSite } from '../support/site.ts'
import { type DeclaredRoute, routesOf } from './declared-routes.ts'
import { sampleArguments } from './sample-values.ts'

const values = [
  null,
  true,
  false,
  0,
  1,
  7,
  -3,
  1.5,
  1e300,
  '',
  'text',
  '7',
  ' 7',
  '1.5',
  'TRUE',
  '0',
  [],
  [7],
  ['a'],
  [[]],
  [{}],
  [null],
  {},
  { a: 1 },
  { 0: 7 },
  { raw: 5 },
  { raw: [] },
]

const isText = (value: unknown) => typeof value === 'string'
const isNumeric = (value: unknown) =>
  typeof value === 'number' || (isText(value) && /^\s*[+-]?\d+(?:\.\d+)?\s*$/.test(String(value)))

/**
 * The values that each type accepts. Recorded, and so accepted although the JSON type differs: numbers and booleans as
 * strings, 0 and 1 for booleans, lists from scalars (split at commas and blanks), objects from lists and from an empty
 * string.
 */
const takes: { readonly [type: string]: (value: unknown, node: SchemaNode) => boolean } = {
  string: isText,
  integer: (value) => isNumeric(value) && Number.isSafeInteger(Number(value)),
  number: isNumeric,
  boolean: (value) =>
    typeof value === 'boolean' ||
    value === 0 ||
    value === 1 ||
    /^(?:true|false|0|1)$/i.test(isText(value) ? String(value) : ''),
  null: (value) => value === null || value === '',
  array: (value, node) => {
    if (typeof value === 'object' && !Array.isArray(value)) return false
    const list: unknown[] = Array.isArray(value)
      ? value
      : String(value)
          .split(/[\s,]+/)
          .filter((part) => part !== '')
    return list.every((one) => fits(node.items ?? {}, one))
  },
  object: (value, node) => {
    if (value === '') return true
    if (typeof value !== 'object' || value === null) return false
    const { properties = {}, additionalProperties = true } = node
    return Object.entries(value).every(([name, inner]) => {
      const own = Object.hasOwn(properties, name) ? properties[name] : additionalProperties
      return typeof own === 'object' ? fits(own, inner) : own !== false
    })
  },
}

/** False where the type is certainly wrong. Bounds and the route's own rules may still reject a value that fits. */
function fits(node: SchemaNode, value: unknown): boolean {
  if (node.oneOf) return node.oneOf.some((form) => fits(form, value))
  if (node.type === undefined) return true
  const types = typeof node.type === 'string' ? [node.type] : node.type
  return types.some((type) => takes[type]?.(value, node))
}

/** Recorded: null counts as not sent, and so does a title, content or excerpt that is neither a string nor an object. */
function isAccepted(name: string, { node, loose }: Arg, value: unknown): boolean {
  if (value === null) return node.required !== true
  const isObject = typeof value === 'object' && !Array.isArray(value)
  if (loose && name !== 'meta' && !isObject) return true
  // A number as the stored text counts as its text.
  if (loose && typeof (value as { raw?: unknown }).raw === 'number') return true
  // An empty string does not count as an object here; for other arguments it does.
  return loose && typeof value !== 'object' ? false : fits(node, value)
}

interface Field {
  readonly route: DeclaredRoute
  readonly name: string
  readonly arg: Arg
}

const fieldsOf = (route: DeclaredRoute): Field[] => {
  const inPath = route.parameters.map(({ name }) => name)
  return Object.entries(route.endpoint.args)
    .filter(([name]) => !inPath.includes(name))
    .map(([name, arg]) => ({ route, name, arg }))
}

describe.each([
  ['d1', d1],
  ['d2', d2],
])('profile %s', (_, profile) => {
  let site: TestSite
  beforeAll(async () => {
    site = await createTestSite({ profile })
  })
  afterAll(async () => {
    expect(site.failures).toEqual([])
    await site.dispose()
  })

  const fields = routesOf(profile)
    .filter(({ method }) => method !== 'GET')
    .flatMap(fieldsOf)

  test('the profile declares more than 60 writable arguments', () => {
    expect(fields.length).toBeGreaterThan(60)
  })

  test.each(fields.map((field) => [field.route.method, field.route.readable, field.name, field] as const))(
    '%s %s checks the type of %s',
    async (method, readable, name, { route, arg }) => {
      // No record has this id: arguments are checked before existence, so accepted values change nothing.
      const path = readable.replace(/\{(?:id|parent)\}/g, '999999').replace(/\{\w+\}/g, 'x')
      const rest = sampleArguments(route)
      const wrong: unknown[] = []
      for (const value of values) {
        const response = await site.as('ada')(method, path, { body: { ...rest, [name]: value } })
        const params = response.body?.data?.params ?? {}
        const isNamed = Array.isArray(params) ? params.includes(name) : Object.hasOwn(params, name)
        if (response.status >= 500 || (!isAccepted(name, arg, value) && !(response.status === 400 && isNamed))) {
          wrong.push({ value, status: response.status, body: response.body })
        }
      }
      expect(wrong).toEqual([])
    },
  )
})
