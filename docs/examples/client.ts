/** Calls of a site over HTTP and inside the process. */

import type { D1, d1, SiteApi } from 'site-api'
import { type Client, createClient, isClientError } from 'site-api/client'

export const signedIn = (password: string, url = 'https://example.com/api') => {
  const client = createClient<typeof d1>({
    url,
    signIn: { login: 'wren', password },
  })
  return client
}

export async function latest(client: Client<D1>): Promise<string[]> {
  const { data, error, total } = await client.get('/cms/v2/posts', { per_page: 5, orderby: 'date' })
  if (error) return [`${error.status} ${error.code}`]
  const lines = data.map(({ id, title }) => `${id} ${title.rendered}`)
  return [...lines, `${total} in all`]
}

export async function rename(client: Client<D1>, id: number): Promise<string> {
  const answer = await client.post('/cms/v2/posts/{id}', { id, title: 'High tide' })
  if (answer.ok) return answer.data.title.rendered
  const { error } = answer
  if (error.params) return Object.entries(error.params).map(([name, why]) => `${name}: ${why}`)[0] ?? ''
  return error.code === 'client_network' ? 'Nobody is there.' : error.message
}

export async function inOneGo(client: Client<D1>): Promise<number> {
  const { data: post } = await client.orThrow.post('/cms/v2/posts', { title: 'Low tide' })
  await client.orThrow.delete('/cms/v2/posts/{id}', { id: post.id, force: true })
  return post.id
}

export async function slugs(client: Client<D1>): Promise<string[]> {
  const { data } = await client.orThrow.get('/cms/v2/posts', { _fields: ['slug', 'title.rendered'] })
  return data.map(({ slug, title }) => `${slug}: ${title.rendered}`)
}

export async function writers(client: Client<D1>): Promise<string[]> {
  const { data } = await client.orThrow.get('/cms/v2/posts', { _fields: ['slug', '_links'], _embed: ['author'] })
  return data.map(({ slug, _embedded }) => `${slug} by ${_embedded?.author?.[0]?.name ?? 'somebody'}`)
}

export async function everything(client: Client<D1>): Promise<string[]> {
  const found: string[] = []
  try {
    for await (const post of client.iterate('/cms/v2/posts', { per_page: 100 })) found.push(post.slug)
  } catch (error) {
    if (isClientError(error)) found.push(error.code)
  }
  return found
}

export async function manyAtOnce(client: Client<D1>, gone: number): Promise<(string | undefined)[]> {
  const { results, error } = await client.batch(
    (call) => [call.post('/cms/v2/posts', { title: 'Spring tide' }), call.delete('/cms/v2/posts/{id}', { id: gone })],
    { atomic: true },
  )
  const [made, removed] = results
  return [made.data?.slug, removed.error?.code, error?.code]
}

export function inside(api: SiteApi<D1>, userId: number): Client<D1> {
  const client = createClient({ api, as: userId })
  return client
}

export function careful(token: () => Promise<string>, signal: AbortSignal, url = 'https://example.com/api') {
  const client = createClient<typeof d1>({
    url,
    headers: async () => ({ Authorization: `Bearer ${await token()}` }),
    timeoutMs: 5000,
    retry: { count: 4, maxMs: 30_000 },
  })
  return client.put('/cms/v2/posts/{id}', { id: 1, status: 'publish' }, { signal, retries: 1 })
}
