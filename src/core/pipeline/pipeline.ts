/**
 * The journey of a request: settings, sign-in, route, arguments, permission, handler, response. `execution.ts` runs the endpoint.
 * Only a hit of the response cache is answered without a promise.
 */

import type { MaybePromise, Storage } from '../../contract/storage.ts'
import type { Settings, SettingsState } from '../../site/settings.ts'
import { type Actor, visitor } from '../declare/actor.ts'
import type { AppContext } from '../declare/app-context.ts'
import type { HookContext, PastStorages } from '../declare/context.ts'
import { isApiError, noRoute, queryTooLarge } from '../declare/errors.ts'
import type { Hook } from '../declare/events.ts'
import type { Embedder } from '../declare/feature.ts'
import type { Limits } from '../declare/limits.ts'
import { forbidden, ruleOf } from '../declare/permissions.ts'
import type { Incoming } from '../declare/request.ts'
import type { RequestLimit } from '../declare/request-limit.ts'
import { noHeaders, type ResponseData, Result } from '../declare/result.ts'
import { releaseHeader } from '../request/idempotency.ts'
import { prefers } from '../request/incoming.ts'
import { decode } from '../request/query-string.ts'
import { takeFrom } from '../request/request-limit.ts'
import { withRestRoute } from '../request/rest-route.ts'
import type { Match, Route } from '../routing/route.ts'
import type { Router } from '../routing/router.ts'
import type { Timer } from '../runtime/timer.ts'
import { beforeUnit, inUnitOfWork } from '../runtime/unit-of-work.ts'
import { ReadTags } from '../tags/read-tags.ts'
import type { TouchedTags } from '../tags/touched-tags.ts'
import type { SignInOptions } from './authentication.ts'
import type { Background } from './background.ts'
import type { Cors } from './cors.ts'
import { DryRun, type DryRunParts, needsUser } from './dry-run/index.ts'
import { appliedHeader, DryRunResult } from './dry-run/report.ts'
import { createErrorResponder, isClientError, toApiError } from './errors/error-response.ts'
import type { EventEmitter } from './event-emitter.ts'
import { EndpointExecutor } from './execution.ts'
import type { Explanation, ExplanationView } from './explanation/explain.ts'
import { readPast } from './history/past-read.ts'
import { RouteDescriber } from './options-response.ts'
import { answerInRelease, releaseNamed } from './releases/in-release.ts'
import type { RequestScope } from './request-scope.ts'
import { type CacheTagOptions, createTagRenamer, createTagWriter, visibleTags } from './response/cache-tags.ts'
import { createResponseWriter } from './response/headers.ts'
import { ResponseCache } from './response/response-cache.ts'
import { runScheduledTasks, type ScheduledTasks } from './scheduled-tasks.ts'
import { SignIn } from './sign-in.ts'

/** A request that a recording keeps, or that a replay sends. */
interface JournaledRequest {
  /** Finds the sender, instead of the credentials. */
  readonly as?: (state: SettingsState) => MaybePromise<Actor>
  /** Called when the sender is known. */
  readonly onScope?: (scope: RequestScope) => void
}

/** `storage`: the one that was chosen for the reads of a request. */
interface RequestState extends SettingsState {
  readonly storage?: Storage
}

interface PipelineOptions {
  readonly router: Router
  readonly app: AppContext
  readonly storage: Storage
  /** Opens the storage on first use. */
  readonly ready: () => MaybePromise<void>
  readonly events: EventEmitter
  readonly hooks: readonly Hook<HookContext>[]
  readonly embedders: readonly Embedder[]
  readonly scheduledTasks: ScheduledTasks
  readonly limits: Limits
  readonly touched: TouchedTags | undefined
  /** How answers to visitors name their tags. */
  readonly cacheTags: CacheTagOptions | undefined
  readonly cors: Cors | undefined
  readonly signIn: SignInOptions
  /** The host's limit, asked before each request over HTTP. */
  readonly limit: RequestLimit | undefined
  /** Set to the time of the next scheduled task, in case no request arrives by then. */
  readonly timer: Timer
  readonly background: Pick<Background, 'wake'>
  readonly dryRuns: DryRunParts
  /** Answers requests that must not wait for the storage. */
  readonly answerFirst: ((incoming: Incoming) => Promise<Result> | undefined) | undefined
  /** Returns the index entry of a route, for the response to OPTIONS. */
  readonly describeRoute: (route: Route, settings: Settings) => Promise<object>
}

