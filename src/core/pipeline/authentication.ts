/**
 * Identifies the user of a request: application passwords over HTTP Basic, then the host's `authenticate`. Identity is
 * read nowhere else; subrequests inherit it.
 */

import type { Collection, MaybePromise, Storage, StoredRecord, User } from '../../contract/storage.ts'
import type { Settings } from '../../site/settings.ts'
import { findUserByName } from '../../site/user-names.ts'
import { type Actor, actorOf, system, visitor } from '../declare/actor.ts'
import type { AppContext } from '../declare/app-context.ts'
import { ApiError } from '../declare/errors.ts'
import type { Incoming } from '../declare/request.ts'
import type { RequestLimit } from '../declare/request-limit.ts'
import { takeFrom } from '../request/request-limit.ts'
import { digestOf, sameDigest } from '../runtime/crypto.ts'

/** One row per application password. */
export const applicationPasswords: Collection = {
  name: 'application_passwords',
  fields: {
    user: 'integer',
    name: 'text',
    app_id: 'text',
    digest: 'text',
    lookup: 'text',
    created: 'text',
    last_used: 'text',
    last_ip: 'text',
    grant: 'text',
  },
  indexed: ['lookup', 'user'],
  unique: [['lookup'], ['grant']],
}

/** Finds the row without revealing the digest: the database compares a prefix, never the secret. */
export const lookupKey = (digest: string): string => digest.slice(0, 16)

/** The argument of the host's `authenticate`. */
export interface AuthenticationRequest {
  readonly method: string
  readonly path: string
  header(name: string): string | undefined
  /** The host's own request object: a Request, an IncomingMessage, ... */
  readonly native: unknown
}

/** The id of a user, or null for a visitor. */
export type Authenticate = (request: AuthenticationRequest) => MaybePromise<number | null | undefined>

/**
 * Which logins of Basic credentials are those of the site: those of its users, or those for which a function returns true. Credentials
 * with another login count as none: a proxy in front of the site has asked for them.
 */
export type BasicLogins = 'ignore-unknown' | ((login: string) => MaybePromise<boolean>)

export interface SignInOptions {
  readonly authenticate?: Authenticate
  /** Undefined: all logins are those of the site. */
  readonly basic?: BasicLogins | undefined
  /** Origins whose pages may write with the host's cookies. */
  readonly trustedOrigins: readonly string[]
  readonly clock: () => number
  /** Asked after each wrong application password. */
  readonly limit?: RequestLimit
  /** The network address of the sender, where it is known. */
  readonly addressOf?: (incoming: Incoming) => string | undefined
  /** Receives what `authenticate` returned where it is the id of no user. */
  readonly onUnknownId?: (id: unknown) => void
}

/** The login and secret of a request's application password, and the rows that they name. */
interface Attempt {
  readonly login: string
  readonly digest: string
  readonly user: User | undefined
  readonly password: StoredRecord | undefined
}

/**
 * The part of signing in that needs no settings. Undefined without Basic credentials, also inside the promise where they are not those
 * of the site; rejects with 401 where they have no form.
 */
export function readAttempt(
  incoming: Incoming,
  storage: Storage,
  { basic }: Pick<SignInOptions, 'basic'>,
): Promise<Attempt | undefined> | undefined {
  const authorization = basicCredentials(incoming)
  return authorization === undefined ? undefined : attemptOf(authorization, storage, basic)
}

/** The whole header, where it has Basic credentials. */
export function basicCredentials(incoming: Incoming): string | undefined {
  const authorization = incoming.header('authorization')
  return authorization !== undefined && /^basic(?: |$)/i.test(authorization) ? authorization : undefined
}

async function attemptOf(
  authorization: string,
  storage: Storage,
  basic: BasicLogins | undefined,
): Promise<Attempt | undefined> {
  const credentials = decodeBasic(authorization.slice(6))
  if (!credentials) throw wrongCredentials()
  const { login, secret } = credentials
  if (typeof basic === 'function' && !(await basic(login))) return undefined
  if (login === '') {
    if (basic === 'ignore-unknown') return undefined
    throw wrongCredentials()
  }
  const digest = digestOf(secret)
  // Every attempt does the same reads and one comparison, so that its time reveals nothing about the login.
  const lookup = { where: { field: 'lookup', is: lookupKey(digest) }, limit: 1 } as const
  const [passwords, user] = await Promise.all([
    storage.records.query(applicationPasswords, lookup),
    findUserByName(storage, login),
  ])
  if (basic === 'ignore-unknown' && !user) return undefined
  return { login, digest, user, password: passwords.rows[0] }
}

/** Finds the user whom the host has signed in, with the capabilities of the roles; undefined: there is none, or no longer. */
type FindActor = (id: number, settings: Settings) => MaybePromise<Actor | undefined>

/** Throws 401 for wrong credentials on every route. `attempt` is that of `readAttempt`. */
export function signIn(
  incoming: Incoming,
  storage: Storage,
  settings: Settings,
  host: SignInOptions,
  attempt: ReturnType<typeof readAttempt>,
  findActor: FindActor,
): MaybePromise<Actor> {
  return attempt === undefined
    ? withoutPassword(incoming, settings, host, findActor)
    : byAttempt(incoming, storage, settings, host, attempt, findActor)
}

