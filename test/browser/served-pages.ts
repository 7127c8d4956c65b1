/** Serves a site with its pages on a real socket, for tests in a browser. */
import { nodeListener, serveNode } from '../../adapters/node.ts'
import { full } from '../../src/profiles/full.ts'
import { createSitePages } from '../../src/site-pages/index.ts'
import { createTestSite, type TestSite } from '../support/site.ts'

export interface ServedPages extends TestSite {
  readonly url: string
  /** Calls a route as an administrator. */
  call<T>(method: string, path: string, args?: object): Promise<T>
  close(): Promise<void>
}

export async function servePages(): Promise<ServedPages> {
  let site: TestSite | undefined
  const served = await serveNode(
    async (url) => {
      site = await createTestSite({ url, profile: full })
      return site.api
    },
    { port: 0, fallThrough: (request, response) => pages(request, response) },
  )
  if (!site) throw new Error('the server never asked for its site')
  const { api, ids, dispose } = site
  const pages = nodeListener(createSitePages(api).fetch)
  const as = ids['user.admin'] as number
  return {
    ...site,
    url: served.url,
    async call<T>(method: string, path: string, args: object = {}) {
      return (await api.call<T>(method, path, { ...args }, { as })).data
    },
    async close() {
      await served.close({ graceMs: 0 })
      await dispose()
    },
  }
}
