/** Groups, titles and examples of the OpenAPI document: recorded ones of the profiles, and those of endpoints. */
import { describe, expect, test } from 'vitest'
import { int, list, required, str } from '../../../src/core/declare/args.ts'
import { endpoint } from '../../../src/core/declare/endpoint.ts'
import { feature } from '../../../src/core/declare/feature.ts'
import { digits } from '../../../src/core/declare/pattern.ts'
import { anyone } from '../../../src/core/declare/permissions.ts'
import { type Profile, profile } from '../../../src/core/declare/profile.ts'
import { fields } from '../../../src/core/declare/response-schema.ts'
import type { Operation, Parameter } from '../../../src/core/describe/openapi/document.ts'
import { createSiteApi } from '../../../src/host/create-site-api.ts'
import type { SiteApiOptions } from '../../../src/host/site-options.ts'
import { wordpress } from '../../../src/names/wordpress.ts'
import { d1 } from '../../../src/profiles/d1.ts'
import { d2 } from '../../../src/profiles/d2.ts'
import { memoryStorage } from '../../../src/storage/memory/index.ts'
import { createSchemaCompiler } from '../../support/json-schema.ts'

const documentOf = (options: Partial<SiteApiOptions> & { profile: Profile }) =>
  createSiteApi({ storage: memoryStorage(), url: 'https://quay.example', ...options }).openapi()

/** The media types of an operation that have examples, and its parameters that have one. */
function examplesIn({ requestBody, responses, parameters }: Operation) {
  const contents = [requestBody, ...Object.values(responses)].flatMap((one) =>
    one && 'content' in one ? Object.values(one.content ?? {}) : [],
  )
  const bodies = contents.flatMap(({ schema = {}, examples = {} }) =>
    Object.values(examples).map(({ value }) => ({ schema, value })),
  )
  const values = parameters.flatMap((one) =>
    'example' in one ? [{ schema: (one as Parameter).schema, value: one.example }] : [],
  )
  return [...bodies, ...values]
}

/** Interface: the published schema of these texts is an object; a text is accepted too. */
const acceptedText = /^data\/(?:title|content|excerpt) must be object$/

describe.each([d1, d2])('profile $name', (chosen) => {
  test('has examples that match their schemas', { timeout: 60_000 }, async () => {
    const document = await documentOf({ profile: chosen })
    const ajv = createSchemaCompiler()
    ajv.addSchema(document, 'document')
    const operations = Object.values(document.paths).flatMap((item) => Object.values(item))
    const wrong = operations.flatMap((operation) =>
      examplesIn(operation).flatMap(({ schema, value }) => {
        const check = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#', '"$ref":"document#')))
        if (check(value)) return []
        const problem = ajv.errorsText(check.errors)
        return acceptedText.test(problem) ? [] : [`${operation.operationId}: ${problem}`]
      }),
    )
    expect(wrong).toEqual([])
    expect(operations.filter((operation) => examplesIn(operation).length > 0).length).toBeGreaterThan(60)
  })

  test('puts every feature into a group, with content and posts first', async () => {
    const { tags, 'x-tagGroups': groups } = await documentOf({ profile: chosen })
    expect(groups[0]?.name).toBe('Content')
    expect(tags[0]).toEqual({ name: 'posts', 'x-displayName': 'Posts' })
    expect(groups.flatMap((group) => group.tags)).toEqual(tags.map(({ name }) => name))
    expect(groups.map(({ name }) => name)).not.toContain('Others')
    const titles = tags.map((tag) => tag['x-displayName'])
    expect(titles.filter((title, at) => titles.indexOf(title) !== at)).toEqual([])
  })
})

test('shows the recorded request and response of a route', async () => {
  const { paths } = await documentOf({ profile: d1 })
  const create = paths['/cms/v2/posts']?.post
  expect(create?.requestBody?.content['application/json']?.examples?.recorded?.value).toMatchObject({
    title: 'High tide',
  })
  expect(create?.responses['201']).toMatchObject({
    content: { 'application/json': { examples: { recorded: { value: { status: 'draft' } } } } },
  })
})

test('writes examples in the names of the word map', async () => {
  const document = await documentOf({ profile: d1, names: wordpress })
  expect(JSON.stringify(document)).not.toMatch(/cms\/v2|_builder_|cms:items/)
  const { post } = document.paths['/wp/v2/posts'] ?? {}
  expect(post?.requestBody?.content['application/json']?.examples?.recorded).toBeDefined()
  expect(document.info).not.toHaveProperty('x-profile')
})

test('an example that an endpoint declares is in the document, and not in the site index', async () => {
  const boats = endpoint({
    path: `/boats/${digits('id')}`,
    methods: ['PUT', 'PATCH'],
    args: { id: required(int()), name: str(), sails: list(str()) },
    permission: anyone,
    responses: { 200: fields({ id: int() }) },
    example: { summary: 'A boat gets a name.', args: { id: 7, name: 'Gannet' }, response: { id: 7 } },
    handler: ({ args }) => ({ id: args.id }),
  })
  const own = profile({ ...d1, name: 'own', features: [...d1.features, feature('small-boats', 'shop/v1', [boats])] })
  const api = createSiteApi({ storage: memoryStorage(), url: 'https://quay.example', profile: own })
  const document = await api.openapi()
  const { put } = document.paths['/shop/v1/boats/{id}'] ?? {}
  expect(put?.parameters[0]).toMatchObject({ name: 'id', example: 7 })
  expect(put?.requestBody?.content['application/json']?.examples).toEqual({
    recorded: { summary: 'A boat gets a name.', value: { name: 'Gannet' } },
  })
  expect(JSON.stringify(put?.responses['200'])).toContain('{"summary":"A boat gets a name.","value":{"id":7}}')
  expect(document.tags.at(-1)).toEqual({ name: 'small-boats', 'x-displayName': 'Small boats' })
  expect(document['x-tagGroups'].at(-1)).toEqual({ name: 'Others', tags: ['small-boats'] })
  expect(JSON.stringify(await api.index())).not.toContain('Gannet')
})

test('a feature of the host whose title is taken shows its name too', async () => {
  const colors = feature('global-colors-and-typography', 'shop/v1', [
    endpoint({ path: '/colors', methods: ['GET'], args: {}, permission: anyone, handler: () => [] }),
  ])
  const { tags } = await documentOf({ profile: profile({ ...d1, name: 'own', features: [...d1.features, colors] }) })
  expect(tags.at(-1)?.['x-displayName']).toBe('Global colors and typography (global-colors-and-typography)')
})
