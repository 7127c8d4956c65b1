/** The interpreted checks give the same values and the same errors as the generated ones, on every endpoint. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Arg, Args, SchemaNode } from '../../../src/core/declare/args.ts'
import type { Context } from '../../../src/core/declare/context.ts'
import type { AnyEndpoint } from '../../../src/core/declare/endpoint.ts'
import { isApiError } from '../../../src/core/declare/errors.ts'
import { type Pattern, parsePattern } from '../../../src/core/declare/pattern.ts'
import type { Profile } from '../../../src/core/declare/profile.ts'
import { type ArgumentParser, createArgumentParser } from '../../../src/core/request/argument-parser.ts'
import { createNames } from '../../../src/names/word-map.ts'
import { wordpress } from '../../../src/names/wordpress.ts'
import { d1 } from '../../../src/profiles/d1.ts'
import { d2 } from '../../../src/profiles/d2.ts'

const endpointsOf = ({ features }: Profile): readonly AnyEndpoint[] => features.flatMap(({ endpoints }) => endpoints)

/** Values of any type: texts as queries carry them, JSON as bodies do. */
const any = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '0',
    '1',
    '-1',
    '05',
    '1e3',
    '1e999',
    '0x10',
    'true',
    'FALSE',
    'a,b',
    '1,2 3',
    '{}',
    '[]',
    'é',
  ),
  fc.constantFrom('2026-01-31', '2026-02-30T10:00:00', '2026-01-31T10:00:00Z', 'https://example.com'),
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    1,
    -1,
    1.5,
    101,
    2 ** 53,
    Number.NaN,
    [],
    {},
    [1, 1],
    [null],
    ['a', 'a'],
  ),
  fc.string({ maxLength: 8 }),
  fc.integer(),
  fc.jsonValue({ maxDepth: 3 }),
)

/** Values that fit a schema, or nearly. */
function near(node: SchemaNode, depth = 0): fc.Arbitrary<unknown> {
  const forms = [...(node.oneOf ?? []), ...(node.anyOf ?? [])]
  if (depth < 4 && forms.length > 0) return fc.oneof(...forms.map((form) => near(form, depth + 1)), any)
  const types = Array.isArray(node.type) ? node.type : [node.type]
  return fc.oneof(...types.map((type: string | undefined) => nearType(node, type, depth)), any)
}

function nearType(node: SchemaNode, type: string | undefined, depth: number): fc.Arbitrary<unknown> {
  switch (type) {
    case 'integer':
    case 'number':
      return nearNumber(node)
    case 'string':
      return nearText(node)
    case 'boolean':
      return fc.constantFrom(true, false, '1', '0', 'true', 'False', 'yes')
    case 'null':
      return fc.constantFrom(null, '', 'null')
    case 'array':
      return fc.array(depth < 4 && node.items ? near(node.items, depth + 1) : any, {
        maxLength: (node.maxItems ?? 2) + 1,
      })
    case 'object':
      return nearObject(node, depth)
    default:
      return any
  }
}

function nearNumber({ minimum = -2, maximum = 102, enum: values }: SchemaNode): fc.Arbitrary<unknown> {
  const bounds = [minimum - 1, minimum, minimum + 0.5, maximum, maximum + 1, ...(values ?? [])]
  const number = fc.oneof(fc.constantFrom<unknown>(...bounds), fc.integer({ min: -3, max: 200 }))
  return fc.oneof(number, number.map(String))
}

function nearText({ enum: values, minLength = 0, maxLength, pattern }: SchemaNode): fc.Arbitrary<unknown> {
  if (values) return fc.constantFrom<unknown>(...values, String(values[0]).toUpperCase())
  const lengths = fc.string({ minLength: Math.max(0, minLength - 1), maxLength: Math.min(maxLength ?? 6, 300) + 1 })
  return pattern === undefined ? lengths : fc.oneof(fc.stringMatching(new RegExp(`^(?:${pattern})$`)), lengths)
}

