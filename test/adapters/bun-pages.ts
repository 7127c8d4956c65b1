/** Run by Bun: the pages of a site, mounted as `docs/mounting.md` says, on a real socket. Says what it saw as one line of JSON. */
import { serveBun } from '../../adapters/bun.ts'
import { createSiteApi } from '../../src/host/create-site-api.ts'
import { full } from '../../src/profiles/full.ts'
import { createSitePages, type SitePages } from '../../src/site-pages/index.ts'
import { memoryStorage } from '../../src/storage/memory/index.ts'
import { smallSite } from '../support/small-site.ts'

let pages: SitePages | undefined
const served = await serveBun(
  async (url) => {
    const api = createSiteApi({ storage: memoryStorage(), profile: full, url })
    await api.site.seed({ ...smallSite, options: { ...smallSite.options, anonymous_comments: true } })
    const elements = [{ id: 'h1', elType: 'widget', widgetType: 'heading', settings: { title: 'Built' }, elements: [] }]
    await api.call(
      'POST',
      '/cms/v2/posts',
      {
        ...{ title: 'A built post', slug: 'headed', status: 'publish' },
        meta: { _builder_edit_mode: 'builder', _builder_data: JSON.stringify(elements) },
      },
      { as: 'system' },
    )
    pages = createSitePages(api, { challenge: false })
    return api
  },
  // The pages are there once the api is.
  { port: 0, fallThrough: (request) => pages?.fetch(request) ?? new Response(null, { status: 503 }) },
)

const ask = async (path: string, init: RequestInit = {}) => {
  const response = await fetch(served.url + path, { redirect: 'manual', ...init })
  return { status: response.status, headers: response.headers, text: await response.text() }
}
const statusOf = async (path: string, init?: RequestInit) => (await ask(path, init)).status

const page = await ask('/headed/')
const sheets = [...page.text.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)].map(([, href = '']) => new URL(href))
const sheet = await ask(sheets.at(-1)?.pathname ?? '/')
const moved = await ask('/HEADED')
const sent = await ask('/tide/', {
  method: 'POST',
  body: new URLSearchParams({
    ...{ comment_form: '1', comment_text: 'From Bun.', comment_name: 'Vera', comment_email: 'vera@example.test' },
  }),
})
const say = {
  page: { status: page.status, isBuilt: page.text.includes('>Built</h2>') },
  again: await statusOf('/headed/', { headers: { 'if-none-match': page.headers.get('etag') ?? '' } }),
  sheet: { status: sheet.status, type: sheet.headers.get('content-type'), cache: sheet.headers.get('cache-control') },
  moved: [moved.status, moved.headers.get('location')?.replace(served.url, '')],
  head: (await ask('/headed/', { method: 'HEAD' })).text,
  feed: (await ask('/feed/')).headers.get('content-type'),
  nowhere: await statusOf('/nowhere/'),
  api: await statusOf('/api/cms/v2/posts'),
  comment: [sent.status, sent.headers.get('location')?.replace(served.url, '')],
}
console.log(JSON.stringify(say))
await served.close()
