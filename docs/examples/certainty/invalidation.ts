/** Keeps answers by their tags alone, and ends those that a change touches. */
import { createSiteApi, full } from 'site-api'
import { memoryStorage } from 'site-api/storage/memory'

const api = createSiteApi({ storage: memoryStorage(), profile: full, url: 'https://example.com', cacheTags: {} })
const as = 'system'
const news = await api.call('POST', '/cms/v2/categories', { name: 'News' }, { as })
const tide = await api.call('POST', '/cms/v2/posts', { title: 'Tide', status: 'publish' }, { as })
const wind = await api.call('POST', '/cms/v2/posts', { title: 'Wind', status: 'publish' }, { as })

const kept = new Map<string, { readonly data: unknown; readonly tags: ReadonlySet<string> }>()

async function read(path: string): Promise<unknown> {
  const known = kept.get(path)
  if (known) return known.data
  const { data, cacheTags } = await api.call<unknown>('GET', path)
  // An answer without tags follows from more than the site, or is for one user.
  if (cacheTags) kept.set(path, { data, tags: new Set(cacheTags) })
  return data
}

api.on('tags.changed', ({ tags }) => {
  for (const [path, answer] of kept) {
    const touched = tags.find((tag) => answer.tags.has(tag))
    if (touched === undefined) continue
    console.log(`  ends ${path}: ${touched}`)
    kept.delete(path)
  }
})

const paths = [`/cms/v2/posts/${tide.data.id}`, `/cms/v2/posts/${wind.data.id}`, '/cms/v2/categories', '/cms/v2/posts']
async function change(text: string, path: string, args: object): Promise<void> {
  for (const one of paths) await read(one)
  console.log(text)
  await api.call<unknown>('POST', path, { ...args }, { as })
}

await change('a title', `/cms/v2/posts/${tide.data.id}`, { title: 'Low tide' })
await change('a category', `/cms/v2/categories/${news.data.id}`, { description: 'What is new' })
await change('a draft', '/cms/v2/posts', { title: 'Fog' })
await change('a new post', '/cms/v2/posts', { title: 'Rain', status: 'publish' })

await api.close()
