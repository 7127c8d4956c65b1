/** Sends many writes in few requests and returns a result for each call. */
import type { Method } from '../core/declare/endpoint.ts'
import { addressOf } from './address.ts'
import type { BatchCall, BatchOptions } from './calls.ts'
import {
  ClientError,
  type Failure,
  failure,
  type HeaderNames,
  isClientError,
  resultOf,
  type Success,
} from './result.ts'
import { headersOf } from './transport.ts'

/** `Interface:` a batch has at most this many calls. */
const maxCalls = 25

type Result = Success | Failure

interface Outcome {
  readonly results: readonly Result[]
  readonly error?: ClientError
  readonly failed?: 'validation' | 'atomic'
}

interface BatchSender {
  readonly send: (body: object) => Promise<Result>
  readonly names: HeaderNames
  readonly now: () => number
}

export function batchCall(
  method: Method,
  path: string,
  args: { readonly [name: string]: unknown },
  headers: BatchCall['headers'],
): BatchCall {
  try {
    return createCall(method, path, args, headers)
  } catch (error) {
    if (!isClientError(error)) throw error
    return { method, path, refused: error }
  }
}

function createCall(...[method, path, args, headers]: Parameters<typeof batchCall>): BatchCall {
  const { query, body, ...address } = addressOf(method, path, args, { prefersBody: true })
  const target = query === '' ? address.path : `${address.path}?${query}`
  return { method, path: target, ...(body === undefined ? {} : { body }), ...(headers ? { headers } : {}) }
}

export async function runBatch(
  calls: readonly BatchCall[],
  { validation, atomic }: Pick<BatchOptions, 'validation' | 'atomic'>,
  sender: BatchSender,
): Promise<Outcome> {
  if (calls.length === 0) return { results: [] }
  const refused = calls.find((call) => call.refused)?.refused
  if (refused) return { results: calls.map((call) => failure(call.refused ?? notRun())), error: refused }
  const mode = atomic ? 'atomic' : validation === 'require-all-validate' ? validation : undefined
  if (calls.length > maxCalls && mode) {
    const why = `A batch that is '${mode}' holds at most ${maxCalls} calls: more go in several requests, each on its own.`
    const error = new ClientError('client_batch_too_large', why)
    return { results: calls.map(() => failure(error)), error }
  }
  const results: Result[] = []
  for (let from = 0; from < calls.length; from += maxCalls) {
    const part = calls.slice(from, from + maxCalls)
    const outcome = await runPart(
      part,
      { ...(validation ? { validation } : {}), ...(atomic ? { atomic } : {}) },
      sender,
    )
    results.push(...outcome.results)
    if (!outcome.error) continue
    const rest = calls.slice(results.length).map(() => failure(notRun()))
    return { ...outcome, results: [...results, ...rest] }
  }
  return { results }
}

interface BatchResponse {
  readonly failed?: 'validation' | 'atomic'
  readonly responses: readonly ({ body: unknown; status: number; headers: { [name: string]: string } } | null)[]
}

async function runPart(
  part: readonly BatchCall[],
  options: object,
  { send, names, now }: BatchSender,
): Promise<Outcome> {
  const result = await send({ ...options, requests: part })
  if (!result.ok) return { results: part.map(() => result), error: result.error }
  const { failed, responses } = result.data as BatchResponse
  const results = part.map((_, at) => {
    const response = responses[at]
    if (!response) return failure(notRun())
    return resultOf(
      { status: response.status, headers: headersOf(response.headers), data: response.body ?? undefined },
      names,
      now(),
    )
  })
  if (!failed) return { results }
  const first = results.find((result) => !result.ok && result.error.code !== 'client_not_run')
  return { results, failed, error: first?.error ?? notRun() }
}

const notRun = () => new ClientError('client_not_run', 'This call was not run, because another one failed.')
