/** Bodies that are valid but for one leaf: the documented requests of each route, with odd values in place of each value. */
import type { Profile } from '../../src/core/declare/profile.ts'
import { recordedExamples } from '../../src/profiles/recorded-examples.ts'
import { type DeclaredRoute, routesOf } from '../security/declared-routes.ts'
import { sample, sampleArguments } from '../security/sample-values.ts'

/** As JSON texts: some of them no value of JavaScript could be written as. */
const oddValues: readonly string[] = [
  ...['null', 'true', 'false', '0', '-0', '-1', '1', '1.5', '0.1', '255', '256', '65536', '2147483648', '4294967296'],
  ...['9007199254740991', '9007199254740993', '-9007199254740993', '99999999999999999999', '1e21', '5e-324', '-5e-324'],
  // Beyond the largest number: infinite once it is parsed.
  ...['1e400', '-1e400', '[1e400]', '{"a":{"b":-1e400}}'],
  ...[
    '""',
    '" "',
    '"\\u0000"',
    '"a\\u0000b"',
    '"\\ud800"',
    '"\\udc00a"',
    '"😀"',
    '"\\u202e"',
    '"\\r\\nX: y"',
    '"\\ufeff"',
  ],
  ...['toString', 'constructor', 'hasOwnProperty', '__proto__', 'valueOf', 'prototype'].map((name) => `"${name}"`),
  ...['{"__proto__":{"a":1}}', '{"constructor":{"prototype":1}}', '{"toString":1}', '{"length":4294967296}', '{"":""}'],
  ...['[]', '{}', '[[]]', '[null]', '[{}]', '["",""]', '[1,"1",true]', '{"0":1}'],
  ...['"1e400"', '"NaN"', '"2023-02-30T25:61:61"', '"0000-00-00T00:00:00"', '"https://[::1"', '"javascript:alert(1)"'],
  ...['"a@b"', '"../../x"', '"%00"', '"%"', '"<script>x</script>"', '"0x10"', '"١"', '"&#xd800;"', '"[[\\"x\\"]]"'],
  `"${'x'.repeat(20_000)}"`,
  `"${'é'.repeat(3000)}"`,
  `[${'1,'.repeat(3000)}1]`,
  `${'['.repeat(150)}${']'.repeat(150)}`,
]

export interface Mutation {
  readonly method: string
  /** `/cms/v2/posts/{id}`. */
  readonly readable: string
  /** The path has the values of its parameters from the documented request. */
  readonly path: string
  readonly body: string
  /** Which leaf has which value, for messages. */
  readonly says: string
}

type Steps = readonly (string | number)[]

/** At most so many leaves of one body, and so many levels deep. */
const maxLeaves = 40
const maxDepth = 6

/** All values within, the containers among them too. */
function leavesOf(value: unknown, steps: Steps = []): Steps[] {
  const own = steps.length > 0 ? [steps] : []
  if (typeof value !== 'object' || value === null || steps.length >= maxDepth) return own
  return [...own, ...Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, [...steps, name]))]
}

const mark = 'the place of the odd value'

/** The body with the text in the place of one value. */
function mutated(body: unknown, steps: Steps, odd: string): string {
  const copy: unknown = structuredClone(body)
  let at = copy as { [name: string]: unknown }
  for (const step of steps.slice(0, -1)) at = at[step] as typeof at
  at[String(steps.at(-1))] = mark
  return JSON.stringify(copy).replace(JSON.stringify(mark), () => odd)
}

/** Valid arguments by method and path: `POST /cms/v2/posts/{id}`. */
export interface Examples {
  readonly [key: string]: {
    readonly args: { readonly [name: string]: unknown }
    /** Of a route that takes a body of any form. */
    readonly body?: unknown
  }
}

const documented = JSON.parse(recordedExamples) as Examples

/** The documented request, or one with the required arguments. */
function validArguments(route: DeclaredRoute, examples: Examples): { readonly [name: string]: unknown } {
  const { method, readable, endpoint } = route
  const own =
    examples[`${method} ${readable}`] ?? endpoint.methods.map((one) => examples[`${one} ${readable}`]).find(Boolean)
  // The cast: a list has its indexes as names.
  return { ...sampleArguments(route), ...own?.args, ...(own?.body as { readonly [name: string]: unknown }) }
}

interface Body {
  readonly values: { readonly [name: string]: unknown }
  readonly leaves: readonly Steps[]
}

/** The valid body, and one more for each argument that it leaves out. */
function bodiesOf({ endpoint, parameters }: DeclaredRoute, valid: Body['values']): Body[] {
  const inPath = new Set(parameters.map(({ name }) => name))
  const values = Object.fromEntries(Object.entries(valid).filter(([name]) => !inPath.has(name)))
  const others = Object.entries(endpoint.args).filter(([name]) => !inPath.has(name) && !Object.hasOwn(values, name))
  return [
    { values, leaves: leavesOf(values).slice(0, maxLeaves) },
    ...others.map(([name, { node }]) => {
      const value = sample(node)
      return { values: { ...values, [name]: value }, leaves: leavesOf(value, [name]).slice(0, maxLeaves) }
    }),
  ]
}

interface MutationOptions {
  readonly step?: number
  readonly first?: number
  readonly examples?: Examples
  /** JSON texts. */
  readonly values?: readonly string[]
}

/** Every `step`-th mutation of the writes of a profile, from `first` on; `examples` win over the documented requests. */
export function* mutationsOf(
  profile: Profile,
  { step = 1, first = 0, examples = {}, values = oddValues }: MutationOptions,
): Generator<Mutation> {
  let count = 0
  const all = { ...documented, ...examples }
  for (const route of routesOf(profile)) {
    if (route.method === 'GET') continue
    for (const make of mutationsOfRoute(route, all, values)) if (count++ % step === first % step) yield make()
  }
}

/** As functions: most of them are skipped. */
function* mutationsOfRoute(
  route: DeclaredRoute,
  examples: Examples,
  odds: readonly string[],
): Generator<() => Mutation> {
  const { method, readable } = route
  const valid = validArguments(route, examples)
  const path = readable.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(valid[name] ?? 1)))
  const changes = bodiesOf(route, valid).flatMap(({ values, leaves }) => leaves.map((steps) => ({ values, steps })))
  for (const { values, steps } of changes) {
    for (const odd of odds) {
      yield () => ({
        ...{ method, readable, path, body: mutated(values, steps, odd) },
        says: `${method} ${readable}: ${steps.join('.')} = ${odd.slice(0, 60)}`,
      })
    }
  }
}
