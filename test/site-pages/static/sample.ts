/** Creates the sample site with its pictures, writes it as files into memory, and serves such files. */
import { globSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { Profile } from '../../../src/core/declare/profile.ts'
import { createMedia, createSiteApi, type SiteApi } from '../../../src/index.ts'
import { full } from '../../../src/profiles/full.ts'
import { memoryMedia } from '../../../src/services/media-driver.ts'
import { createSitePages } from '../../../src/site-pages/index.ts'
import { type StaticOptions, type StaticReport, writeStaticSite } from '../../../src/site-pages/static/index.ts'
import { openStorage } from '../../support/storage.ts'

const docs = join(import.meta.dirname, '../../../docs')
const documentAt = (path: string) => JSON.parse(readFileSync(join(docs, path), 'utf8'))

export const server = 'https://cms.example.com'

export interface SampleSite {
  readonly api: SiteApi<Profile>
  /** A request to the running site. */
  get(address: string): Promise<Response>
  /** Writes the site into `files`. */
  write(options?: Partial<StaticOptions>): Promise<StaticReport>
  readonly files: Map<string, Uint8Array>
  textOf(file: string): string
  dispose(): Promise<void>
}

/** A driver that keeps the files in a map by path. */
export function mapDriver(files: Map<string, Uint8Array>) {
  const pathOf = (key: string) => key.replaceAll(':', '/')
  return {
    getItem: (key: string) => files.get(pathOf(key)),
    getItemRaw: (key: string) => files.get(pathOf(key)),
    setItemRaw: (key: string, bytes: Uint8Array) => void files.set(pathOf(key), bytes),
    removeItem: (key: string) => void files.delete(pathOf(key)),
  }
}

export async function createSampleSite({ url = server } = {}): Promise<SampleSite> {
  const opened = await openStorage()
  const media = createMedia({ driver: memoryMedia() })
  const api = createSiteApi({ storage: opened.storage, profile: full, url, services: { media } })
  await api.site.seed([documentAt('sample-site.json'), documentAt('sample-site/pages.json')])
  const folder = join(docs, 'sample-site/uploads')
  for (const path of globSync('**/*.jpg', { cwd: folder })) {
    await media.write(path.replaceAll('\\', '/'), readFileSync(join(folder, path)), 'image/jpeg')
  }
  const pages = createSitePages(api)
  const files = new Map<string, Uint8Array>()
  return {
    api,
    files,
    get: (address) => pages.fetch(new Request(new URL(address, url))),
    write: (options = {}) =>
      writeStaticSite(api, { to: mapDriver(files), url: 'https://www.example.com', server, ...options }),
    textOf: (file) => textIn(files, file),
    async dispose() {
      await api.close()
      await opened.dispose()
    },
  }
}

const textIn = (files: ReadonlyMap<string, Uint8Array>, file: string) => new TextDecoder().decode(files.get(file))

const types: { readonly [extension: string]: string } = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.xml': 'application/xml',
  '.txt': 'text/plain',
  '.jpg': 'image/jpeg',
}

/** Answers as a server of files does: the file, else the index of the folder, else a redirect, else the page of missing addresses. */
export function fileServer({ files }: Pick<SampleSite, 'files'>): (address: string) => Response {
  const textOf = (file: string) => textIn(files, file)
  const redirects = new Map(
    textOf('_redirects')
      .trim()
      .split('\n')
      .map((line) => line.split(' '))
      .map(([from = '', to = '', status]) => [from, { to, status: Number(status) }]),
  )
  const bodyOf = (file: string) => {
    const bytes = files.get(file)
    return bytes && new Response(new Uint8Array(bytes), { headers: { 'content-type': types[extname(file)] ?? '' } })
  }
  return (address) => {
    const { pathname } = new URL(address, 'https://www.example.com')
    const path = decodeURIComponent(pathname.slice(1))
    const found = bodyOf(path.endsWith('/') || path === '' ? `${path}index.html` : path)
    if (found) return found
    const redirect = redirects.get(pathname)
    if (redirect) return new Response(null, { status: redirect.status, headers: { location: redirect.to } })
    return new Response(textOf('404.html'), { status: 404, headers: { 'content-type': 'text/html' } })
  }
}