export class Pipeline {
  readonly #options: PipelineOptions
  readonly #executor
  readonly #describer
  readonly #cache
  readonly #withTags
  readonly #signIn
  readonly #write
  readonly #errorResult
  /** The header by which a request names what its client has written; undefined: the storage reads none. */
  readonly #requestHeader: string | undefined
  /** The header that names a release, in small letters. */
  readonly #releaseHeader: string
  #hasBegun = false

  constructor(options: PipelineOptions) {
    const { router, app, storage, limits, cors } = options
    this.#options = options
    this.#executor = new EndpointExecutor(options)
    this.#describer = new RouteDescriber(options, this.#executor)
    this.#cache = new ResponseCache(limits.responseBytes, options.touched, createTagRenamer(options.cacheTags))
    this.#withTags = createTagWriter(options.cacheTags)
    this.#signIn = new SignIn(storage, options.signIn, options.touched)
    this.#write = createResponseWriter(app.names, cors, storage.requests)
    this.#errorResult = createErrorResponder(router, app)
    this.#releaseHeader = app.names.toPublic(releaseHeader).toLowerCase()
    this.#requestHeader = storage.requests && app.names.toPublic(storage.requests.header).toLowerCase()
  }

  /** Never throws or rejects: every failure becomes a response. */
  handle(incoming: Incoming, journaled?: JournaledRequest): MaybePromise<ResponseData> {
    if (this.#options.events.hasListeners('request.finished')) return this.#handleAndReport(incoming, journaled)
    if (journaled) return this.#handle(incoming, journaled)
    try {
      return this.#cachedResponse(incoming) ?? this.#handle(incoming)
    } catch {
      // A storage that fails at its token fails here again, and is answered with an error.
      return this.#handle(incoming)
    }
  }

  /** Runs the scheduled tasks that are due; rejects when the storage fails. */
  async runDue(): Promise<void> {
    const state = await this.#currentState()
    await this.#runDueTasks(state, this.#options.scheduledTasks)
  }

  /** Runs a request inside the process as `user`; throws the error of the endpoint. */
  async call(incoming: Incoming, user: Actor): Promise<Result> {
    const { settings, storage = this.#options.storage } = await this.#stateFor(incoming)
    return this.#run(incoming, { user, settings, events: [], storage })
  }

  /** Runs a request as `user` up to its answer, and tells its steps. A write is a dry run. */
  async explain(incoming: Incoming, user: Actor, view: ExplanationView): Promise<Explanation> {
    const { settings, storage = this.#options.storage } = await this.#stateFor(incoming)
    return this.#explain(incoming, { user, settings, events: [], storage }, view)
  }

  /** The same as of a moment, on the storage as it was then. */
  async callPast(incoming: Incoming, user: Actor, storages: PastStorages): Promise<Result> {
    const { router, app } = this.#options
    return readPast({ router, app, executor: this.#executor }, incoming, { user }, storages)
  }

  /** Who sends a request to another part of the site, such as its pages. Rejects with 401 for wrong credentials. */
  async userOf(incoming: Incoming): Promise<Actor> {
    await this.#options.ready()
    const begun = this.#signIn.begin(incoming)
    return begun(await this.#stateFor(incoming))
  }

  /** Undefined where anything but the cache has a say: a sender who is not known, a host that limits or signs in, a task that is due. */
  #cachedResponse(incoming: Incoming): ResponseData | undefined {
    const { app, storage, limit, scheduledTasks } = this.#options
    if (incoming.method !== 'GET' || limit !== undefined) return undefined
    const state = app.settings.current(storage)
    if (state === undefined || incoming.header(this.#releaseHeader) !== undefined) return undefined
    const user = this.#knownSender(incoming, state)
    const result = user && this.#cache.find(incoming, state, user)
    if (result === undefined || scheduledTasks.urgent.nextAt(state.settings) <= app.clock()) return undefined
    return this.#write(incoming, result, state.settings, user)
  }

  /** The sender of a read, where nothing has to be read to know it. A user may ask for an explanation in place of the response. */
  #knownSender(incoming: Incoming, state: RequestState): Actor | undefined {
    if (incoming.header('authorization') !== undefined)
      return incoming.header('prefer') === undefined ? this.#signIn.known(incoming, state) : undefined
    return this.#options.signIn.authenticate === undefined ? visitor : undefined
  }

  /** Durations are for the host's telemetry: they come from the clock of the machine, which is finer than the app's. */
  async #handleAndReport(incoming: Incoming, journaled?: JournaledRequest): Promise<ResponseData> {
    const started = performance.now()
    const { method, path } = incoming
    let found: RequestScope | undefined
    const onScope = (scope: RequestScope) => {
      found = scope
      journaled?.onScope?.(scope)
    }
    const response = await this.#handle(incoming, { ...journaled, onScope })
    const ms = performance.now() - started
    const user = found?.user.isVisitor === false ? found.user.id : null
    const payload = { method, path, route: found?.route, status: response.status, ms, user }
    await this.#options.events.emit([{ name: 'request.finished', payload }])
    return response
  }

  async #handle(sent: Incoming, { as, onScope }: JournaledRequest = {}): Promise<ResponseData> {
    const { storage, ready, answerFirst } = this.#options
    let incoming = sent
    let settings: Settings | undefined
    let user: Actor | undefined
    let scope: RequestScope | undefined
    try {
      if (sent.path.length === 1) incoming = withRestRoute(sent)
      const first = answerFirst?.(incoming)
      if (first) return this.#write(incoming, await first, undefined)
      await ready()
      const signIn = as ?? this.#signIn.begin(incoming)
      const state = await this.#stateFor(incoming)
      settings = state.settings
      user = await signIn(state)
      const moment = await this.#momentOf(incoming, state)
      scope = { user, settings, events: [], token: state.token, moment, storage: state.storage ?? storage }
      onScope?.(scope)
      const result = await this.#run(incoming, scope)
      return this.#write(incoming, result, settings, user)
    } catch (error) {
      const failure = scope ? error : beforeUnit(error)
      const headers = scope && isRefusal(failure) ? await this.#describer.refusalHeaders(incoming, scope) : noHeaders
      const all = scope?.isTried ? { ...headers, ...appliedHeader } : headers
      return this.#write(incoming, this.#errorResult(incoming, failure, settings, all), settings, user)
    }
  }

  /** Throws the error of the request. */
  async #run(incoming: Incoming, scope: RequestScope): Promise<Result> {
    if (!isToBeExplained(incoming, scope.user)) return this.#answer(incoming, scope)
    return new Result(await this.#explain(incoming, scope, 'own'), 200, { 'Preference-Applied': 'explain' })
  }

  async #explain(incoming: Incoming, scope: RequestScope, view: ExplanationView): Promise<Explanation> {
    // Loaded on first use: most sites never ask.
    const { explain } = await import('./explanation/explain.ts')
    const request = { incoming, method: effectiveMethod(incoming), scope, view }
    return explain({ ...this.#options, toApiError, ruleOf }, request, async (traced) => {
      const result = await this.#answer(incoming, traced)
      return result instanceof DryRunResult ? result.answer : result
    })
  }

  async #answer(incoming: Incoming, scope: RequestScope): Promise<Result> {
    const { router, limits, limit, events } = this.#options
    if (incoming.query.length > limits.queryBytes) throw queryTooLarge(`is longer than ${limits.queryBytes} bytes`)
    const method = effectiveMethod(incoming)
    const match = method === 'OPTIONS' ? undefined : router.find(method === 'HEAD' ? 'GET' : method, incoming.path)
    if (match) scope.route = match.routed.route.pattern.key
    if (limit && incoming.source === 'http') await askLimit(limit, incoming, scope)
    if (method === 'OPTIONS') return this.#describer.describe(incoming, scope)
    if (!match) throw noRoute()
    const release = releaseNamed(incoming, match, this.#releaseHeader)
    if (release !== undefined) {
      const parts = { ...this.#options, executor: this.#executor }
      const answered = await answerInRelease(parts, incoming, match, scope, release)
      if (answered) return answered
    }
    const run = { insideTransaction: false, events: scope.events }
    const tried = match.routed.writes ? this.#tried(incoming, scope) : scope
    const executeIn = (recorded: RequestScope) => (storage: Storage) =>
      this.#executor.execute(incoming, match, recorded, { ...run, storage })
    const execute = async (reading?: ReadTags) => {
      if (match.routed.writes) return inUnitOfWork(scope.storage, executeIn(tried))
      const recorded = reading ? recordedScope(tried, reading) : tried
      const made = await executeIn(recorded)(recorded.storage)
      return reading && scope.user.isVisitor ? this.#withTags(made, reading, incoming) : made
    }
    if (scope.trace) return execute()
    const readingOf = (isAskedAgain: boolean) => this.#readingOf(incoming, match, scope, isAskedAgain)
    const result = await this.#cache.resultOf(incoming, match, scope, readingOf, execute)
    if (scope.events.length > 0) await events.emit(scope.events)
    return result
  }

  /** A write that asks for a dry run has one in its scope. So has one that is explained: the explanation names refusals of its handler. */
  #tried(incoming: Incoming, scope: RequestScope): RequestScope {
    if (!scope.trace) {
      if (!prefers(incoming, 'dry-run')) return scope
      if (scope.user.isVisitor && incoming.source === 'http') throw needsUser()
      scope.isTried = true
    } else if (!scope.storage.atomic) return scope
    const namesPages = scope.trace === undefined
    return { ...scope, dryRun: new DryRun(this.#options.dryRuns, scope.user, scope.events, { namesPages }) }
  }

  /** Learns what others have committed before the token of the request. */
  async #momentOf({ method }: Incoming, { token, changes }: RequestState): Promise<number | undefined> {
    const { touched } = this.#options
    if (!touched || !changes || method !== 'GET') return undefined
    if (!touched.isAt(token)) await touched.catchUp(changes)
    return touched.isAt(token) ? touched.moment : undefined
  }

  /** Notes what a response is made from, if it follows from the storage and its sender alone; responses to visitors name it. */
  #readingOf(
    { query }: Incoming,
    { routed: { endpoint } }: Match,
    { user, moment, token }: RequestScope,
    isAskedAgain: boolean,
  ): ReadTags | undefined {
    const { touched, cacheTags } = this.#options
    if (!touched || !endpoint.cacheable) return undefined
    const isNamed = cacheTags !== undefined && user.isVisitor
    if (!isNamed && (moment === undefined || !isAskedAgain)) return undefined
    const hasColumns = endpoint.cacheable === 'by-column' || query.includes('_fields=')
    const names = isNamed ? touched.namesAt(token) : undefined
    return new ReadTags(touched.collections, { hasColumns, keepsLists: true, names })
  }

  #currentState(): MaybePromise<RequestState> {
    const state = this.#options.app.settings.current(this.#options.storage)
    return state ? this.#begin(state) : this.#readState()
  }

  async #readState(): Promise<RequestState> {
    const { app, storage } = this.#options
    return this.#begin(await app.settings.readAt(storage))
  }

  /** A request that may write reads what was committed last, and so does sign-in. */
  #stateFor(incoming: Incoming): MaybePromise<RequestState> {
    const isRead = incoming.method === 'GET' || incoming.method === 'HEAD'
    const header = this.#requestHeader
    return header !== undefined && isRead ? this.#chosenState(incoming.header(header)) : this.#currentState()
  }

