/** Runs one matched endpoint: body, arguments, transaction, hooks, response options. */

import { andThen, isPromise, type MaybePromise } from '../../contract/maybe-promise.ts'
import type { Storage } from '../../contract/storage.ts'
import type { Actor } from '../declare/actor.ts'
import type { AppContext } from '../declare/app-context.ts'
import type { Context, HookContext, SubrequestOptions } from '../declare/context.ts'
import type { AnyEndpoint } from '../declare/endpoint.ts'
import type { Hook, PendingEvent } from '../declare/events.ts'
import type { Embedder } from '../declare/feature.ts'
import type { Limits } from '../declare/limits.ts'
import { mayEverPass } from '../declare/permissions.ts'
import type { Incoming } from '../declare/request.ts'
import type { Result } from '../declare/result.ts'
import { type ReadBody, readBody } from '../request/body.ts'
import { idempotentRequest, runClaimed, runOnce } from '../request/idempotency.ts'
import { refuseUnknownMembers } from '../request/unknown-members.ts'
import type { Match } from '../routing/route.ts'
import type { Router } from '../routing/router.ts'
import { retryTransaction } from '../runtime/retry-transaction.ts'
import { createAllowedMethods } from './allowed-methods.ts'
import { runEventHooks, runHooks } from './hooks.ts'
import type { Executor, RequestScope } from './request-scope.ts'
import { applyResponseOptions } from './response/options.ts'
import { runEndpoint } from './run-endpoint.ts'
import { createSubrequests } from './subrequests.ts'

interface ExecutorOptions {
  readonly router: Router
  readonly app: AppContext
  readonly storage: Storage
  readonly hooks: readonly Hook<HookContext>[]
  readonly embedders: readonly Embedder[]
  readonly limits: Limits
}

export function createExecutor(options: ExecutorOptions): Executor {
  const { app, limits, hooks, embedders, router } = options
  const allowedMethods = createAllowedMethods(router.routes, app.names)

  const execute: Executor['execute'] = (incoming, match, scope, run) => {
    const { routed } = match
    // A read takes its arguments from the address only; calls of the host have no address.
    if (!routed.writes && incoming.source !== 'call') return executeWithBody(undefined, incoming, match, scope, run)
    return andThen(executor.readBody(routed.endpoint, incoming, scope), (body) =>
      body.dispose
        ? executeThenDispose(body, body.dispose, incoming, match, scope, run)
        : executeWithBody(body, incoming, match, scope, run),
    )
  }

  async function executeThenDispose(
    body: ReadBody,
    dispose: () => Promise<void>,
    ...rest: Parameters<Executor['execute']>
  ): Promise<Result> {
    try {
      return await executeWithBody(body, ...rest)
    } finally {
      await dispose()
    }
  }

  function executeWithBody(
    body: ReadBody | undefined,
    incoming: Incoming,
    match: Match,
    scope: RequestScope,
    run: SubrequestOptions,
  ): MaybePromise<Result> {
    const { parser } = match.routed
    const parsed = parser.parse(match.params, incoming.query, body?.args)
    const context = executor.createContext(match, incoming, scope, run.storage, parsed.args, body)
    const validated = parser.validate(parsed, context)
    const result = validated
      ? validated.then(() => runInTransaction(match, context, scope, run))
      : runInTransaction(match, context, scope, run)
    const { globals } = parsed
    return globals ? andThen(result, (settled) => applyResponseOptions(settled, globals, embedders, context)) : result
  }

  /** Opens a transaction when the endpoint writes and the caller has not opened one. */
  function runInTransaction(match: Match, context: Context, scope: RequestScope, run: SubrequestOptions) {
    const { endpoint, writes } = match.routed
    if (!writes || run.insideTransaction) return runWithHooks(match, context, scope, run)
    const request = idempotentRequest(context, endpoint)
    // A result is kept in the transaction of its write: for a key, one is opened around a handler that has its own.
    const isOutside = endpoint.atomic === false || (endpoint.atomic === 'own' && !request)
    if (isOutside || !run.storage.atomic) {
      const work = () => runWithHooks(match, context, scope, run)
      return request ? runClaimed(request, run.storage, work) : work()
    }
    const inside = (storage: Storage) => {
      scope.events.length = 0
      if (context.warnings) context.warnings.length = 0
      const work = () => runWithHooks(match, { ...context, storage }, scope, run)
      return request ? runOnce(request, storage, work) : work()
    }
    return retryTransaction(run.storage, inside, { groupCommit: true })
  }

  function runWithHooks(match: Match, context: Context, scope: RequestScope, run: SubrequestOptions) {
    const before = scope.events.length
    const result = runEndpoint(match, context)
    const runAll = run.insideTransaction ? runEventHooks : runHooks
    const afterHooks = (settled: Result) =>
      scope.events.length === before ? settled : andThen(runAll(scope.events, before, hooks, context), () => settled)
    return isPromise(result) ? result.then(afterHooks) : afterHooks(result)
  }

  /** Whoever may send nothing that is carried out holds nobody up with what is parsed before the refusal. */
  function bodyLimits(
    { bodyLimitBytes: declared = limits.bodyBytes, permission }: AnyEndpoint,
    { source }: Incoming,
    user: Actor,
  ) {
    // The host has the bytes already.
    if (source === 'call') return { bytes: declared, values: Number.POSITIVE_INFINITY }
    if (!mayEverPass(permission, user)) {
      return { bytes: Math.min(declared, limits.smallBodyBytes), values: limits.bodyValues / 10 }
    }
    if (!user.isVisitor) return { bytes: declared, values: limits.bodyValues }
    return { bytes: Math.min(declared, limits.visitorBodyBytes), values: limits.bodyValues / 10 }
  }

  const executor: Executor = {
    execute,
    readBody: (endpoint, incoming, { user, settings }) => {
      const received = endpoint.receive?.(incoming, { app, user, settings })
      const read = () =>
        readBody(incoming, {
          ...bodyLimits(endpoint, incoming, user),
          anyType: endpoint.takesAnyBody === true,
        })
      const body = andThen(received, (own) => own ?? read())
      return app.unknownArguments === 'refuse' ? andThen(body, (read) => checkMembers(read, endpoint)) : body
    },
    createContext: (match, incoming, scope, storage, args, body) => ({
      args,
      sent: body?.args,
      body: match.routed.endpoint.takesAnyBody || match.routed.endpoint.receive ? body?.whole : undefined,
      resource: undefined,
      user: scope.user,
      storage,
      app,
      settings: scope.settings,
      incoming,
      route: match.routed.route.pattern.key,
      ...(match.routed.writes && { warnings: [] }),
      emit: (name, payload, isHooked = false) => void scope.events.push({ name, payload, isHooked } as PendingEvent),
      allowedMethods,
      subrequests: createSubrequests(subrequestOptions, scope),
    }),
  }
  function checkMembers(body: ReadBody, { args, takesAnyBody, takesAnyMembers }: AnyEndpoint): ReadBody {
    if (body.args && !takesAnyBody && !takesAnyMembers) refuseUnknownMembers(body.args, args, app.names)
    return body
  }

  const subrequestOptions = { ...options, executor }
  return executor
}
