/** Writes the files of a site: what the crawl found, the page of missing addresses, and the redirects. */
import { sha256Of } from '../../core/runtime/crypto.ts'
import type { MediaDriver } from '../../services/media-driver.ts'
import type { PagesApi } from '../api.ts'
import { createFetch, isForApi } from '../handler.ts'
import { defaultCacheControl, resolveOptions, type SitePagesOptions } from '../options.ts'
import { type Address, localOf } from './addresses.ts'
import { Crawl, type FileVisit, replaceReferences, StaticSiteError } from './crawl.ts'
import { FileWriter, manifestIn } from './files.ts'
import { Links } from './links.ts'
import { redirectFiles, type StaticRedirect } from './redirects.ts'
import { seedsOf } from './seeds.ts'

export interface WriteOptions {
  readonly files: MediaDriver
  readonly url: string | undefined
  readonly server: string | undefined
  readonly isRelative: boolean
  readonly pages: SitePagesOptions
  readonly onProgress: (progress: StaticProgress) => void
}

/** How far a run is. */
export interface StaticProgress {
  readonly doing: 'reading' | 'writing'
  readonly done: number
  /** Grows while pages are read. */
  readonly total: number
}

/** The result of a run. */
export interface StaticReport {
  /** The files of the site, with those that were there already. */
  readonly files: number
  readonly written: number
  readonly removed: number
  readonly redirects: number
  /** Addresses that stay with the running site. */
  readonly onServer: readonly string[]
  /** Links to addresses that the site does not have, with a page that has the link. */
  readonly broken: readonly { readonly address: string; readonly from: string }[]
}

const notFoundFile = '404.html'

export async function writeSite(api: PagesApi, options: WriteOptions): Promise<StaticReport> {
  const { storage, app, ready } = api['~parts']
  await ready()
  const settings = await app.settings.read(storage)
  const home = new URL(`${settings.home}/`)
  const { cacheTags: _cacheTags, ...pages } = options.pages
  // The crawl knows by the header which pages are the same for all visitors.
  const fetch = createFetch(api, resolveOptions({ ...pages, cacheControl: defaultCacheControl }))
  const uploads = api.files.root
  const isUpload = (path: string) => uploads !== '' && path.startsWith(`${uploads}/`)
  // Links to the API differ from its mount where `url` has a path.
  const linked = new URL(settings.apiRoot).pathname.replace(/\/$/, '')
  const isOfApi = (path: string) => isForApi(path, api) || (linked !== '' && `${path}/`.startsWith(`${linked}/`))
  const crawl = new Crawl({ home, fetch, isUpload, isOfApi })
  const seeds = await seedsOf({ storage, app, settings })
  await crawl.visit(seeds, (done, waiting) => options.onProgress({ doing: 'reading', done, total: done + waiting }))
  assertHome(crawl, home)
  const links = new Links(crawl, home, {
    url: withoutSlash(new URL(options.url ?? settings.home)),
    server: new URL(options.server ?? home).origin,
    isRelative: options.isRelative,
  })
  const redirects = redirectsOf(crawl, links, home)
  const texts = [[notFoundFile, await notFoundPage(crawl, links, home)] as const, ...redirectFiles(redirects)]
  const files = filesOf(crawl)
  const planned = [...files.map(({ visit }) => visit.file), ...texts.map(([name]) => name)]
  const writer = new FileWriter(options.files, await manifestIn(options.files), planned)
  await writeFiles(files, crawl, links, { writer, onProgress: options.onProgress })
  for (const [name, text] of texts) await writer.text(name, text)
  await writer.finish()
  return { ...writer.counts, redirects: redirects.length, ...addressesOf(crawl) }
}

function assertHome(crawl: Crawl, home: URL): void {
  const visit = crawl.visits.get(home.pathname)
  if (visit?.kind !== 'file')
    throw new StaticSiteError(`the home page of the site can not be written: it is ${visit?.kind ?? 'missing'}`)
}

const withoutSlash = ({ origin, pathname }: URL): string => origin + pathname.replace(/\/+$/, '')

interface PlannedFile {
  readonly address: Address
  readonly visit: FileVisit
}

const filesOf = ({ visits }: Crawl): readonly PlannedFile[] =>
  [...visits].flatMap(([address, visit]) => (visit.kind === 'file' ? [{ address, visit }] : []))

async function writeFiles(
  files: readonly PlannedFile[],
  crawl: Crawl,
  links: Links,
  { writer, onProgress }: Pick<WriteOptions, 'onProgress'> & { readonly writer: FileWriter },
): Promise<void> {
  for (const [done, { address, visit }] of files.entries()) {
    onProgress({ doing: 'writing', done, total: files.length })
    if (visit.content === 'bytes') {
      await writer.bytes(visit.file, visit.etag, () => crawl.responseOf(address))
      continue
    }
    const replace = links.replacing(address, visit.path)
    await writer.text(visit.file, replaceReferences(await crawl.textOf(address), visit.content, crawl.origin, replace))
  }
  onProgress({ doing: 'writing', done: files.length, total: files.length })
}

/** The page of an address that no site has. */
async function notFoundPage(crawl: Crawl, links: Links, home: URL): Promise<string> {
  const address = `${home.pathname}${sha256Of('no such address')}/`
  const page = await crawl.missingPage(address)
  return replaceReferences(page, 'html', crawl.origin, links.replacing(address, undefined))
}

/** Redirects of addresses with a query are left out: links to them lead to their targets. */
function redirectsOf({ visits }: Crawl, links: Links, home: URL): readonly StaticRedirect[] {
  return [...visits].flatMap(([address, visit]): StaticRedirect[] => {
    if (address.includes('?')) return []
    const from = localOf(address, home)
    // A feed has the address of a folder.
    const isMoved = visit.kind === 'file' && visit.path !== from && from.endsWith('/')
    if (visit.kind !== 'redirect' && !isMoved) return []
    const status = visit.kind === 'redirect' ? visit.status : 301
    return [{ from: links.prefix + from, to: links.pathTo(address), status }]
  })
}

/** Addresses that were only tried are no broken links. */
function addressesOf({ visits, referrers }: Crawl): Pick<StaticReport, 'onServer' | 'broken'> {
  const entries = [...visits].map(([address, { kind }]) => ({ address, kind, from: referrers.get(address) ?? '' }))
  return {
    onServer: entries.filter(({ kind }) => kind === 'server').map(({ address }) => address),
    broken: entries
      .filter(({ kind, from }) => kind === 'missing' && from !== '')
      .map(({ address, from }) => ({ address, from })),
  }
}
