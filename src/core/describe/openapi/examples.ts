/** Examples of operations: the one that the endpoint declares, otherwise the recorded one of the profile. */
import type { Names } from '../../../names/word-map.ts'
import type { Documentation, EndpointExample } from '../../declare/documentation.ts'
import type { RoutedEndpoint } from '../../routing/route.ts'
import type { Example } from './document.ts'

export type FindExample = (routed: RoutedEndpoint) => EndpointExample | undefined

/** Examples are written in neutral names; the result has public ones. */
export function createExamples(recorded: Documentation['examples'], names: Names): FindExample {
  const toPublic = <T>(value: T): T =>
    names.isEmpty || value === undefined ? value : JSON.parse(names.toPublic(JSON.stringify(value)))
  const known = new Map(
    Object.entries(recorded).map(([route, example]) => [names.toPublic(route), toPublic(example)] as const),
  )
  return ({ endpoint, route }) => {
    // The cast: the values are shown only.
    if (endpoint.example) return toPublic(endpoint.example as EndpointExample)
    // Methods of one endpoint do the same, so they have the same example.
    const routes = endpoint.methods.map((method) => `${method} ${route.pattern.readable}`)
    return known.get(routes.find((name) => known.has(name)) ?? '')
  }
}

/** The arguments of the example that are sent in the body. */
export function bodyExample(example: EndpointExample | undefined, names: readonly string[]): Example | undefined {
  if (!example) return undefined
  if (example.body !== undefined) return named(example, example.body)
  const sent = Object.entries(example.args ?? {}).filter(([name]) => names.includes(name))
  return sent.length === 0 ? undefined : named(example, Object.fromEntries(sent))
}

export function responseExample(example: EndpointExample | undefined, status: string): Example | undefined {
  const isOfStatus = example?.response !== undefined && String(example.status ?? 200) === status
  return isOfStatus ? named(example, example.response) : undefined
}

const named = ({ summary }: EndpointExample, value: unknown): Example =>
  summary === undefined ? { value } : { summary, value }
