/** Which calls the types of the client accept, and which they reject. `npm run types` is the test. */
import { expectTypeOf, test } from 'vitest'
import { type Client, type ClientError, createClient, type Failure, type Success } from '../../src/client/index.ts'
import { bool, int, list, object, oneOf, required, str } from '../../src/core/declare/args.ts'
import { EDITABLE, endpoint } from '../../src/core/declare/endpoint.ts'
import { type Feature, feature } from '../../src/core/declare/feature.ts'
import { digits, parameter } from '../../src/core/declare/pattern.ts'
import { anyone } from '../../src/core/declare/permissions.ts'
import { profile } from '../../src/core/declare/profile.ts'
import * as answers from '../../src/core/declare/response-schema.ts'
import { contentType } from '../../src/features/content/posts/content-type.ts'
import { createSiteApi, type SiteApi } from '../../src/host/create-site-api.ts'
import type { content } from '../../src/profiles/content.ts'
import type { d1 } from '../../src/profiles/d1.ts'
import type { d2 } from '../../src/profiles/d2.ts'
import { memoryStorage } from '../../src/storage/memory/index.ts'

const tide = answers.fields({
  id: int(),
  place: str(),
  height: answers.sometimes(answers.fields({ high: int(), low: int() })),
})
const shared = { permission: anyone, handler: () => null } as const

const tideRoutes = ({ places }: { readonly places: readonly string[] }) =>
  feature('tides', 'tides/v1', [
    endpoint({
      ...shared,
      path: '/tides',
      methods: ['GET'],
      args: { page: int({ default: 1 }), place: oneOf(['quay', 'reef']), days: list(int(), { default: [] }) },
      responses: { 200: answers.fields({ data: list(tide) }) },
    }),
    endpoint({
      ...shared,
      path: '/tides',
      methods: ['POST'],
      batch: true,
      args: {
        place: required(str({ description: places.join() })),
        window: object({ from: required(int()), to: int() }),
      },
      responses: { 200: tide, 201: answers.fields({ id: int() }) },
    }),
    endpoint({
      ...shared,
      path: `/tides/${digits('id')}/marks/${parameter('mark', '[\\w-]+')}`,
      methods: EDITABLE,
      args: { id: required(int()), isHigh: bool({ default: false }) },
      responses: { 204: answers.noBody(), 409: answers.fields({ success: answers.exactly(false) }) },
    }),
    endpoint({ ...shared, path: `/tides/${digits('id')}`, methods: ['DELETE'], batch: true, args: { id: int() } }),
  ])

const harbour = profile({ name: 'harbour', gmtOffset: 'text', features: [tideRoutes({ places: [] })] })
declare const client: Client<typeof harbour>
type Tide = {
  readonly id: number
  readonly place: string
  readonly height?: { readonly high: number; readonly low: number }
}

test('arguments are those of the endpoint', () => {
  client.get('/tides/v1/tides')
  client.get('/tides/v1/tides', { page: 2, place: 'quay', days: [1] }, { timeoutMs: 5 })
  client.get('/tides/v1', { context: 'view' })
  // @ts-expect-error a value outside the enum
  client.get('/tides/v1/tides', { place: 'beach' })
  // @ts-expect-error a string for a number
  client.get('/tides/v1/tides', { page: '2' })
  // @ts-expect-error an argument that is not declared
  client.get('/tides/v1/tides', { colour: 'blue' })
  // @ts-expect-error a path that is not there
  client.get('/tides/v1/tidez', {})
  // @ts-expect-error a method that the path does not serve
  client.delete('/tides/v1/tides', {})
  // @ts-expect-error the same with the method by name
  client.request('PUT', '/tides/v1/tides', {})
})

test('required arguments are required', () => {
  client.post('/tides/v1/tides', { place: 'quay', window: { from: 1 } })
  // @ts-expect-error no arguments
  client.post('/tides/v1/tides')
  // @ts-expect-error the place is missing
  client.post('/tides/v1/tides', {})
  // @ts-expect-error a member is missing
  client.post('/tides/v1/tides', { place: 'quay', window: { to: 1 } })
})

test('parameters of the path are arguments', () => {
  client.put('/tides/v1/tides/{id}/marks/{mark}', { id: 1, mark: 'a', isHigh: true })
  client.delete('/tides/v1/tides/{id}', { id: 1 })
  // @ts-expect-error both are required, declared or not
  client.patch('/tides/v1/tides/{id}/marks/{mark}', { id: 1 })
  // @ts-expect-error declared as a number
  client.delete('/tides/v1/tides/{id}', { id: 'one' })
  // @ts-expect-error the path has to be the declared one
  client.delete('/tides/v1/tides/1', {})
})