function nearObject({ properties = {}, additionalProperties }: SchemaNode, depth: number): fc.Arbitrary<unknown> {
  if (depth >= 4) return any
  const members = fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, near(inner, depth + 1)])),
    { requiredKeys: [] },
  )
  const other = typeof additionalProperties === 'object' ? near(additionalProperties, depth + 1) : any
  const others = fc.dictionary(fc.constantFrom('other', 'a/b~c', '7', 'valueOf'), other, { maxKeys: 2 })
  return fc
    .tuple(members, fc.oneof({ arbitrary: fc.constant({}), weight: 3 }, others))
    .map(([own, more]) => ({ ...own, ...more }))
}

interface Sent {
  readonly params: readonly string[]
  readonly query: string
  readonly body: { readonly [name: string]: unknown } | undefined
}

const asText = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value)) ?? ''

function queryOf(values: { readonly [name: string]: unknown }): string {
  return Object.entries(values)
    .flatMap(([name, value]) =>
      Array.isArray(value)
        ? value.map((item) => `${encodeURIComponent(name)}[]=${encodeURIComponent(asText(item))}`)
        : [`${encodeURIComponent(name)}=${encodeURIComponent(asText(value))}`],
    )
    .join('&')
}

function requests(args: Args, pattern: Pattern): fc.Arbitrary<Sent> {
  const values = fc.record(Object.fromEntries(Object.entries(args).map(([name, { node }]) => [name, near(node)])), {
    requiredKeys: [],
  })
  const params = fc.tuple(...pattern.parameters.map(() => fc.constantFrom('7', '0', 'tide', '99999999999999999999')))
  return fc.record({
    params,
    query: fc.oneof(fc.constant(''), values.map(queryOf)),
    body: fc.option(values, { nil: undefined }),
  })
}

/** Runs a request: returns the parsed arguments, or the error with all its details. */
async function resultOf(parser: ArgumentParser, { params, query, body }: Sent, context: Context): Promise<unknown> {
  try {
    const found = parser.parse(params, query, body)
    const parsed = { ...found, args: { ...found.args } }
    return { parsed, error: await errorOf(() => parser.validate(found, context)) }
  } catch (error) {
    return { error: shown(error) }
  }
}

async function errorOf(work: () => unknown): Promise<unknown> {
  try {
    await work()
    return undefined
  } catch (error) {
    return shown(error)
  }
}

const shown = (error: unknown) =>
  isApiError(error) ? { code: error.code, status: error.status, message: error.message, data: error.data } : `${error}`

/** Checks of an argument's own run after the schema; they are the same function on both sides, so they are left out. */
const withoutOwnCheck = ({ check: _, ...arg }: Arg): Arg => arg
const schemasOf = (args: Args): Args =>
  Object.fromEntries(Object.entries(args).map(([name, arg]) => [name, withoutOwnCheck(arg)]))

test.each([
  ['d1', endpointsOf(d1), createNames()],
  ['d2', endpointsOf(d2), createNames()],
  ['d2 in mapped words', endpointsOf(d2), createNames(wordpress)],
] as const)('gives equal values and equal errors on all endpoints of %s', async (_, endpoints, names) => {
  // The cast: with own checks left out, only the names are read.
  const context = { app: { names } } as unknown as Context
  const outcomes = { accepted: 0, refused: 0 }
  for (const { path, args: declared } of endpoints) {
    const pattern = parsePattern(names.toPublic(path))
    const args = schemasOf(declared)
    const [generated, interpreted] = [true, false].map((generatesCode) =>
      createArgumentParser(args, pattern, names, generatesCode),
    ) as [ArgumentParser, ArgumentParser]
    await fc.assert(
      fc.asyncProperty(requests(args, pattern), async (sent) => {
        const expected = (await resultOf(generated, sent, context)) as { readonly error?: unknown }
        outcomes[expected.error === undefined ? 'accepted' : 'refused']++
        expect(await resultOf(interpreted, sent, context), `${path} ${JSON.stringify(sent)}`).toEqual(expected)
      }),
      { numRuns: 25 },
    )
  }
  // Both kinds occur often, or the comparison would mean little.
  expect(Math.min(outcomes.accepted, outcomes.refused)).toBeGreaterThan(endpoints.length)
})
