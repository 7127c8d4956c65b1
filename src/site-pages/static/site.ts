/** Writes the files of a site: what the crawl found, the page of missing addresses, and the redirects. */
import { sha256Of } from '../../core/runtime/crypto.ts'
import type { LoggedChanges } from '../../core/tags/change-log.ts'
import { publishScheduled } from '../../features/content/posts/schedule.ts'
import type { MediaDriver } from '../../services/media-driver.ts'
import type { Settings } from '../../site/settings.ts'
import type { PagesApi } from '../api.ts'
import { createFetch, isForApi } from '../handler.ts'
import { defaultCacheControl, resolveOptions, type SitePagesOptions } from '../options.ts'
import { localOf } from './addresses.ts'
import { Crawl } from './crawl.ts'
import { FileWriter } from './files.ts'
import { Links } from './links.ts'
import { madeBy } from './made-by.ts'
import { type Manifest, madeSite, manifestIn, untouchedVisits } from './manifest.ts'
import { Reads } from './reads.ts'
import { redirectFiles, type StaticRedirect } from './redirects.ts'
import { notFoundFile, type PlannedFile, Run, type StaticProgress } from './run.ts'
import { seedsOf } from './seeds.ts'
import { type KnownVisits, StaticSiteError } from './visits.ts'

export interface WriteOptions {
  readonly files: MediaDriver
  readonly url: string | undefined
  readonly server: string | undefined
  readonly isRelative: boolean
  readonly isWhole: boolean
  readonly version: string | undefined
  readonly pages: SitePagesOptions
  readonly onProgress: (progress: StaticProgress) => void
}

/** The result of a run. */
export interface StaticReport {
  /** The files of the site, with those that were there already. */
  readonly files: number
  readonly written: number
  readonly removed: number
  readonly redirects: number
  /** Pages for which the site was asked; uploads are not counted. */
  readonly requested: number
  /** Why the site was asked for all of them; absent where the last run and the changes since were known. */
  readonly whole?: string
  /** Addresses that stay with the running site. */
  readonly onServer: readonly string[]
  /** Links to addresses that the site does not have, with a page that has the link. */
  readonly broken: readonly { readonly address: string; readonly from: string }[]
}

export async function writeSite(api: PagesApi, options: WriteOptions): Promise<StaticReport> {
  const { storage, app, ready } = api['~parts']
  await ready()
  // Pages show a scheduled post from its time on, also where nothing else is asked for.
  if ((publishScheduled.dueAt(await app.settings.read(storage)) ?? 0) <= app.clock()) await api.site.runDue()
  const settings = await app.settings.read(storage)
  const home = new URL(`${settings.home}/`)
  const before = await manifestIn(options.files)
  const by = await digestOf(api, settings, options)
  const changes = await api['~parts'].changesSince(before.made?.at)
  const reuse = reuseOf(before, { by, changes, home, refusal: refusalOf(api, options) })
  const reads = new Reads(api)
  const { cacheTags: _cacheTags, ...pages } = options.pages
  // The crawl knows by the first header which pages are the same for all visitors; the second has the tags recorded.
  const shown = { ...pages, cacheControl: defaultCacheControl, cacheTags: 'Cache-Tag' }
  const fetch = createFetch(reads.api, resolveOptions(shown))
  const uploads = api.files.root
  const isUpload = (path: string) => uploads !== '' && path.startsWith(`${uploads}/`)
  // Links to the API differ from its mount where `url` has a path.
  const linked = new URL(settings.apiRoot).pathname.replace(/\/$/, '')
  const isOfApi = (path: string) => isForApi(path, api) || (linked !== '' && `${path}/`.startsWith(`${linked}/`))
  const crawl = new Crawl({ home, fetch, reads, known: reuse.known, isUpload, isOfApi })
  const seeds = await seedsOf({ storage, app, settings })
  await crawl.visit(seeds, (done, waiting) => options.onProgress({ doing: 'reading', done, total: done + waiting }))
  assertHome(crawl, home)
  const missing = `${home.pathname}${sha256Of('no such address')}/`
  await crawl.visitMissing(missing)
  const links = new Links(crawl, home, {
    url: withoutSlash(new URL(options.url ?? settings.home)),
    server: new URL(options.server ?? home).origin,
    isRelative: options.isRelative,
  })
  const run = new Run({ crawl, links, known: reuse.known })
  const redirects = redirectsOf(crawl, links, home)
  const lists = redirectFiles(redirects)
  const files = filesOf(crawl)
  const planned = [...files.map(({ visit }) => visit.file), notFoundFile, ...lists.keys()]
  const writer = new FileWriter(options.files, before, planned)
  await run.write(files, writer, options.onProgress)
  await run.writeMissing(missing, writer)
  for (const [name, text] of lists) await writer.text(name, text)
  const { at } = changes
  await writer.finish(by !== undefined && at ? madeSite(by, at, run.visits()) : undefined)
  const counts = { ...writer.counts, redirects: redirects.length, requested: crawl.requested }
  return { ...counts, ...(reuse.whole !== undefined && { whole: reuse.whole }), ...addressesOf(crawl) }
}

/** Says why nothing of the last run counts, whatever has changed. */
function refusalOf(api: PagesApi, { isWhole }: WriteOptions): string | undefined {
  if (isWhole) return 'it was asked for'
  return api['~parts'].isDrawnAnew ? 'the option `cache` of `render` is false' : undefined
}

const digestOf = (api: PagesApi, settings: Settings, { url, server, isRelative, pages, version }: WriteOptions) =>
  madeBy({ api, settings, version, options: { url, server, isRelative, pages } })

interface Reuse {
  readonly known: KnownVisits
  /** Why nothing is taken over from the last run. */
  readonly whole?: string
}

function reuseOf(
  { made }: Manifest,
  {
    by,
    changes,
    home,
    refusal,
  }: {
    readonly by: string | undefined
    readonly changes: LoggedChanges
    readonly home: URL
    readonly refusal: string | undefined
  },
): Reuse {
  const all = (whole: string): Reuse => ({ known: new Map(), whole })
  if (refusal !== undefined) return all(refusal)
  if (!made) return all('the last run has left nothing to go on from')
  if (by === undefined) return all('the version of the library is not known')
  if (made.by !== by) return all('versions or options have changed')
  if (!changes.tags) return all('the site does not know all that has changed since')
  return { known: untouchedVisits(made, changes.tags, home) }
}

function assertHome(crawl: Crawl, home: URL): void {
  const visit = crawl.visits.get(home.pathname)
  if (visit?.kind !== 'file')
    throw new StaticSiteError(`the home page of the site can not be written: it is ${visit?.kind ?? 'missing'}`)
}

const withoutSlash = ({ origin, pathname }: URL): string => origin + pathname.replace(/\/+$/, '')

const filesOf = ({ visits }: Crawl): readonly PlannedFile[] =>
  [...visits].flatMap(([address, visit]) => (visit.kind === 'file' ? [{ address, visit }] : []))

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
