/** The client's types of fields that a host declares. `npm run types` is the test. */
import { expectTypeOf, test } from 'vitest'
import { createClient } from '../../src/client/index.ts'
import { int, oneOf, str } from '../../src/core/declare/args.ts'
import { profile } from '../../src/core/declare/profile.ts'
import { metaFields } from '../../src/features/content/meta-fields.ts'
import { taxonomy } from '../../src/features/content/terms/taxonomy.ts'
import type { SiteApi } from '../../src/host/create-site-api.ts'
import { full } from '../../src/profiles/full.ts'

const first = metaFields({ post: { subtitle: str(), mood: oneOf(['calm', 'wild']) }, user: { points: int() } })
const second = metaFields({ post: { minutes: int() }, term: { colour: str() }, media: { credit: str() } })
const cuisines = taxonomy({
  ...{ name: 'cuisine', labels: { singular: 'Cuisine', plural: 'Cuisines' }, restBase: 'cuisines' },
  fields: { heat: int(), origin: str() },
})
const moods = taxonomy({ name: 'mood', labels: { singular: 'Mood', plural: 'Moods' }, restBase: 'moods' })
const own = profile({ ...full, name: 'own', features: [...full.features, first, second, cuisines, moods] })
const client = createClient<typeof own>({ url: 'http://x' })

test('writes take the fields of the record, and no other types', () => {
  client.post('/cms/v2/posts', { title: 'x', meta: { subtitle: 'Low', mood: 'calm', minutes: 4 } })
  client.post('/cms/v2/posts/{id}', { id: 1, meta: { subtitle: null } })
  client.post('/cms/v2/categories', { name: 'x', meta: { colour: 'red' } })
  client.post('/cms/v2/users/{id}', { id: 1, meta: { points: 3 } })
  client.post('/cms/v2/media/{id}', { id: 1, meta: { credit: 'Ada' } })
  // @ts-expect-error a number is no text
  client.post('/cms/v2/posts', { title: 'x', meta: { subtitle: 42 } })
  // @ts-expect-error none of the values
  client.post('/cms/v2/posts', { title: 'x', meta: { mood: 'sad' } })
  // @ts-expect-error a text is no number
  client.post('/cms/v2/users/{id}', { id: 1, meta: { points: '3' } })
})

test('terms of a taxonomy of the host have its fields, and those of all terms', async () => {
  client.post('/cms/v2/cuisines', { name: 'x', meta: { heat: 3, origin: null, colour: 'red' } })
  client.post('/cms/v2/moods/{id}', { id: 1, meta: { colour: 'red' } })
  client.post('/cms/v2/menus', { name: 'x', meta: { colour: 'red' } })
  // @ts-expect-error a text is no number
  client.post('/cms/v2/cuisines', { name: 'x', meta: { heat: 'hot' } })
  // @ts-expect-error a number is no text
  client.post('/cms/v2/cuisines/{id}', { id: 1, meta: { colour: 3 } })
  // @ts-expect-error a number is no text
  client.post('/cms/v2/moods', { name: 'x', meta: { colour: 3 } })
  // @ts-expect-error moods have no such field
  client.post('/cms/v2/moods', { name: 'x', meta: { heat: 3 } })
  const { data } = await client.orThrow.get('/cms/v2/cuisines/{id}', { id: 1 })
  expectTypeOf(data.meta?.heat).toEqualTypeOf<number | undefined>()
  expectTypeOf(data.meta?.colour).toEqualTypeOf<string | undefined>()
  const { data: listed } = await client.orThrow.get('/cms/v2/moods')
  expectTypeOf(listed[0]?.meta?.colour).toEqualTypeOf<string | undefined>()
  // @ts-expect-error moods have no such field
  listed[0]?.meta?.heat
})

test('the fields of a taxonomy are typed without metaFields, and for calls in the process', async () => {
  const kitchen = profile({ ...full, name: 'kitchen', features: [...full.features, cuisines, moods] })
  const cook = createClient<typeof kitchen>({ url: 'http://x' })
  cook.post('/cms/v2/cuisines', { name: 'x', meta: { heat: 3 } })
  // @ts-expect-error a text is no number
  cook.post('/cms/v2/cuisines', { name: 'x', meta: { heat: 'hot' } })
  // @ts-expect-error there is no such field
  cook.post('/cms/v2/cuisines', { name: 'x', meta: { colour: 'red' } })
  const { call } = {} as SiteApi<typeof own>
  const { data } = await call('GET', '/cms/v2/cuisines/{id}', { id: 1 })
  expectTypeOf(data.meta?.heat).toEqualTypeOf<number | undefined>()
  // @ts-expect-error a number is no text
  call('POST', '/cms/v2/moods', { name: 'x', meta: { colour: 3 } })
})

test('answers have them', async () => {
  const { data } = await client.orThrow.get('/cms/v2/posts/{id}', { id: 1 })
  expectTypeOf(data.meta?.subtitle).toEqualTypeOf<string | undefined>()
  expectTypeOf(data.meta?.minutes).toEqualTypeOf<number | undefined>()
  expectTypeOf(data.meta?.mood).toEqualTypeOf<'calm' | 'wild' | undefined>()
  const { data: posts } = await client.orThrow.get('/cms/v2/posts')
  expectTypeOf(posts[0]?.meta?.subtitle).toEqualTypeOf<string | undefined>()
  const { data: user } = await client.orThrow.get('/cms/v2/users/{id}', { id: 1 })
  expectTypeOf(user.meta?.points).toEqualTypeOf<number | undefined>()
  const { data: term } = await client.orThrow.get('/cms/v2/tags/{id}', { id: 1 })
  expectTypeOf(term.meta?.colour).toEqualTypeOf<string | undefined>()
  // @ts-expect-error pages have none of these fields
  ;(await client.orThrow.get('/cms/v2/pages/{id}', { id: 1 })).data.meta?.subtitle
})
