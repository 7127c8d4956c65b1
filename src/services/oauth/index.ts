/**
 * An OAuth 2 client (authorization code with PKCE) that connects the site to an account at a server of the host's choice.
 * It stores nothing: callers store the clients and tokens that it returns, and pass them back.
 */

import type { AppContext } from '../../core/declare/app-context.ts'
import { base64urlOf } from '../../core/runtime/base64.ts'
import { randomBytes } from '../../core/runtime/crypto.ts'
import { createHttpClient, type HttpClientOptions } from '../http-client/index.ts'
import { createEncryption, type Encryption } from './encryption.ts'
import { OAuthError } from './error.ts'
import {
  invalidResponse,
  isAddress,
  type JsonObject,
  readMetadata,
  requiredEndpoint,
  type ServerAccess,
  send,
  textIn,
} from './server.ts'

export { OAuthError } from './error.ts'

/** Connects the site with an account elsewhere, by OAuth 2 with PKCE. */
export interface OAuthService {
  /** False if the host configured no server: every call rejects. */
  readonly isConfigured: boolean
  /** All methods reject with an OAuthError. */
  register(site: ConnectedSite): Promise<OAuthClient>
  /** Returns the authorization URL for the user, and the PKCE verifier for `finish`. */
  begin(client: OAuthClient, site: ConnectedSite, state: string): Promise<{ address: string; verifier: string }>
  /** `answer.issuer` is the `iss` parameter of the authorization response, if it has one. */
  finish(
    client: OAuthClient,
    site: ConnectedSite,
    answer: { readonly code: string; readonly verifier: string; readonly issuer: string | undefined },
  ): Promise<OAuthTokens>
  /** Exchanges a token that the user obtained elsewhere (RFC 8693). */
  redeem(client: OAuthClient, token: string): Promise<OAuthTokens>
  /** Revokes the tokens. */
  end(client: OAuthClient, tokens: Partial<OAuthTokens>): Promise<void>
  /** Updates the registration after the URL of the site changed. */
  move(client: OAuthClient, site: ConnectedSite): Promise<OAuthClient>
  /** False if what it returns is to be stored in clear. Default: true. */
  readonly isEncrypted?: boolean
  /** Exchanges a refresh token for new tokens. If it is absent, connections end with their access token. */
  refresh?(client: OAuthClient, refresh: string): Promise<OAuthTokens>
  /** A stored token in clear, for the requests of the host. Rejects with an OAuthError. */
  reveal?(stored: string): Promise<string>
  /** A stored secret or token in the newest encryption; undefined if it has that already, or can not be read. */
  renew?(stored: string): Promise<string | undefined>
}

interface ConnectedSite {
  readonly name: string
  readonly home: string
  /** The redirect URI of the authorization. */
  readonly redirectUri: string
}

/** The client registration of the site. */
export interface OAuthClient {
  readonly id: string
  /** Encrypted; opaque to callers. */
  readonly secrets: string
}

/** Encrypted; opaque to callers. */
export interface OAuthTokens {
  readonly access: string
  readonly refresh: string | null
  /** Seconds; undefined: the server does not say. */
  readonly expiresIn?: number
}

/** The options of `createOAuth`. Without an issuer connections are off. */
export interface OAuthOptions {
  /** The authorization server, such as `https://accounts.example.com`. Default: connections are off. */
  readonly issuer?: string
  /** The URL of the server's metadata. Default: `/.well-known/openid-configuration` below the issuer. */
  readonly metadata?: string
  /** The client registration. Default: the site registers itself (RFC 7591). */
  readonly client?: { readonly id: string; readonly secret?: string }
  /** The scope of the authorization request. Default: `openid`. */
  readonly scope?: string
  /**
   * Encrypts tokens and client secrets before they are stored (AES-256-GCM): a long random text. Of a list the first encrypts and
   * all decrypt; a value that an older secret has encrypted, or none, is encrypted anew at its next use. Default: the values are
   * stored in clear, and the log says so.
   */
  readonly secret?: string | readonly string[]
  /** Allows an address that is not public: a server in the host's own network or in a test. Default: public addresses only. */
  readonly allow?: HttpClientOptions['allow']
}