  async #chosenState(sent: string | undefined): Promise<RequestState> {
    const { app, storage } = this.#options
    return this.#begin(await app.settings.choose(storage, sent))
  }

  #begin(state: RequestState): MaybePromise<RequestState> {
    // Work that earlier processes have left begins with the first request.
    if (!this.#hasBegun) this.#options.background.wake()
    this.#hasBegun = true
    return this.#runDueTasks(state, this.#options.scheduledTasks.urgent)
  }

  /** Runs the tasks that became due since the last request, so that this one sees what they changed. The timer runs the others. */
  #runDueTasks(state: RequestState, { tasks, nextAt }: ScheduledTasks['urgent']): MaybePromise<RequestState> {
    const { app, timer, scheduledTasks } = this.#options
    if (nextAt(state.settings) <= app.clock()) return this.#runTasks(tasks, state.settings)
    timer.set(scheduledTasks.nextAt(state.settings))
    return state
  }

  async #runTasks(tasks: ScheduledTasks['tasks'], settings: Settings): Promise<RequestState> {
    const { app, storage, events, timer, scheduledTasks } = this.#options
    const done = await runScheduledTasks({ ...this.#options, tasks }, settings)
    try {
      await events.emit(done)
    } catch (error) {
      // The request that has noticed the tasks does not depend on them.
      app.log.error('work after scheduled tasks failed', { id: 'scheduled-tasks', error })
    }
    const after = await app.settings.readAt(storage)
    timer.set(scheduledTasks.nextAt(after.settings))
    return after
  }
}

