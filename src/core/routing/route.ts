/** Routes and the endpoints on them, as the router holds them. */
import type { Names } from '../../names/word-map.ts'
import type { AnyEndpoint } from '../declare/endpoint.ts'
import type { PathParameters, Pattern } from '../declare/pattern.ts'
import { type ArgumentParser, createArgumentParser } from '../request/argument-parser.ts'

/** An endpoint on its route. The argument parser, which may hold generated code, is created on first use. */
export class RoutedEndpoint {
  readonly endpoint: AnyEndpoint
  readonly route: Route
  readonly writes: boolean
  readonly names: Names
  /** The name of the declaring feature. */
  readonly feature: string
  #parser: ArgumentParser | undefined

  constructor(feature: string, declared: AnyEndpoint, route: Route, names: Names) {
    this.feature = feature
    this.endpoint = declared
    this.route = route
    this.names = names
    this.writes = !declared.methods.includes('GET')
  }

  get parser(): ArgumentParser {
    this.#parser ??= createArgumentParser(this.endpoint.args, this.route.pattern, this.names)
    return this.#parser
  }
}

export class Route {
  readonly namespace: string
  readonly pattern: Pattern
  readonly endpoints: RoutedEndpoint[] = []
  constructor(namespace: string, pattern: Pattern) {
    this.namespace = namespace
    this.pattern = pattern
  }
}

export interface Match {
  readonly routed: RoutedEndpoint
  readonly params: PathParameters
}
