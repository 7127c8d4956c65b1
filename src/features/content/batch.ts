/**
 * Several writes in one request: in order, in one transaction, each in a savepoint of its own. One that fails leaves the
 * others standing.
 */

import { anything, bool, int, list, object, oneOf, required, str } from '../../core/declare/args.ts'
import type { Context } from '../../core/declare/context.ts'
import { endpoint } from '../../core/declare/endpoint.ts'
import { ApiError, errorBody } from '../../core/declare/errors.ts'
import type { PendingEvent } from '../../core/declare/events.ts'
import { feature } from '../../core/declare/feature.ts'
import { anyone } from '../../core/declare/permissions.ts'
import type { Incoming } from '../../core/declare/request.ts'
import { either, exactly, fields, mapOf, sometimes } from '../../core/declare/response-schema.ts'
import { type ResponseData, result } from '../../core/declare/result.ts'
import { inProcessIncoming } from '../../core/request/incoming.ts'
import { RawJson, toJson } from '../../core/runtime/json.ts'
import { andThen, catchError, type MaybePromise, sequence } from '../../core/runtime/maybe-promise.ts'
import { retryTransaction } from '../../core/runtime/retry-transaction.ts'
import type { Storage } from '../../storage/contract.ts'

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
  readonly method?: string
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
      requests: required(list(requestSchema, { maxItems: maxRequests })),
      atomic: bool({ default: false, description: 'All or nothing: after a failure nothing of the batch stays.' }),
    },
    permission: anyone,
    responses: { 207: batchSchema },
    // The batch opens the transaction itself, because it must end before the answer of an atomic failure is made.
    atomic: false,
    handler: (context) => {
      const { args } = context
      const requests = args.requests as readonly SubRequest[]
      const slots = requests.map(toBatchItem)
      if (args.atomic && !context.storage.atomic) {
        throw new ApiError('rest_batch_atomic_unsupported', 'This storage has no all-or-nothing batch.', 400)
      }
      if (args.validation !== 'require-all-validate') return runAll(context, slots, args.atomic)
      return andThen(firstProblems(context, slots), (problems) =>
        problems.some((problem) => problem) ? failedBatch('validation', problems) : runAll(context, slots, args.atomic),
      )
    },
  }),
])

// ---------------------------------------------------------------- one request

