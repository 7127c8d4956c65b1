/**
 * The OAuth connections of the site, and the attempts whose redirect is pending. Secrets are stored as the service
 * returns them, which encrypts them, and appear in no response and no export.
 */

import type { Collection, RecordValues, Storage, StoredRecord } from '../../../contract/storage.ts'
import type { Context, HookContext } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { randomId, randomToken, sha256Of } from '../../../core/runtime/crypto.ts'
import { type OAuthClient, type OAuthService, type OAuthTokens, oauthOf } from '../../../services/oauth/index.ts'
import type { Settings } from '../../../site/settings.ts'

/** Events of this feature. */
export interface ConnectionsEvents {
  'connection.made': ConnectionEvent
  'connection.moved': ConnectionEvent
  'connection.paused': ConnectionEvent
  'connection.ended': ConnectionEvent
}

interface ConnectionEvent {
  /** `account`, `library`, ... */
  readonly connection: string
  readonly by: number
}

/** The connection to the template library. */
export const libraryConnection = 'library'

/** Not exported: with its tokens another site could act as this one. */
export const connections: Collection = {
  name: 'connections',
  fields: {
    connection: 'text',
    client_id: 'text',
    client_secrets: 'text',
    access: 'text',
    refresh: 'text',
    owner: 'integer',
    home: 'text',
    /** When the access token ends, in milliseconds since 1970; null: the server did not say. */
    expires: 'integer',
    /** Until when a process asks for new tokens; others wait for them. */
    refreshing: 'integer',
  },
  unique: [['connection']],
}

export const connectionAttempts: Collection = {
  name: 'connection_attempts',
  fields: {
    /** A digest: read access to the storage must not be enough to finish another user's attempt. */
    state: 'text',
    connection: 'text',
    user: 'integer',
    client_id: 'text',
    client_secrets: 'text',
    verifier: 'text',
    expires: 'integer',
  },
  indexed: ['state', 'user'],
  unique: [['state']],
}

const attemptMs = 15 * 60 * 1000

interface Connection {
  readonly client: OAuthClient | undefined
  readonly tokens: OAuthTokens | undefined
  readonly refresh: string | null
  /** The home address at the time of connecting; empty when not connected. */
  readonly home: string
  /** The access token ends at these milliseconds since 1970; undefined: unknown. */
  readonly expires: number | undefined
}

type SiteContext = Pick<HookContext, 'storage' | 'settings' | 'app'>
type WriteContext = Pick<Context, 'storage' | 'settings' | 'app' | 'user' | 'emit'>

// ---------------------------------------------------------------- reading

const noConnection: Connection = { client: undefined, tokens: undefined, refresh: null, home: '', expires: undefined }

async function readConnection(storage: Storage, name: string): Promise<Connection> {
  const row = await readRow(storage, name)
  return row ? toConnection(row) : noConnection
}

/** Like `readConnection`. Secrets that are stored in clear, or encrypted with an older key, are encrypted anew. */
export async function renewedConnection(context: Pick<Context, 'storage' | 'app'>, name: string): Promise<Connection> {
  const row = await readRow(context.storage, name)
  return row ? toConnection({ ...row, ...(await renewedSecrets(context, row)) }) : noConnection
}

export async function readRow({ records }: Storage, name: string): Promise<StoredRecord | undefined> {
  const { rows } = await records.query(connections, { where: { field: 'connection', is: name }, limit: 1 })
  return rows[0]
}

const secretFields = ['client_secrets', 'access', 'refresh'] as const

async function renewedSecrets({ storage, app }: Pick<Context, 'storage' | 'app'>, row: StoredRecord) {
  const { isConfigured, renew } = oauthOf(app)
  const renewed = new Map<string, string>()
  for (const field of secretFields) {
    const stored = row[field]
    const again = isConfigured && renew && typeof stored === 'string' ? await renew(stored) : undefined
    if (again !== undefined) renewed.set(field, again)
  }
  if (renewed.size === 0) return {}
  const changes = Object.fromEntries(renewed)
  // Another request may have connected the site anew meanwhile.
  const when = { every: [...renewed.keys()].map((field) => ({ field, is: row[field] as string })) }
  try {
    await storage.records.update(connections, [{ id: row.id, changes, when }])
  } catch (error) {
    // A storage that only reads now still has the secrets in a form that can be read.
    if ((error as { readonly code?: unknown }).code !== 'storage_unavailable') throw error
  }
  return changes
}

