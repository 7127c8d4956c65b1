/**
 * Reads folders with export files and builder files of real sites, and what their pages have to show. No such file is part of the
 * project: `MOVED=dir npm run test:moved` measures those of a folder.
 */
import { createReadStream, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { SiteApi } from '../../src/host/create-site-api.ts'
import { exportFile } from '../management/import/export-file.ts'
import { bytesOf, type MovedSite, moveSite } from './moved-site.ts'
import type { ExpectedPage } from './writing.ts'

export interface ForeignSite extends MovedSite {
  readonly name: string
  readonly oldAddress: string
  readonly pages: readonly ExpectedPage[]
}

/** Opens each file in turn: an export file as a site, a builder file as a page of an empty site. */
export async function* foreignSites(folder: string): AsyncGenerator<() => Promise<ForeignSite>> {
  for (const file of globSync('**/*.{xml,json}', { cwd: folder }).sort()) {
    yield () => (file.endsWith('.xml') ? openExport(folder, file) : openDocument(folder, file))
  }
}

async function openExport(folder: string, file: string): Promise<ForeignSite> {
  const site = await moveSite(createReadStream(join(folder, file)), { media: 'link' })
  const pages = [...(await pagesOf(site.api, 'pages')), ...(await pagesOf(site.api, 'posts'))]
  return { ...site, name: basename(file), oldAddress: site.report.source.site, pages }
}

/** A template file of the builder: `{ title, type, content: elements }`. */
async function openDocument(folder: string, file: string): Promise<ForeignSite> {
  const { content } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { readonly content?: unknown }
  const site = await moveSite(bytesOf(exportFile()))
  const elements = Array.isArray(content) ? content : []
  await site.api.call(
    'POST',
    '/site-api/v1/documents',
    { kind: 'page', title: file, status: 'publish', elements },
    { as: 'system' },
  )
  return { ...site, name: basename(file), oldAddress: '\0', pages: await pagesOf(site.api, 'pages') }
}

async function pagesOf(api: SiteApi, type: string): Promise<readonly ExpectedPage[]> {
  const pages: ExpectedPage[] = []
  for (let page = 1; page <= 50; page++) {
    const query = { context: 'edit', per_page: 100, page, status: 'publish' }
    const { data, headers } = await api.call<readonly EditedPost[]>('GET', `/cms/v2/${type}`, query, { as: 'system' })
    for (const { link, meta } of data) {
      const texts: string[] = []
      collect(parsed(meta?.['_builder_data']), '', texts)
      pages.push({ path: new URL(link).pathname, texts, pictures: [], icons: 0 })
    }
    if (page >= Number(headers['x-cms-totalpages'] ?? 1)) break
  }
  return pages
}

interface EditedPost {
  readonly link: string
  readonly meta?: { readonly [key: string]: unknown }
}

function parsed(stored: unknown): unknown {
  if (typeof stored !== 'string') return stored
  try {
    return JSON.parse(stored)
  } catch {
    return undefined
  }
}

/** Names of settings that no author's text has. */
const technical = /(?:^_|css|class|animation|url|link$|_id$|query|script|shortcode|__dynamic__|__globals__)/

/**
 * Collects the texts of settings: those with two words or more, which choices, colours and sizes do not have. It shares nothing with
 * the renderer, so that it counts what the renderer overlooks.
 */
function collect(value: unknown, name: string, texts: string[]): void {
  if (Array.isArray(value)) for (const each of value) collect(each, name, texts)
  else if (typeof value === 'object' && value !== null) {
    for (const [key, each] of Object.entries(value)) if (!technical.test(key)) collect(each, key, texts)
  } else if (typeof value === 'string') {
    const runs = value.replace(/<(style|script)[\s\S]*?<\/\1>/gi, '').split(/<[^>]*>/)
    texts.push(...runs.map((run) => run.replace(/\s+/g, ' ').trim()).filter(isText))
  }
}

const isText = (run: string) =>
  /\p{L}{2,}[\p{P}]?\s+\p{L}{2,}/u.test(run) && !/[{}[\]]|https?:|&\w+;|\b\w+\s*:\s*[\w#]+;/.test(run)
