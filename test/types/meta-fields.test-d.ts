/** The client's types of fields that a host declares. `npm run types` is the test. */
import { expectTypeOf, test } from 'vitest'
import { createClient } from '../../src/client/index.ts'
import { int, oneOf, str } from '../../src/core/declare/args.ts'
import { profile } from '../../src/core/declare/profile.ts'
import { metaFields } from '../../src/features/content/meta-fields.ts'
import { full } from '../../src/profiles/full.ts'

const first = metaFields({ post: { subtitle: str(), mood: oneOf(['calm', 'wild']) }, user: { points: int() } })
const second = metaFields({ post: { minutes: int() }, term: { colour: str() }, media: { credit: str() } })
const own = profile({ ...full, name: 'own', features: [...full.features, first, second] })
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
