/** Scans pages of the site, and stores the findings: counts of the page, and proposed remediations that are switched off. */

import type { Post, Storage, StoredRecord } from '../../../contract/storage.ts'
import type { ExtensionOptions } from '../../../core/declare/feature.ts'
import { retryTransaction } from '../../../core/runtime/retry-transaction.ts'
import { addressesOf } from '../../../site/permalink.ts'
import type { Settings } from '../../../site/settings.ts'
import { tryInsert } from '../../shared/try-insert.ts'
import { toPageUrl } from './args.ts'
import { listPageRemediations, maxRemediations, nowText, remediations } from './model.ts'
import { findPage, pages } from './pages.ts'
import { isShown, type Reader, readRemediations } from './reading.ts'
import { remediatePage } from './remediation/index.ts'
import { type AccessibilityChecks, type Finding, findProblems, type PagesSlot, type ScannedHtml } from './scan/index.ts'

/** A problem, and whether the remediations of the page mend it. */
export interface ScanFinding extends Finding {
  readonly isResolved: boolean
}

/** The result of a scan. */
export interface AccessibilityScan {
  readonly url: string
  readonly title: string
  /** How many problems the page has without its remediations. */
  readonly violations: number
  /** How many of them the active remediations mend. */
  readonly resolved: number
  /** The problems by group. */
  readonly counts: { readonly [group: string]: number }
  readonly findings: readonly ScanFinding[]
}

/** Names the HTML of a scan, and says whether its findings are stored. */
export interface ScanOptions {
  /** The page as the host shows it. Default: it is drawn by the pages that `createSitePages` has made for the site. */
  readonly html?: string
  /** Adds the texts of the style sheets of `html` to those in its `style` elements. Default: none. */
  readonly sheets?: readonly string[]
  /** False: nothing is stored. Default: true. */
  readonly store?: boolean
}

type Scanner = Reader & Partial<Pick<ExtensionOptions, 'emit'>>

/** Rejects with a TypeError for an unknown post, an address of another site, and a site without pages. */
export async function scanPage(
  scanner: Scanner,
  target: string | number,
  { html, sheets = [], store = true }: ScanOptions = {},
): Promise<AccessibilityScan> {
  const { storage, app } = scanner
  const settings = await app.settings.read(storage)
  const place = await placeOf(target, scanner, settings)
  const page: ScannedHtml = html === undefined ? await drawnPage(place.address, scanner, settings) : { html, sheets }
  const url = toPageUrl(place.url)
  const findings = await judgePage(scanner, url, page)
  const scan: AccessibilityScan = {
    url,
    title: titleOf(page.html),
    violations: findings.length,
    resolved: findings.filter(({ isResolved }) => isResolved).length,
    counts: countsOf(findings),
    findings,
  }
  if (store) await storeScan(scanner, scan, place.post)
  return scan
}

/** Judges a page as it is, and with its remediations. */
export async function judgePage(scanner: Scanner, url: string, page: ScannedHtml): Promise<ScanFinding[]> {
  const { engine } = checksOf(scanner)
  const judge = async (one: ScannedHtml) => findProblems(one, await engine?.({ ...one, url }))
  const found = await judge(page)
  const active = (await readRemediations(scanner, url)).filter(isShown)
  const mended = found.length > 0 && active.length > 0 ? await judge(await remediatedOf(page, active)) : found
  const left = new Set(mended.map(({ rule, xpath }) => `${rule} ${xpath}`))
  return found.map((one) => ({ ...one, isResolved: !left.has(`${one.rule} ${one.xpath}`) }))
}

export const checksOf = ({ app }: Pick<Reader, 'app'>): AccessibilityChecks =>
  (app.services['accessibility'] as AccessibilityChecks | undefined) ?? {}

async function remediatedOf({ html, sheets }: ScannedHtml, active: Parameters<typeof remediatePage>[1]) {
  const { html: changed } = await remediatePage(html, active, { isSealed: true })
  return { html: changed, sheets }
}

const titleOf = (html: string): string =>
  (/<title[^>]*>([^<]*)/i.exec(html)?.[1] ?? '').replace(/\s+/g, ' ').trim().slice(0, 255)

const countsOf = (found: readonly Finding[]) =>
  Object.fromEntries([...Map.groupBy(found, ({ group }) => group)].map(([group, list]) => [group, list.length]))

// ---------------------------------------------------------------- the page

interface Place {
  /** The page by which remediations are found. */
  readonly url: string
  /** Where it is drawn: a post that is not published has a preview. */
  readonly address: string
  readonly post: Post | undefined
}

async function placeOf(target: string | number, { storage, app }: Reader, settings: Settings): Promise<Place> {
  if (typeof target === 'string') {
    const base = `${settings.home}/`
    const url = URL.canParse(target, base) ? new URL(target, base).href : ''
    if (!url.startsWith(settings.home)) throw new TypeError(`${JSON.stringify(target)} is no address of the site`)
    return { url, address: url, post: undefined }
  }
  const [post] = await storage.posts.read([target])
  if (!post || post.type === 'revision') throw new TypeError(`there is no post ${target}`)
  const [url = ''] = await addressesOf([post], { storage, settings })
  if (post.status === 'publish') return { url, address: url, post }
  return { url, address: await slotOf(app).previewUrl(post.id), post }
}

