/**
 * The response to OPTIONS: the route's index entry, and in `Allow` the methods that the caller may use. Runs no handler. A response that
 * refuses a request has the same `Allow`.
 */

import type { Storage } from '../../contract/storage.ts'
import type { Settings } from '../../site/settings.ts'
import type { Context } from '../declare/context.ts'
import type { Incoming } from '../declare/request.ts'
import { noHeaders, type ResponseHeaders, Result } from '../declare/result.ts'
import type { Match, Route, RoutedEndpoint } from '../routing/route.ts'
import type { Router } from '../routing/router.ts'
import { isAllowedAt, methodsOf } from './allowed-methods.ts'
import type { Executor, RequestScope } from './request-scope.ts'

interface DescriberOptions {
  readonly router: Router
  readonly storage: Storage
  readonly describeRoute: (route: Route, settings: Settings) => Promise<object>
}

/** Describes routes to callers, without running a handler. */
export class RouteDescriber {
  readonly #options: DescriberOptions
  readonly #executor: Executor

  constructor(options: DescriberOptions, executor: Executor) {
    this.#options = options
    this.#executor = executor
  }

  async describe(incoming: Incoming, scope: RequestScope): Promise<Result> {
    const { router, describeRoute } = this.#options
    const matches = router.findAll(incoming.path)
    const route = matches[0]?.routed.route
    if (!route) return new Result({ namespace: '', methods: [], endpoints: [] }, 200, {})
    const methods = await this.#allowedMethods(matches, incoming, scope)
    return new Result(await describeRoute(route, scope.settings), 200, allowHeaders(methods))
  }

  /**
   * The `Allow` of a response that refuses a request. Its own method is checked with the arguments of the query: a visitor may read a
   * list, but not in the edit context. Empty where the path has no route, or the storage fails: the error is answered all the same.
   */
  async refusalHeaders(incoming: Incoming, scope: RequestScope): Promise<ResponseHeaders> {
    try {
      const matches = this.#options.router.findAll(incoming.path)
      return allowHeaders(await this.#allowedMethods(matches, incoming, scope, incoming.method))
    } catch {
      return noHeaders
    }
  }

  async #allowedMethods(
    matches: readonly Match[],
    incoming: Incoming,
    scope: RequestScope,
    called?: string,
  ): Promise<string[]> {
    const allowed: RoutedEndpoint[] = []
    for (const routed of new Set(matches.map((match) => match.routed))) {
      const match = matches.find((one) => one.routed === routed) as Match
      const isCalled = !routed.writes && (called === 'GET' || called === 'HEAD')
      const args = (isCalled && queryArguments(match, incoming)) || routed.parser.pathArguments(match.params)
      const context = this.#executor.createContext(match, incoming, scope, this.#options.storage, args)
      if (await isAllowedAt(routed, context)) allowed.push(routed)
    }
    return methodsOf(allowed)
  }
}

const allowHeaders = (methods: readonly string[]): ResponseHeaders =>
  methods.length > 0 ? { Allow: methods.join(', ') } : noHeaders

/** Undefined for arguments that are wrong. Without the password: the refused request has counted as a guess of it already. */
function queryArguments({ routed, params }: Match, { query }: Incoming): Context['args'] | undefined {
  try {
    const { args, isWrong } = routed.parser.parse(params, query, undefined)
    const { password: _password, ...others } = args
    return isWrong ? undefined : others
  } catch {
    return undefined
  }
}