test('a result is a declared response or an error', async () => {
  const made = await client.post('/tides/v1/tides', { place: 'quay' })
  expectTypeOf(made).toExtend<Success<200, Tide> | Success<201, { readonly id: number }> | Failure>()
  if (made.status === 201 && made.ok) expectTypeOf(made.data.id).toEqualTypeOf<number>()
  // @ts-expect-error the request may have failed
  made.data.id
  const { data, error, total } = await client.get('/tides/v1/tides')
  expectTypeOf(error).toEqualTypeOf<ClientError | undefined>()
  expectTypeOf(total).toEqualTypeOf<number | undefined>()
  if (error) return
  expectTypeOf(data.data).toExtend<readonly Tide[]>()
  expectTypeOf(data.data[0]?.height?.high).toEqualTypeOf<number | undefined>()
  const marked = await client.post('/tides/v1/tides/{id}/marks/{mark}', { id: 1, mark: 'a' })
  if (marked.ok) expectTypeOf(marked.data).toEqualTypeOf<undefined>()
  const removed = await client.delete('/tides/v1/tides/{id}', { id: 1 })
  if (removed.ok) expectTypeOf(removed).toEqualTypeOf<Success<number, unknown>>()
})

test('errors may be thrown instead', async () => {
  const { data } = await client.orThrow.get('/tides/v1/tides')
  expectTypeOf(data.data).toExtend<readonly Tide[]>()
})

test('_fields narrows the type of the response', async () => {
  const { data } = await client.orThrow.post('/tides/v1/tides', { place: 'quay', _fields: ['id', 'height.high'] })
  expectTypeOf(data.id).toEqualTypeOf<number>()
  const { data: found } = await client.orThrow.get('/tides/v1/tides', { _fields: ['data.id', 'data.height.high'] })
  const first = found.data[0]
  if (first) expectTypeOf(first.id).toEqualTypeOf<number>()
  // @ts-expect-error the member was not requested
  first?.place
  const blog = {} as Client<typeof d1>
  const { data: seen } = await blog.orThrow.get('/cms/v2/posts', { _fields: ['id', '_links'], _embed: true })
  expectTypeOf(seen[0]?._embedded?.author?.[0]?.name).toEqualTypeOf<string | undefined>()
  const { data: bare } = await blog.orThrow.get('/cms/v2/posts', { _fields: ['id', 'slug'], _embed: true })
  // @ts-expect-error no links are left, so that nothing is embedded
  bare[0]?._embedded
  const wanted: string[] = []
  const { data: some } = await client.orThrow.get('/tides/v1/tides', { _fields: wanted })
  expectTypeOf(some.data?.[0]?.id).toEqualTypeOf<number | undefined>()
})

test('pages iterate the rows of a paged list', async () => {
  for await (const row of client.iterate('/tides/v1/tides', { place: 'reef' })) expectTypeOf(row).toExtend<Tide>()
  for await (const page of client.pages('/tides/v1/tides')) expectTypeOf(page.data.data).toExtend<readonly Tide[]>()
  // @ts-expect-error the route is not paged
  client.iterate('/tides/v1')
})

test('a batch gives a result for each call, in order', async () => {
  const { results, error } = await client.batch((context) => [
    context.post('/tides/v1/tides', { place: 'quay' }),
    context.delete('/tides/v1/tides/{id}', { id: 1 }),
  ])
  expectTypeOf(error).toEqualTypeOf<ClientError | undefined>()
  expectTypeOf(results.length).toEqualTypeOf<2>()
  expectTypeOf(results[0]).toExtend<Success<200, Tide> | Success<201, { readonly id: number }> | Failure>()
  expectTypeOf(results[1]).toEqualTypeOf<Success<number, unknown> | Failure>()
  const many = await client.batch((context) => [1, 2].map((id) => context.delete('/tides/v1/tides/{id}', { id })), {
    atomic: true,
  })
  expectTypeOf(many.results[7]).toEqualTypeOf<Success<number, unknown> | Failure | undefined>()
  // @ts-expect-error the endpoint does not declare batch: true
  client.batch((context) => [context.put('/tides/v1/tides/{id}/marks/{mark}', { id: 1, mark: 'a' })])
  // @ts-expect-error the place is missing
  client.batch((context) => [context.post('/tides/v1/tides', {})])
})

