/** Writes the history in the transaction of each change, and removes changes that are too old to be kept. */
import type { Storage } from '../../../contract/storage.ts'
import type { ChangeSet, RowChange } from '../../../core/changes/row-change.ts'
import type { AppContext } from '../../../core/declare/app-context.ts'
import type { MakeObserver } from '../../../core/declare/feature.ts'
import type { BackgroundContext, BackgroundWork } from '../../../core/declare/scheduled-task.ts'
import { oldRows } from '../../shared/keep-for.ts'
import { completeMark, historyRestored, historySince, siteHistory, writtenAt } from './collections.ts'
import { historyOf } from './model.ts'
import { type HistoryRetention, type HistoryScope, historyRows } from './record.ts'

/** Old rows are looked for after so many changes, or earlier where fewer are kept. */
const longestInterval = 512

interface RecorderParts {
  readonly scope: HistoryScope
  readonly retention: HistoryRetention
  readonly clock: () => number
}

/** By api: the work beside requests belongs to a feature, which several apis share. */
const recorders = new WeakMap<AppContext, HistoryRecorder>()

export const observeHistory: MakeObserver = ({ app }) => {
  const recorder = () => {
    const known = recorders.get(app())
    if (known) return known
    const { scope, retention } = historyOf(app())
    const made = new HistoryRecorder({ scope, retention, clock: app().clock })
    recorders.set(app(), made)
    return made
  }
  return {
    wants: (store, name) => recorder().wants(store, name),
    beforeCommit: (changes, transaction, author) => recorder().beforeCommit(changes, transaction, author),
  }
}

/** Removes changes that are too old to be kept. */
export const historySweep: BackgroundWork = {
  name: 'history',
  run: async (context) => (await recorders.get(context.app)?.sweep(context)) ?? Number.POSITIVE_INFINITY,
}

export class HistoryRecorder {
  readonly #parts: RecorderParts
  readonly #interval: number
  #hasBegun = false
  #written = 0
  #isSweepDue = false

  constructor(parts: RecorderParts) {
    this.#parts = parts
    this.#interval = Math.max(1, Math.min(longestInterval, parts.retention.count))
  }

  wants(store: string, name = ''): boolean {
    const { collections, leftOutOptions } = this.#parts.scope
    switch (store) {
      case 'posts':
      case 'terms':
      case 'assignments':
        return true
      case 'meta':
        return name !== 'user'
      case 'options':
        return name === historyRestored.name || !leftOutOptions.has(name)
      case 'records':
        return collections.has(name)
      default:
        return false
    }
  }

  async beforeCommit({ changes, overflow }: ChangeSet, transaction: Storage, author = 0): Promise<void> {
    const now = this.#parts.clock()
    // Too much for ways back: the history begins anew after it.
    if (overflow) return this.#begin(transaction, new Date(now).toISOString())
    const rows = historyRows(changes, this.#parts.scope)
    if (rows.length === 0) return
    if (!this.#hasBegun) await this.#beginOnce(transaction, now)
    const ids = await transaction.records.insert(
      siteHistory,
      rows.map((row) => ({ ...row, user: author, at: now })),
    )
    if (changes.some(isMark)) await completeMark(transaction, ids)
    this.#written += rows.length
    if (this.#written < this.#interval) return
    this.#written = 0
    this.#isSweepDue = true
  }

  /** The work beside requests. */
  async sweep(context: BackgroundContext): Promise<number> {
    if (this.#isSweepDue) {
      this.#isSweepDue = false
      await removeOld(context, this.#parts.retention)
    }
    return Number.POSITIVE_INFINITY
  }

  /** The site as it was before the first change can be read. */
  async #beginOnce(transaction: Storage, now: number): Promise<void> {
    const { name } = historySince
    const { [name]: since } = await transaction.options.read([name])
    if (since === undefined) await this.#begin(transaction, new Date(now - 1).toISOString())
    // Known only after the commit: a rolled-back beginning is asked for again, which a later transaction does as well.
    else this.#hasBegun = true
  }

  async #begin(transaction: Storage, since: string): Promise<void> {
    await transaction.options.write({ [historySince.name]: since })
  }
}

const isMark = (change: RowChange) => change.store === 'options' && change.name === historyRestored.name

/** Removes changes beyond the bounds, and says from when on the history is whole. */
async function removeOld({ storage, app }: BackgroundContext, retention: HistoryRetention): Promise<void> {
  const parts: { readonly storage: Storage; readonly app: AppContext } = { storage, app }
  const { lastId: lastCounted, before } = await oldRows(parts, siteHistory, retention)
  const lastId = Math.max(lastCounted, await lastBefore(storage, before))
  const { rows } = await storage.records.query(siteHistory, { where: { field: 'id', is: lastId } })
  const removedAt = rows[0] ? writtenAt(rows[0]) : ''
  const stored = (await storage.options.read([historySince.name]))[historySince.name]
  const since = [typeof stored === 'string' ? stored : '', removedAt, before].sort().at(-1) ?? ''
  // The beginning is written first: moments whose changes are removed can no longer be read.
  if (since !== stored) await storage.options.write({ [historySince.name]: since })
  if (lastId > 0) await storage.records.remove(siteHistory, { field: 'id', to: lastId })
}

const windowSize = 256

/** The last of the oldest rows that were written before a time; 0: none. */
async function lastBefore(storage: Storage, before: string): Promise<number> {
  for (let last = 0; ; ) {
    const where = { field: 'id', above: last } as const
    const { rows } = await storage.records.query(siteHistory, { where, order: [{ by: 'id' }], limit: windowSize })
    const kept = rows.findIndex((row) => writtenAt(row) >= before)
    const old = kept === -1 ? rows : rows.slice(0, kept)
    last = old.at(-1)?.id ?? last
    if (old.length < windowSize) return last
  }
}
