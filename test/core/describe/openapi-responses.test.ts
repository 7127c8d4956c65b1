/** Checks responses against the schemas of the OpenAPI document: successes and errors, neutral and public names. */
import { describe, expect, test } from 'vitest'
import type {
  JsonSchema,
  MediaType,
  OpenApiDocument,
  Operation,
  Response,
} from '../../../src/core/describe/openapi/document.ts'
import { wordpress } from '../../../src/names/wordpress.ts'
import { d1 } from '../../../src/profiles/d1.ts'
import { d2 } from '../../../src/profiles/d2.ts'
import { listed } from '../../support/assertion-messages.ts'
import { createSchemaCompiler } from '../../support/json-schema.ts'
import { createTestSite, failuresOf, type Received, type TestSite } from '../../support/site.ts'

/** The media types that the document declares for a status of an operation. */
function contentOf({ components }: OpenApiDocument, { responses }: Operation, status: number) {
  const one = responses[String(status)] ?? (status < 300 ? responses['2XX'] : responses['default'])
  const response = one && '$ref' in one ? components.responses[one.$ref.split('/').at(-1) ?? ''] : (one as Response)
  return response?.content ?? {}
}

/** Returns a function that describes how a response differs from the document; undefined if it does not. */
function createResponseCheck(document: OpenApiDocument) {
  const compiler = createSchemaCompiler()
  compiler.addSchema(document, 'document')
  const checks = new Map<JsonSchema, ReturnType<typeof compiler.compile>>()
  return (operation: Operation, { status, headers, body }: Received): string | undefined => {
    const content: { readonly [type: string]: MediaType } = contentOf(document, operation, status)
    const type = Object.keys(content).find((one) => headers.get('content-type')?.startsWith(one))
    if (type === undefined)
      return `${status} with type ${headers.get('content-type')} is not in the document: declare it in the responses of the endpoint, such as responses: { ${status}: ... }`
    const schema = content[type]?.schema ?? {}
    const check =
      checks.get(schema) ?? compiler.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')))
    checks.set(schema, check)
    return check(body) ? undefined : `${status}: ${compiler.errorsText(check.errors)}`
  }
}

/** Values of the small site for path parameters. */
const valuesOf = ({ ids }: TestSite) => ({
  id: String(ids['post.hello']),
  parent: String(ids['post.hello']),
  slug: 'builder',
  key: 'title',
  type: 'post',
  taxonomy: 'category',
})

/** Routes that send requests outside. */
const skipped = /\/oembed\/1\.0\/proxy$/

const guardedWrites = ({ paths }: OpenApiDocument) =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method, operation]) => method !== 'get' && operation['x-who'] !== 'anyone')
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation: operation as Operation })),
  )

const advice =
  'These responses differ from the OpenAPI document. Correct the handler, or the responses of its endpoint:'

describe.each([
  { profile: d1, names: undefined },
  { profile: d2, names: wordpress },
])('$profile.name, with names: $names.length', ({ profile, names }) => {
  test.each(['ada', 'sam', null])(
    'every GET response matches its document as %s',
    { timeout: 60_000 },
    async (login) => {
      const site = await createTestSite({ profile, ...(names ? { names } : {}) })
      const document = await site.api.openapi()
      const problemWith = createResponseCheck(document)
      const wrong: string[] = []
      const statuses = new Set<number>()
      const values: { readonly [name: string]: string } = valuesOf(site)
      for (const [path, { get }] of Object.entries(document.paths)) {
        if (!get || skipped.test(path)) continue
        const received = await site.as(login)(
          'GET',
          path.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '1'),
        )
        statuses.add(received.status)
        const problem = problemWith(get, received)
        if (problem) wrong.push(`GET ${path}: ${problem}`)
      }
      expect(wrong, listed(advice, wrong)).toEqual([])
      expect(
        failuresOf(site),
        listed('The handler failed, or returned what its responses do not declare:', failuresOf(site)),
      ).toEqual([])
      expect([...statuses]).toEqual(expect.arrayContaining([200, { ada: 404, sam: 403 }[login ?? ''] ?? 401]))
      await site.dispose()
    },
  )

  test('every error of a write without arguments matches the document', { timeout: 60_000 }, async () => {
    const site = await createTestSite({ profile, ...(names ? { names } : {}) })
    const document = await site.api.openapi()
    const problemWith = createResponseCheck(document)
    const wrong: string[] = []
    for (const { method, path, operation } of guardedWrites(document)) {
      const received = await site.visitor(method, path.replace(/\{(\w+)\}/g, '1'))
      const problem = received.status < 400 ? undefined : problemWith(operation, received)
      if (problem) wrong.push(`${method} ${path}: ${problem}`)
    }
    expect(wrong, listed(advice, wrong)).toEqual([])
    await site.dispose()
  })
})
