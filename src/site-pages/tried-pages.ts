/**
 * Names the pages whose bytes a write changes: each page is drawn in the transaction of a dry run, and once more after its end. Pages have
 * addresses of posts, the front page, and archives with their further pages; feeds and remediations are left out.
 */

import type { Storage } from '../contract/storage.ts'
import type { ChangeSet, RowChange } from '../core/changes/row-change.ts'
import type { ChangedPages, TriedPages, TryPages } from '../core/pipeline/dry-run/pages.ts'
import { notCached } from '../core/pipeline/response/row-cache.ts'
import { sha256Of } from '../core/runtime/crypto.ts'
import { nextTurn } from '../core/runtime/work.ts'
import type { Settings } from '../site/settings.ts'
import type { PagesApi } from './api.ts'
import { isShown, type ListedPage, listPages, pagesOf } from './listed-pages.ts'

type Draw = (request: Request) => Promise<Response>

interface Parts {
  readonly api: PagesApi
  /** Draws the site as it is. */
  readonly draw: Draw
  /** Draws the site from a transaction. */
  readonly drawIn: (transaction: Storage, settings: Settings) => Draw
}

/** A dry run draws so many pages, twice. */
const mostDrawn = 200

export const createTryPages =
  (parts: Parts): TryPages =>
  async (transaction) => {
    const { app } = parts.api['~parts']
    const settings = await app.settings.read(transaction)
    return new Trial(parts, await listPages({ storage: transaction, settings, app }, mostDrawn))
  }

interface DrawnPages {
  /** The digest of each page that was drawn, by its address. */
  readonly digests: ReadonlyMap<string, string>
  readonly isWhole: boolean
}

const none: DrawnPages = { digests: new Map(), isWhole: true }

class Trial implements TriedPages {
  readonly #parts: Parts
  readonly #listed: readonly ListedPage[]
  #after = none

  constructor(parts: Parts, listed: readonly ListedPage[]) {
    this.#parts = parts
    this.#listed = listed
  }

  async draw({ changes, overflow }: ChangeSet, transaction: Storage): Promise<void> {
    if (!overflow && !(await areShown(changes, transaction))) return
    const { api, drawIn } = this.#parts
    const { app } = api['~parts']
    // Rows of the transaction are neither taken from caches nor left there.
    const settings = { ...(await app.settings.read(transaction)), generation: notCached }
    const site = { storage: transaction, settings, app }
    const reached = (await api.site.usage?.['~reachedIn'](transaction, changes)) ?? changes.flatMap(postsOf)
    const nearest = await transaction.posts.read(reached.slice(0, mostDrawn))
    const changed = changes.flatMap((change) => (change.store === 'posts' && change.before ? [change.before] : []))
    const near = await pagesOf([...nearest, ...changed.slice(0, mostDrawn)], site)
    const addresses = nearestFirst([...near, ...(await listPages(site, mostDrawn)), ...this.#listed], reached)
    this.#after = await drawAll(addresses, drawIn(transaction, settings))
  }

  async compare(): Promise<ChangedPages> {
    const { digests: after, isWhole } = this.#after
    if (after.size === 0) return { changed: [], complete: true }
    const before = await drawAll([...after.keys()], await this.#drawBefore())
    // Pages of the write that were not drawn are not compared.
    const addresses = isWhole ? [...new Set([...after.keys(), ...before.digests.keys()])] : [...after.keys()]
    const changed = addresses.filter((address) => after.get(address) !== before.digests.get(address))
    return { changed, complete: isWhole && before.isWhole }
  }

  /** A copy of the storage may lack the newest writes. */
  async #drawBefore(): Promise<Draw> {
    const { api, draw, drawIn } = this.#parts
    const { storage, app } = api['~parts']
    return storage.requests ? drawIn(storage, await app.settings.read(storage)) : draw
  }
}

function nearestFirst(pages: readonly ListedPage[], reached: readonly number[]): string[] {
  const places = new Map(reached.map((id, place) => [id, place]))
  const placeOf = ({ post }: ListedPage) => places.get(post ?? 0) ?? reached.length
  return [...new Set(pages.toSorted((a, b) => placeOf(a) - placeOf(b)).map(({ address }) => address))]
}

/** Draws pages, and the further pages that the pages of archives link. */
async function drawAll(addresses: readonly string[], draw: Draw): Promise<DrawnPages> {
  const digests = new Map<string, string>()
  const queue = [...addresses]
  for (let address = queue.shift(); address !== undefined; address = queue.shift()) {
    if (digests.has(address)) continue
    if (digests.size === mostDrawn) return { digests, isWhole: false }
    const response = await draw(new Request(address))
    const text = await response.text()
    // An address without a page says so with the header of the site.
    digests.set(address, response.ok ? sha256Of(text) : `${response.status} ${response.headers.get('location') ?? ''}`)
    const next = /<link rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&')
    if (next !== undefined) queue.push(next)
    await nextTurn()
  }
  return { digests, isWhole: true }
}

const postsOf = (change: RowChange): number[] => {
  if (change.store === 'posts') return [change.id]
  if (change.store === 'assignments') return [change.post]
  return change.store === 'meta' && change.owner === 'post' ? [change.id] : []
}

/** Drafts, revisions and the like are on no page, before the write and after it. */
async function areShown(changes: readonly RowChange[], transaction: Storage): Promise<boolean> {
  const owners = changes.map(postsOf)
  if (owners.some((ids) => ids.length === 0)) return true
  const rows = changes.flatMap((change) => (change.store === 'posts' ? [change.before, change.after] : []))
  const read = await transaction.posts.read([...new Set(owners.flat())])
  return [...rows, ...read].some((row) => row !== undefined && isShown(row))
}
