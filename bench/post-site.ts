/** A site of 1,000 posts of about 720 characters in a SQLite file, filled over its API, so that other checkouts have the same. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { blankTerm } from '../src/contract/fields/blank.ts'
import type { Storage } from '../src/contract/storage.ts'
import type { SiteApi } from '../src/index.ts'
import { partsOf } from './checkout.ts'
import { siteUrl } from './content.ts'
import { wordAt, wordCount } from './words.ts'

export const postCount = 1000
const batchSize = 25

export interface PostSite {
  readonly api: SiteApi
  readonly storage: Storage
  readonly file: string
  /** The header of an editor with an application password. */
  readonly authorization: string
}

const paragraph =
  'The harbour lay quiet in the morning light, and the boats came in one after the other with what the night had left.'

/** Each post has twenty words of the vocabulary, so that each word is in about ten posts. */
function contentOf(seed: number): string {
  const words = Array.from({ length: 20 }, (_, at) => wordAt((seed * 20 + at * 101) % wordCount))
  const texts = [paragraph, words.slice(0, 10).join(' '), words.slice(10).join(' '), paragraph]
  return texts.map((text) => `<!-- cms:paragraph -->\n<p>${text}</p>\n<!-- /cms:paragraph -->`).join('\n\n')
}

const two = (number: number) => String(number).padStart(2, '0')

const postOf = (seed: number, terms: object) => ({
  title: `Harbour notes ${seed}`,
  slug: `harbour-notes-${seed}`,
  content: contentOf(seed),
  status: 'publish',
  date: `2024-${two(1 + (seed % 12))}-${two(1 + (seed % 28))}T${two(seed % 24)}:${two(seed % 60)}:00`,
  ...terms,
})

/** The file is removed when the process ends. */
export async function openPostSite(checkout?: string): Promise<PostSite> {
  const { createSiteApi, d1, sqliteStorage } = await partsOf(checkout)
  const folder = mkdtempSync(join(tmpdir(), 'site-api-bench-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'site.db')
  const storage = sqliteStorage(file)
  const api = createSiteApi({ storage, profile: d1, url: siteUrl })
  const { id: as } = await api.site.users.create({ login: 'ed', email: 'ed@quay.example', roles: ['editor'] })
  const { password } = await api.site.passwords.create(as, 'bench')
  await fill(api, storage, as)
  // The first run of the tasks beside requests would be counted with the first of them.
  await api.site.runDue()
  return { api, storage, file, authorization: `Basic ${btoa(`ed:${password}`)}` }
}

async function fill(api: SiteApi, storage: Storage, as: number): Promise<void> {
  const names = ['Boats', 'Weather', 'People']
  const [boats, ...tags] = await storage.terms.insert(
    names.map((name, at) => ({
      ...blankTerm,
      taxonomy: at === 0 ? 'category' : 'post_tag',
      name,
      slug: name.toLowerCase(),
    })),
  )
  const terms = { categories: [boats], tags }
  for (let seed = 0; seed < postCount; seed += batchSize) {
    const posts = Array.from({ length: batchSize }, (_, at) => postOf(seed + at, terms))
    const requests = posts.map((body) => ({ method: 'POST', path: '/cms/v2/posts', body }))
    const { data } = await api.call<{ responses: { status: number }[] }>('POST', '/batch/v1', { requests }, { as })
    if (data.responses.some(({ status }) => status !== 201)) throw new Error(JSON.stringify(data))
  }
}