const withoutPassword = (
  incoming: Incoming,
  settings: Settings,
  host: SignInOptions,
  findActor: FindActor,
): MaybePromise<Actor> => (host.authenticate ? byHost(incoming, settings, host, host.authenticate, findActor) : visitor)

async function byAttempt(
  incoming: Incoming,
  storage: Storage,
  settings: Settings,
  host: SignInOptions,
  reading: Promise<Attempt | undefined>,
  findActor: FindActor,
): Promise<Actor> {
  const attempt = await reading
  return attempt === undefined
    ? withoutPassword(incoming, settings, host, findActor)
    : byApplicationPassword(incoming, attempt, storage, settings, host)
}

const wrongCredentials = () =>
  new ApiError('rest_invalid_credentials', 'The login or the application password is wrong.', 401)

/** Longer input is not a credential. */
const maxCredentialLength = 1024

/**
 * Only wrong attempts count, and a right password passes whatever the limit says: wrong attempts cannot lock out a user,
 * and a password of 24 random characters is not guessed.
 */
async function refuseCredentials(incoming: Incoming, login: string, { limit }: SignInOptions): Promise<never> {
  if (limit) await takeFrom(limit, incoming, { kind: 'credentials', route: undefined, user: null, login })
  throw wrongCredentials()
}

async function byApplicationPassword(
  incoming: Incoming,
  { login, digest, user, password }: Attempt,
  storage: Storage,
  settings: Settings,
  host: SignInOptions,
): Promise<Actor> {
  const same = sameDigest(digest, String(password?.digest ?? '0'.repeat(digest.length)))
  if (!same || !user || user.blocked || password?.user !== user.id) return refuseCredentials(incoming, login, host)
  await recordUse(incoming, storage, password, host)
  return { ...actorOf(user, settings.roles), applicationPassword: password.id }
}

function decodeBasic(encoded: string): { login: string; secret: string } | undefined {
  if (encoded.length > maxCredentialLength) return undefined
  const bytes = bytesOfBase64(encoded.trim())
  if (!bytes) return undefined
  const text = new TextDecoder().decode(bytes)
  const colon = text.indexOf(':')
  if (colon === -1 || text.includes('\0')) return undefined
  return { login: text.slice(0, colon), secret: text.slice(colon + 1) }
}

function bytesOfBase64(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
  } catch {
    return undefined
  }
}

const dayMs = 24 * 60 * 60 * 1000

/** Choice: the last use is recorded once a day, so that signing in does not turn each read into a write. */
function recordUse(
  incoming: Incoming,
  storage: Storage,
  { id, last_used: lastUsed }: StoredRecord,
  { clock, addressOf }: SignInOptions,
): MaybePromise<unknown> {
  const now = clock()
  if (typeof lastUsed === 'string' && now - Date.parse(`${lastUsed}Z`) < dayMs) return undefined
  const changes = { last_used: new Date(now).toISOString().slice(0, 19), last_ip: addressOf?.(incoming) ?? null }
  return storage.records.update(applicationPasswords, [{ id, changes }])
}

async function byHost(
  incoming: Incoming,
  settings: Settings,
  host: SignInOptions,
  authenticate: Authenticate,
  findActor: FindActor,
): Promise<Actor> {
  const { method, path, native } = incoming
  const id = await authenticate({ method, path, native, header: (name) => incoming.header(name) })
  if (id === null || id === undefined) return visitor
  if (typeof id !== 'number') {
    host.onUnknownId?.(id)
    return visitor
  }
  rejectCrossSiteWrite(incoming, settings, host)
  const actor = await findActor(id, settings)
  if (!actor) host.onUnknownId?.(id)
  if (!actor || actor.user?.blocked) throw wrongCredentials()
  return actor
}

const firstOne = { order: { by: 'id', descending: false }, offset: 0, limit: 1 } as const

export async function findUserById(storage: Storage, id: number): Promise<User | undefined> {
  const { rows } = await storage.users.query({ ids: [id], ...firstOne })
  return rows[0]
}

/** Returns the program, or the user with this id and his rights. Throws a TypeError where there is no such user. */
export async function actorWithId(
  { storage, app }: { readonly storage: Storage; readonly app: AppContext },
  id: number | undefined,
): Promise<Actor> {
  if (id === undefined) return system
  const user = await findUserById(storage, id)
  if (!user) throw new TypeError(`there is no user ${id}`)
  return actorOf(user, (await app.settings.read(storage)).roles)
}

/**
 * A browser adds cookies to requests from pages of other sites. A write with cookies must therefore come from a page of
 * this site or of a trusted origin, as `Sec-Fetch-Site` or `Origin` says.
 */
function rejectCrossSiteWrite(incoming: Incoming, settings: Settings, host: SignInOptions): void {
  if (incoming.method === 'GET' || incoming.method === 'HEAD' || incoming.method === 'OPTIONS') return
  if (incoming.header('cookie') === undefined) return
  const origin = incoming.header('origin')
  if (origin !== undefined) {
    if (origin === new URL(settings.url).origin || host.trustedOrigins.includes(origin)) return
  } else if (incoming.header('sec-fetch-site') === 'same-origin') return
  throw new ApiError('rest_cookie_invalid_nonce', 'This write was not sent by a page of this site.', 403)
}
