/** What the service answers fits the schemas of its OpenAPI document: successes and refusals, in either words. */
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
import { createSchemaCompiler } from '../../support/json-schema.ts'
import { createTestSite, type Received, type TestSite } from '../../support/site.ts'

/** The media types of an answer, as the document has them for this status. */
function contentOf({ components }: OpenApiDocument, { responses }: Operation, status: number) {
  const one = responses[String(status)] ?? (status < 300 ? responses['2XX'] : responses['default'])
  const found = one && '$ref' in one ? components.responses[one.$ref.split('/').at(-1) ?? ''] : (one as Response)
  return found?.content ?? {}
}

function createJudge(document: OpenApiDocument) {
  const compiler = createSchemaCompiler()
  compiler.addSchema(document, 'document')
  const checks = new Map<JsonSchema, ReturnType<typeof compiler.compile>>()
  return (operation: Operation, { status, headers, body }: Received): string | undefined => {
    const content: { readonly [type: string]: MediaType } = contentOf(document, operation, status)
    const type = Object.keys(content).find((one) => headers.get('content-type')?.startsWith(one))
    if (type === undefined) return `${status}: the document does not know ${headers.get('content-type')}`
    const schema = content[type]?.schema ?? {}
    const check =
      checks.get(schema) ?? compiler.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')))
    checks.set(schema, check)
    return check(body) ? undefined : `${status}: ${compiler.errorsText(check.errors)}`
  }
}

/** Ids of the small site, for what stands in a path. */
const valuesOf = ({ ids }: TestSite) => ({
  id: String(ids['post.hello']),
  parent: String(ids['post.hello']),
  slug: 'builder',
  key: 'title',
  type: 'post',
  taxonomy: 'category',
})

/** They reach outside. */
const unasked = /\/oembed\/1\.0\/proxy$/

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
      const problemWith = createJudge(document)
      const wrong: string[] = []
      const statuses = new Set<number>()
      const values: { readonly [name: string]: string } = valuesOf(site)
      for (const [path, { get }] of Object.entries(document.paths)) {
        if (!get || unasked.test(path)) continue
        const received = await site.as(login)(
          'GET',
          path.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '1'),
        )
        statuses.add(received.status)
        const problem = problemWith(get, received)
        if (problem) wrong.push(`${path}: ${problem}`)
      }
      expect(wrong).toEqual([])
      expect([...statuses]).toEqual(expect.arrayContaining([200, { ada: 404, sam: 403 }[login ?? ''] ?? 401]))
      await site.dispose()
    },
  )

  test('every error of a write without arguments matches the document', { timeout: 60_000 }, async () => {
    const site = await createTestSite({ profile, ...(names ? { names } : {}) })
    const document = await site.api.openapi()
    const problemWith = createJudge(document)
    const wrong: string[] = []
    for (const [path, item] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries(item)) {
        if (method === 'get' || operation['x-who'] === 'anyone') continue
        const received = await site.visitor(method.toUpperCase(), path.replace(/\{(\w+)\}/g, '1'))
        if (received.status < 400) continue
        const problem = problemWith(operation, received)
        if (problem) wrong.push(`${method} ${path}: ${problem}`)
      }
    }
    expect(wrong).toEqual([])
    await site.dispose()
  })
})
