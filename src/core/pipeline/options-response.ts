/** The response to OPTIONS: the route's index entry, and in `Allow` the methods that the caller may use. Runs no handler. */

import type { Storage } from '../../contract/storage.ts'
import type { Settings } from '../../site/settings.ts'
import type { Incoming } from '../declare/request.ts'
import { type ResponseHeaders, Result } from '../declare/result.ts'
import type { Match, Route, RoutedEndpoint } from '../routing/route.ts'
import type { Router } from '../routing/router.ts'
import { isAllowedAt, methodsOf } from './allowed-methods.ts'
import type { Executor, RequestScope } from './request-scope.ts'

interface DescriberOptions {
  readonly router: Router
  readonly storage: Storage
  readonly describeRoute: (route: Route, settings: Settings) => object
}

export function createRouteDescriber({ router, storage, describeRoute }: DescriberOptions, executor: Executor) {
  return async (incoming: Incoming, scope: RequestScope): Promise<Result> => {
    const matches = router.findAll(incoming.path)
    const route = matches[0]?.routed.route
    if (!route) return new Result({ namespace: '', methods: [], endpoints: [] }, 200, {})
    const methods = await allowedMethods(matches, incoming, scope)
    const headers: ResponseHeaders = methods.length > 0 ? { Allow: methods.join(', ') } : {}
    return new Result(describeRoute(route, scope.settings), 200, headers)
  }

  async function allowedMethods(matches: readonly Match[], incoming: Incoming, scope: RequestScope): Promise<string[]> {
    const allowed: RoutedEndpoint[] = []
    for (const routed of new Set(matches.map((match) => match.routed))) {
      const match = matches.find((one) => one.routed === routed) as Match
      const args = routed.parser.pathArguments(match.params)
      if (await isAllowedAt(routed, executor.createContext(match, incoming, scope, storage, args))) allowed.push(routed)
    }
    return methodsOf(allowed)
  }
}
