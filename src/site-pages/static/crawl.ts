/** Visits every address of a site that visitors may see, and says what each becomes: a file, a redirect, or an address of the server. */
import { type Address, addressIn } from './addresses.ts'
import type { Reads } from './reads.ts'
import {
  type OriginPattern,
  originPattern,
  type Reference,
  type Replace,
  replaceInCss,
  replaceInHtml,
  replaceInText,
  replaceInXml,
} from './references.ts'
import { type ContentKind, fileVisit, type KnownVisits, StaticSiteError, type Visit, type Visited } from './visits.ts'

/** Describes the running site to the crawl. */
interface CrawledSite {
  /** The home page, with a slash at its end. */
  readonly home: URL
  fetch(request: Request): Promise<Response>
  /** Records what the responses of `fetch` are made from. */
  readonly reads: Pick<Reads, 'begin' | 'end'>
  /** Visits of the last run that need no request. */
  readonly known: KnownVisits
  /** Whether the path belongs to the API. */
  isOfApi(path: string): boolean
  /** Whether the path is one of an uploaded file. */
  isUpload(path: string): boolean
}

/** The first page that refers to an address; empty for an address that no page refers to. */
interface Waiting {
  readonly address: Address
  readonly from: Address
}

const nothing = { targets: [], found: [] } as const

/** The bodies of a small site are kept until they are written. */
const mostKept = 64 * 2 ** 20
/** A site that answers more addresses has a page that links to ever new ones. */
const mostAddresses = 1_000_000

export class Crawl {
  readonly visits = new Map<Address, Visit>()
  /** The visits with what they have found, also that of the page of missing addresses. */
  readonly seen = new Map<Address, Visited>()
  /** The pages for which the site was asked. */
  requested = 0
  /** The page that refers to each address first. */
  readonly referrers = new Map<Address, Address>()
  readonly origin: OriginPattern
  readonly #site: CrawledSite
  readonly #bodies = new Map<Address, string>()
  #kept = 0

  constructor(site: CrawledSite) {
    this.#site = site
    this.origin = originPattern(site.home.origin)
  }

  /** Visits the addresses, and all that they refer to. `onVisit` gets the number of visited addresses and of those that wait. */
  async visit(seeds: readonly Address[], onVisit: (visited: number, waiting: number) => void): Promise<void> {
    const queue: Waiting[] = []
    const add = (address: Address, from: Address) => {
      if (this.referrers.has(address)) return
      if (this.referrers.size >= mostAddresses)
        throw new StaticSiteError(`the site has more than ${mostAddresses} addresses`)
      this.referrers.set(address, from)
      queue.push({ address, from })
    }
    for (const seed of seeds) add(seed, '')
    for (let at = 0; at < queue.length; at++) {
      const { address, from } = queue[at] as Waiting
      const seen = this.#site.known.get(address) ?? (await this.#visited(address, from))
      this.seen.set(address, seen)
      this.visits.set(address, seen.visit)
      for (const next of seen.found) add(next, address)
      onVisit(at + 1, queue.length - at - 1)
    }
  }

  /** The text of a file as the server sends it. */
  async textOf(address: Address): Promise<string> {
    return this.#takeKept(address) ?? (await this.responseOf(address)).text()
  }

