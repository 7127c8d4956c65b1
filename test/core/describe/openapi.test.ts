/** The OpenAPI document against a public validator, against the site index, and against a compiler of JSON Schema. */
import { readFileSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { int, required, str } from '../../../src/core/declare/args.ts'
import { endpoint } from '../../../src/core/declare/endpoint.ts'
import { feature } from '../../../src/core/declare/feature.ts'
import { digits, parameter } from '../../../src/core/declare/pattern.ts'
import { anyone, can } from '../../../src/core/declare/permissions.ts'
import { type Profile, profile } from '../../../src/core/declare/profile.ts'
import type {
  JsonSchema,
  OpenApiDocument,
  Operation,
  Parameter,
  Ref,
} from '../../../src/core/describe/openapi/document.ts'
import { createSiteApi, type SiteApiOptions } from '../../../src/create-site-api.ts'
import { createNames, type Names } from '../../../src/names/word-map.ts'
import { wordpress } from '../../../src/names/wordpress.ts'
import { d1 } from '../../../src/profiles/d1.ts'
import { d2 } from '../../../src/profiles/d2.ts'
import { memoryStorage } from '../../../src/storage/memory/index.ts'
import { createSchemaCompiler } from '../../support/json-schema.ts'

const apiOf = (options: Partial<SiteApiOptions> & { profile: Profile }) =>
  createSiteApi({ storage: memoryStorage(), url: 'https://quay.example', ...options })

interface IndexArg {
  readonly required: boolean
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly description?: string
}

interface Index {
  readonly routes: {
    readonly [pattern: string]: {
      readonly endpoints: readonly {
        readonly methods: readonly string[]
        readonly args: { readonly [name: string]: IndexArg }
      }[]
    }
  }
}

/** Path parameters by place: two routes may share a path under other names. */
const shapeOf = (path: string) => path.replace(/\(\?P<\w+>(?:\[[^\]]*\]|[^()[\]])+\)|\{\w+\}/g, '{}')

function operationAt(document: OpenApiDocument, pattern: string, method: string): Operation | undefined {
  const path = Object.keys(document.paths).find((one) => shapeOf(one) === shapeOf(pattern))
  return document.paths[path ?? '']?.[method.toLowerCase() as 'get']
}

function resolved<T extends object>(document: OpenApiDocument, one: T | Ref): T {
  if (!('$ref' in one)) return one
  const found = one.$ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, key) => (at as { [key: string]: unknown })[key], document)
  return found as T
}

const parametersOf = (document: OpenApiDocument, operation: Operation): Parameter[] =>
  operation.parameters.map((one) => resolved(document, one))

/** What an operation says of an argument, wherever it stands. */
function described(document: OpenApiDocument, operation: Operation, name: string) {
  const found = parametersOf(document, operation).find((one) => one.name === name && one.in !== 'header')
  if (found) return { schema: found.schema, required: found.required ?? false, description: found.description }
  const body = operation.requestBody?.content['application/json']?.schema
  const whole: JsonSchema | undefined = body && resolved(document, body)
  const schema = whole?.properties?.[name]
  return schema && { schema, required: whole?.required?.includes(name) ?? false, description: schema.description }
}

/** Those for which leaving them out says something else than the default that the index shows. */
const argumentsShownOnly = ({ features }: Profile, names: Names): ReadonlySet<string> =>
  new Set(
    features.flatMap(({ endpoints }) =>
      endpoints.flatMap(({ summary = '', args }) =>
        Object.entries(args)
          .filter(([, { publishedDefault }]) => publishedDefault)
          .map(([name]) => names.toPublic(`${summary} ${name}`)),
      ),
    ),
  )

