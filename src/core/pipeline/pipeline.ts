/**
 * The journey of a request: settings, sign-in, route, arguments, permission, handler, response. Synchronous on a storage that
 * answers synchronously; `execution.ts` runs the endpoint.
 */

import { andThen, isPromise, type MaybePromise } from '../../contract/maybe-promise.ts'
import type { Storage } from '../../contract/storage.ts'
import type { Settings, SettingsState } from '../../site/settings.ts'
import type { Actor } from '../declare/actor.ts'
import type { AppContext } from '../declare/app-context.ts'
import type { HookContext } from '../declare/context.ts'
import { noRoute, queryTooLarge } from '../declare/errors.ts'
import type { Hook } from '../declare/events.ts'
import type { Embedder } from '../declare/feature.ts'
import type { Limits } from '../declare/limits.ts'
import type { Incoming } from '../declare/request.ts'
import type { RequestLimit } from '../declare/request-limit.ts'
import type { ResponseData, Result } from '../declare/result.ts'
import { decode } from '../request/query-string.ts'
import { takeFrom } from '../request/request-limit.ts'
import { withRestRoute } from '../request/rest-route.ts'
import type { Match, Route } from '../routing/route.ts'
import type { Router } from '../routing/router.ts'
import type { Timer } from '../runtime/timer.ts'
import { readAttempt, type SignInOptions, signIn } from './authentication.ts'
import type { Background } from './background.ts'
import { positionHeader } from './client-position.ts'
import type { Cors } from './cors.ts'
import { createErrorResponder } from './errors/error-response.ts'
import type { EventEmitter } from './event-emitter.ts'
import { createExecutor } from './execution.ts'
import { createRouteDescriber } from './options-response.ts'
import type { RequestScope } from './request-scope.ts'
import { createAnswerCache } from './response/answer-cache.ts'
import { createResponseWriter } from './response/headers.ts'
import { runScheduledTasks, type ScheduledTasks } from './scheduled-tasks.ts'

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
  readonly cors: Cors | undefined
  readonly signIn: SignInOptions
  /** The host's limit, asked before each request over HTTP. */
  readonly limit: RequestLimit | undefined
  /** Set to the time of the next scheduled task, in case no request arrives by then. */
  readonly timer: Timer
  readonly background: Pick<Background, 'wake'>
  /** Answers requests that must not wait for the storage. */
  readonly answerFirst: ((incoming: Incoming) => Promise<Result> | undefined) | undefined
  /** The index entry of a route, for the response to OPTIONS. */
  readonly describeRoute: (route: Route, settings: Settings) => object
}

export interface Pipeline {
  /** Never throws or rejects: every failure becomes a response. */
  handle(incoming: Incoming): MaybePromise<ResponseData>
  /** Runs the scheduled tasks that are due; rejects when the storage fails. */
  runDue(): MaybePromise<void>
  /** Runs a request inside the process as `user`; throws the error of the endpoint. */
  call(incoming: Incoming, user: Actor): MaybePromise<Result>
}

