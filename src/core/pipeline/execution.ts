/** Runs one matched endpoint: body, arguments, transaction, resource (404), permission, conditions, handler, hooks, options. */

import type { Storage } from '../../contract/storage.ts'
import type { Settings } from '../../site/settings.ts'
import type { Actor } from '../declare/actor.ts'
import type { AppContext } from '../declare/app-context.ts'
import type { AllowedMethods, Context, HookContext, SubrequestOptions } from '../declare/context.ts'
import type { AnyEndpoint } from '../declare/endpoint.ts'
import type { Hook, PendingEvent } from '../declare/events.ts'
import type { Embedder } from '../declare/feature.ts'
import type { Limits } from '../declare/limits.ts'
import { forbidden, mayEverPass } from '../declare/permissions.ts'
import type { Incoming } from '../declare/request.ts'
import { noHeaders, type ResponseHeaders, Result, Stream, type Warning } from '../declare/result.ts'
import { type ReadBody, readBody } from '../request/body.ts'
import { idempotentRequest, runClaimed, runOnce } from '../request/idempotency.ts'
import { refuseUnknownMembers } from '../request/unknown-members.ts'
import type { Match } from '../routing/route.ts'
import type { Router } from '../routing/router.ts'
import { toValue } from '../runtime/json.ts'
import { retryTransaction } from '../runtime/retry-transaction.ts'
import { allowHeader, createAllowedMethods } from './allowed-methods.ts'
import { checkConditions, unconditional } from './etag.ts'
import { runEventHooks, runHooks } from './hooks.ts'
import type { Executor, RequestScope } from './request-scope.ts'
import { applyResponseOptions, fieldsOf } from './response/options.ts'
import { mergeStaleWrite } from './stale-writes/merge.ts'
import { createSubrequests, type SubrequestParts } from './subrequests.ts'

interface ExecutorOptions {
  readonly router: Router
  readonly app: AppContext
  readonly storage: Storage
  readonly hooks: readonly Hook<HookContext>[]
  readonly embedders: readonly Embedder[]
  readonly limits: Limits
}

type OwnContext = { -readonly [name in keyof Context]: Context[name] }

export class EndpointExecutor implements Executor {
  readonly #options: ExecutorOptions
  readonly #allowedMethods: AllowedMethods
  readonly #subrequestParts: SubrequestParts

  constructor(options: ExecutorOptions) {
    this.#options = options
    this.#allowedMethods = createAllowedMethods(options.router.routes, options.app.names)
    this.#subrequestParts = { ...options, executor: this }
  }

  execute(incoming: Incoming, match: Match, scope: RequestScope, run: SubrequestOptions): Promise<Result> {
    // A read takes its arguments from the address only; calls of the host have no address.
    return match.routed.writes || incoming.source === 'call'
      ? this.#readBodyAndExecute(incoming, match, scope, run)
      : this.#executeWithBody(undefined, incoming, match, scope, run)
  }

