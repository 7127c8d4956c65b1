/** The editor in a window of Chromium, at the address of the site, with the requests that it sends. */
import { readFileSync } from 'node:fs'
import { type Browser, chromium, type FrameLocator, type Page } from 'playwright-core'
import { chromiumPath, howToGetChromium } from '../../browser/chromium.ts'
import type { Site } from '../site.ts'
import type { Bundle } from './installed.ts'

/** The settings that the page of an editor gives, where the API has no route for them. */
const settings = {
  alignWide: true,
  richEditingEnabled: true,
  codeEditingEnabled: true,
  titlePlaceholder: 'Add title',
  bodyPlaceholder: 'Type / to choose a block',
  // The checks save by themselves.
  autosaveInterval: 3600,
  localAutosaveInterval: 3600,
  allowedMimeTypes: { png: 'image/png' },
  maxUploadFileSize: 1_000_000,
  styles: [],
  availableTemplates: {},
  supportsTemplateMode: false,
}

export interface EditorWindow {
  readonly page: Page
  /** The frame with the text. */
  readonly canvas: FrameLocator
  /** Answers of the API that are no success, as `404 GET /wp/v2/…`, and errors of scripts. */
  readonly problems: string[]
  close(): Promise<void>
}

const pageOf = (start: object) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Editor</title>
<link rel="stylesheet" href="/editor/style.css"></head>
<body class="wp-admin block-editor-page"><div id="editor" class="block-editor__container"></div>
<script type="application/json" id="start">${JSON.stringify(start)}</script>
<script type="module" src="/editor/program.js"></script></body></html>`

export async function openEditor(site: Site, { script, style }: Bundle, post: number): Promise<EditorWindow> {
  const executablePath = chromiumPath()
  if (executablePath === undefined) throw new Error(howToGetChromium)
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const browser = await chromium.launch({ executablePath, args: [...asRoot, '--disable-dev-shm-usage'] })
  const page = await pageIn(browser, site)
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    const isProblem = response.status() >= 400 && pathname.startsWith('/wp-json/')
    if (isProblem)
      problems.push(`${response.status()} ${response.request().method()} ${pathname.slice('/wp-json'.length)}`)
  })
  const start = () => ({ body: pageOf({ root: `${site.origin}/wp-json/`, post, settings }), contentType: 'text/html' })
  const files: { readonly [path: string]: () => { readonly body: string | Buffer; readonly contentType: string } } = {
    '/editor/': start,
    // The editor changes its address to this one, with the id of the post.
    '/editor/post.php': start,
    '/editor/style.css': () => ({ body: readFileSync(style), contentType: 'text/css' }),
    '/editor/program.js': () => ({ body: readFileSync(script), contentType: 'text/javascript' }),
  }
  // Nothing is loaded from elsewhere: the editor has pictures of its guide on another server.
  await page.route('**', (route) => {
    const { origin, pathname } = new URL(route.request().url())
    if (origin !== site.origin) return route.abort()
    const file = files[pathname]
    return file ? route.fulfill(file()) : route.continue()
  })
  await page.goto(`${site.origin}/editor/`)
  return { page, canvas: page.frameLocator('iframe[name="editor-canvas"]'), problems, close: () => browser.close() }
}

async function pageIn(browser: Browser, { login }: Site): Promise<Page> {
  const authorization = Buffer.from(`${login.username}:${login.password}`).toString('base64')
  const context = await browser.newContext({
    viewport: { width: 1400, height: 900 },
    extraHTTPHeaders: { Authorization: `Basic ${authorization}` },
  })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  return page
}
