/**
 * Dry runs: a write runs in its transaction, which is rolled back. The answer is that of the write, with the changes that it would have
 * made, the events that it would have emitted, and the calls that would have reached outside.
 */

import type { Storage } from '../../../contract/storage.ts'
import { recordChanges } from '../../changes/recorded-storage.ts'
import { rolledBack } from '../../changes/rolled-back.ts'
import type { ChangeSet, RecorderOptions } from '../../changes/row-change.ts'
import type { Actor } from '../../declare/actor.ts'
import type { AppContext } from '../../declare/app-context.ts'
import { ApiError } from '../../declare/errors.ts'
import type { PendingEvent } from '../../declare/events.ts'
import type { Incoming } from '../../declare/request.ts'
import type { Result } from '../../declare/result.ts'
import type { TriedRun } from '../request-scope.ts'
import { type DryRunParts, dryAppOf } from './app.ts'
import type { TryPages } from './pages.ts'
import { bodyOf, type DryRunReport, DryRunResult, type OutsideCall, type ReportedChange } from './report.ts'
import { isKnown, visibleChanges, withoutSecrets } from './visible-changes.ts'

/** A report names no more rows. */
const maxRows = 5000

interface RunRequest {
  readonly method: string
  readonly path: string
  readonly changes: ReportedChange[]
}

export type { DryRunParts } from './app.ts'

export class DryRun implements TriedRun {
  readonly #parts: DryRunParts
  readonly #user: Actor
  readonly #events: PendingEvent[]
  readonly #recorder: RecorderOptions
  readonly #tryPages: TryPages | undefined
  #outside: OutsideCall[] = []
  #requests: RunRequest[] = []
  #isStopped = false
  #app: AppContext

  /** `events` are those of the request. `namesPages`: the report is for somebody who reads it. */
  constructor(parts: DryRunParts, user: Actor, events: PendingEvent[], { namesPages = true } = {}) {
    this.#parts = parts
    this.#user = user
    this.#events = events
    this.#recorder = { wants: () => true, limit: maxRows, postTypes: parts.postTypes }
    this.#app = this.#dryApp(undefined)
    const slot = parts.app.services['sitePages'] as { readonly tryPages?: TryPages }
    this.#tryPages = namesPages && parts.namesPages && user.can('edit_others_posts') ? slot.tryPages : undefined
  }

  /** The api as the run sees it. */
  get app(): AppContext {
    return this.#app
  }

  async run(storage: Storage, execute: (transaction: Storage) => Promise<Result>): Promise<Result> {
    const { done, report, body } = await this.try(storage, execute, bodyOf)
    return new DryRunResult(done, report, body)
  }

  /** `view` reads the result before the end of the transaction. */
  async try<T, V>(
    storage: Storage,
    work: (transaction: Storage) => Promise<T>,
    view: (done: T | undefined) => Promise<V>,
  ): Promise<{ readonly done: T | undefined; readonly report: DryRunReport; readonly body: V }> {
    if (!storage.atomic) throw notSupported()
    const tried = await rolledBack(storage, this.#recorder, async (transaction, changes) => {
      this.#begin(transaction)
      const pages = await this.#tryPages?.(transaction)
      const { done, report } = await this.#runInside(transaction, changes, work)
      if (!this.#isStopped) await pages?.draw(this.#known(changes()), transaction)
      return { done, report, body: await view(done), pages }
    })
    this.#events.length = 0
    const { pages, report, ...rest } = tried
    return { ...rest, report: pages && !this.#isStopped ? { ...report, pages: await pages.compare() } : report }
  }

  /** Rows of the machinery are on no page. */
  #known({ changes, ...set }: ChangeSet): ChangeSet {
    const { known } = this.#parts
    return { changes: changes.filter((change) => isKnown(change, known)), ...set }
  }

  /** One request of a batch: its changes are listed apart, too. */
  async runRequest(
    { method, path }: Incoming,
    storage: Storage,
    execute: (storage: Storage) => Promise<Result>,
  ): Promise<Result> {
    const request: RunRequest = { method, path, changes: [] }
    this.#requests.push(request)
    const { storage: recorded, changes } = recordChanges(storage, this.#recorder)
    const result = await execute(recorded)
    request.changes.push(...(await this.#visible(changes(), recorded)))
    return result
  }

  /** A transaction may run more than once. */
  #begin(transaction: Storage): void {
    this.#events.length = 0
    this.#outside = []
    this.#requests = []
    this.#isStopped = false
    this.#app = this.#dryApp(transaction)
  }

  async #runInside<T>(transaction: Storage, changes: () => ChangeSet, work: (on: Storage) => Promise<T>) {
    let done: T | undefined
    try {
      done = await work(transaction)
    } catch (error) {
      // The error of a write that nothing outside has answered says nothing about the real one.
      if (!this.#isStopped) throw error
    }
    const set = changes()
    const requests = this.#requests
    const report: DryRunReport = {
      changes: await this.#visible(set, transaction),
      events: this.#events.map(({ name, payload }) =>
        this.#user.can('manage_options') ? { name, payload: withoutSecrets(payload) } : { name },
      ),
      outside: this.#outside,
      complete: !set.overflow && !this.#isStopped,
      ...(requests.length > 0 && { requests }),
    }
    return { done, report }
  }

  #visible({ changes }: ChangeSet, transaction: Storage): Promise<ReportedChange[]> {
    return visibleChanges(changes, this.#user, transaction, this.#parts.known)
  }

  #dryApp(transaction: Storage | undefined): AppContext {
    const note = (call: OutsideCall) => void this.#outside.push(call)
    const stop = () => {
      this.#isStopped = true
    }
    return dryAppOf(this.#parts, transaction, { note, stop, events: this.#events })
  }
}

const notSupported = () =>
  new ApiError(
    'rest_dry_run_unsupported',
    'The storage of this site has no transactions, so a write can not be tried without being carried out.',
    501,
  )

/** A visitor may be anyone: what a write would do is for callers whom the site knows. */
export const needsUser = () =>
  new ApiError('rest_dry_run_needs_user', 'A dry run is for callers who are signed in.', 401)