function slotOf({ services }: Reader['app']): Required<Pick<PagesSlot, 'draw' | 'previewUrl'>> {
  const { draw, previewUrl } = services['sitePages'] as PagesSlot
  if (!draw || !previewUrl) throw new TypeError('The site has no pages (createSitePages): pass the HTML of the page.')
  return { draw, previewUrl }
}

const maxSheets = 30
const maxRedirects = 3

async function drawnPage(address: string, { app }: Reader, settings: Settings): Promise<ScannedHtml> {
  const { draw } = slotOf(app)
  const read = async (from: string, redirects = 0): Promise<string> => {
    const response = await draw(new Request(from))
    const to = response.headers.get('location')
    if (to !== null && redirects < maxRedirects) return read(new URL(to, from).href, redirects + 1)
    if (!response.ok) throw new TypeError(`the page ${from} is answered with ${response.status}`)
    return response.text()
  }
  const html = await read(address)
  return { html, sheets: await Promise.all(sheetsOf(html, settings).map((href) => read(href))) }
}

/** The addresses of the sheets that the site has. */
export function sheetsOf(html: string, { home }: Pick<Settings, 'home'>): string[] {
  const links = html.match(/<link\b[^>]*\brel="stylesheet"[^>]*>/g) ?? []
  const hrefs = links.flatMap((link) => /\bhref="([^"]+)"/.exec(link)?.[1]?.replaceAll('&amp;', '&') ?? [])
  return hrefs.filter((href) => href.startsWith(home)).slice(0, maxSheets)
}

// ---------------------------------------------------------------- storing

/** So many proposals of a page are stored. */
const maxProposals = 200

async function storeScan(scanner: Scanner, scan: AccessibilityScan, post: Post | undefined): Promise<void> {
  const { storage, emit } = scanner
  const write = async (transaction: Storage) => {
    const registered = await storePage(transaction, scanner, scan, post)
    await storeProposals(transaction, scanner, scan)
    return registered
  }
  const registered = await retryTransaction(storage, write)
  if (registered !== undefined) {
    await emit?.([{ name: 'accessibility.page-registered', payload: { id: registered, url: scan.url, by: 0 } }])
  }
}

/** Returns the id of a page that was not registered before. */
async function storePage(storage: Storage, { app }: Scanner, scan: AccessibilityScan, post: Post | undefined) {
  const { url, title, violations, resolved } = scan
  const now = nowText({ app })
  const counts = { violations, resolved, updated_at: now }
  const row = {
    ...{ url, title, post: post?.id ?? null, term: null, object_type: post ? 'post' : '' },
    ...{ object_type_name: post?.type ?? '', status: 'active', created_at: now, ...counts },
  }
  const known = await findPage(storage, url)
  if (!known && !(await tryInsert(storage, pages, [row]))) return (await findPage(storage, url))?.id
  const page = known ?? (await findPage(storage, url))
  if (page) await storage.records.update(pages, [{ id: page.id, changes: counts }])
  return undefined
}

/** The member by which a stored proposal is known. */
const mark = { proposed: true } as const

async function storeProposals(storage: Storage, { app }: Scanner, { url, findings }: AccessibilityScan): Promise<void> {
  const rows = await listPageRemediations(storage, url)
  const wanted = new Map(
    findings
      .filter(({ isResolved, proposal }) => !isResolved && proposal)
      .slice(0, maxProposals)
      .map((one) => [keyOf(one.rule, one.proposal), one]),
  )
  const gone = rows.filter((row) => isProposal(row) && !wanted.has(keyOfRow(row)))
  await storage.records.remove(remediations, { field: 'id', in: gone.map(({ id }) => id) })
  for (const row of rows) wanted.delete(keyOfRow(row))
  const now = nowText({ app })
  const room = Math.max(0, maxRemediations - rows.length)
  await storage.records.insert(
    remediations,
    [...wanted.values()].slice(0, room).map(({ rule, group, category, proposal, message }) => ({
      ...{ url, rule, group, category, content: JSON.stringify({ ...proposal, ...mark, message }) },
      ...{ active: false, global: false, author: null, created_at: now, updated_at: now },
    })),
  )
}

type Content = { readonly [member: string]: unknown }

/** The same rule for the same element is the same problem, whatever is proposed. */
const keyOf = (rule: string, content: Content | undefined): string =>
  JSON.stringify([rule, content?.['xpath'], content?.['attribute_name']])

// The cast: every stored content is the JSON text of an object.
const contentOf = (row: StoredRecord): Content => JSON.parse(String(row['content'])) as Content

const keyOfRow = (row: StoredRecord): string => keyOf(String(row['rule']), contentOf(row))

/** A proposal that somebody has switched on is a decision, and stays. */
const isProposal = (row: StoredRecord): boolean => row['active'] !== true && contentOf(row)['proposed'] === true