  async #readBodyAndExecute(incoming: Incoming, match: Match, scope: RequestScope, run: SubrequestOptions) {
    scope.trace?.begin('body')
    const body = await this.readBody(match.routed.endpoint, incoming, scope)
    const { dryRun } = scope
    const execute = (storage: Storage, settings?: Settings) =>
      this.#executeWithBody(body, incoming, match, settings ? { ...scope, settings } : scope, { ...run, storage })
    try {
      // A body that comes slowly is read before the transaction.
      return await (dryRun && !run.insideTransaction ? dryRun.run(run.storage, execute) : execute(run.storage))
    } finally {
      await body.dispose?.()
    }
  }

  async #executeWithBody(
    body: ReadBody | undefined,
    incoming: Incoming,
    match: Match,
    scope: RequestScope,
    run: SubrequestOptions,
  ): Promise<Result> {
    const { parser } = match.routed
    scope.trace?.begin('argument')
    const parsed = parser.parse(match.params, incoming.query, body?.args)
    const context = this.createContext(match, incoming, scope, run.storage, parsed.args, body)
    if (parsed.globals) context.fields = fieldsOf(parsed.globals)
    const checking = parser.validate(parsed, context)
    if (checking) await checking
    const answer = await this.#runInTransaction(match, context, scope, run, body?.digest)
    // No cache may serve what a password has opened to a client that did not send it.
    const result = !match.routed.writes && isSecret(parsed.args) ? unshared(answer) : answer
    return parsed.globals ? applyResponseOptions(result, parsed.globals, this.#options.embedders, context) : result
  }

  /** Opens a transaction when the endpoint writes and the caller has not opened one. */
  #runInTransaction(
    match: Match,
    context: Context,
    scope: RequestScope,
    run: SubrequestOptions,
    bodyDigest: ReadBody['digest'],
  ): Promise<Result> {
    const { endpoint, writes } = match.routed
    if (!writes || run.insideTransaction) return this.#runEndpoint(match, context, scope, run)
    // A request that is explained claims no key.
    const request = scope.trace ? undefined : idempotentRequest(context, endpoint, bodyDigest)
    // A result is kept in the transaction of its write: for a key, one is opened around a handler that has its own.
    const isOutside = endpoint.atomic === false || (endpoint.atomic === 'own' && !request)
    if (isOutside || !run.storage.atomic) {
      const work = (storage: Storage) => this.#runEndpoint(match, { ...context, storage }, scope, run)
      return request ? runClaimed(request, run.storage, work) : work(run.storage)
    }
    const inside = (storage: Storage) => {
      scope.events.length = 0
      if (context.warnings) context.warnings.length = 0
      const work = (on: Storage) => this.#runEndpoint(match, { ...context, storage: on }, scope, run)
      return request ? runOnce(request, storage, work) : work(storage)
    }
    return retryTransaction(run.storage, inside, { groupCommit: true, author: scope.user.id })
  }

  /** `context` belongs to this run alone: it gets the resource. */
  async #runEndpoint(match: Match, context: OwnContext, scope: RequestScope, run: SubrequestOptions): Promise<Result> {
    const { routed } = match
    const { endpoint } = routed
    const { events, trace } = scope
    const before = events.length
    if (endpoint.hidesRecords) {
      trace?.begin('permission', context)
      if (!mayEverPass(endpoint.permission, context.user)) throw forbidden(context.user)
    }
    if (endpoint.resource) {
      trace?.begin('record', context)
      context.resource = await endpoint.resource(context as never)
    }
    trace?.begin('permission', context)
    const checking = endpoint.permission.check(context as never)
    // Most permissions return undefined at once, which is not waited for.
    const refusal = checking && (await checking)
    if (refusal) throw refusal
    const isConditional = hasConditions(routed)
    if (isConditional) trace?.begin('condition', context)
    const conditions = isConditional ? await checkConditions(routed, context) : unconditional
    const { unchanged, tag, decide, isStale } = conditions
    if (unchanged) return unchanged
    if (isStale)
      Object.assign(context, await mergeStaleWrite({ ...this.#options, executor: this, match, scope }, context))
    trace?.begin('handler', context)
    const data = await endpoint.handler(context as never)
    const allow = await allowHeader(routed, context)
    const runAll = run.insideTransaction ? runEventHooks : runHooks
    if (events.length > before) {
      await run.beforeHooks?.()
      await runAll(events, before, this.#options.hooks, context)
    }
    // Hooks may warn, too.
    const warned = context.warnings?.length ? withWarnings(data, context.warnings) : data
    const answer = toResult(warned, allow, tag)
    const result = isStale ? merged(answer) : answer
    return decide ? decide(result) : result
  }

  async readBody(
    endpoint: AnyEndpoint,
    incoming: Incoming,
    { user, settings, dryRun }: RequestScope,
  ): Promise<ReadBody> {
    const { app } = this.#options
    const received = await endpoint.receive?.(incoming, { app: dryRun?.app ?? app, user, settings })
    const limits = this.#bodyLimits(endpoint, incoming, user)
    const body = received ?? (await readBody(incoming, { ...limits, anyType: endpoint.takesAnyBody === true }))
    if (app.unknownArguments === 'refuse' && body.args && !endpoint.takesAnyBody && !endpoint.takesAnyMembers) {
      refuseUnknownMembers(body.args, endpoint.args, app.names)
    }
    return body
  }

  /** A sender whom the permission refuses anyway delays others by as little parsing as possible. */
  #bodyLimits({ bodyLimitBytes, permission }: AnyEndpoint, { source }: Incoming, user: Actor) {
    const { limits } = this.#options
    const declared = bodyLimitBytes ?? limits.bodyBytes
    // The host has the bytes already.
    if (source === 'call') return { bytes: declared, values: Number.POSITIVE_INFINITY }
    if (!mayEverPass(permission, user)) {
      return { bytes: Math.min(declared, limits.smallBodyBytes), values: limits.bodyValues / 10 }
    }
    if (!user.isVisitor) return { bytes: declared, values: limits.bodyValues }
    return { bytes: Math.min(declared, limits.visitorBodyBytes), values: limits.bodyValues / 10 }
  }

  createContext(
    { routed }: Match,
    incoming: Incoming,
    scope: RequestScope,
    storage: Storage,
    args: Context['args'],
    body?: ReadBody,
  ): OwnContext {
    return {
      args,
      fields: undefined,
      sent: body?.args,
      body: routed.endpoint.takesAnyBody || routed.endpoint.receive ? body?.whole : undefined,
      resource: undefined,
      user: scope.user,
      storage,
      app: scope.dryRun?.app ?? this.#options.app,
      settings: scope.settings,
      incoming,
      route: routed.route.pattern.key,
      warnings: routed.writes ? [] : undefined,
      emit: (name, payload, options) => void scope.events.push({ ...options, name, payload } as PendingEvent),
      allowedMethods: this.#allowedMethods,
      subrequests: createSubrequests(this.#subrequestParts, scope),
    }
  }
}

const hasConditions = ({ writes, endpoint }: Match['routed']): boolean =>
  writes || endpoint.etag !== undefined || endpoint.stored !== undefined

const merged = ({ data, status, headers, keeps }: Result): Result =>
  new Result(data, status, { ...headers, 'Preference-Applied': 'merge' }, keeps)

const isSecret = ({ password }: Context['args']): boolean => typeof password === 'string' && password !== ''

const unshared = ({ data, status, headers, keeps }: Result): Result =>
  new Result(data, status, { ...headers, 'Cache-Control': 'private, no-store' }, keeps)

/** Lists, texts and streams stay as they are: they have no place for a member. */
function withWarnings(result: unknown, warnings: readonly Warning[]): unknown {
  if (result instanceof Result) {
    const { data, status, headers, keeps } = result
    return status < 400 ? new Result(withWarnings(data, warnings), status, headers, keeps) : result
  }
  const value = toValue(result)
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Stream)
  return isRecord ? { ...value, _warnings: warnings } : result
}

function toResult(data: unknown, allow: string | undefined, tag: string | undefined): Result {
  const result = data instanceof Result ? data : new Result(data, 200, noHeaders)
  if (allow === undefined && tag === undefined) return result
  const headers: ResponseHeaders = { ...result.headers }
  if (allow !== undefined) headers['Allow'] = allow
  if (tag !== undefined) headers['ETag'] = tag
  return new Result(result.data, result.status, headers, result.keeps)
}