/** The links of the headers of every response depend on the address of the site. */
function recordedScope(scope: RequestScope, reading: ReadTags): RequestScope {
  reading.add(visibleTags.ofEach)
  return { ...scope, storage: reading.storage(scope.storage), settings: reading.settings(scope.settings) }
}

/** A sender who has to wait, or who has sent too much, is answered without more work. */
const quickStatuses: ReadonlySet<number> = new Set([413, 414, 429, 503])

const isRefusal = (error: unknown): boolean =>
  isClientError(error) && !(isApiError(error) && quickStatuses.has(error.status))

const askLimit = (limit: RequestLimit, incoming: Incoming, { user, route }: RequestScope) =>
  takeFrom(limit, incoming, { kind: 'request', route, user: user.isVisitor ? null : user.id })

/**
 * Over HTTP only administrators get an explanation. Others are refused where the request would write; a read is answered as if
 * they had not asked. The host decides by `as` for its own calls.
 */
function isToBeExplained(incoming: Incoming, user: Actor): boolean {
  const isRead = incoming.method === 'GET' || incoming.method === 'HEAD'
  const isOverHttp = incoming.source === 'http'
  if ((isRead && isOverHttp && user.isVisitor) || incoming.method === 'OPTIONS') return false
  if (!prefers(incoming, 'explain')) return false
  if (!isOverHttp || user.can('manage_options')) return true
  if (isRead) return false
  throw forbidden(user, 'rest_cannot_explain', 'Only administrators get explanations: leave out Prefer: explain.')
}

/** Interface: `_method` in the query, else a header, overrides the method of a POST. */
export function effectiveMethod(incoming: Incoming): string {
  if (incoming.method !== 'POST' || incoming.source !== 'http') return incoming.method
  const override = /(?:^|&)_method=([^&]*)/.exec(incoming.query)?.[1]
  return (
    override !== undefined ? decode(override) : (incoming.header('x-http-method-override') ?? 'POST')
  ).toUpperCase()
}
