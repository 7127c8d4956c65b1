/** The routes of a profile as its declarations name them: for tests that ask all of them. */

import type { AnyEndpoint, Method } from '../../src/core/declare/endpoint.ts'
import { type Pattern, parsePattern } from '../../src/core/declare/pattern.ts'
import type { Profile } from '../../src/core/declare/profile.ts'

export interface DeclaredRoute {
  readonly method: Method
  /** `/cms/v2/posts/{id}`. */
  readonly readable: string
  readonly parameters: Pattern['parameters']
  readonly endpoint: AnyEndpoint
  readonly who: string
}

export const routesOf = ({ features }: Profile): readonly DeclaredRoute[] =>
  features.flatMap(({ namespace, endpoints }) =>
    endpoints.flatMap((endpoint) => {
      const { readable, parameters } = parsePattern(namespace === '' ? endpoint.path : `/${namespace}${endpoint.path}`)
      return endpoint.methods.map((method) => ({
        method,
        readable,
        parameters,
        endpoint,
        who: endpoint.permission.who,
      }))
    }),
  )
