/** Generates requests from the declarations: most are nearly valid, so that they get past the argument checks. */
import fc from 'fast-check'
import type { Arg, SchemaNode } from '../../src/core/declare/args.ts'
import type { Profile } from '../../src/core/declare/profile.ts'
import { type DeclaredRoute, routesOf } from './declared-routes.ts'
import { sampleArguments } from './sample-values.ts'
import { logins } from './signed-in-before.ts'

export interface GeneratedRequest {
  readonly login: string | null
  readonly method: string
  /** Includes the query. */
  readonly path: string
  readonly type: string | undefined
  readonly body: string | undefined
}

const hostileTexts = [
  ...[
    '',
    ' ',
    "'",
    '"',
    '\\',
    '%',
    '_',
    ';',
    '--',
    '\0',
    'a\0b',
    '\r\nX: y',
    '\ud800',
    '😀',
    'é',
    '日本',
    '\u{202e}x',
    '＝1',
  ],
  ...[
    "' OR 1=1 --",
    '1) OR 1=1-- ',
    '../../etc/passwd',
    '<script>alert(1)</script>',
    '#{7*7}',
    '{{7*7}}',
    '%00',
    '%zz',
    '%e6%97',
    '&#xd800;',
  ],
  ...[
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'null',
    'undefined',
    'NaN',
    'Infinity',
    'true',
    '[object Object]',
  ],
  ...['0', '-1', '1e3', '1e999', '0x10', '1.5', '9007199254740993', '99999999999999999999', '١', '2024-02-30T00:00:00'],
  ...[
    '0000-00-00T00:00:00',
    '275760-09-13T00:00:00',
    '9999-12-31T23:59:59-14:00',
    'a'.repeat(300),
    '[['.repeat(300),
    'any',
    'trash',
  ],
] as const
const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...hostileTexts),
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -1,
    1.5,
    2 ** 53,
    -(2 ** 53),
    1e308,
    -0,
    [],
    {},
    [[]],
    [null],
    [{}],
    [-1],
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.jsonValue({ maxDepth: 3 }),
)

const words = fc.constantFrom(
  '',
  'wide.php',
  'hello',
  'ferry',
  'The tide',
  'a b',
  'x-y',
  'heading',
  '#ffffff',
  '[]',
  '<p>Text</p>',
)
const dates = fc.constantFrom(
  '2024-06-01T10:00:00',
  '2024-03-31T01:30:00Z',
  '2098-01-01 00:00:00+02:00',
  '1970-01-01T00:00:00',
)

function fitting(node: SchemaNode): fc.Arbitrary<unknown> {
  if (node.oneOf) return fc.oneof(...node.oneOf.map(fitting))
  if (node.enum) return fc.constantFrom<unknown>(...node.enum)
  const type = typeof node.type === 'string' ? node.type : undefined
  if (Array.isArray(node.type))
    return fc.oneof(...(node.type as readonly string[]).map((one) => fitting({ ...node, type: one as 'null' })))
  switch (type) {
    case 'integer':
    case 'number':
      return fc.oneof(
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: node.minimum ?? -5, max: node.maximum ?? 2 ** 40 }),
      )
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(node.items ? fitting(node.items) : hostile, { maxLength: 4 })
    case 'object': {
      const members = Object.entries(node.properties ?? {}).map(([name, inner]) => [name, fitting(inner)] as const)
      return fc.record(Object.fromEntries(members), { requiredKeys: [] })
    }
    case 'string':
      return node.format ? dates : fc.oneof(words, fc.string({ unit: 'grapheme', maxLength: 20 }))
    default:
      return hostile
  }
}

const valueFor = ({ node }: Arg) => fc.oneof({ weight: 9, arbitrary: fitting(node) }, { weight: 1, arbitrary: hostile })

const mostly = fc.constantFrom(true, true, true, false)

/** Names used by the storage and by other routes; a route that does not declare them ignores them. */
const undeclaredNames = [
  'where',
  'filter',
  'id',
  'user',
  'storage',
  'force',
  'sql',
  'X[$ne]',
  'constructor',
  '__proto__',
  'a'.repeat(99),
]

function argumentsOf(route: DeclaredRoute): fc.Arbitrary<{ readonly [name: string]: unknown }> {
  const inPath = route.parameters.map(({ name }) => name)
  const own = Object.entries(route.endpoint.args).filter(([name]) => !inPath.includes(name))
  const some = fc
    .subarray(own, { maxLength: Math.min(own.length, 5) })
    .chain((chosen) => fc.record(Object.fromEntries(chosen.map(([name, arg]) => [name, valueFor(arg)]))))
  const undeclared = fc.dictionary(fc.constantFrom(...undeclaredNames), hostile, { maxKeys: 1, noNullPrototype: true })
  return fc
    .tuple(mostly, some, fc.option(undeclared, { freq: 5, nil: {} }))
    .map(([isComplete, chosen, more]) => ({ ...(isComplete ? completed(route) : {}), ...more, ...chosen }))
}

