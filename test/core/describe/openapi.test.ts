/** Checks the OpenAPI document with a public validator, against the site index, and with a JSON Schema compiler. */
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
import { createSiteApi } from '../../../src/host/create-site-api.ts'
import type { SiteApiOptions } from '../../../src/host/site-options.ts'
import { createNames, type Names } from '../../../src/names/word-map.ts'
import { wordpress } from '../../../src/names/wordpress.ts'
import { d1 } from '../../../src/profiles/d1.ts'
import { d2 } from '../../../src/profiles/d2.ts'
import { toolFeatures } from '../../../src/profiles/tools.ts'
import { memoryStorage } from '../../../src/storage/memory/index.ts'
import { listed } from '../../support/assertion-messages.ts'
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

/** The endpoints of the index, one for each method. */
const operationsOf = (routes: Index['routes']) =>
  Object.entries(routes).flatMap(([pattern, { endpoints }]) =>
    endpoints.flatMap(({ methods, args }) => methods.map((method) => ({ pattern, method, args }))),
  )

/** A path with `{}` for each parameter: two routes may have the same path with other parameter names. */
const shapeOf = (path: string) => path.replace(/\(\?P<\w+>(?:\[[^\]]*\]|[^()[\]])+\)|\{\w+\}/g, '{}')

function operationAt(document: OpenApiDocument, pattern: string, method: string): Operation | undefined {
  const path = Object.keys(document.paths).find((one) => shapeOf(one) === shapeOf(pattern))
  return document.paths[path ?? '']?.[method.toLowerCase() as 'get']
}

function resolved<T extends object>(document: OpenApiDocument, one: T | Ref): T {
  if (!('$ref' in one)) return one
  const target = one.$ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, key) => (at as { [key: string]: unknown })[key], document)
  return target as T
}

const parametersOf = (document: OpenApiDocument, operation: Operation): Parameter[] =>
  operation.parameters.map((one) => resolved(document, one))

interface DescribedArgument {
  readonly schema: JsonSchema
  readonly required: boolean
  readonly description: string | undefined
}

/** Finds the description of an argument, as a parameter or as a member of the body. */
function described(document: OpenApiDocument, operation: Operation, name: string): DescribedArgument | undefined {
  const parameter = parametersOf(document, operation).find((one) => one.name === name && one.in !== 'header')
  if (parameter) {
    return { schema: parameter.schema, required: parameter.required ?? false, description: parameter.description }
  }
  const content = operation.requestBody?.content['application/json']?.schema
  const body: JsonSchema | undefined = content && resolved(document, content)
  const schema = body?.properties?.[name]
  return schema && { schema, required: body?.required?.includes(name) ?? false, description: schema.description }
}

/** Names of the arguments of the index that the operation lacks, or requires where the index does not. */
function differingArguments(
  document: OpenApiDocument,
  operation: Operation | undefined,
  pattern: string,
  args: { readonly [name: string]: IndexArg },
): string[] {
  if (!operation) return []
  return Object.entries(args).flatMap(([name, arg]) => {
    const isRequired = arg.required || pattern.includes(`<${name}>`)
    return described(document, operation, name)?.required === isRequired ? [] : [name]
  })
}

/** How the description of an argument differs from the site index; undefined if it does not. */
function differenceFromIndex(
  { schema = {}, description }: Partial<DescribedArgument> = {},
  arg: IndexArg,
  hasDefault: boolean,
): string | undefined {
  // The default of a list may be declared as its only member.
  const fallback = schema.type === 'array' && typeof arg.default === 'string' ? [arg.default] : arg.default
  const inDocument = [schema.default, schema.minimum, schema.maximum, schema.enum?.filter((one) => one !== null)]
  const inIndex = [hasDefault ? fallback : undefined, arg.minimum, arg.maximum, arg.enum]
  if (arg.description && !description?.startsWith(arg.description)) return `the description is ${description}`
  if (JSON.stringify(inDocument) === JSON.stringify(inIndex)) return undefined
  return `${JSON.stringify(inDocument)} in the document, ${JSON.stringify(inIndex)} in the index`
}