describe.each([
  { profile: d1, names: undefined },
  { profile: d1, names: wordpress },
  { profile: d2, names: undefined },
  { profile: d2, names: wordpress },
])('the document of $profile.name, with names: $names.length', (options) => {
  const api = apiOf(options)

  test('passes a public OpenAPI validator', async () => {
    const { valid, errors } = await new Validator().validate((await api.openapi()) as never)
    expect(errors).toBeUndefined()
    expect(valid).toBe(true)
  })

  test('has exactly the routes, methods and listed arguments of the site index', async () => {
    const document = await api.openapi()
    const { routes } = (await api.index()) as Index
    const wrong: string[] = []
    const seen = new Set<Operation>()
    for (const [pattern, { endpoints }] of Object.entries(routes)) {
      for (const { methods, args } of endpoints) {
        for (const method of methods) {
          const operation = operationAt(document, pattern, method)
          if (!operation) {
            wrong.push(`${method} ${pattern}`)
            continue
          }
          seen.add(operation)
          for (const [name, arg] of Object.entries(args)) {
            const found = described(document, operation, name)
            if (!found || found.required !== (arg.required || pattern.includes(`<${name}>`)))
              wrong.push(`${method} ${pattern} ${name}`)
          }
        }
      }
    }
    expect(wrong).toEqual([])
    expect(Object.values(document.paths).flatMap((item) => Object.values(item)).length).toBe(seen.size)
  })

  test('gives arguments the enum, bounds, default and description of the index', async () => {
    const document = await api.openapi()
    const { routes } = (await api.index()) as Index
    const wrong: unknown[] = []
    const onlyShown = argumentsShownOnly(options.profile, createNames(options.names))
    for (const [pattern, { endpoints }] of Object.entries(routes)) {
      for (const { methods, args } of endpoints) {
        const operation = operationAt(document, pattern, methods[0] as string) as Operation
        for (const [name, arg] of Object.entries(args)) {
          const found = described(document, operation, name)
          const { schema = {}, description } = found ?? {}
          const isShownOnly = onlyShown.has(`${operation.summary} ${name}`)
          // A list may be declared with its only member.
          const fallback = schema.type === 'array' && typeof arg.default === 'string' ? [arg.default] : arg.default
          const said = [schema.default, schema.minimum, schema.maximum, schema.enum?.filter((one) => one !== null)]
          const published = [isShownOnly ? undefined : fallback, arg.minimum, arg.maximum, arg.enum]
          if (!description?.startsWith(arg.description ?? '') && arg.description)
            wrong.push([pattern, name, description])
          if (JSON.stringify(said) !== JSON.stringify(published)) wrong.push([pattern, name, said, published])
        }
      }
    }
    expect(wrong).toEqual([])
  })

  test('has schemas that compile, and defaults that match them', { timeout: 60_000 }, async () => {
    const document = await api.openapi()
    const ajv = createSchemaCompiler()
    ajv.addSchema(document, 'document')
    const wrong: string[] = []
    for (const text of new Set(schemasIn(document).map((one) => JSON.stringify(one)))) {
      const check = ajv.compile(JSON.parse(text.replaceAll('"$ref":"#', '"$ref":"document#')))
      const { default: fallback } = JSON.parse(text)
      if (fallback !== undefined && !check(fallback)) wrong.push(`${text}: ${ajv.errorsText(check.errors)}`)
    }
    expect(wrong).toEqual([])
  })

  test('declares exactly the path parameters of each path', async () => {
    const document = await api.openapi()
    const wrong = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.values(item).flatMap((operation) => {
        const places = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
        const described = parametersOf(document, operation).filter((one) => one.in === 'path' && one.required)
        const names = described.map(({ name }) => name)
        const patterns = described.map(({ schema }) => new RegExp(schema.pattern ?? '(', 'u').test('1'))
        return String(names) === String(places) && patterns.every(Boolean) ? [] : [operation.operationId]
      }),
    )
    expect(wrong).toEqual([])
  })

  test('gives each operation a unique id, a tag and its errors', async () => {
    const document = await api.openapi()
    const operations = Object.values(document.paths).flatMap((item) => Object.values(item))
    const ids = operations.map(({ operationId }) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.filter((id) => !/^[a-z]+(?:[A-Z0-9][A-Za-z0-9]*)+$/.test(id))).toEqual([])
    const tags = new Set(document.tags.map(({ name }) => name))
    expect(operations.flatMap((one) => one.tags).filter((tag) => !tags.has(tag))).toEqual([])
    for (const { responses } of operations)
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(['401', '500']))
  })
})

test('uses public names only when a name map is set', async () => {
  const text = JSON.stringify(await apiOf({ profile: d2, names: wordpress }).openapi())
  expect(text).toContain('/wp/v2/posts')
  expect(text).toContain('X-WP-Total')
  expect(text.match(/cms\/v2|builder\/v1|X-CMS|_builder_|CmsV2/g)).toBeNull()
})

test('the document has the version of the package', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
  expect((await apiOf({ profile: d1 }).openapi()).info.version).toBe(version)
})

test('documents that If-Match is required', async () => {
  const document = await apiOf({ profile: d1, conditionalWrites: 'required' }).openapi()
  expect(document.paths['/cms/v2/posts/{id}']?.delete?.responses).toHaveProperty('428')
  expect(document.paths['/cms/v2/posts/{id}']?.get?.responses).not.toHaveProperty('428')
  expect(document.paths['/cms/v2/posts']?.post?.responses).not.toHaveProperty('428')
})

test('returns a copy of the document to each caller', async () => {
  const api = apiOf({ profile: d1 })
  const first = (await api.openapi()) as { info: { title: string } }
  first.info.title = 'changed'
  expect((await api.openapi()).info.title).not.toBe('changed')
})

test('routes that differ in a pattern only are one path with the names of the first', async () => {
  const things = [
    endpoint({
      path: `/things/${digits('id')}`,
      methods: ['GET'],
      args: { id: required(int()) },
      permission: can('read'),
      handler: ({ args }) => args.id,
    }),
    endpoint({
      path: `/things/${parameter('name', '[a-z]+')}`,
      methods: ['DELETE'],
      args: { name: required(str()) },
      permission: anyone,
      handler: () => true,
    }),
  ]
  const own = profile({ name: 'own', gmtOffset: 'text', features: [feature('things', 'own/v1', things)] })
  const document = await apiOf({ profile: own }).openapi()
  expect((await new Validator().validate(document as never)).errors).toBeUndefined()
  const { get, delete: remove } = document.paths['/own/v1/things/{id}'] ?? {}
  expect(parametersOf(document, get as Operation)[0]).toMatchObject({ name: 'id', schema: { pattern: '^[\\d]+$' } })
  expect(parametersOf(document, remove as Operation)[0]).toMatchObject({ name: 'id', schema: { pattern: '^[a-z]+$' } })
  expect(get?.security).toEqual([{ applicationPassword: [] }])
  expect(remove?.security).toEqual([{}, { applicationPassword: [] }])
})

/** Those of arguments, answers and components, and those within them that have a default. */
function schemasIn(value: unknown, place = ''): JsonSchema[] {
  if (typeof value !== 'object' || value === null || place === 'examples') return []
  const isSchema = place === 'schema' || place === 'schemas/'
  const hasDefault = place !== 'responses' && place !== 'properties' && 'default' in value
  const inner = Object.entries(value).flatMap(([key, one]) => schemasIn(one, place === 'schemas' ? 'schemas/' : key))
  return isSchema || hasDefault ? [value as JsonSchema, ...inner] : inner
}
