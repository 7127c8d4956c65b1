/**
 * Connections of the site to an account elsewhere: OAuth 2 with an authorization code and PKCE, at a server that the host
 * names. It speaks to that server and keeps nothing; what it gives is stored as it is and handed back.
 */
import type { AppContext } from '../../core/declare/app-context.ts'
import { createHttpClient, type HttpClientOptions, type HttpResponse, type Sending } from '../http-client/index.ts'
import { base64url, createEncryption } from './encryption.ts'

export interface OAuthService {
  /** False: the host named no server, and nothing can be connected. */
  readonly isConfigured: boolean
  /** All of these reject with a ConnectError. */
  register(site: ConnectedSite): Promise<OAuthClient>
  /** Where the user goes to agree, and the secret that proves later who has asked. */
  begin(client: OAuthClient, site: ConnectedSite, state: string): Promise<{ address: string; verifier: string }>
  /** `issuer`: who says to have answered, if anybody does. */
  finish(
    client: OAuthClient,
    site: ConnectedSite,
    answer: { readonly code: string; readonly verifier: string; readonly issuer: string | undefined },
  ): Promise<OAuthTokens>
  /** Takes a token that the user got elsewhere in place of an authorization. */
  redeem(client: OAuthClient, token: string): Promise<OAuthTokens>
  /** Has the server forget the tokens. */
  end(client: OAuthClient, tokens: Partial<OAuthTokens>): Promise<void>
  /** Tells the server where the site is now. */
  move(client: OAuthClient, site: ConnectedSite): Promise<OAuthClient>
}

export interface ConnectedSite {
  readonly name: string
  readonly home: string
  /** Where the server sends the user back to. */
  readonly redirectUri: string
}

/** What the server knows the site by. */
export interface OAuthClient {
  readonly id: string
  /** For this service only. */
  readonly secrets: string
}

/** For this service only. */
export interface OAuthTokens {
  readonly access: string
  readonly refresh: string | null
}

/** `refused`: the server said no; `failed`: it cannot be reached or makes no sense. Recognise it by `code`. */
export class OAuthError extends Error {
  readonly code: 'refused' | 'failed'
  constructor(code: 'refused' | 'failed', message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'ConnectError'
    this.code = code
  }
}

export interface OAuthOptions {
  /** The authorization server, e.g. `https://accounts.example.com`. Without it nothing can be connected. */
  readonly issuer?: string
  /** Where the server describes itself. Default: `/.well-known/openid-configuration` below the issuer. */
  readonly metadata?: string
  /** What the server knows the site by. Default: the site registers itself (RFC 7591). */
  readonly client?: { readonly id: string; readonly secret?: string }
  /** Default: `openid`. */
  readonly scope?: string
  /** Closes secrets before they are stored. Without it they are stored as they are; no answer ever shows them. */
  readonly secret?: string
  /** Lets an address through that is not public: a server in the host's own network, or of a test. */
  readonly allow?: HttpClientOptions['allow']
}

/** The one that a site uses. */
export const oauthOf = ({ services }: Pick<AppContext, 'services'>): OAuthService => services['connect'] as OAuthService

const notConfigured = async (): Promise<never> => {
  throw new OAuthError('failed', 'there is no server to connect to')
}

const local: OAuthService = {
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
  /** RFC 7592: where and by what right the registration is changed. */
  readonly registration?: { readonly address: string; readonly token: string }
}

const tokenExchange = 'urn:ietf:params:oauth:grant-type:token-exchange'
const formType = 'application/x-www-form-urlencoded'

