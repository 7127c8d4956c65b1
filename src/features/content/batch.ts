/**
 * Batch: several writes in one request, in order, in one transaction. Each runs in its own savepoint, so one that fails
 * does not undo the others.
 */

import type { Storage } from '../../contract/storage.ts'
import { anything, bool, int, list, object, oneOf, required, str } from '../../core/declare/args.ts'
import type { Context } from '../../core/declare/context.ts'
import { endpoint } from '../../core/declare/endpoint.ts'
import { ApiError, errorBody, noRoute } from '../../core/declare/errors.ts'
import type { PendingEvent } from '../../core/declare/events.ts'
import { feature } from '../../core/declare/feature.ts'
import { anyone } from '../../core/declare/permissions.ts'
import type { Incoming } from '../../core/declare/request.ts'
import { either, exactly, fields, mapOf, sometimes } from '../../core/declare/response-schema.ts'
import { type ResponseData, type Result, result } from '../../core/declare/result.ts'
import { inProcessIncoming } from '../../core/request/incoming.ts'
import { RawJson, toJson } from '../../core/runtime/json.ts'
import { retryTransaction } from '../../core/runtime/retry-transaction.ts'
import { shareWork } from '../../core/runtime/work.ts'

const maxRequests = 25

const requestSchema = object({
  method: oneOf(['POST', 'PUT', 'PATCH', 'DELETE'], { default: 'POST' }),
  path: required(str()),
  body: object({}, { additionalProperties: true }),
  headers: object({}, { additionalProperties: { type: ['string', 'array'], items: { type: 'string' } } }),
})

const header = either(str(), list(str()))

const responseSchema = fields(
  { body: anything({ description: 'What the request was answered.' }), status: int(), headers: mapOf(header) },
  { title: 'Response to a request of a batch' },
)

const batchSchema = fields(
  {
    failed: sometimes(oneOf(['validation', 'atomic'], { description: 'Why nothing of the batch stays.' })),
    responses: list(either(responseSchema, exactly(null)), {
      description: 'In the order of the requests; null where there is nothing to say of one, as another has failed.',
    }),
  },
  { title: 'Responses of a batch' },
)

interface SubRequest {
  readonly method: string
  readonly path: string
  readonly body?: object
  readonly headers?: { readonly [name: string]: string | readonly string[] }
}

type BatchItem = { readonly incoming: Incoming } | { readonly error: ApiError }

export const batch = feature('batch', '', [
  endpoint({
    path: '/batch/v1',
    methods: ['POST'],
    summary: 'Run up to 25 writes in order',
    args: {
      validation: oneOf(['require-all-validate', 'normal'], { default: 'normal' }),
      requests: { ...required(list(requestSchema, { maxItems: maxRequests })), holdsRequests: true },
      atomic: bool({ default: false, description: 'All or nothing: after a failure nothing of the batch stays.' }),
    },
    permission: anyone,
    responses: { 207: batchSchema },
    // The handler opens the transaction itself: the response to an atomic failure is built after the rollback.
    atomic: 'own',
    handler: runBatch,
  }),
])

type BatchArgs = {
  readonly validation: 'require-all-validate' | 'normal'
  readonly requests: readonly unknown[]
  readonly atomic: boolean
}

async function runBatch(context: Context<BatchArgs>): Promise<Result> {
  const { args } = context
  const requests = args.requests as readonly SubRequest[]
  const items = requests.map((request) => toBatchItem(context, request))
  if (args.atomic && !context.storage.atomic) {
    throw new ApiError('rest_batch_atomic_unsupported', 'This storage has no all-or-nothing batch.', 400)
  }
  if (args.validation !== 'require-all-validate') return runAll(context, items, args.atomic)
  const problems = await validateAll(context, items)
  if (problems.some((problem) => problem !== null)) return failedBatch('validation', problems)
  return runAll(context, items, args.atomic)
}

// ---------------------------------------------------------------- one request

