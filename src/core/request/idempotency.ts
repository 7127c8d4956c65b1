/**
 * `Idempotency-Key`: a write that is sent again gives the result of the first time and changes nothing. The result is kept in the
 * transaction of the write, so that there is never one without the other. It is given to callers who still have the permission, for
 * the same request with the same body.
 */

import type { Collection, Json, Storage, StoredRecord } from '../../contract/storage.ts'
import { type Actor, rightsOf } from '../declare/actor.ts'
import type { Context } from '../declare/context.ts'
import type { AnyEndpoint, ReceivedBody } from '../declare/endpoint.ts'
import { type ApiError, isApiError } from '../declare/errors.ts'
import { forbidden, mayEverPass } from '../declare/permissions.ts'
import { Result, Stream } from '../declare/result.ts'
import { sha256Of } from '../runtime/crypto.ts'
import { toJson } from '../runtime/json.ts'
import { inUnitOfWork, isStorageFailure, mayBeWritten, outsideUnit } from '../runtime/unit-of-work.ts'
import { invalidKey, keyInUse, keyReused, resultNotKept } from './repeat-errors.ts'

/** Names the release that a request writes to, or reads. */
export const releaseHeader = 'X-CMS-Release'

/** Requests with an `Idempotency-Key`, and their results. */
export const writtenRequests: Collection = {
  name: 'written_requests',
  fields: {
    key: 'text',
    fingerprint: 'text',
    result: 'json',
    written: 'integer',
    /** A digest of the roles and capabilities that the user had. */
    rights: 'text',
    /** A digest of the file in the body. */
    body: 'text',
  },
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
  readonly context: Context
  readonly endpoint: Declared
  readonly bodyDigest: BodyDigest | undefined
}

type Declared = Pick<AnyEndpoint, 'receive' | 'showsSecret' | 'resource' | 'permission'>
type BodyDigest = NonNullable<ReceivedBody['digest']>
type Work = (storage: Storage) => Promise<Result>

const keptMs = 24 * 60 * 60 * 1000
const header = 'idempotency-key'

/** Undefined without the header. Throws 400 for a key that is no printable text of at most 255 characters. */
export function idempotentRequest(
  context: Context,
  endpoint: Declared,
  bodyDigest: BodyDigest | undefined,
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
    fingerprint: fingerprintOf(context, endpoint.receive !== undefined),
    showsSecret: endpoint.showsSecret ?? false,
    now: app.clock(),
    context,
    endpoint,
    bodyDigest,
  }
}

/** A file is compared by its headers first: its bytes are read when the rest is the same. */
function fingerprintOf({ incoming, sent, body, app }: Context, isFile: boolean): string {
  const { method, path, query } = incoming
  const content = isFile ? fileHeaders(incoming) : (body ?? sent ?? null)
  const release = incoming.header(app.names.toPublic(releaseHeader).toLowerCase())
  return sha256Of(toJson([method, path, query, content, ...(release === undefined ? [] : [release])]))
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
  const result = await work(storage)
  await insert(request, storage, { result: stateOf(result, request), body: await digestOf(request) })
  return result
}

/**
 * Without a transaction around it: the key is claimed first, so that a second request never runs beside the first. A process that
 * dies between leaves a claim, and the outcome is unknown to it and to us.
 */
export async function runClaimed(request: IdempotentRequest, used: Storage, work: Work): Promise<Result> {
  const storage = outsideUnit(used)
  const stored = await storedResult(request, storage)
  if (stored) return stored
  const id = await claim(request, storage)
  let result: Result
  try {
    result = await inUnitOfWork(used, work)
  } catch (error) {
    // After any other error some of the changes may be stored: the claim stays, and says that the outcome is unknown.
    if (isApiError(error) || (isStorageFailure(error) && !mayBeWritten(error))) await release(storage, id)
    throw error
  }
  const changes = { result: stateOf(result, request), body: await digestOf(request) }
  await storage.records.update(writtenRequests, [{ id, changes }])
  return result
}

/** A storage that has just failed may fail here too: then the key can be used again in a day. */
async function release(storage: Storage, id: number): Promise<void> {
  try {
    await storage.records.remove(writtenRequests, { field: 'id', in: [id] })
  } catch (error) {
    if (!isStorageFailure(error)) throw error
  }
}

async function claim(request: IdempotentRequest, storage: Storage): Promise<number> {
  try {
    const [id = 0] = await insert(request, storage, { result: null, body: null })
    return id
  } catch (error) {
    throw (error as { code?: unknown } | undefined)?.code === 'storage_conflict' ? keyInUse() : error
  }
}

async function storedResult(request: IdempotentRequest, storage: Storage): Promise<Result | undefined> {
  const { key, fingerprint, now } = request
  await storage.records.remove(writtenRequests, { field: 'written', below: now - keptMs })
  const found = await storage.records.query(writtenRequests, { where: { field: 'key', in: [key] } })
  const [row] = found.rows
  if (!row) return undefined
  if (row['fingerprint'] !== fingerprint) throw keyReused()
  const refusal = await refusalOf(request, row, storage)
  if (refusal) throw refusal
  // Null: the request has no file, or is still running.
  if (row['body'] !== null && row['body'] !== (await digestOf(request))) throw keyReused()
  return resultOf(row)
}

/** The file of a request that was carried out has been read; that of one that is sent again is read here. */
const digestOf = async ({ bodyDigest }: IdempotentRequest): Promise<string | null> => (await bodyDigest?.()) ?? null

/**
 * Asks for the permission again. Where the record is gone, as after a DELETE, and where the permission lets everybody pass, as that of
 * a batch, whose items have their own, the rights of the user decide: they have to be those of the first time.
 */
async function refusalOf(
  { context, endpoint }: IdempotentRequest,
  row: StoredRecord,
  storage: Storage,
): Promise<ApiError | undefined> {
  const { user } = context
  const { permission, resource } = endpoint
  if (!mayEverPass(permission, user)) return forbidden(user)
  const isSame = row['rights'] === null || row['rights'] === rightsDigest(user)
  const inside = { ...context, storage }
  const found = resource && (await foundBy(() => resource(inside as never)))
  if (permission.who === 'anyone' || (found && 'error' in found)) return isSame ? undefined : forbidden(user)
  return permission.check((found ? { ...inside, resource: found.resource } : inside) as never)
}

async function foundBy(find: () => unknown): Promise<{ readonly resource: unknown } | { readonly error: ApiError }> {
  try {
    return { resource: await find() }
  } catch (error) {
    if (!isApiError(error)) throw error
    return { error }
  }
}

const rightsDigest = (user: Actor): string => sha256Of(JSON.stringify(rightsOf(user)))

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

const insert = (
  { key, fingerprint, now, context }: IdempotentRequest,
  storage: Storage,
  outcome: { readonly result: Json; readonly body: string | null },
) =>
  storage.records.insert(writtenRequests, [
    { key, fingerprint, ...outcome, written: now, rights: rightsDigest(context.user) },
  ])