export function createPipeline(options: PipelineOptions): Pipeline {
  const { router, app, storage, limits, events } = options
  const errorResultFor = createErrorResponder(router, app)
  const executor = createExecutor(options)
  const describeRoute = createRouteDescriber(options, executor)
  const write = createResponseWriter(app.names, options.cors, storage.replicas)
  const sentPosition = positionHeader(app.names).toLowerCase()
  const answers = createAnswerCache(limits.answerBytes)

  function handle(sent: Incoming): MaybePromise<ResponseData> {
    return events.hasListeners('request.finished') ? handleAndReport(sent) : handleRequest(sent)
  }

  /** Durations are for the host's telemetry: they come from the clock of the machine, which is finer than the app's. */
  function handleAndReport(sent: Incoming): MaybePromise<ResponseData> {
    const started = performance.now()
    const { method, path } = sent
    let found: RequestScope | undefined
    const response = handleRequest(sent, (scope) => {
      found = scope
    })
    return andThen(response, (written) => {
      const ms = performance.now() - started
      const user = found?.user.isVisitor === false ? found.user.id : null
      const report = { method, path, route: found?.route, status: written.status, ms, user }
      events.emit([{ name: 'request.finished', payload: report }])
      return written
    })
  }

  function handleRequest(sent: Incoming, onScope?: (scope: RequestScope) => void): MaybePromise<ResponseData> {
    let incoming = sent
    try {
      if (sent.path.length === 1) incoming = withRestRoute(sent)
      const first = options.answerFirst?.(incoming)
      if (first) return first.then((result) => write(incoming, result, undefined))
      const opening = options.ready()
      const state = opening ? opening.then(() => stateFor(incoming)) : stateFor(incoming)
      if (!isPromise(state)) return authenticateThenRun(incoming, state, onScope)
      // On a storage that is asked over a network, both at once.
      const attempt = opening ? undefined : attemptOf(incoming)
      return state
        .then((found) => authenticateThenRun(incoming, found, onScope, attempt))
        .catch((error) => writeWithoutSettings(incoming, error))
    } catch (error) {
      return writeWithoutSettings(incoming, error)
    }
  }

  const writeWithoutSettings = (incoming: Incoming, error: unknown) =>
    write(incoming, errorResultFor(incoming, error, undefined), undefined)

  /** An error is that of `signIn`, which waits for the promise, and throws again what was thrown. */
  function attemptOf(incoming: Incoming): ReturnType<typeof readAttempt> {
    try {
      const attempt = readAttempt(incoming, storage)
      if (isPromise(attempt)) attempt.catch(() => undefined)
      return attempt
    } catch {
      return undefined
    }
  }

  function authenticateThenRun(
    incoming: Incoming,
    { settings, token, storage: reading = storage }: RequestState,
    onScope: ((scope: RequestScope) => void) | undefined,
    attempt?: ReturnType<typeof readAttempt>,
  ): MaybePromise<ResponseData> {
    let user: Actor | undefined
    const runAs = (actor: Actor) => {
      user = actor
      const scope: RequestScope = { user: actor, settings, events: [], token, storage: reading }
      onScope?.(scope)
      return run(incoming, scope)
    }
    const writeError = (error: unknown) => write(incoming, errorResultFor(incoming, error, settings), settings, user)
    try {
      const actor = signIn(incoming, storage, settings, options.signIn, attempt)
      const result = isPromise(actor) ? actor.then(runAs) : runAs(actor)
      if (!isPromise(result)) return write(incoming, result, settings, user)
      return result.then((settled) => write(incoming, settled, settings, user)).catch(writeError)
    } catch (error) {
      return writeError(error)
    }
  }

  /** Throws the error of the request. */
  function run(incoming: Incoming, scope: RequestScope): MaybePromise<Result> {
    if (incoming.query.length > limits.queryBytes) throw queryTooLarge(`is longer than ${limits.queryBytes} bytes`)
    const method = effectiveMethod(incoming)
    const match = method === 'OPTIONS' ? undefined : router.find(method === 'HEAD' ? 'GET' : method, incoming.path)
    if (match) scope.route = match.routed.route.pattern.key
    const passed = options.limit && incoming.source === 'http' ? askLimit(options.limit, incoming, scope) : undefined
    return isPromise(passed)
      ? passed.then(() => runMatched(incoming, method, match, scope))
      : runMatched(incoming, method, match, scope)
  }

  const askLimit = (limit: RequestLimit, incoming: Incoming, { user, route }: RequestScope) =>
    takeFrom(limit, incoming, { kind: 'request', route, user: user.isVisitor ? null : user.id })

  function runMatched(incoming: Incoming, method: string, match: Match | undefined, scope: RequestScope) {
    if (method === 'OPTIONS') return describeRoute(incoming, scope)
    if (!match) throw noRoute()
    const result = answers.answerOf(incoming, match, scope, () =>
      executor.execute(incoming, match, scope, {
        storage: scope.storage,
        insideTransaction: false,
        events: scope.events,
      }),
    )
    return isPromise(result) ? result.then((settled) => emitEvents(settled, scope)) : emitEvents(result, scope)
  }

  const emitEvents = (result: Result, { events: pending }: RequestScope): Result => {
    if (pending.length > 0) events.emit(pending)
    return result
  }
  let hasBegun = false
  const currentState = (): MaybePromise<RequestState> => andThen(app.settings.readAt(storage), begin)
  const all = options.scheduledTasks

  /** A request that may write reads what was committed last, and so does sign-in. */
  function stateFor(incoming: Incoming): MaybePromise<RequestState> {
    if (!storage.replicas || (incoming.method !== 'GET' && incoming.method !== 'HEAD')) return currentState()
    return andThen(app.settings.choose(storage, incoming.header(sentPosition)), begin)
  }

  function begin(state: RequestState): MaybePromise<RequestState> {
    // What processes before this one have left to do begins with the first request.
    if (!hasBegun) options.background.wake()
    hasBegun = true
    return runDueTasks(state, all.urgent)
  }

  /** Runs the tasks that became due since the last request, so that this one sees what they changed. The timer runs the others. */
  function runDueTasks(state: RequestState, { tasks, nextAt }: ScheduledTasks['urgent']): MaybePromise<RequestState> {
    if (nextAt(state.settings) > app.clock()) {
      options.timer.set(all.nextAt(state.settings))
      return state
    }
    return andThen(runScheduledTasks({ ...options, tasks }, state.settings), (pending) => {
      events.emit(pending)
      return andThen(app.settings.readAt(storage), (after) => {
        options.timer.set(all.nextAt(after.settings))
        return after
      })
    })
  }

  return {
    handle,
    runDue: () => andThen(currentState(), (state) => andThen(runDueTasks(state, all), () => undefined)),
    call: (incoming, user) =>
      andThen(stateFor(incoming), ({ settings, storage: reading = storage }) =>
        run(incoming, { user, settings, events: [], storage: reading }),
      ),
  }
}

/** Interface: `_method` in the query, else a header, overrides the method of a POST. */
function effectiveMethod(incoming: Incoming): string {
  if (incoming.method !== 'POST' || incoming.source !== 'http') return incoming.method
  const override = /(?:^|&)_method=([^&]*)/.exec(incoming.query)?.[1]
  return (
    override !== undefined ? decode(override) : (incoming.header('x-http-method-override') ?? 'POST')
  ).toUpperCase()
}