/** The path is relative to the root of this API; any other path is an error of the item. All items share the work of the batch. */
function toBatchItem(outer: Pick<Context, 'incoming' | 'app'>, { method, path, body, headers }: SubRequest): BatchItem {
  if (isBrokenAddress(path)) return { error: unreadablePath() }
  // Interface: an address, or a path without a slash, is a path that no route serves.
  if (!path.startsWith('/') || path.startsWith('//')) return { error: noRoute() }
  if (!/^[^\s#\\]*$/.test(path) || /\/\.{1,2}(?:\/|\?|$)/.test(path)) return { error: unreadablePath() }
  const [pathname = '', query = ''] = path.split(/\?(.*)/)
  const incoming = inProcessIncoming('batch', method, pathname, query, bodyOf(body), conditionsOf(headers))
  shareWork(incoming, outer.incoming, outer.app.limits.requestWork)
  return { incoming }
}

const unreadablePath = () => new ApiError('parse_path_failed', 'This is no path of a route.', 400)

/** Matches the part of an address that names the host: `http://host:80/…`, or `//host/…`. */
const authority = /^(?:([a-z][a-z\d+.-]*):)?\/\/([^/?#]*)/i
const hostAndPort = /^(?:.*@)?(?:\[[^\]]+\]|[^:@[\]]+)(?::(\d*))?$/

/** Interface: an address without a host, or with a port that no host has, cannot be parsed. Only files have no host. */
function isBrokenAddress(path: string): boolean {
  if (path.startsWith(':')) return true
  const address = authority.exec(path)
  if (!address) return false
  const [, scheme = '', host = ''] = address
  if (host === '' && scheme.toLowerCase() === 'file') return false
  const parts = hostAndPort.exec(host)
  return parts === null || Number(parts[1] ?? 0) > 65_535
}

/** Of preferences an item has `merge` alone: the others are those of the batch. */
const conditionNames: readonly string[] = ['if-match', 'if-none-match', 'if-unmodified-since', 'prefer']

/** Only conditions are read from the headers of an item: the identity is that of the batch request. */
function conditionsOf(headers: SubRequest['headers'] = {}): { readonly [name: string]: string } {
  const sent = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value].flat().join(', ')] as const)
  return Object.fromEntries(sent.filter(([name]) => conditionNames.includes(name)))
}

/** The parser turns a list into an object with numeric names; a list carries no arguments. */
const bodyOf = (body: object | undefined) =>
  body && Object.keys(body).every((name) => !/^\d+$/.test(name)) ? body : undefined

const notAllowed = () => new ApiError('rest_batch_not_allowed', 'A batch may not call this route.', 400)

const requireBatchFlag = (declared: { readonly batch?: boolean }) => (declared.batch ? undefined : notAllowed())

// ---------------------------------------------------------------- all requests

interface BatchRun {
  readonly context: Context
  readonly isAtomic: boolean
  /** The events of the requests that succeeded; emitted after the commit. */
  readonly events: PendingEvent[]
}

async function runAll(context: Context, items: readonly BatchItem[], isAtomic: boolean): Promise<Result> {
  const run: BatchRun = { context, isAtomic, events: [] }
  const inTransaction = (transaction: Storage) => runInTransaction(run, items, transaction)
  try {
    const responses = await retryTransaction(context.storage, inTransaction, { groupCommit: true })
    context.subrequests.addEvents(run.events)
    return multiStatus({ responses })
  } catch (error) {
    if (!(error instanceof AtomicFailure)) throw error
    const { failedIndex, response } = error
    return failedBatch(
      'atomic',
      items.map((_, index) => (index === failedIndex ? response : null)),
    )
  }
}

async function runInTransaction(
  run: BatchRun,
  items: readonly BatchItem[],
  transaction: Storage,
): Promise<ResponseData[]> {
  const responses = await runItems(run, items, transaction)
  await run.context.subrequests.runFinalHooks({ ...run.context, storage: transaction }, run.events)
  return responses
}

/** Starts without events each time: the storage may run a transaction more than once. */
async function runItems(run: BatchRun, items: readonly BatchItem[], storage: Storage): Promise<ResponseData[]> {
  run.events.length = 0
  const responses: ResponseData[] = []
  for (const group of groupsOf(run, items, storage)) {
    const together = group.length > 1 ? await runSideBySide(run, group, storage) : undefined
    if (together) responses.push(...together)
    else for (const item of group) responses.push(await runItem(run, item, responses.length, storage))
  }
  return responses
}