  #takeKept(address: Address): string | undefined {
    const kept = this.#bodies.get(address)
    if (kept === undefined) return undefined
    this.#bodies.delete(address)
    this.#kept -= kept.length
    return kept
  }

  /** The response of a file that was visited. */
  async responseOf(address: Address): Promise<Response> {
    const response = await this.#fetch(address, 'GET')
    if (response.status === 200) return response
    throw new StaticSiteError(`${address} changed while the site was written: run the command again`)
  }

  /** Reads the page of an address that no site has, and follows none of its links. */
  async visitMissing(address: Address): Promise<void> {
    const known = this.#site.known.get(address)
    if (known) this.seen.set(address, known)
    else await this.missingPage(address)
  }

  async missingPage(address: Address): Promise<string> {
    const kept = this.#takeKept(address)
    if (kept !== undefined) return kept
    const response = await this.#fetch(address, 'GET')
    assertAnswered(address, response)
    const body = await response.text()
    const { targets } = this.#addressesIn(body, 'html', address)
    this.seen.set(address, { visit: { kind: 'missing' }, targets, found: [], tags: this.#site.reads.end() })
    this.#keep(address, body)
    return body
  }

  /** Returns undefined for an address elsewhere. Uploaded files are the same for each query. */
  resolve(value: string, base: URL = this.#site.home): ReturnType<typeof addressIn> {
    const found = addressIn(value, base)
    if (!found) return undefined
    const path = pathOf(found.address)
    return this.#site.isUpload(path) ? { ...found, address: path } : found
  }

  async #visited(address: Address, from: Address): Promise<Visited> {
    if (!this.#isPublic(address)) return { visit: { kind: 'server' }, ...nothing, tags: undefined }
    const isUpload = this.#site.isUpload(pathOf(address))
    const response = await this.#fetch(address, isUpload ? 'HEAD' : 'GET', from)
    const { status, headers } = response
    assertAnswered(address, response)
    // Files of uploads change without a change of the site.
    const tags = isUpload ? undefined : this.#site.reads.end()
    if (status !== 200) return { ...this.#notShown(address, response), tags }
    if (isForOne(headers)) return { visit: { kind: 'server' }, ...nothing, tags: isPrivate(headers) ? tags : undefined }
    const content = isUpload ? 'bytes' : contentOf(headers.get('content-type') ?? '')
    const visit = fileVisit(address, this.#site.home, content, headers.get('etag') ?? '')
    if (content === 'bytes') {
      await response.body?.cancel()
      return { visit, ...nothing, tags }
    }
    const body = await response.text()
    this.#keep(address, body)
    return { visit, ...this.#addressesIn(body, content, address), tags: isFixed(headers) ? new Set() : tags }
  }

  #keep(address: Address, body: string): void {
    if (this.#kept + body.length > mostKept) return
    this.#bodies.set(address, body)
    this.#kept += body.length
  }

  #addressesIn(body: string, content: ContentKind, address: Address): Pick<Visited, 'targets' | 'found'> {
    const targets = new Set<Address>()
    const found = new Set<Address>()
    const base = new URL(address, this.#site.home)
    replaceReferences(body, content, this.origin, (reference) => {
      const { value, use } = reference
      const target = use === 'form' || isFragment(value) ? undefined : this.resolve(value, base)?.address
      if (target === undefined) return value
      targets.add(target)
      if (this.#isFollowed(target, reference, content)) found.add(target)
      return value
    })
    return { targets: [...targets], found: [...found] }
  }

  /** Links that say so are not followed where they have a query: to answer a comment, to sort a list. */
  #isFollowed(target: Address, { use, isNoFollow }: Reference, content: ContentKind): boolean {
    if (!this.#isPublic(target)) return false
    // Scripts, and texts within other texts, name addresses of which only files are loaded for sure.
    if (use === 'text' && content !== 'xml') return this.#site.isUpload(pathOf(target))
    return !(isNoFollow === true && target.includes('?'))
  }

  /** Home, the addresses below it and uploads are public; the API and the search are not. */
  #isPublic(address: Address): boolean {
    const { pathname, searchParams } = new URL(address, this.#site.home)
    const home = this.#site.home.pathname
    if (this.#site.isUpload(pathname)) return true
    if (this.#site.isOfApi(pathname)) return false
    return `${pathname}/`.startsWith(home) && !searchParams.has('s')
  }

  #notShown(address: Address, { status, headers }: Response): Omit<Visited, 'tags'> {
    const location = headers.get('location')
    if (status >= 300 && status < 400 && location !== null) {
      const to = new URL(location, new URL(address, this.#site.home)).href
      const target = this.resolve(to)?.address
      return { visit: { kind: 'redirect', to, status }, targets: [], found: target === undefined ? [] : [target] }
    }
    return { visit: { kind: status === 401 || status === 403 ? 'server' : 'missing' }, ...nothing }
  }

  #fetch(address: Address, method: string, from: Address = this.referrers.get(address) ?? ''): Promise<Response> {
    // The sheet of a document is drawn again from the page that refers to it.
    const headers = new Headers(from === '' ? {} : { referer: new URL(from, this.#site.home).href })
    if (!this.#site.isUpload(pathOf(address))) this.requested++
    this.#site.reads.begin()
    return this.#site.fetch(new Request(new URL(address, this.#site.home), { method, headers }))
  }
}

/** Replaces the references of any text of a site. */
export function replaceReferences(body: string, content: ContentKind, origin: OriginPattern, replace: Replace): string {
  if (content === 'html') return replaceInHtml(body, origin, replace)
  if (content === 'css') return replaceInCss(body, replace)
  if (content === 'xml') return replaceInXml(body, origin, replace)
  return content === 'bytes' ? body : replaceInText(body, origin, replace)
}

export const isFragment = (value: string): boolean => value === '' || value.startsWith('#')

const pathOf = (address: Address): string => address.split('?', 1)[0] ?? ''

function assertAnswered(address: Address, { status }: Response): void {
  if (status >= 500) throw new StaticSiteError(`the site answers ${status} to ${address}`)
}

const cacheControlOf = (headers: Headers): string => headers.get('cache-control') ?? ''
const isForOne = (headers: Headers): boolean => /private|no-store/.test(cacheControlOf(headers))
const isPrivate = (headers: Headers): boolean => /private/.test(cacheControlOf(headers))
/** Its address has a digest of its text. */
const isFixed = (headers: Headers): boolean => /immutable/.test(cacheControlOf(headers))

function contentOf(type: string): ContentKind {
  if (/^text\/html\b/i.test(type)) return 'html'
  if (/^text\/css\b/i.test(type)) return 'css'
  if (/\bxml\b/i.test(type) && !/\bsvg\b/i.test(type)) return 'xml'
  return /^text\/plain\b|\bjson\b/i.test(type) ? 'text' : 'bytes'
}
