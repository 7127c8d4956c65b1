/**
 * The harness of browser tests: one Chromium per file, sites on free ports, and servers of other origins. Everything is
 * closed after the file.
 */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { type Served, serveNode } from '../../adapters/node.ts'
import { createTestSite, type TestSite, type TestSiteOptions } from '../support/site.ts'
import { chromiumPath, howToGetChromium } from './chromium.ts'

export interface BrowserTests {
  /** A new window with its own cookies. Closed after the test. */
  newContext(options?: BrowserContextOptions): Promise<BrowserContext>
  /** A small site with its own users on a real socket; `url` is without the root. */
  openSite(options?: TestSiteOptions): Promise<ServedSite>
  /** Another origin with pages by path. It records the requested paths with their queries. */
  openOrigin(pages?: { readonly [path: string]: OtherPage }): Promise<OtherOrigin>
}

export interface ServedSite extends TestSite {
  readonly url: string
}

/** Its markup, or the target of its redirect. */
export type OtherPage = string | { readonly location: string }

export interface OtherOrigin {
  /** With an IP address; browsers treat `http://localhost` with the same port as another site. */
  readonly url: string
  readonly asked: string[]
}

/** Call it once at the top of a test file. */
export function browserTests(): BrowserTests {
  let browser: Browser
  const contexts: BrowserContext[] = []
  const endings: (() => Promise<unknown>)[] = []

  beforeAll(async () => {
    const executablePath = chromiumPath()
    if (executablePath === undefined) throw new Error(howToGetChromium)
    // Chromium has no sandbox as root, the user of containers; it opens only pages of the tests.
    const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : []
    browser = await chromium.launch({ executablePath, args: [...asRoot, '--disable-dev-shm-usage'] })
  })
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()))
  })
  afterAll(async () => {
    await browser?.close()
    for (const end of endings.reverse()) await end()
  })

  return {
    async newContext(options) {
      const context = await browser.newContext(options)
      contexts.push(context)
      return context
    },
    async openSite(options) {
      let site: TestSite | undefined
      const served: Served = await serveNode(
        async (url) => {
          site = await createTestSite({ url, ...options })
          return site.api
        },
        { port: 0 },
      )
      if (!site) throw new Error('the server never asked for its site')
      const { dispose } = site
      endings.push(async () => {
        await served.close({ graceMs: 0 })
        await dispose()
      })
      return { ...site, url: served.url }
    },
    async openOrigin(pages = {}) {
      const asked: string[] = []
      const server = createServer((request, response) => {
        asked.push(request.url ?? '')
        const path = (request.url ?? '').replace(/\?.*/, '')
        const found = pages[path] ?? '<!doctype html><title>elsewhere</title><h1>Elsewhere</h1>'
        if (typeof found !== 'string') return void response.writeHead(302, found).end()
        response.setHeader('content-type', 'text/html; charset=utf-8')
        response.end(found)
      })
      endings.push(() => ended(server))
      return { url: await listening(server), asked }
    },
  }
}

const listening = (server: Server): Promise<string> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  })

const ended = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