test('the profiles of the package have their routes', async () => {
  const first = createClient<typeof d1>({ url: '/api' })
  const second = createClient<typeof d2>({ url: '/api' })
  const { data } = await first.orThrow.get('/cms/v2/posts', { per_page: 5, order: 'asc' })
  expectTypeOf(data[0]!.id).toEqualTypeOf<number>()
  second.post('/builder/v1/notes', { post_id: 1, element_id: 'a', content: 'b', position: { x: 1, y: 2 } })
  // Features made with options, and those made with a namespace, keep the types of their routes.
  second.get('/builder/v1/form-submissions/{id}', { id: 1 })
  second.get('/builder-theme-biz/v1/whats-new')
  first.get('/builder/v1/globals/colors/{id}', { id: 'primary' })
  first.get('/')
  // @ts-expect-error only D2 has notes
  first.get('/builder/v1/notes', {})
  // @ts-expect-error an unknown status
  first.post('/cms/v2/posts', { status: 'gone' })
  const { results } = await first.batch((context) => [context.post('/cms/v2/posts', { title: 'One' })])
  expectTypeOf(results[0].data!.id).toEqualTypeOf<number>()
})

test('an api in the same process provides its profile', () => {
  const api = createSiteApi({ storage: memoryStorage(), profile: harbour })
  const inside = createClient({ api, as: 'system' })
  inside.get('/tides/v1/tides', { page: 2 })
  // @ts-expect-error a path that is not there
  inside.get('/cms/v2/posts')
  const forgotten: SiteApi = api
  createClient({ api: forgotten }).get('/anything', { a: 1 })
  createClient<typeof harbour>({ api: forgotten }).get('/tides/v1/tides')
})

test('features extend a profile, and an untyped one allows any path', async () => {
  const more = profile({ ...harbour, features: [...harbour.features, feature('x', 'x/v1', [])] })
  const known = createClient<typeof more>({ url: '/api' })
  known.get('/tides/v1/tides')
  known.get('/x/v1')
  // @ts-expect-error neither profile has the path
  known.get('/y/v1')
  const open = profile({ ...harbour, features: [...harbour.features, {} as Feature] })
  const { data } = await createClient<typeof open>({ url: '/api' }).get('/anything', { a: 1 })
  expectTypeOf(data).toEqualTypeOf<unknown>()
  const { data: untyped } = await createClient({ url: '/api' }).get('/cms/v2/posts', { per_page: 'all' })
  expectTypeOf(untyped).toEqualTypeOf<unknown>()
})

test('types the meta of a content type by its fields', () => {
  const recipes = contentType({
    name: 'recipe',
    labels: { singular: 'Recipe', plural: 'Recipes' },
    restBase: 'recipes',
    supports: ['title'],
    fields: { servings: int({ default: 4 }) },
  })
  const kitchen = profile({ name: 'kitchen', gmtOffset: 'text', features: [recipes] })
  const cook = {} as Client<typeof kitchen>['orThrow']
  const read = () => cook.get('/cms/v2/recipes/{id}', { id: 1 })
  type Recipe = Awaited<ReturnType<typeof read>>['data']
  expectTypeOf<NonNullable<Recipe['meta']>['servings']>().toEqualTypeOf<number | undefined>()

  const site = {} as Client<typeof content>['orThrow']
  const readBlock = () => site.get('/cms/v2/blocks/{id}', { id: 1 })
  type Block = Awaited<ReturnType<typeof readBlock>>['data']
  expectTypeOf<Block['cms_pattern_sync_status']>().toEqualTypeOf<'partial' | 'unsynced' | undefined>()
  expectTypeOf<keyof NonNullable<Block['meta']>>().toEqualTypeOf<'footnotes'>()
  site.post('/cms/v2/blocks/{id}', { id: 1, meta: { cms_pattern_sync_status: 'unsynced' } })

  const blog = {} as Client<typeof d1>
  blog.post('/cms/v2/posts', { meta: { _builder_edit_mode: 'builder', footnotes: null } })
  // @ts-expect-error the type has no such field
  blog.post('/cms/v2/posts', { meta: { mood: 1 } })
  // @ts-expect-error the field is a text
  blog.post('/cms/v2/posts', { meta: { footnotes: 1 } })
  // @ts-expect-error the field is a number
  cook.post('/cms/v2/recipes', { title: 'Chowder', meta: { servings: 'four' } })
})
