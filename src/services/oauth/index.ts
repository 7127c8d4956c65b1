/**
 * An OAuth 2 client (authorization code with PKCE) that connects the site to an account at a server of the host's choice.
 * It stores nothing: callers store the clients and tokens that it returns, and pass them back.
 */

import type { AppContext } from '../../core/declare/app-context.ts'
import { createEncryption } from './encryption.ts'
import { OAuthError } from './error.ts'
import { createServerAccess, isAddress } from './server.ts'
import type { OAuthContext, OAuthOptions, OAuthService } from './types.ts'

export { OAuthError } from './error.ts'
export type { OAuthClient, OAuthOptions, OAuthService, OAuthTokens } from './types.ts'

/** The OAuth service of a site. */
export const oauthOf = ({ services }: Pick<AppContext, 'services'>): OAuthService => services['connect'] as OAuthService

const notConfigured = async (): Promise<never> => {
  throw new OAuthError('failed', 'there is no server to connect to')
}

/** The default of `services.connect`. */
export const unconfigured: OAuthService = {
  isConfigured: false,
  register: notConfigured,
  begin: notConfigured,
  finish: notConfigured,
  redeem: notConfigured,
  end: notConfigured,
  move: notConfigured,
}

/**
 * Creates `services.connect`; without an issuer, its default. Throws for an issuer without https, unless `allow` is given.
 *
 * ```ts
 * import { createOAuth } from 'site-api'
 *
 * export const connect = createOAuth({ issuer: 'https://accounts.example.com', secret: 'a long random text' })
 * ```
 */
export function createOAuth({ issuer, allow, ...options }: OAuthOptions = {}): OAuthService {
  if (issuer === undefined) return unconfigured
  const mayBeHttp = allow !== undefined
  if (!isAddress(issuer, mayBeHttp)) throw new TypeError('the issuer of a connection is an https address')
  const secrets = secretsOption(options.secret)
  const encryption = createEncryption(secrets)
  const { scope = 'openid', metadata = `${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration` } = options
  const context: OAuthContext = {
    issuer,
    metadata,
    scope,
    mayBeHttp,
    isAddress: (text) => isAddress(text, mayBeHttp),
    configuredClient: options.client,
    server: createServerAccess(allow),
    encryption,
    refusal: (why) => new OAuthError('refused', why),
  }
  return {
    isConfigured: true,
    register: (site) => asking(({ register }) => register(context, site)),
    begin: (client, site, state) => asking(({ begin }) => begin(context, client, site, state)),
    finish: (client, site, answer) => asking(({ finish }) => finish(context, client, site, answer)),
    redeem: (client, token) => asking(({ redeem }) => redeem(context, client, token)),
    end: (client, tokens) => asking(({ end }) => end(context, client, tokens)),
    move: (client, site) => asking(({ move }) => move(context, client, site)),
    refresh: (client, token) => asking(({ refresh }) => refresh(context, client, token)),
    reveal: encryption.decrypt,
    isEncrypted: secrets.length > 0,
    renew: (stored) => encryption.renew(stored),
  }
}

/** Throws for an empty text, which is the result of a missing environment variable. */
function secretsOption(secret: OAuthOptions['secret'] = []): readonly string[] {
  const secrets = typeof secret === 'string' ? [secret] : secret
  if (secrets.some((one) => one === '')) throw new TypeError('the secret of connections must not be empty')
  return secrets
}

/**
 * The client is loaded at its first use: few sites connect, and those rarely. An error of the library is no cause of ours, since
 * it holds the response with its tokens, and the cause goes to the log.
 */
async function asking<T>(ask: (client: typeof import('./client.ts').client) => Promise<T>): Promise<T> {
  const { client } = await import('./client.ts')
  return ask(client).catch((error: unknown) => {
    if (error instanceof OAuthError) throw error
    throw new OAuthError('failed', `the server makes no sense: ${error instanceof Error ? error.message : error}`)
  })
}
