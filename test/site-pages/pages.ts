/** The pages of a test site behind their fetch handler. */
import { createSitePages, type SitePages, type SitePagesOptions } from '../../src/site-pages/index.ts'
import { createTestSite, type TestSite, type TestSiteOptions } from '../support/site.ts'

export interface Shown {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** `/about/`: where a redirect leads on the site itself. */
  readonly location: string | null
}

export interface TestPages extends TestSite {
  readonly pages: SitePages
  get(path: string, headers?: { readonly [name: string]: string }): Promise<Shown>
  send(path: string, init: RequestInit): Promise<Shown>
}

export async function createTestPages(site: TestSiteOptions = {}, options: SitePagesOptions = {}): Promise<TestPages> {
  const made = await createTestSite(site)
  const pages = createSitePages(made.api, options)
  const send = async (path: string, init: RequestInit) => {
    const response = await pages.fetch(new Request(`http://any.host${path}`, init))
    const { status, headers } = response
    const location = headers.get('location')
    return { status, headers, text: await response.text(), location }
  }
  return { ...made, pages, send, get: (path, headers = {}) => send(path, { headers }) }
}