/** The OAuth service of a site. */
export const oauthOf = ({ services }: Pick<AppContext, 'services'>): OAuthService => services['connect'] as OAuthService

const notConfigured = async (): Promise<never> => {
  throw new OAuthError('failed', 'there is no server to connect to')
}

const unconfigured: OAuthService = {
  isConfigured: false,
  register: notConfigured,
  begin: notConfigured,
  finish: notConfigured,
  redeem: notConfigured,
  end: notConfigured,
  move: notConfigured,
}

interface Secrets {
  readonly secret?: string | undefined
  /** RFC 7592: the URL and token for changing the registration. */
  readonly registration?: { readonly address: string; readonly token: string }
}

const tokenExchange = 'urn:ietf:params:oauth:grant-type:token-exchange'
const formType = 'application/x-www-form-urlencoded'

/**
 * Creates the default of `services.connect`. Throws for an issuer without https, unless `allow` is given.
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
    configuredClient: options.client,
    httpClient: createHttpClient(allow ? { allow } : {}),
    encryption,
  }
  return {
    isConfigured: true,
    register: (site) => register(context, site),
    begin: (client, site, state) => begin(context, client, site, state),
    finish: (client, site, answer) => finish(context, client, site, answer),
    redeem: (client, token) => redeem(context, client, token),
    end: (client, tokens) => end(context, client, tokens),
    move: (client, site) => move(context, client, site),
    refresh: (client, token) => refresh(context, client, token),
    reveal: (stored) => revealed(context, stored),
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

interface OAuthContext extends ServerAccess {
  readonly scope: string
  readonly configuredClient: OAuthOptions['client'] | undefined
  readonly encryption: Encryption
}

async function register(context: OAuthContext, site: ConnectedSite): Promise<OAuthClient> {
  const { configuredClient } = context
  if (configuredClient) return clientOf(context, configuredClient.id, { secret: configuredClient.secret })
  const { at, grants } = await readMetadata(context)
  const body = await send(context, requiredEndpoint(at, 'registration_endpoint'), {
    method: 'POST',
    body: JSON.stringify(registrationOf(site, grants)),
    contentType: 'application/json',
  })
  return registeredClient(context, body)
}

async function begin(context: OAuthContext, client: OAuthClient, { redirectUri }: ConnectedSite, state: string) {
  const { at } = await readMetadata(context)
  const address = new URL(requiredEndpoint(at, 'authorization_endpoint'))
  const verifier = base64urlOf(randomBytes(32))
  const query = {
    client_id: client.id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: context.scope,
    state,
    code_challenge: await challengeOf(verifier),
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value)
  return { address: address.href, verifier }
}

async function finish(
  context: OAuthContext,
  client: OAuthClient,
  { redirectUri }: ConnectedSite,
  { code, verifier, issuer }: Parameters<OAuthService['finish']>[2],
): Promise<OAuthTokens> {
  const { at, sendsIssuer } = await readMetadata(context)
  // RFC 9207: a response of another server must not be accepted here.
  if (issuer === undefined ? sendsIssuer : issuer !== context.issuer) {
    throw new OAuthError('refused', 'another server has answered')
  }
  const fields = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: redirectUri }
  return tokensOf(context, await sendForm(context, requiredEndpoint(at, 'token_endpoint'), client, fields))
}

async function redeem(context: OAuthContext, client: OAuthClient, token: string): Promise<OAuthTokens> {
  const { at } = await readMetadata(context)
  const fields = {
    grant_type: tokenExchange,
    subject_token: token,
    subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    scope: context.scope,
  }
  return tokensOf(context, await sendForm(context, requiredEndpoint(at, 'token_endpoint'), client, fields))
}

/** RFC 6749, section 6. A server that answers without a refresh token leaves the old one valid. */
async function refresh(context: OAuthContext, client: OAuthClient, stored: string): Promise<OAuthTokens> {
  const { at } = await readMetadata(context)
  const fields = { grant_type: 'refresh_token', refresh_token: await revealed(context, stored) }
  const tokens = await tokensOf(
    context,
    await sendForm(context, requiredEndpoint(at, 'token_endpoint'), client, fields),
  )
  return { ...tokens, refresh: tokens.refresh ?? stored }
}

