/** Routes and the endpoints on them, as the router holds them. */
import type { Names } from '../../names/word-map.ts'
import type { AnyEndpoint } from '../declare/endpoint.ts'
import type { PathParameters, Pattern, PatternVariant } from '../declare/pattern.ts'
import { type ArgumentParser, createArgumentParser } from '../request/argument-parser.ts'

/** An endpoint on its route. The argument parser, which may hold generated code, is created on first use. */
export class RoutedEndpoint {
  readonly endpoint: AnyEndpoint
  readonly route: Route
  readonly writes: boolean
  readonly names: Names
  /** The name of the declaring feature. */
  readonly feature: string
  /** For the route of a variant of a pattern: the endpoint that it stands for. */
  readonly variantOf: VariantOf | undefined
  #parser: ArgumentParser | undefined

  constructor(feature: string, declared: AnyEndpoint, route: Route, names: Names, variantOf?: VariantOf) {
    this.variantOf = variantOf
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

interface VariantOf {
  readonly endpoint: RoutedEndpoint
  readonly fixed: PatternVariant['fixed']
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

/** The routes that a router holds: a route whose pattern has variants gives one for each of them. */
export function withVariants(route: Route): readonly Route[] {
  return (
    route.pattern.variants?.map(({ pattern, fixed }) => {
      const variant = new Route(route.namespace, pattern)
      for (const routed of route.endpoints) {
        const { feature, endpoint, names } = routed
        variant.endpoints.push(new RoutedEndpoint(feature, endpoint, variant, names, { endpoint: routed, fixed }))
      }
      return variant
    }) ?? [route]
  )
}

/** The match of a variant becomes that of its route. */
export function withoutVariant(match: Match): Match {
  const { variantOf } = match.routed
  if (variantOf === undefined) return match
  const { endpoint, fixed } = variantOf
  return { routed: endpoint, params: fixed ? match.params.toSpliced(fixed.at, 0, fixed.word) : match.params }
}
