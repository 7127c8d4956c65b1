/** A real authorization server on loopback, with a user who consents by default, and a browser that follows redirects. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import Provider, { errors, type GrantContext } from 'oidc-provider'
import Memory from 'oidc-provider/lib/adapters/memory_adapter.js'
import type { OAuthOptions } from '../../src/services/oauth/index.ts'

export interface AuthorizationServer {
  readonly issuer: string
  readonly provider: Provider
  /** For createConnect: only this server's address and port are allowed. */
  readonly options: OAuthOptions
  /** The requests in order, such as `POST /token`. */
  readonly asked: string[]
  /** The tokens that the server has issued. */
  readonly tokens: string[]
  /** When set, every response has this status. */
  broken: number | undefined
  /** Follows redirects until one leaves the server; returns that URL. */
  browse(address: string, options?: { readonly agree?: boolean }): Promise<URL>
  close(): Promise<void>
}

const tokenExchange = 'urn:ietf:params:oauth:grant-type:token-exchange'
export const libraryToken = 'token-of-the-library'

export async function startAuthorizationServer(): Promise<AuthorizationServer> {
  const asked: string[] = []
  const tokens: string[] = []
  let consents = true
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => undefined
  const http = createServer((request, response) => {
    asked.push(`${request.method} ${(request.url ?? '').split('?')[0]}`)
    if (server.broken !== undefined) {
      request.resume()
      response.writeHead(server.broken).end('{}')
    } else handle(request, response)
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const address = http.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const issuer = `http://127.0.0.1:${port}`
  const provider = new Provider(issuer, configuration(await signingKey()))
  provider.registerGrantType(tokenExchange, exchangeFor(provider), ['subject_token', 'subject_token_type', 'scope'])
  for (const kind of ['access_token', 'refresh_token']) {
    provider.on(`${kind}.saved`, (token) => void tokens.push(String((token as { jti: string }).jti)))
  }
  provider.on('server_error', (_, error) => console.error(error))
  const callback = provider.callback()
  handle = (request, response) => {
    if (request.url?.startsWith('/interaction/')) void interact(provider, request, response, consents)
    else callback(request, response)
  }
  const server: AuthorizationServer = {
    issuer,
    provider,
    options: { issuer, allow: (to, at) => to === '127.0.0.1' && at === port },
    asked,
    tokens,
    broken: undefined,
    browse(from, { agree = true } = {}) {
      consents = agree
      return browse(issuer, from)
    },
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve())
        http.closeAllConnections()
      }),
  }
  return server
}

async function browse(issuer: string, from: string): Promise<URL> {
  const cookies = new Map<string, string>()
  let next = new URL(from)
  for (let step = 0; step < 20 && next.origin === issuer; step++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(next, { redirect: 'manual', headers: cookie === '' ? {} : { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const at = pair.indexOf('=')
      cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
    const location = response.headers.get('location')
    if (location === null) throw new Error(`${next.pathname} returns ${response.status}: ${await response.text()}`)
    next = new URL(location, next)
  }
  return next
}

/** Signs the user in, then grants all requested scopes. */
async function interact(provider: Provider, request: IncomingMessage, response: ServerResponse, consents: boolean) {
  const { prompt, params, session } = await provider.interactionDetails(request, response)
  if (!consents) return provider.interactionFinished(request, response, { error: 'access_denied' })
  if (prompt.name === 'login') return provider.interactionFinished(request, response, { login: { accountId: 'ada' } })
  const grant = new provider.Grant({ accountId: session.accountId, clientId: params.client_id })
  for (const scope of prompt.details.missingOIDCScope ?? []) grant.addOIDCScope(scope)
  return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } })
}

/** Exchanges the library token for an access token. */
const exchangeFor = (provider: Provider) => async (context: GrantContext) => {
  const { client, params } = context.oidc
  if (params.subject_token !== libraryToken) throw new errors.InvalidGrant('the token is not known')
  const token = new provider.AccessToken({ client, accountId: 'ada', scope: 'openid', gty: 'exchange' })
  context.body = { access_token: await token.save(), token_type: 'Bearer' }
}

async function signingKey(): Promise<object> {
  const algorithm = {
    name: 'RSASSA-PKCS1-v1_5',
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
    hash: 'SHA-256',
  }
  const { privateKey } = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const { key_ops, ext, ...key } = await crypto.subtle.exportKey('jwk', privateKey)
  return { ...key, use: 'sig' }
}

/** In memory; clients register themselves, and PKCE is required. */
const configuration = (key: object) => ({
  // A subclass: without an adapter option the server warns that it uses this one.
  adapter: class extends Memory {},
  features: {
    devInteractions: { enabled: false },
    registration: { enabled: true },
    registrationManagement: { enabled: true },
    revocation: { enabled: true, allowedPolicy: () => true },
  },
  pkce: { required: () => true },
  cookies: { keys: ['for a test'] },
  jwks: { keys: [key] },
  ttl: {
    AccessToken: 3600,
    AuthorizationCode: 60,
    Grant: 3600,
    IdToken: 3600,
    Interaction: 3600,
    RefreshToken: 3600,
    Session: 3600,
  },
  issueRefreshToken: async () => true,
  interactions: { url: (_: unknown, { uid }: { readonly uid: string }) => `/interaction/${uid}` },
  findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
})