/** Arguments whose absence means something else than the default that the index shows. */
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
    const listedOperations = operationsOf(routes).map(({ pattern, method, args }) => {
      const operation = operationAt(document, pattern, method)
      return { call: `${method} ${pattern}`, operation, wrong: differingArguments(document, operation, pattern, args) }
    })
    const missing = listedOperations.filter(({ operation }) => !operation).map(({ call }) => call)
    expect(missing, listed('The site index has these routes, the OpenAPI document does not:', missing)).toEqual([])
    const wrong = listedOperations.flatMap(({ call, wrong }) => wrong.map((name) => `${call}: ${name}`))
    expect(
      wrong,
      listed('Absent from the OpenAPI document, or required in one and optional in the other:', wrong),
    ).toEqual([])
    const seen = new Set(listedOperations.map(({ operation }) => operation))
    expect(Object.values(document.paths).flatMap((item) => Object.values(item)).length).toBe(seen.size)
  })

  test('gives arguments the enum, bounds, default and description of the index', async () => {
    const document = await api.openapi()
    const { routes } = (await api.index()) as Index
    const shownOnly = argumentsShownOnly(options.profile, createNames(options.names))
    const wrong = operationsOf(routes).flatMap(({ pattern, method, args }) => {
      const operation = operationAt(document, pattern, method) as Operation
      return Object.entries(args).flatMap(([name, arg]) => {
        const hasDefault = !shownOnly.has(`${operation.summary} ${name}`)
        const problem = differenceFromIndex(described(document, operation, name), arg, hasDefault)
        return problem === undefined ? [] : [`${method} ${pattern} ${name}: ${problem}`]
      })
    })
    expect(
      wrong,
      listed('The OpenAPI document describes these arguments otherwise than the site index:', wrong),
    ).toEqual([])
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
        const namesInPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
        const parameters = parametersOf(document, operation).filter((one) => one.in === 'path' && one.required)
        const names = parameters.map(({ name }) => name)
        const matches = parameters.map(({ schema }) => new RegExp(schema.pattern ?? '(', 'u').test('1'))
        return String(names) === String(namesInPath) && matches.every(Boolean) ? [] : [operation.operationId]
      }),
    )
    expect(wrong).toEqual([])
  })

  test('gives each operation a unique id, a tag and its errors', async () => {
    const document = await api.openapi()
    const operations = Object.values(document.paths).flatMap((item) => Object.values(item))
    const ids = operations.map(({ operationId }) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
    const badIds = ids.filter((id) => !/^[a-z]+(?:[A-Z0-9][A-Za-z0-9]*)+$/.test(id))
    expect(
      badIds,
      listed('Operation ids are made from method and path; these are not identifiers in camelCase:', badIds),
    ).toEqual([])
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
  const own = profile({
    name: 'own',
    gmtOffset: 'text',
    features: [...toolFeatures, feature('things', 'own/v1', things)],
  })
  const document = await apiOf({ profile: own }).openapi()
  expect((await new Validator().validate(document as never)).errors).toBeUndefined()
  const { get, delete: remove } = document.paths['/own/v1/things/{id}'] ?? {}
  expect(parametersOf(document, get as Operation)[0]).toMatchObject({ name: 'id', schema: { pattern: '^[\\d]+$' } })
  expect(parametersOf(document, remove as Operation)[0]).toMatchObject({ name: 'id', schema: { pattern: '^[a-z]+$' } })
  expect(get?.security).toEqual([{ applicationPassword: [] }])
  expect(remove?.security).toEqual([{}, { applicationPassword: [] }])
})

/** The schemas of arguments, responses and components, and those within them that have a default. */
function schemasIn(value: unknown, place = ''): JsonSchema[] {
  if (typeof value !== 'object' || value === null || place === 'examples') return []
  const isSchema = place === 'schema' || place === 'schemas/'
  const hasDefault = place !== 'responses' && place !== 'properties' && 'default' in value
  const inner = Object.entries(value).flatMap(([key, one]) => schemasIn(one, place === 'schemas' ? 'schemas/' : key))
  return isSchema || hasDefault ? [value as JsonSchema, ...inner] : inner
}

test('declares that the texts of a post may be sent as plain texts', async () => {
  const document = await apiOf({ profile: d1 }).openapi()
  const operation = operationAt(document, '/cms/v2/posts', 'POST') as Operation
  const [content] = Object.values(operation.requestBody?.content ?? {})
  const ajv = createSchemaCompiler()
  ajv.addSchema(JSON.parse(JSON.stringify(document)), 'document')
  const body = ajv.compile(JSON.parse(JSON.stringify(content?.schema).replaceAll('"$ref":"#', '"$ref":"document#')))
  expect(body({ title: 'Tide', content: { raw: 'Ebb' } })).toBe(true)
  expect(body({ title: 7 })).toBe(false)
})
