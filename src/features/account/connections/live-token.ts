/** The access token of a connection, renewed where it has ended: by one process, since a refresh token may be good for one use. */

import type { StoredRecord } from '../../../contract/storage.ts'
import type { ExtensionOptions } from '../../../core/declare/feature.ts'
import { writeInside } from '../../../core/pipeline/hooks.ts'
import { OAuthError, type OAuthTokens, oauthOf } from '../../../services/oauth/index.ts'
import { connections, isMismatched, noTokens, readRow, renewedConnection, toConnection, tokenValues } from './model.ts'

/** `api.site.connections`: the accounts that the site is connected to. */
export interface SiteConnections {
  /**
   * The access token of a connection (`account`, `library`, ...), for requests of the host; renewed when it ends within a minute.
   * Undefined: the site is not connected, or the server has ended the connection. Rejects with an OAuthError where the server cannot be
   * reached.
   *
   * ```ts
   * const token = await api.site.connections.token('account')
   * ```
   */
  token(name: string): Promise<string | undefined>
}

const marginMs = 60_000
/** Longer than a request to the server may take. */
const leaseMs = 30_000
const waitMs = 100

export const createConnections = (options: ExtensionOptions): SiteConnections => ({
  async token(name) {
    await options.ready()
    for (;;) {
      const state = await stateOf(options, name)
      if (state !== 'ending') return state.token
      const row = await readRow(options.storage, name)
      // Another caller has renewed it since the state was read.
      if (row && !isEnding(row, options.app.clock())) continue
      if (row && (await claim(options, row))) await renew(options, row)
      else await new Promise((resolve) => setTimeout(resolve, waitMs))
    }
  },
})

/** `ending`: a new token is to be had, and has to be asked for. */
async function stateOf(
  { app, storage }: ExtensionOptions,
  name: string,
): Promise<{ readonly token: string | undefined } | 'ending'> {
  // Encrypted anew where the key has changed.
  const connection = await renewedConnection({ app, storage }, name)
  const settings = await app.settings.read(storage)
  const service = oauthOf(app)
  const { tokens, refresh, expires = Number.POSITIVE_INFINITY } = connection
  if (!tokens || isMismatched(connection, settings) || !service.reveal) return { token: undefined }
  const leftMs = expires - app.clock()
  if (leftMs <= marginMs && refresh !== null && service.refresh) return 'ending'
  return { token: leftMs > 0 ? await service.reveal(tokens.access) : undefined }
}

const isEnding = ({ expires }: StoredRecord, now: number): boolean =>
  typeof expires === 'number' && expires - now <= marginMs

/** False: another process asks already, or has. */
async function claim({ storage, app }: ExtensionOptions, row: StoredRecord): Promise<boolean> {
  const now = app.clock()
  if (typeof row['refreshing'] === 'number' && row['refreshing'] > now) return false
  const when = {
    every: [
      { field: 'access', is: row['access'] as string },
      { field: 'refreshing', is: (row['refreshing'] ?? null) as number | null },
    ],
  }
  const changes = { refreshing: now + leaseMs }
  return (await storage.records.update(connections, [{ id: row.id, changes, when }])).length > 0
}

async function renew(options: ExtensionOptions, row: StoredRecord): Promise<void> {
  const { client, refresh } = toConnection(row)
  const { storage, app } = options
  const isUnchanged = { field: 'access', is: row['access'] as string } as const
  try {
    // The casts: the caller has seen the refresh token, and no token is stored without its client.
    const service = oauthOf(app) as Required<ReturnType<typeof oauthOf>>
    const tokens = await service.refresh(client as never, refresh as string)
    await storeRenewed(options, row, tokens)
  } catch (error) {
    if (error instanceof OAuthError && error.code === 'refused') return ended(options, row)
    await storage.records.update(connections, [{ id: row.id, changes: { refreshing: null }, when: isUnchanged }])
    throw error
  }
}

async function storeRenewed({ storage, app }: ExtensionOptions, row: StoredRecord, tokens: OAuthTokens): Promise<void> {
  // Somebody may have disconnected the site meanwhile.
  const when = { field: 'access', is: row['access'] as string } as const
  await storage.records.update(connections, [{ id: row.id, changes: tokenValues(tokens, app.clock()), when }])
}

/** The server takes the refresh token no more: whoever looks sees a site that is not connected. */
async function ended(options: ExtensionOptions, row: StoredRecord): Promise<void> {
  await writeInside(options, async ({ storage, emit }) => {
    const when = { field: 'access', is: row['access'] as string } as const
    const changed = await storage.records.update(connections, [{ id: row.id, changes: noTokens, when }])
    if (changed.length > 0) emit('connection.ended', { connection: String(row['connection']), by: 0 })
  })
}
