/** Requests made inside another one, such as the items of a batch: same identity, events kept only on success. */

import type { Storage } from '../../contract/storage.ts'
import type { AppContext } from '../declare/app-context.ts'
import type { HookContext, PastStorages, SubrequestFilter, SubrequestOptions, Subrequests } from '../declare/context.ts'
import { type ApiError, isApiError, noRoute } from '../declare/errors.ts'
import type { Hook, PendingEvent } from '../declare/events.ts'
import type { Incoming } from '../declare/request.ts'
import type { ResponseData, Result } from '../declare/result.ts'
import type { Match } from '../routing/route.ts'
import type { Router } from '../routing/router.ts'
import { MergedStorage, OrderMatters } from '../runtime/merged-storage.ts'
import { errorResult, isClientError } from './errors/error-response.ts'
import { readPast } from './history/past-read.ts'
import { runFinalHooks } from './hooks.ts'
import type { Executor, RequestScope } from './request-scope.ts'
import { toResponseData } from './response/headers.ts'

export interface SubrequestParts {
  readonly router: Router
  readonly app: AppContext
  readonly storage: Storage
  readonly executor: Executor
  readonly hooks: readonly Hook<HookContext>[]
}

export const createSubrequests = (parts: SubrequestParts, scope: RequestScope): Subrequests =>
  new ScopedSubrequests(parts, scope)

/** A class, because every request creates one: it costs less than three closures. */
class ScopedSubrequests implements Subrequests {
  readonly #parts: SubrequestParts
  readonly #scope: RequestScope

  constructor(parts: SubrequestParts, scope: RequestScope) {
    this.#parts = parts
    this.#scope = scope
  }

  async run(incoming: Incoming, options: SubrequestOptions): Promise<ResponseData> {
    const { router, app, executor } = this.#parts
    const scope: RequestScope = { ...this.#scope, events: [], trace: undefined }
    try {
      const match = matchOf(router, incoming, options.accept)
      const execute = (storage: Storage) => executor.execute(incoming, match, scope, { ...options, storage })
      const { dryRun } = scope
      const result = await (dryRun ? dryRun.runRequest(incoming, options.storage, execute) : execute(options.storage))
      // Their hooks have run; those of `*` only if the subrequest had a separate transaction.
      for (const event of scope.events) {
        const isRecorded = !options.insideTransaction || !!event.isHooked
        options.events.push({ ...event, isHooked: true, isRecorded })
      }
      return toResponseData(result)
    } catch (error) {
      // Any other error is a failure of the storage: it must end the whole transaction.
      if (!isClientError(error)) throw error
      return toResponseData(errorResult(error, app, incoming))
    }
  }

  readPast(incoming: Incoming, storages: PastStorages): Promise<Result> {
    return readPast(this.#parts, incoming, this.#scope, storages)
  }

  async validate(incoming: Incoming, accept: SubrequestFilter): Promise<ApiError | undefined> {
    const { router, storage, executor } = this.#parts
    try {
      const match = matchOf(router, incoming, accept)
      const { endpoint, parser } = match.routed
      const body = await executor.readBody(endpoint, incoming, this.#scope)
      const parsed = parser.parse(match.params, incoming.query, body.args)
      await parser.validate(parsed, executor.createContext(match, incoming, this.#scope, storage, parsed.args, body))
      return undefined
    } catch (error) {
      if (!isApiError(error)) throw error
      return error
    }
  }

  isIndependent({ method, path }: Incoming): boolean {
    const { router, hooks } = this.#parts
    // A hook before a change may read what another request writes. Their names end in -ing.
    const isHooked = hooks.some(
      (hook) => !hook.isForStoredRecords && Object.keys(hook).some((name) => name.endsWith('ing')),
    )
    return !isHooked && !this.#scope.dryRun && router.find(method, path)?.routed.endpoint.isIndependent === true
  }

  async runSideBySide(incomings: readonly Incoming[], options: SubrequestOptions): Promise<ResponseData[] | undefined> {
    const events: PendingEvent[] = []
    try {
      const responses = await options.storage.atomic?.((storage) =>
        this.#runMerged(incomings, { ...options, storage, events }),
      )
      if (responses) options.events.push(...events)
      return responses
    } catch (error) {
      if (!(error instanceof OrderMatters)) throw error
      return undefined
    }
  }

  /** Throws an OrderMatters error unless all succeed. Their hooks run in their order. */
  async #runMerged(incomings: readonly Incoming[], options: SubrequestOptions): Promise<ResponseData[]> {
    const merged = new MergedStorage(options.storage, incomings.length)
    const runs: Promise<ResponseData>[] = []
    for (const [at, incoming] of incomings.entries()) {
      const before = runs.at(-1)
      const run = this.run(incoming, { ...options, storage: merged.of(at), beforeHooks: async () => before })
      runs.push(run.finally(() => merged.end(at)))
    }
    const settled = await Promise.allSettled(runs)
    const responses = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    const errors = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    const isOrdered =
      responses.every(({ status }) => status < 400) && !errors.some((one) => one instanceof OrderMatters)
    if (!isOrdered) throw new OrderMatters()
    if (errors.length > 0) throw errors[0]
    return responses
  }

  runFinalHooks(context: HookContext, events: readonly PendingEvent[]): Promise<void> {
    const unrecorded = events.filter(({ isRecorded }) => !isRecorded)
    return runFinalHooks(unrecorded, this.#parts.hooks, context)
  }

  addEvents(events: readonly PendingEvent[]): void {
    this.#scope.events.push(...events)
  }
}

function matchOf(router: Router, incoming: Incoming, accept: SubrequestFilter | undefined): Match {
  const match = router.find(incoming.method, incoming.path)
  if (!match) throw noRoute()
  const error = accept?.(match.routed.endpoint)
  if (error) throw error
  return match
}
