/**
 * The methods that a caller may use on a route, from the permissions of its endpoints: for the `Allow` header and for
 * `targetHints` of links. Clients show buttons by them.
 */

import type { MaybePromise } from '../../contract/storage.ts'
import type { Names } from '../../names/word-map.ts'
import { visitor } from '../declare/actor.ts'
import type { AllowedMethods, Context } from '../declare/context.ts'
import { isOffered } from '../declare/endpoint.ts'
import { isApiError } from '../declare/errors.ts'
import { mayEverPass } from '../declare/permissions.ts'
import type { Route, RoutedEndpoint } from '../routing/route.ts'

/** Whether the caller may call the endpoint for the record in the path; false when there is no such record. */
export async function isAllowedAt({ endpoint }: RoutedEndpoint, context: Context): Promise<boolean> {
  if (!isOffered(endpoint, context.app)) return false
  try {
    const found = endpoint.resource
      ? { ...context, resource: (await endpoint.resource(context as never)) as unknown }
      : context
    return !(await endpoint.permission.check(found as never))
  } catch (error) {
    if (!isApiError(error)) throw error
    return false
  }
}

/** The `Allow` header of a read that the caller may do. */
export function allowHeader(routed: RoutedEndpoint, context: Context): MaybePromise<string | undefined> {
  if (routed.writes) return undefined
  const { route } = routed
  if (route.endpoints.length === 1) return allowText(route, 1)
  const visible = context.user.isVisitor ? visitorText(routed) : undefined
  if (visible !== undefined) return visible
  // Checked with the path arguments only: the others belong to the called method.
  const args: { [name: string]: unknown } = {}
  for (const { name } of route.pattern.parameters) args[name] = context.args[name]
  return allowedText({ ...context, args }, routed)
}

const allowedText = async (context: Context, reading: RoutedEndpoint): Promise<string> =>
  allowText(reading.route, await allowedEndpoints(context, reading))

/**
 * The endpoints of the route of `known` that the caller may call, as a set of bits. `context` has the resource that `known` found, or
 * that a list has read; endpoints with another resource look it up.
 */
async function allowedEndpoints(context: Context, known: RoutedEndpoint): Promise<number> {
  let allowed = 0
  for (const [index, other] of known.route.endpoints.entries()) {
    const refusal = refusalOf(other, context, known)
    // Most permissions return undefined at once, which a list does not wait for.
    if (refusal === undefined || !(await refusal)) allowed |= 1 << index
  }
  return allowed
}

function refusalOf(other: RoutedEndpoint, context: Context, known: RoutedEndpoint): MaybePromise<unknown> {
  if (other === known) return undefined
  if (!isOffered(other.endpoint, context.app)) return true
  const { resource, permission } = other.endpoint
  if (resource === known.endpoint.resource) return permission.check(context as never)
  return isAllowedAt(other, context).then((isAllowed) => !isAllowed)
}

const visitorTexts = new WeakMap<RoutedEndpoint, string | null>()

/**
 * The methods of visitors on the route of this read, where the other permissions refuse every visitor; undefined where a
 * permission decides. Most reads are those of visitors, so nothing is checked for each record.
 */
function visitorText(reading: RoutedEndpoint): string | undefined {
  const known = visitorTexts.get(reading)
  if (known !== undefined) return known ?? undefined
  const { route } = reading
  const isAlone = route.endpoints.every((other) => other === reading || refusesVisitors(other))
  const text = isAlone ? allowText(route, 1 << route.endpoints.indexOf(reading)) : undefined
  visitorTexts.set(reading, text ?? null)
  return text
}

const refusesVisitors = ({ endpoint }: RoutedEndpoint) => !mayEverPass(endpoint.permission, visitor)

const allowTexts = new WeakMap<Route, Map<number, string>>()

/** Cached per set of endpoints: a route has a few of them at most. */
function allowText(route: Route, allowed: number): string {
  const texts = allowTexts.get(route) ?? new Map<number, string>()
  allowTexts.set(route, texts)
  const text =
    texts.get(allowed) ?? methodsOf(route.endpoints.filter((_, index) => (allowed & (1 << index)) !== 0)).join(', ')
  texts.set(allowed, text)
  return text
}

export const methodsOf = (endpoints: readonly RoutedEndpoint[]) => [
  ...new Set(endpoints.flatMap(({ endpoint }) => endpoint.methods)),
]

/** `context.allowedMethods` of an api with these routes. */
export function createAllowedMethods(routes: readonly Route[], names: Names): AllowedMethods {
  const byPath = new Map(routes.map((route) => [route.pattern.readable, route]))
  return (context, path, records, argsOf) => {
    const reading = byPath.get(names.toPublic(path))?.endpoints.find(({ writes }) => !writes)
    const visible = reading && context.user.isVisitor ? visitorText(reading) : undefined
    if (!reading || visible !== undefined) return records.map(() => visible ?? '')
    return allowedTexts(reading, context, records, argsOf)
  }
}

async function allowedTexts<S>(
  reading: RoutedEndpoint,
  context: Context,
  records: readonly S[],
  argsOf: (record: S) => Context['args'],
): Promise<string[]> {
  // One copy for all records: the checks of a record end before the next one is set.
  const each: { -readonly [name in keyof Context]: Context[name] } = { ...context }
  const texts: string[] = []
  for (const resource of records) {
    each.args = argsOf(resource)
    each.resource = resource
    texts.push(allowText(reading.route, await allowedEndpoints(each, reading)))
  }
  return texts
}
