/** A site behind a cache that keeps answers for a day, and ends those whose tags are purged. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { createSiteApi, full } from 'site-api'
import { memoryStorage } from 'site-api/storage/memory'
import { purgeChanges } from './purge.ts'

const api = createSiteApi({
  storage: memoryStorage(),
  profile: full,
  url: 'https://example.com',
  cacheTags: { cacheControl: 'public, max-age=0, s-maxage=86400' },
})
const write = (path: string, args: object) => api.call<{ id: number }>('POST', path, { ...args }, { as: 'system' })
const { data: tide } = await write('/cms/v2/posts', { title: 'Tide', status: 'publish' })
await write('/cms/v2/categories', { name: 'News' })

// The cache: in place of this, any CDN that purges by tags.
const kept = new Map<string, { readonly body: string; readonly tags: readonly string[] }>()
const cdn = createServer(async (request, response) => {
  const address = request.url ?? '/'
  if (address === '/purge') {
    // The cast: purge.ts sends this body.
    const { tags } = (await json(request)) as { readonly tags: readonly string[] }
    for (const [key, one] of kept) if (one.tags.some((tag) => tags.includes(tag))) kept.delete(key)
    return response.writeHead(204).end()
  }
  const { authorization = '' } = request.headers
  const known = authorization === '' ? kept.get(address) : undefined
  if (known) return response.writeHead(200, { 'X-Cache': 'HIT' }).end(known.body)
  const answer = await api.fetch(new Request(`https://example.com${address}`, { headers: { authorization } }))
  const body = await answer.text()
  const mayKeep = authorization === '' && /s-maxage=[1-9]/.test(answer.headers.get('cache-control') ?? '')
  if (mayKeep) kept.set(address, { body, tags: (answer.headers.get('cache-tag') ?? '').split(',') })
  // The tags are for the cache alone.
  return response.writeHead(answer.status, { 'X-Cache': 'MISS' }).end(body)
})
await new Promise<void>((resolve) => cdn.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${(cdn.address() as AddressInfo).port}`

const purges = purgeChanges(api, { url: `${url}/purge`, token: 'a token of the CDN', cursorFile: 'purged.txt' })

async function show(): Promise<void> {
  for (const path of ['/posts', `/posts/${tide.id}`, '/categories']) {
    const response = await fetch(`${url}/api/cms/v2${path}`)
    console.log(`  ${response.headers.get('x-cache')} ${path}`)
  }
}

await purges.run()
await show()
console.log('again')
await show()
console.log('after a change of the title')
await write(`/cms/v2/posts/${tide.id}`, { title: 'Low tide' })
await purges.run()
await show()

purges.close()
cdn.close()
await api.close()
