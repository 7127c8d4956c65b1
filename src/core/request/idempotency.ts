/**
 * `Idempotency-Key`: a write that is sent again gives the result of the first time and changes nothing. The result is kept in the
 * transaction of the write, so that there is never one without the other.
 */

import type { Collection, Json, Storage, StoredRecord } from '../../contract/storage.ts'
import type { Context } from '../declare/context.ts'
import type { AnyEndpoint } from '../declare/endpoint.ts'
import { isApiError } from '../declare/errors.ts'
import { Result, Stream } from '../declare/result.ts'
import { sha256Of } from '../runtime/crypto.ts'
import { toJson } from '../runtime/json.ts'
import { invalidKey, keyInUse, keyReused, resultNotKept } from './repeat-errors.ts'

/** Requests with an `Idempotency-Key`, and their results. */
export const writtenRequests: Collection = {
  name: 'written_requests',
  fields: { key: 'text', fingerprint: 'text', result: 'json', written: 'integer' },
  indexed: ['written'],
  unique: [['key']],
}

/** A key of one user, and what it was sent with. */
interface IdempotentRequest {
  readonly key: string
  readonly fingerprint: string
  readonly now: number
  /** The response is shown once, and kept nowhere. */
  readonly showsSecret: boolean
}

type Work = () => Promise<Result>

const keptMs = 24 * 60 * 60 * 1000
const header = 'idempotency-key'

/** Undefined without the header. Throws 400 for a key that is no printable text of at most 255 characters. */
export function idempotentRequest(
  context: Context,
  { receive, showsSecret = false }: Pick<AnyEndpoint, 'receive' | 'showsSecret'>,
): IdempotentRequest | undefined {
  const { incoming, user, app } = context
  const sent = incoming.header(header)
  if (sent === undefined) return undefined
  // The standard writes the key in quotation marks; many clients leave them out.
  const key = /^"(.*)"$/.exec(sent)?.[1] ?? sent
  if (!/^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(key)) throw invalidKey()
  const owner = user.isVisitor ? 'visitor' : `user ${user.id}`
  return {
    key: sha256Of(`${owner}\n${key}`),
    fingerprint: fingerprintOf(context, receive !== undefined),
    showsSecret,
    now: app.clock(),
  }
}

/** A file is known by its headers: its bytes are not read twice. */
function fingerprintOf({ incoming, sent, body }: Context, isFile: boolean): string {
  const { method, path, query } = incoming
  const content = isFile ? fileHeaders(incoming) : (body ?? sent ?? null)
  return sha256Of(toJson([method, path, query, content]))
}

/** The boundary of a form is another one each time it is sent. */
function fileHeaders(incoming: Context['incoming']): readonly (string | null)[] {
  const [mediaType = ''] = (incoming.header('content-type') ?? '').split(';')
  const names = [
    'content-disposition',
    'content-md5',
    ...(mediaType.startsWith('multipart/') ? [] : ['content-length']),
  ]
  return [mediaType, ...names.map((name) => incoming.header(name) ?? null)]
}

/** In the transaction of the write: the stored result, or that of `work`, which is stored. */
export async function runOnce(request: IdempotentRequest, storage: Storage, work: Work): Promise<Result> {
  const stored = await storedResult(request, storage)
  if (stored) return stored
  const result = await work()
  await insert(request, storage, stateOf(result, request))
  return result
}

/**
 * Without a transaction around it: the key is claimed first, so that a second request never runs beside the first. A process that
 * dies between leaves a claim, and the outcome is unknown to it and to us.
 */
export async function runClaimed(request: IdempotentRequest, storage: Storage, work: Work): Promise<Result> {
  const stored = await storedResult(request, storage)
  if (stored) return stored
  const id = await claim(request, storage)
  try {
    const result = await work()
    await storage.records.update(writtenRequests, [{ id, changes: { result: stateOf(result, request) } }])
    return result
  } catch (error) {
    // After any other error some of the changes may be stored: the claim stays, and says that the outcome is unknown.
    if (isApiError(error)) await storage.records.remove(writtenRequests, { field: 'id', in: [id] })
    throw error
  }
}

async function claim(request: IdempotentRequest, storage: Storage): Promise<number> {
  try {
    const [id = 0] = await insert(request, storage, null)
    return id
  } catch (error) {
    throw (error as { code?: unknown } | undefined)?.code === 'storage_conflict' ? keyInUse() : error
  }
}

async function storedResult(
  { key, fingerprint, now }: IdempotentRequest,
  storage: Storage,
): Promise<Result | undefined> {
  await storage.records.remove(writtenRequests, { field: 'written', below: now - keptMs })
  const found = await storage.records.query(writtenRequests, { where: { field: 'key', in: [key] } })
  const [row] = found.rows
  if (!row) return undefined
  if (row['fingerprint'] !== fingerprint) throw keyReused()
  return resultOf(row)
}

/** The members of a result that can be stored. */
interface ResultState {
  readonly status: number
  readonly headers: Result['headers']
  readonly keeps: readonly string[]
  /** JSON; absent for a response without a body. */
  readonly text?: string
  /** The body is a page, a file or a secret. */
  readonly isOmitted?: true
}

function stateOf({ data, status, headers, keeps }: Result, { showsSecret }: IdempotentRequest): Json {
  const isOmitted = showsSecret || data instanceof Stream
  const text = isOmitted ? '' : toJson(data)
  const state: ResultState = {
    status,
    headers,
    keeps,
    ...(text === '' ? {} : { text }),
    ...(isOmitted ? { isOmitted } : {}),
  }
  // A copy that is plain JSON.
  return JSON.parse(JSON.stringify(state))
}

function resultOf({ result }: StoredRecord): Result {
  if (result === null) throw keyInUse()
  // The cast: it was stored by `stateOf`.
  const { status, headers, keeps, text, isOmitted } = result as unknown as ResultState
  if (isOmitted) throw resultNotKept()
  const data: unknown = text === undefined ? undefined : JSON.parse(text)
  return new Result(data, status, { ...headers, 'Idempotency-Replayed': 'true' }, keeps)
}

const insert = ({ key, fingerprint, now }: IdempotentRequest, storage: Storage, result: Json) =>
  storage.records.insert(writtenRequests, [{ key, fingerprint, result, written: now }])
