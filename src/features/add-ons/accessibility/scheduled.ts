/** Scans the published pages one after the other, as often as the host has asked for (`services.accessibility.everyMs`). */

import type { Json, Storage } from '../../../contract/storage.ts'
import type { BackgroundContext, BackgroundWork } from '../../../core/declare/scheduled-task.ts'
import { viewableTypes } from '../../shared/declared-types.ts'
import type { PagesSlot } from './scan/index.ts'
import { checksOf, scanPage } from './scanning.ts'

/** How many pages of the round are scanned, and when the next one is due. */
export const scansOption = 'a11y_scans'

const pagesPerRun = 10
/** Other background work and requests come between the runs of a round. */
const pauseMs = 1000
/** A site whose pages are not created yet is asked again. */
const withoutPagesMs = 60_000

export const scheduledScans: BackgroundWork = { name: 'accessibility-scans', run }

async function run(context: BackgroundContext): Promise<number> {
  const { app, signal } = context
  const { everyMs } = checksOf(context)
  if (everyMs === undefined) return Number.POSITIVE_INFINITY
  if (!(app.services['sitePages'] as PagesSlot).draw) return app.clock() + withoutPagesMs
  for (let done = 0; done < pagesPerRun; done++) {
    if (signal.aborted) break
    const { next, id } = await claimPage(context, everyMs)
    if (id === undefined) return next
    await scanOne(id, context)
  }
  return app.clock() + pauseMs
}

interface Claimed {
  readonly next: number
  readonly id?: number
}

/** Of several processes one scans a page: the place in the round is moved on before. */
async function claimPage(context: BackgroundContext, everyMs: number): Promise<Claimed> {
  const { storage, app } = context
  const stored = (await storage.options.read([scansOption]))[scansOption]
  const { done, next } = stateOf(stored)
  const now = app.clock()
  if (next > now) return { next }
  const id = await pageAt(done, context)
  const state = id === undefined ? { done: 0, next: now + everyMs } : { done: done + 1, next: 0 }
  if (!(await storage.options.swap(scansOption, stored ?? null, state))) return { next: now + pauseMs }
  return id === undefined ? { next: state.next } : { next: now, id }
}

function stateOf(stored: Json | undefined): { readonly done: number; readonly next: number } {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return { done: 0, next: 0 }
  // The cast: an array is no state.
  const { done = 0, next = 0 } = stored as { readonly [member: string]: Json }
  return { done: Number(done), next: Number(next) }
}

async function pageAt(
  offset: number,
  { storage, app }: { readonly storage: Storage } & Pick<BackgroundContext, 'app'>,
) {
  const { flat, hierarchical } = viewableTypes(app)
  const { idsPage } = await storage.posts.query({
    types: [...flat.filter((type) => type !== 'attachment'), ...hierarchical],
    statuses: [{ status: 'publish' }],
    withPassword: false,
    order: { by: 'id', descending: false },
    offset,
    limit: 1,
  })
  return idsPage[0]?.id
}

async function scanOne(id: number, { storage, app }: BackgroundContext): Promise<void> {
  try {
    await scanPage({ storage, app }, id)
  } catch (error) {
    // The next round tries it again.
    app.log.error('a page could not be scanned', { id: `post ${id}`, error })
  }
}
