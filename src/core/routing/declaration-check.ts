/** Checks declarations when an api is created, so that a mistake fails there with one sentence instead of in a request. */
import type { AnyEndpoint } from '../declare/endpoint.ts'
import type { Feature } from '../declare/feature.ts'
import { parsePattern } from '../declare/pattern.ts'

/** An object type, so that the compiler requires every member of `Endpoint` here. */
const endpointKeys: { readonly [K in keyof Required<AnyEndpoint>]: true } = {
  path: true,
  methods: true,
  args: true,
  summary: true,
  example: true,
  batch: true,
  unlisted: true,
  isOffered: true,
  isIndependent: true,
  cacheable: true,
  resource: true,
  permission: true,
  paged: true,
  responses: true,
  handler: true,
  etag: true,
  stored: true,
  merges: true,
  atomic: true,
  takesAnyBody: true,
  takesAnyMembers: true,
  bodyLimitBytes: true,
  hidesRecords: true,
  receive: true,
  showsSecret: true,
  errorPage: true,
}

const featureKeys: { readonly [K in keyof Required<Feature>]: true } = {
  name: true,
  namespace: true,
  endpoints: true,
  embedders: true,
  persisted: true,
  scheduledTask: true,
  background: true,
  hooks: true,
  listeners: true,
  observer: true,
  contributes: true,
  completed: true,
  problems: true,
  declaration: true,
  siteExtensions: true,
  services: true,
  isHistorical: true,
}

/**
 * Returns one sentence for each wrong endpoint or feature: permission or handler missing, a path parameter without an
 * argument, an unknown key.
 */
export function declarationProblems(features: readonly Feature[]): string[] {
  return features.flatMap((feature) => {
    const own = featureProblem(feature)
    if (own !== undefined) return [own]
    const declared = feature.problems?.(features.filter((one) => one !== feature)) ?? []
    return [...declared, ...feature.endpoints.flatMap((endpoint) => endpointProblem(feature, endpoint) ?? [])]
  })
}

function featureProblem(feature: Feature): string | undefined {
  // Hosts may write JavaScript: every member can be missing.
  const { name = '', endpoints, embedders, persisted }: Partial<Feature> = feature
  const unknown = Object.keys(feature).find((key) => !Object.hasOwn(featureKeys, key))
  if (unknown !== undefined) return `The feature ${name} has the unknown key ${unknown}; ${knownKeys(featureKeys)}`
  if (Array.isArray(endpoints) && Array.isArray(embedders) && persisted) return undefined
  return `The feature ${name} is not complete: make it with feature(name, namespace, endpoints).`
}

function endpointProblem({ name, namespace }: Feature, endpoint: AnyEndpoint): string | undefined {
  const { path, methods, args, permission, handler }: Partial<AnyEndpoint> = endpoint
  const place = `${methods?.join(', ') || 'An endpoint'} /${namespace}${path ?? ''} (feature ${name})`
  if (typeof path !== 'string') return `${place} has no path.`
  if (!methods?.length) return `${place} has no methods: name at least one, such as ['GET'].`
  const unknown = Object.keys(endpoint).find((key) => !Object.hasOwn(endpointKeys, key))
  if (unknown !== undefined) return `${place} has the unknown key ${unknown}; ${knownKeys(endpointKeys)}`
  if (typeof args !== 'object') return `${place} has no args: declare {} for an endpoint without arguments.`
  if (typeof permission?.check !== 'function') {
    return `${place} has no permission: use anyone, signedIn, can('capability') or permission(who, check).`
  }
  if (typeof handler !== 'function') return `${place} has no handler.`
  const missing = parsePattern(`/${namespace}${path}`).parameters.find(
    (parameter) => !Object.hasOwn(args, parameter.name),
  )
  if (!missing) return undefined
  return `${place} has the path parameter ${missing.name} without an argument: declare ${missing.name} in args.`
}

const knownKeys = (keys: object) => `the known keys are ${Object.keys(keys).join(', ')}.`