export const isConnected = async (context: SiteContext, name: string): Promise<boolean> =>
  isValidConnection(await readConnection(context.storage, name), context)

/** True when there is a token, or can be one, and the site still has the address at which it was issued. */
export const isValidConnection = (
  { tokens, home, expires, refresh }: Connection,
  { settings, app }: Pick<SiteContext, 'settings' | 'app'>,
) => {
  const isLive = expires === undefined || expires > app.clock()
  const isRenewable = refresh !== null && oauthOf(app).refresh !== undefined
  return tokens !== undefined && home === settings.home && (isLive || isRenewable)
}

/** True when the site was connected at another address than its current one. */
export const isMismatched = ({ home }: Connection, settings: Settings) => home !== '' && home !== settings.home

export function toConnection(row: StoredRecord): Connection {
  const text = (field: string) => (typeof row[field] === 'string' ? (row[field] as string) : undefined)
  const access = text('access')
  const refresh = text('refresh') ?? null
  return {
    client: clientOf(row),
    tokens: access === undefined ? undefined : { access, refresh },
    refresh,
    home: text('home') ?? '',
    expires: typeof row['expires'] === 'number' ? row['expires'] : undefined,
  }
}

function clientOf({ client_id: id, client_secrets: secrets }: StoredRecord): OAuthClient | undefined {
  return typeof id === 'string' && typeof secrets === 'string' ? { id, secrets } : undefined
}

// ---------------------------------------------------------------- writing

const clientValues = ({ id, secrets }: OAuthClient) => ({ client_id: id, client_secrets: secrets })
export const noTokens = { access: null, refresh: null, owner: null, home: null, expires: null, refreshing: null }
const noClient = { client_id: null, client_secrets: null }

export const tokenValues = ({ access, refresh, expiresIn }: OAuthTokens, now: number) => ({
  ...{ access, refresh, refreshing: null },
  expires: expiresIn === undefined ? null : now + expiresIn * 1000,
})

/** Each connection has one row; the first write inserts it. */
async function writeConnection(storage: Storage, name: string, values: RecordValues): Promise<void> {
  const row = await readRow(storage, name)
  if (row) {
    await storage.records.update(connections, [{ id: row.id, changes: values }])
    return
  }
  await storage.records.insert(connections, [{ connection: name, ...values }])
}

/** The apis whose log has the warning already. */
const warned = new WeakSet<object>()

function warnIfClear({ app }: Pick<Context, 'app'>): void {
  if (oauthOf(app).isEncrypted !== false || warned.has(app)) return
  warned.add(app)
  const error = new Error('give createOAuth the option secret, a long random text')
  app.log.error('the tokens of a connection are stored in clear', { id: randomId(), error })
}

/** Throws 409 when the host has configured no OAuth service. */
export function requireOAuth(context: Pick<Context, 'app'>, code = 'conflict'): OAuthService {
  const service = oauthOf(context.app)
  if (service.isConfigured) return service
  throw new ApiError(code, 'No service is set up that this site could be connected to.', 409)
}

export const siteOf = ({ settings }: Pick<Context, 'settings'>) => ({
  name: settings.name,
  home: settings.home,
  redirectUri: `${settings.apiRoot}/connect/return`,
})

/** The stored client, else a newly registered one, which is stored. */
export async function clientFor(context: WriteContext, name: string, service: OAuthService): Promise<OAuthClient> {
  const { client } = await renewedConnection(context, name)
  if (client) return client
  warnIfClear(context)
  const registered = await service.register(siteOf(context))
  await writeConnection(context.storage, name, clientValues(registered))
  return registered
}