/** Throws for an issuer that is not reached by https, unless addresses are let through by name. */
export function createOAuth({ issuer, allow, ...options }: OAuthOptions = {}): OAuthService {
  if (issuer === undefined) return local
  const isNear = allow !== undefined
  if (!isAddress(issuer, isNear)) throw new TypeError('the issuer of a connection is an https address')
  const outbound = createHttpClient(allow ? { allow } : {})
  const seal = createEncryption(options.secret)
  const { scope = 'openid', metadata = `${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration` } = options

  /** Asked each time: connecting is rare, and what a server says of itself may change. */
  async function described(): Promise<Description> {
    const found = await answered(outbound.get(metadata, { accept: 'application/json' }))
    if (found['issuer'] !== issuer) throw nonsense('it names another issuer')
    const at = (name: string): string | undefined => {
      const address = found[name]
      if (address === undefined) return undefined
      if (typeof address === 'string' && isAddress(address, isNear)) return address
      throw nonsense(`${name} is no address`)
    }
    const grants = found['grant_types_supported']
    return { at, grants: Array.isArray(grants) ? grants : [], namesItself: namesItself(found) }
  }

  const send = (address: string, sending: Sending) =>
    answered(outbound.send(address, sending, { accept: 'application/json' }))

  const sendForm = async (address: string, client: OAuthClient, fields: { readonly [name: string]: string }) => {
    const { secret } = await secretsOf(client)
    const own = { client_id: client.id, ...(secret === undefined ? {} : { client_secret: secret }) }
    return send(address, {
      method: 'POST',
      body: String(new URLSearchParams({ ...fields, ...own })),
      contentType: formType,
    })
  }

  async function secretsOf(client: OAuthClient): Promise<Secrets> {
    try {
      // The cast: this service wrote it.
      return JSON.parse(await seal.open(client.secrets)) as Secrets
    } catch (error) {
      throw new OAuthError('failed', 'the stored secrets cannot be read', error)
    }
  }

  const clientOf = async (id: string, secrets: Secrets): Promise<OAuthClient> => ({
    id,
    secrets: await seal.close(JSON.stringify(secrets)),
  })

  async function registered(found: Answer, before: Secrets = {}): Promise<OAuthClient> {
    const id = textIn(found, 'client_id')
    if (id === undefined) throw nonsense('it gives no client id')
    const address = textIn(found, 'registration_client_uri') ?? before.registration?.address
    const token = textIn(found, 'registration_access_token') ?? before.registration?.token
    return clientOf(id, {
      secret: textIn(found, 'client_secret') ?? before.secret,
      ...(address && token && isAddress(address, isNear) ? { registration: { address, token } } : {}),
    })
  }

  async function tokensOf(found: Answer): Promise<OAuthTokens> {
    const access = textIn(found, 'access_token')
    const refresh = textIn(found, 'refresh_token')
    if (access === undefined) throw nonsense('it gives no access token')
    return { access: await seal.close(access), refresh: refresh === undefined ? null : await seal.close(refresh) }
  }

  return {
    isConfigured: true,
    async register(site) {
      if (options.client) return clientOf(options.client.id, { secret: options.client.secret })
      const { at, grants } = await described()
      const found = await send(needed(at, 'registration_endpoint'), {
        method: 'POST',
        body: JSON.stringify(registrationOf(site, grants)),
        contentType: 'application/json',
      })
      return registered(found)
    },
    async begin(client, { redirectUri }, state) {
      const { at } = await described()
      const address = new URL(needed(at, 'authorization_endpoint'))
      const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)))
      const asked = {
        client_id: client.id,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope,
        state,
        code_challenge: await challengeOf(verifier),
        code_challenge_method: 'S256',
      }
      for (const [name, value] of Object.entries(asked)) address.searchParams.set(name, value)
      return { address: address.href, verifier }
    },
    async finish(client, { redirectUri }, { code, verifier, issuer: said }) {
      const { at, namesItself } = await described()
      // RFC 9207: an answer of another server must not be taken to this one.
      if (said === undefined ? namesItself : said !== issuer) {
        throw new OAuthError('refused', 'another server has answered')
      }
      const fields = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: redirectUri }
      return tokensOf(await sendForm(needed(at, 'token_endpoint'), client, fields))
    },
    async redeem(client, token) {
      const { at } = await described()
      const fields = {
        grant_type: tokenExchange,
        subject_token: token,
        subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        scope,
      }
      return tokensOf(await sendForm(needed(at, 'token_endpoint'), client, fields))
    },
    async end(client, { access, refresh }) {
      const { at } = await described()
      const address = at('revocation_endpoint')
      if (address === undefined) return
      for (const sealed of [refresh, access]) {
        if (sealed) await sendForm(address, client, { token: await seal.open(sealed) })
      }
    },
    async move(client, site) {
      const before = await secretsOf(client)
      if (!before.registration) return client
      const { grants } = await described()
      const { address, token } = before.registration
      const body = { ...registrationOf(site, grants), client_id: client.id, client_secret: before.secret }
      const found = await send(address, {
        method: 'PUT',
        body: JSON.stringify(body),
        contentType: 'application/json',
        authorization: `Bearer ${token}`,
      })
      return registered(found, before)
    },
  }
}

interface Description {
  /** An endpoint; undefined when the server has none. */
  readonly at: (name: string) => string | undefined
  readonly grants: readonly unknown[]
  /** Each of its answers says who gave it. */
  readonly namesItself: boolean
}

const namesItself = (found: Answer) => found['authorization_response_iss_parameter_supported'] === true

type Answer = { readonly [name: string]: unknown }

async function answered(asked: Promise<HttpResponse>): Promise<Answer> {
  const { status, body } = await asked.catch((error: unknown) => {
    throw new OAuthError('failed', 'the server cannot be reached', error)
  })
  const text = new TextDecoder().decode(body)
  if (status >= 400 && status < 500) throw new OAuthError('refused', `the server answered ${status}`, text)
  if (status < 200 || status >= 300) throw new OAuthError('failed', `the server answered ${status}`, text)
  if (text === '') return {}
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed === 'object' && parsed !== null) return parsed as Answer
  } catch {
    // Said below.
  }
  throw nonsense('its answer is no JSON object')
}

function registrationOf({ name, redirectUri, home }: ConnectedSite, grants: readonly unknown[]) {
  return {
    client_name: name === '' ? home : name,
    redirect_uris: [redirectUri],
    response_types: ['code'],
    grant_types: ['authorization_code', ...['refresh_token', tokenExchange].filter((one) => grants.includes(one))],
    token_endpoint_auth_method: 'client_secret_post',
  }
}

async function challengeOf(verifier: string): Promise<string> {
  return base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))))
}

const nonsense = (why: string) => new OAuthError('failed', `the server makes no sense: ${why}`)

function needed(at: Description['at'], name: string): string {
  const address = at(name)
  if (address === undefined) throw nonsense(`it has no ${name}`)
  return address
}

function textIn(found: Answer, name: string): string | undefined {
  const value = found[name]
  return typeof value === 'string' && value !== '' && !value.includes('\0') ? value : undefined
}

const isAddress = (text: string, isNear: boolean) =>
  URL.canParse(text) && (isNear ? ['https:', 'http:'] : ['https:']).includes(new URL(text).protocol)
