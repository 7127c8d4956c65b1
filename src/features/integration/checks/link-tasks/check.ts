/**
 * Checks links to elsewhere beside requests, a few at a time: collects those of records that have changed, then asks for addresses whose last
 * answer is old. Of several processes one works at a time; one that ends is followed by another after its lease.
 */
import { lookupTable } from '../../../../contract/lookup-table.ts'
import type { Json, Storage } from '../../../../contract/storage.ts'
import type { BackgroundContext } from '../../../../core/declare/scheduled-task.ts'
import { httpClientOf } from '../../../../services/http-client/index.ts'
import { linkStateOption } from '../collections.ts'
import { publishingOf } from '../model.ts'
import { linksIn } from '../rules/addresses.ts'
import { shownPostsAfter } from '../run.ts'
import { Subjects } from '../subject.ts'
import { type LinkCursor, linksToCheck, oldestAnswer, removeLinksOf, storeAnswer, syncLinks } from './store.ts'

const postsPerRun = 20
const addressesPerRun = 5
const leaseMs = 120_000
const pauseMs = 1000

type State = LinkCursor & {
  /** The walk over all records begins anew as often as addresses are asked for. */
  readonly begunAt: number
  readonly busyUntil: number
}

export async function checkLinks(context: BackgroundContext): Promise<number> {
  const { storage, app } = context
  const { linksEveryMs } = publishingOf(app)
  if (linksEveryMs === undefined) return Number.POSITIVE_INFINITY
  const stored = (await storage.options.read([linkStateOption]))[linkStateOption] ?? null
  const state = stateOf(stored)
  const now = app.clock()
  if (state.busyUntil > now) return state.busyUntil
  const begun = now - state.begunAt >= linksEveryMs ? { modified: '', post: 0, begunAt: now } : state
  const leased = { ...begun, busyUntil: now + leaseMs }
  if (!(await storage.options.swap(linkStateOption, stored, leased))) return now + pauseMs
  const { cursor, isDone } = await collect(context, begun)
  const isChecked = isDone && (await checkSome(context, now - linksEveryMs))
  await storage.options.swap(linkStateOption, leased, { ...cursor, begunAt: begun.begunAt, busyUntil: 0 })
  if (!isChecked) return app.clock() + pauseMs
  return (await oldestAnswer(storage)) + linksEveryMs
}

function stateOf(stored: Json): State {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) {
    return { modified: '', post: 0, begunAt: 0, busyUntil: 0 }
  }
  // The cast: an array is no state.
  const { modified = '', post = 0, begunAt = 0, busyUntil = 0 } = stored as { readonly [member: string]: Json }
  return { modified: String(modified), post: Number(post), begunAt: Number(begunAt), busyUntil: Number(busyUntil) }
}

/** Stores the links of the records that were changed since, oldest change first. */
async function collect({ storage, app }: BackgroundContext, state: LinkCursor) {
  const posts = await shownPostsAfter({ storage, app }, state, postsPerRun)
  const settings = await app.settings.read(storage)
  for (const subject of await new Subjects({ storage, app, settings }).of(posts)) {
    const { outside } = linksIn(await subject.html(), settings.home)
    await syncLinks(
      storage,
      subject.post.id,
      outside.map(({ address }) => address.href),
    )
  }
  const last = posts.at(-1)
  const cursor = last ? { modified: last.modified, post: last.id } : { modified: state.modified, post: state.post }
  return { cursor, isDone: posts.length < postsPerRun }
}

/** Returns whether no address waits any more. */
async function checkSome({ storage, app, signal }: BackgroundContext, before: number): Promise<boolean> {
  const waiting = await linksToCheck(storage, before, addressesPerRun + 1)
  for (const { url, post } of waiting.slice(0, addressesPerRun)) {
    if (signal.aborted) return false
    if (!(await isStillShown(storage, post))) await removeLinksOf(storage, post)
    else await storeAnswer(storage, url, { checkedAt: app.clock(), problem: await problemOf(url, app) })
  }
  return waiting.length <= addressesPerRun
}

async function isStillShown(storage: Storage, id: number): Promise<boolean> {
  const [post] = await storage.posts.read([id])
  return post?.status === 'publish'
}

/** Answers that say that nothing is there; a server that is busy, or asks for a name, has the page. */
const isGone = (status: number): boolean => status === 404 || status === 410 || status >= 500

async function problemOf(url: string, app: BackgroundContext['app']): Promise<string> {
  try {
    const { status } = await httpClientOf(app).get(url, { maxBytes: 1000, overflow: 'cut' })
    return isGone(status) ? `it is answered with ${status}` : ''
  } catch (error) {
    return problems[String((error as { readonly code?: unknown }).code)] ?? ''
  }
}

/** By the codes of the client. A runtime that has no sockets knows nothing of an address. */
const problems: { readonly [code: string]: string } = lookupTable({
  refused: 'it is no public address',
  timeout: 'it does not answer in time',
  failed: 'it can not be reached',
})