async function revealed({ encryption }: OAuthContext, stored: string): Promise<string> {
  try {
    return await encryption.decrypt(stored)
  } catch (error) {
    throw new OAuthError('failed', 'the stored token cannot be read', error)
  }
}

async function end(
  context: OAuthContext,
  client: OAuthClient,
  { access, refresh }: Partial<OAuthTokens>,
): Promise<void> {
  const { at } = await readMetadata(context)
  const address = at('revocation_endpoint')
  if (address === undefined) return
  for (const token of [refresh, access]) {
    if (token) await sendForm(context, address, client, { token: await context.encryption.decrypt(token) })
  }
}

async function move(context: OAuthContext, client: OAuthClient, site: ConnectedSite): Promise<OAuthClient> {
  const before = await secretsOf(context, client)
  if (!before.registration) return client
  const { grants } = await readMetadata(context)
  const { address, token } = before.registration
  const registration = { ...registrationOf(site, grants), client_id: client.id, client_secret: before.secret }
  const body = await send(context, address, {
    method: 'PUT',
    body: JSON.stringify(registration),
    contentType: 'application/json',
    authorization: `Bearer ${token}`,
  })
  return registeredClient(context, body, before)
}

async function sendForm(
  context: OAuthContext,
  address: string,
  client: OAuthClient,
  fields: { readonly [name: string]: string },
): Promise<JsonObject> {
  const { secret } = await secretsOf(context, client)
  const credentials = { client_id: client.id, ...(secret === undefined ? {} : { client_secret: secret }) }
  return send(context, address, {
    method: 'POST',
    body: String(new URLSearchParams({ ...fields, ...credentials })),
    contentType: formType,
  })
}

async function secretsOf({ encryption }: OAuthContext, client: OAuthClient): Promise<Secrets> {
  try {
    // The cast: `clientOf` wrote the value.
    return JSON.parse(await encryption.decrypt(client.secrets)) as Secrets
  } catch (error) {
    throw new OAuthError('failed', 'the stored secrets cannot be read', error)
  }
}

const clientOf = async ({ encryption }: OAuthContext, id: string, secrets: Secrets): Promise<OAuthClient> => ({
  id,
  secrets: await encryption.encrypt(JSON.stringify(secrets)),
})

async function registeredClient(context: OAuthContext, body: JsonObject, before: Secrets = {}): Promise<OAuthClient> {
  const id = textIn(body, 'client_id')
  if (id === undefined) throw invalidResponse('it gives no client id')
  const address = textIn(body, 'registration_client_uri') ?? before.registration?.address
  const token = textIn(body, 'registration_access_token') ?? before.registration?.token
  return clientOf(context, id, {
    secret: textIn(body, 'client_secret') ?? before.secret,
    ...(address && token && isAddress(address, context.mayBeHttp) ? { registration: { address, token } } : {}),
  })
}

async function tokensOf({ encryption }: OAuthContext, body: JsonObject): Promise<OAuthTokens> {
  const access = textIn(body, 'access_token')
  const refresh = textIn(body, 'refresh_token')
  if (access === undefined) throw invalidResponse('it gives no access token')
  const seconds = Number(body['expires_in'])
  return {
    access: await encryption.encrypt(access),
    refresh: refresh === undefined ? null : await encryption.encrypt(refresh),
    ...(body['expires_in'] !== undefined && seconds >= 0 ? { expiresIn: seconds } : {}),
  }
}

function registrationOf({ name, redirectUri, home }: ConnectedSite, grants: readonly unknown[]) {
  return {
    client_name: name === '' ? home : name,
    redirect_uris: [redirectUri],
    response_types: ['code'],
    grant_types: ['authorization_code', ...['refresh_token', tokenExchange].filter((grant) => grants.includes(grant))],
    token_endpoint_auth_method: 'client_secret_post',
  }
}

async function challengeOf(verifier: string): Promise<string> {
  return base64urlOf(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))))
}