/** Returns the address of the consent page. Removes expired attempts and older ones of the same user. */
export async function beginAttempt(context: WriteContext, name: string, service: OAuthService): Promise<string> {
  const { storage, app, user } = context
  const client = await clientFor(context, name, service)
  const state = sha256Of(randomToken())
  const { address, verifier } = await service.begin(client, siteOf(context), state)
  const now = app.clock()
  await storage.records.remove(connectionAttempts, {
    some: [
      { field: 'expires', to: now },
      {
        every: [
          { field: 'user', is: user.id },
          { field: 'connection', is: name },
        ],
      },
    ],
  })
  const row = { state: sha256Of(state), connection: name, user: user.id, verifier, expires: now + attemptMs }
  await storage.records.insert(connectionAttempts, [{ ...row, ...clientValues(client) }])
  return address
}

export interface Attempt {
  readonly id: number
  readonly connection: string
  readonly user: number
  readonly client: OAuthClient
  readonly verifier: string
}

/** Undefined when the state is unknown, expired or used. */
export async function findAttempt({ storage, app }: Pick<Context, 'storage' | 'app'>, state: string) {
  const { rows } = await storage.records.query(connectionAttempts, {
    where: { field: 'state', is: sha256Of(state) },
    limit: 1,
  })
  const client = rows[0] && clientOf(rows[0])
  if (!rows[0] || !client || Number(rows[0]['expires']) <= app.clock()) return undefined
  const { id, connection, user, verifier } = rows[0]
  const attempt: Attempt = {
    id,
    connection: String(connection),
    user: Number(user),
    client,
    verifier: String(verifier),
  }
  return attempt
}

/** False when it was used before. Of two parallel requests with the same state, one gets true. */
export const consumeAttempt = async ({ storage }: Pick<Context, 'storage'>, { id }: Attempt): Promise<boolean> =>
  (await storage.records.remove(connectionAttempts, { field: 'id', is: id })) > 0

export async function storeTokens(
  context: Pick<WriteContext, 'storage' | 'settings' | 'app' | 'emit'>,
  { connection, user, client }: Pick<Attempt, 'connection' | 'user' | 'client'>,
  tokens: OAuthTokens,
): Promise<void> {
  const { storage, settings, app, emit } = context
  warnIfClear(context)
  const values = { ...clientValues(client), ...tokenValues(tokens, app.clock()), owner: user, home: settings.home }
  await writeConnection(storage, connection, values)
  emit('connection.made', { connection, by: user })
}

/**
 * Removes the tokens, and with `client` also the registered client. Does nothing when the site is not connected.
 * Choice: the tokens are revoked at the server, and the site is disconnected even if that fails.
 */
export async function endConnection(
  context: WriteContext,
  name: string,
  { client: alsoClient = false }: { readonly client?: boolean } = {},
): Promise<void> {
  const { storage, app, user, emit } = context
  const before = await readConnection(storage, name)
  if (before === noConnection) return
  await writeConnection(storage, name, alsoClient ? { ...noTokens, ...noClient } : noTokens)
  const hadTokens = before.tokens !== undefined || before.refresh !== null
  if (hadTokens) emit('connection.ended', { connection: name, by: user.id })
  const service = oauthOf(app)
  if (!hadTokens || !before.client || !service.isConfigured) return
  const tokens = { refresh: before.refresh, ...(before.tokens ? { access: before.tokens.access } : {}) }
  try {
    await service.end(before.client, tokens)
  } catch (error) {
    app.log.error('a connection ended here, but the server was not told', { id: randomId(), error })
  }
}

/** Removes the access token only. */
export async function pauseConnection(context: WriteContext, name: string): Promise<void> {
  const { storage, user, emit } = context
  const { tokens } = await renewedConnection(context, name)
  if (!tokens) return
  await writeConnection(storage, name, { access: null })
  emit('connection.paused', { connection: name, by: user.id })
}

/** Registers the new address of the site at the server, which makes the connection valid again. */
export async function moveConnection(context: WriteContext, name: string, service: OAuthService): Promise<void> {
  const { storage, settings, user, emit } = context
  const { client, tokens } = await renewedConnection(context, name)
  if (!client) throw new ApiError('bad_request', 'This site was never connected.', 400)
  const moved = await service.move(client, siteOf(context))
  await writeConnection(storage, name, { ...clientValues(moved), ...(tokens ? { home: settings.home } : {}) })
  emit('connection.moved', { connection: name, by: user.id })
}