/** A sub-request names a path of this API, from its root; anything else is refused in its slot. */
function toBatchItem({ method = 'POST', path, body, headers }: SubRequest): BatchItem {
  if (!/^\/(?!\/)[^\s#\\]*$/.test(path) || /(?:^|\/)\.{1,2}(?:\/|\?|$)/.test(path)) {
    return { error: new ApiError('parse_path_failed', 'Could not parse the path.', 400) }
  }
  const question = path.indexOf('?')
  const bare = question === -1 ? path : path.slice(0, question)
  const query = question === -1 ? '' : path.slice(question + 1)
  return { incoming: inProcessIncoming('batch', method, bare, query, bodyOf(body), conditionOf(headers)) }
}

/** Of an item's headers only the condition counts: who asks and what the method is was said outside. */
function conditionOf(headers: SubRequest['headers'] = {}): { readonly [name: string]: string } {
  const match = Object.entries(headers).find(([name]) => name.toLowerCase() === 'if-match')?.[1]
  return match === undefined ? {} : { 'if-match': [match].flat().join(', ') }
}

/** A list has arrived as an object with numbers for names: it carries no arguments. */
const bodyOf = (body: object | undefined) =>
  body && Object.keys(body).every((name) => !/^\d+$/.test(name)) ? body : undefined

const notAllowed = () =>
  new ApiError('rest_batch_not_allowed', 'The requested route does not support batch requests.', 400)

const requireBatchFlag = (declared: { readonly batch?: boolean }) => (declared.batch ? undefined : notAllowed())

// ---------------------------------------------------------------- all of them

function runAll(context: Context, slots: readonly BatchItem[], atomic: boolean): MaybePromise<unknown> {
  const { storage } = context
  const run = new BatchRun(context, atomic)
  const answers = catchError<readonly ResponseData[], AtomicFailure>(
    () => retryTransaction(storage, (inside) => run.all(slots, inside)),
    (error) => {
      if (error instanceof AtomicFailure) return error
      throw error
    },
  )
  return andThen(answers, (made) => {
    if (made instanceof AtomicFailure)
      return failedBatch(
        'atomic',
        slots.map((_, at) => (at === made.at ? made.answer : null)),
      )
    context.subrequests.addEvents(run.events)
    return multiStatus({ responses: made })
  })
}

class BatchRun {
  readonly events: PendingEvent[] = []
  readonly #context: Context
  readonly #atomic: boolean

  constructor(context: Context, atomic: boolean) {
    this.#context = context
    this.#atomic = atomic
  }

  all(slots: readonly BatchItem[], storage: Storage): MaybePromise<ResponseData[]> {
    this.events.length = 0
    return sequence([...slots.entries()], ([at, slot]) =>
      andThen('error' in slot ? errorResponse(slot.error) : this.#one(slot.incoming, storage), (answer) => {
        if (this.#atomic && answer.status >= 400) throw new AtomicFailure(at, answer)
        return answer
      }),
    )
  }

  /** In a savepoint, where the storage has one: a request that fails takes back its own writes. */
  #one(incoming: Incoming, storage: Storage): MaybePromise<ResponseData> {
    const { subrequests } = this.#context
    const run = (inside: Storage) =>
      subrequests.run(incoming, {
        storage: inside,
        accept: requireBatchFlag,
        insideTransaction: true,
        events: this.events,
      })
    if (!storage.atomic) return run(storage)
    const savepoint = storage.atomic.bind(storage)
    return catchError<ResponseData, ResponseData>(
      () =>
        savepoint((inside) =>
          andThen(run(inside), (answer) => {
            if (answer.status >= 400) throw new SavepointRollback(answer)
            return answer
          }),
        ),
      (error) => {
        if (error instanceof SavepointRollback) return error.answer
        throw error
      },
    )
  }
}

/** Carries the answer of a failed request out of its savepoint. */
class SavepointRollback extends Error {
  readonly answer: ResponseData
  constructor(answer: ResponseData) {
    super('this request failed and was undone')
    this.answer = answer
  }
}

/** Carries the answer of the request that ends an all-or-nothing batch out of the transaction. */
class AtomicFailure extends Error {
  readonly at: number
  readonly answer: ResponseData
  constructor(at: number, answer: ResponseData) {
    super('one request of an all-or-nothing batch failed')
    this.at = at
    this.answer = answer
  }
}

// ---------------------------------------------------------------- answers

/** Interface: routes and arguments are checked, neither existence nor permission. */
function firstProblems(context: Context, slots: readonly BatchItem[]): MaybePromise<(ResponseData | null)[]> {
  return sequence(slots, (slot) => {
    if ('error' in slot) return errorResponse(slot.error)
    return andThen(context.subrequests.validate(slot.incoming, requireBatchFlag), (error) =>
      error ? errorResponse(error) : null,
    )
  })
}

const errorResponse = (error: ApiError): ResponseData => ({
  status: error.status,
  headers: {},
  body: toJson(errorBody(error)),
})

const failedBatch = (failed: 'validation' | 'atomic', responses: readonly (ResponseData | null)[]) =>
  multiStatus({ failed, responses })

/** The bodies are JSON texts already: they are put in as they stand. */
function multiStatus({ failed, responses }: { failed?: string; responses: readonly (ResponseData | null)[] }) {
  const slots = responses.map((made) =>
    made
      ? `{"body":${String(made.body) || 'null'},"status":${made.status},"headers":${JSON.stringify(made.headers)}}`
      : 'null',
  )
  const head = failed === undefined ? '' : `"failed":${JSON.stringify(failed)},`
  return result(new RawJson(`{${head}"responses":[${slots.join(',')}]}`), { status: 207 })
}
