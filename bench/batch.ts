/** Creating 25 posts on SQLite: as one batch, and as separate calls. */
import { createSiteApi, d1, type SiteApi } from '../src/index.ts'
import { createContent, siteUrl } from './content.ts'
import type { Contender, Contenders } from './measure.ts'

const size = 25

interface Prepared {
  readonly api: SiteApi
  readonly as: number
}

async function prepare(): Promise<Prepared> {
  const { storage, dispose } = await createContent(100)
  process.on('exit', dispose)
  const api = createSiteApi({ storage, profile: d1, url: siteUrl })
  const { id } = await api.site.users.create({ login: 'ed', email: 'ed@quay.example', roles: ['editor'] })
  return { api, as: id }
}

let seed = 1000

/** A short post, as automations create it. */
function newPost() {
  seed++
  const content = `<!-- cms:paragraph -->\n<p>The boats of day ${seed} came in late.</p>\n<!-- /cms:paragraph -->`
  return { title: `Harbour notes ${seed}`, content, status: 'publish' }
}

const newPosts = () => Array.from({ length: size }, newPost)

const contender = (run: () => unknown): Contender => ({
  operations: size,
  clock: 'wall',
  cases: { 'create a post': run },
})

async function createInBatch({ api, as }: Prepared): Promise<void> {
  const requests = newPosts().map((body) => ({ method: 'POST', path: '/cms/v2/posts', body }))
  const { data } = await api.call<{ responses: { status: number }[] }>('POST', '/batch/v1', { requests }, { as })
  const failed = data.responses.find(({ status }) => status !== 201)
  if (failed) throw new Error(JSON.stringify(failed))
}

export const contenders: Contenders = {
  batch: async () => {
    const prepared = await prepare()
    return contender(() => createInBatch(prepared))
  },

  'separate calls': async () => {
    const { api, as } = await prepare()
    return contender(async () => {
      for (const body of newPosts()) await api.call('POST', '/cms/v2/posts', body, { as })
    })
  },
}
