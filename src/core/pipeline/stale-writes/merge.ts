/**
 * Merges a write of an older version with the record as it is, where the client asks for it and a feature of the profile knows how. The
 * merged arguments take the place of those that were sent.
 */
import type { Storage } from '../../../contract/storage.ts'
import type { Context } from '../../declare/context.ts'
import type { AnyEndpoint, ArgumentValues, StoredState } from '../../declare/endpoint.ts'
import { ApiError, isApiError } from '../../declare/errors.ts'
import type { Incoming } from '../../declare/request.ts'
import { inProcessIncoming, preferenceOf } from '../../request/incoming.ts'
import { decode } from '../../request/query-string.ts'
import type { Match } from '../../routing/route.ts'
import type { Router } from '../../routing/router.ts'
import { toJson } from '../../runtime/json.ts'
import { conditionFailed, holds, tagText } from '../etag.ts'
import type { Executor, RequestScope } from '../request-scope.ts'
import { notCached } from '../response/row-cache.ts'
import type { AnyMergeRule, StaleWrite } from './stale-write.ts'

interface StaleParts {
  readonly router: Router
  readonly executor: Executor
  readonly match: Match
  readonly scope: RequestScope
}

/** A write whose arguments were merged. */
interface MergedWrite {
  readonly args: Context['args']
  readonly sent: Context['sent']
}

/** Throws 409 where both sides have changed the same, and 412 where the version that was read is not known. */
export async function mergeStaleWrite(parts: StaleParts, context: Context): Promise<MergedWrite> {
  const { app } = context
  const { endpoint, parser } = parts.match.routed
  const [merge] = app.contributions('staleWrites')
  const write = staleWrite(parts, context)
  const merged = await merge?.(write)
  if (!merged)
    throw conditionFailed('The record was changed since it was read, and the version that was read is not known.')
  const args = { ...context.args, ...merged }
  const made = { ...context, args }
  await parser.validateMade(Object.keys(merged), made)
  const refusal = await endpoint.permission.check(made as never)
  if (refusal) throw refusal
  const named = Object.entries(merged).map(([name, value]) => [app.names.toPublic(name), value])
  return { args, sent: context.sent && { ...context.sent, ...Object.fromEntries(named) } }
}

function staleWrite(parts: StaleParts, context: Context): StaleWrite {
  const { endpoint, route } = parts.match.routed
  const inPath = route.pattern.parameters.map(({ name }) => context.app.names.toNeutral(name))
  // The casts: the context is that of the endpoint.
  const rule = endpoint.merges as AnyMergeRule & { readonly values?: (context: never) => unknown }
  const { values, sent, revision, partial = [], keepsAbsent = false } = rule
  const on = (storage: Storage) => contextOn(endpoint, context, storage)
  return {
    context,
    partial,
    keepsAbsent,
    sent: sent?.(context as never) ?? sentArguments(context, inPath),
    revision: baseOf(context.incoming),
    readTag: async (storage) => stateOf(endpoint, await resourceIn(endpoint, { ...context, storage })),
    isNamed: async (storage) => isNamed(endpoint, await on(storage), context.incoming.header('if-match')),
    valuesIn: async (storage) =>
      values ? ((await values((await on(storage)) as never)) as ArgumentValues) : readAt(parts, await on(storage), ''),
    valuesOfRevision: async (id) => (revision ? revision(context as never, id) : revisionAt(parts, context, id)),
    tag: async () => {
      const state = (await stateOf(endpoint, context))?.state
      return state === undefined ? undefined : tagText({ state })
    },
  }
}

function baseOf(incoming: Incoming): number | undefined {
  const base = preferenceOf(incoming, 'merge')?.['base']
  if (base === undefined) return undefined
  const id = Number(base)
  if (Number.isSafeInteger(id) && id > 0) return id
  throw new ApiError('rest_invalid_param', 'Prefer: merge; base=12 names the id of a revision.', 400)
}

/** The arguments in body and query: others have their defaults, which the client has not chosen. */
function sentArguments({ args, sent = {}, incoming, app }: Context, inPath: readonly string[]): ArgumentValues {
  const inQuery = incoming.query.split('&').map((pair) => decode(pair.split('=', 1)[0] ?? '').replace(/\[.*$/s, ''))
  const names = [...Object.keys(sent), ...inQuery].map((name) => app.names.toNeutral(name))
  return Object.fromEntries(
    [...new Set(names)]
      .filter((name) => Object.hasOwn(args, name) && args[name] !== undefined && !inPath.includes(name))
      .map((name) => [name, args[name]]),
  )
}

/** The record as it is in another storage. Rejects with 404 where it is not there. */
async function contextOn(endpoint: AnyEndpoint, context: Context, storage: Storage): Promise<Context> {
  if (storage === context.storage) return context
  const settings = { ...(await context.app.settings.read(storage)), generation: notCached }
  return resourceIn(endpoint, { ...context, storage, settings })
}

const resourceIn = async ({ resource }: AnyEndpoint, context: Context): Promise<Context> =>
  resource ? { ...context, resource: await resource({ ...context, resource: undefined } as never) } : context

async function stateOf({ etag, stored }: AnyEndpoint, context: Context): Promise<StoredState | undefined> {
  return etag ? { ...(await etag(context as never)), exists: true } : stored?.(context as never)
}

async function isNamed(endpoint: AnyEndpoint, context: Context, match = ''): Promise<boolean> {
  const current = await stateOf(endpoint, context)
  return current !== undefined && current.state !== undefined && match.trim() !== '*' && holds(match, current)
}

/** GET at the address answers so, to somebody who edits. */
async function readAt(
  { router, executor, scope }: StaleParts,
  context: Context,
  below: string,
): Promise<ArgumentValues> {
  const { storage, settings, incoming } = context
  const reading = inProcessIncoming(
    'batch',
    'GET',
    incoming.path.replace(/\/+$/, '') + below,
    'context=edit',
    undefined,
    {},
  )
  const match = router.find('GET', reading.path)
  if (!match) return {}
  const inner: RequestScope = { user: scope.user, settings, storage, events: [] }
  const { data } = await executor.execute(reading, match, inner, { storage, insideTransaction: true, events: [] })
  // The cast: a record is an object.
  return JSON.parse(toJson(data)) as ArgumentValues
}

/** Revisions have these members of a record. */
const revisioned = ['title', 'content', 'excerpt', 'meta']

async function revisionAt(parts: StaleParts, context: Context, id: number): Promise<ArgumentValues | undefined> {
  try {
    const values = await readAt(parts, context, `/revisions/${id}`)
    return Object.fromEntries(
      revisioned.filter((name) => Object.hasOwn(values, name)).map((name) => [name, values[name]]),
    )
  } catch (error) {
    if (isApiError(error) && error.status === 404) return undefined
    throw error
  }
}