/** A post requires no single argument, but one of three. */
const completed = (route: DeclaredRoute) =>
  route.readable === '/cms/v2/posts' ? { title: 'Made', ...sampleArguments(route) } : sampleArguments(route)

const segment = (ids: readonly number[]) =>
  fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...ids).map(String) },
    { weight: 2, arbitrary: fc.constantFrom('widgets', 'abc1234', 'primary', 'e-gv-0000000', '0', '999999') },
    { weight: 1, arbitrary: fc.constantFrom(...hostileTexts).map((text) => encodeURIComponent(text.toWellFormed())) },
  )

const pairs = (name: string, value: unknown): string[] => {
  const write = (one: unknown) => encodeURIComponent(String(one).toWellFormed())
  const key = encodeURIComponent(name)
  if (Array.isArray(value)) return value.flatMap((one) => pairs(`${name}[]`, one))
  if (typeof value !== 'object' || value === null) return [`${key}=${write(value)}`]
  return Object.entries(value).flatMap(([inner, one]) => pairs(`${name}[${inner.toWellFormed()}]`, one))
}
const formOf = (args: object) =>
  Object.entries(args)
    .flatMap(([name, value]) => pairs(name, value))
    .join('&')

const globals = fc.oneof(
  { weight: 4, arbitrary: fc.constant('') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ...['_fields=id,title.raw', '_embed=1', '_envelope=1', '_fields[]=id&_embed=author'],
      ...['_method=DELETE', '_method=x'],
    ),
  },
)

export function requestsTo(profile: Profile, ids: readonly number[]): fc.Arbitrary<GeneratedRequest> {
  const routes = routesOf(profile)
  // The post routes declare most of the arguments and rules.
  const often = routes.filter(
    ({ readable, method }) => /^\/cms\/v2\/posts(?:\/\{id\})?$/.test(readable) && method !== 'DELETE',
  )
  return fc.oneof(fc.constantFrom(...routes), fc.constantFrom(...often)).chain((route) =>
    fc
      .record({
        login: fc.constantFrom(null, ...logins, 'ada', 'ada', 'edith'),
        method: fc.oneof(
          { weight: 9, arbitrary: fc.constant(route.method as string) },
          { weight: 1, arbitrary: fc.constantFrom('OPTIONS', 'HEAD', 'POST', 'DELETE') },
        ),
        segments: fc.array(segment(ids), { minLength: 3, maxLength: 3 }),
        args: argumentsOf(route),
        more: globals,
        as:
          route.method === 'GET'
            ? fc.constant('query')
            : fc.constantFrom('json', 'json', 'json', 'form', 'query', 'batch'),
      })
      .map((parts) => requestOf(route, parts)),
  )
}

interface RequestParts {
  readonly login: string | null
  readonly method: string
  /** Values of the path parameters. */
  readonly segments: readonly string[]
  readonly args: { readonly [name: string]: unknown }
  /** Parameters that every route accepts, as a query. */
  readonly more: string
  readonly as: string
}

function requestOf(route: DeclaredRoute, { login, method, segments, args, more, as }: RequestParts): GeneratedRequest {
  const inQuery = as === 'query' || method === 'GET' || method === 'HEAD'
  const query = [more, ...(inQuery ? [formOf(args)] : [])].filter((part) => part !== '').join('&')
  const path = `${pathOf(route, segments)}${query === '' ? '' : `?${query}`}`
  if (inQuery) return { login, method, path, type: undefined, body: undefined }
  if (as === 'form') return { login, method, path, type: 'application/x-www-form-urlencoded', body: formOf(args) }
  if (as === 'json') return { login, method, path, type: 'application/json', body: JSON.stringify(args) }
  const requests = [
    { method: route.method, path, body: args },
    { path: '/cms/v2/posts', body: { title: 'Beside' } },
  ]
  return { login, method: 'POST', path: '/batch/v1', type: 'application/json', body: JSON.stringify({ requests }) }
}

function pathOf({ readable }: DeclaredRoute, segments: readonly string[]): string {
  let index = 0
  return readable.replace(/\{\w+\}/g, () => segments[index++] ?? '1')
}
