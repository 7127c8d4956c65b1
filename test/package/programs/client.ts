/** Uses the typed client, by the type of a profile and by an api in the same process. */
import type { D1, D2, SiteApi } from 'site-api'
import { createClient, isClientError } from 'site-api/client'

const client = createClient<D1>({ url: 'https://example.com/api', signIn: { login: 'ada', password: 'x' } })

export async function createPost(): Promise<string | undefined> {
  const made = await client.post('/cms/v2/posts', { title: 'High tide', status: 'draft', meta: { footnotes: '' } })
  if (!made.ok) return isClientError(made.error) ? made.error.code : undefined
  const changed = await client.orThrow.patch('/cms/v2/posts/{id}', { id: made.data.id, title: 'Low tide' })
  const { data } = await client.orThrow.get('/cms/v2/posts', { per_page: 5, _fields: ['id', 'title.rendered'] })
  // @ts-expect-error the member was not requested
  data[0]?.slug
  await client.batch((call) => [call.post('/cms/v2/posts', { title: 'Three' })])
  for await (const post of client.iterate('/cms/v2/posts', { per_page: 100 })) console.log(post.slug)
  return changed.data.title?.rendered
}

// @ts-expect-error a status that does not exist
client.post('/cms/v2/posts', { status: 'gone' })
// @ts-expect-error only D2 has notes
client.get('/builder/v1/notes')
createClient<D2>({ url: '/api' }).get('/builder/v1/notes', { route_url: '/' })

/** An api whose type does not name its profile. */
export async function titlesOf(api: SiteApi): Promise<readonly string[]> {
  const inside = createClient({ api, as: 'system' })
  const { data } = await inside.orThrow.get('/cms/v2/posts', { per_page: 5 })
  const other: unknown = (await inside.orThrow.get('/tides/v1/tides', { place: 'quay' })).data
  return [...data.map(({ title }) => title.rendered), String(other)]
}