/** On a remote storage, independent requests that follow each other are one group; any other request is a group of one. */
function groupsOf({ context }: BatchRun, items: readonly BatchItem[], storage: Storage): readonly BatchItem[][] {
  const groups: BatchItem[][] = []
  let isOpen = false
  for (const item of items) {
    const isIndependent =
      storage.isRemote === true && 'incoming' in item && context.subrequests.isIndependent(item.incoming)
    if (isIndependent && isOpen) groups.at(-1)?.push(item)
    else groups.push([item])
    isOpen = isIndependent
  }
  return groups
}

function runSideBySide(
  { context, events }: BatchRun,
  group: readonly BatchItem[],
  storage: Storage,
): Promise<ResponseData[] | undefined> {
  const incomings = group.flatMap((item) => ('incoming' in item ? [item.incoming] : []))
  const options = { storage, accept: requireBatchFlag, insideTransaction: true, events }
  return context.subrequests.runSideBySide(incomings, options)
}

async function runItem(run: BatchRun, item: BatchItem, index: number, storage: Storage): Promise<ResponseData> {
  const response = 'error' in item ? errorResponse(item.error) : await runInSavepoint(run, item.incoming, storage)
  if (run.isAtomic && response.status >= 400) throw new AtomicFailure(index, response)
  return response
}

/** A request that fails rolls back its own writes, if the storage has savepoints. */
async function runInSavepoint(run: BatchRun, incoming: Incoming, storage: Storage): Promise<ResponseData> {
  const runOn = (target: Storage) =>
    run.context.subrequests.run(incoming, {
      storage: target,
      accept: requireBatchFlag,
      insideTransaction: true,
      events: run.events,
    })
  if (!storage.atomic) return runOn(storage)
  try {
    return await storage.atomic(async (savepoint) => {
      const response = await runOn(savepoint)
      if (response.status >= 400) throw new SavepointRollback(response)
      return response
    })
  } catch (error) {
    if (!(error instanceof SavepointRollback)) throw error
    return error.response
  }
}

/** Rolls back the savepoint of a failed request and carries its response. */
class SavepointRollback extends Error {
  readonly response: ResponseData
  constructor(response: ResponseData) {
    super('this request failed and was undone')
    this.response = response
  }
}

/** Rolls back the transaction of an atomic batch and carries the response of the request that failed. */
class AtomicFailure extends Error {
  readonly failedIndex: number
  readonly response: ResponseData
  constructor(failedIndex: number, response: ResponseData) {
    super('one request of an all-or-nothing batch failed')
    this.failedIndex = failedIndex
    this.response = response
  }
}

/** Interface: routes and arguments are checked, neither existence nor permission. */
async function validateAll(context: Context, items: readonly BatchItem[]): Promise<(ResponseData | null)[]> {
  const problems: (ResponseData | null)[] = []
  for (const item of items) {
    const error = 'error' in item ? item.error : await context.subrequests.validate(item.incoming, requireBatchFlag)
    problems.push(error ? errorResponse(error) : null)
  }
  return problems
}

// ---------------------------------------------------------------- responses

const errorResponse = (error: ApiError): ResponseData => ({
  status: error.status,
  headers: {},
  body: toJson(errorBody(error)),
})

const failedBatch = (failed: 'validation' | 'atomic', responses: readonly (ResponseData | null)[]) =>
  multiStatus({ failed, responses })

/** The bodies are JSON texts already and are inserted without parsing them. */
function multiStatus({ failed, responses }: { failed?: string; responses: readonly (ResponseData | null)[] }) {
  const items = responses.map((response) => {
    if (!response) return 'null'
    const { body, status, headers } = response
    return `{"body":${String(body) || 'null'},"status":${status},"headers":${JSON.stringify(headers)}}`
  })
  const head = failed === undefined ? '' : `"failed":${JSON.stringify(failed)},`
  return result(new RawJson(`{${head}"responses":[${items.join(',')}]}`), { status: 207 })
}
