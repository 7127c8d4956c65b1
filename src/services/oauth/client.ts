/** The requests of a connection: a library makes and judges them, and what the server returns is encrypted here. */
import * as library from 'oauth4webapi'
import { readMetadata, requestOptions, responseOf } from './protocol.ts'
import type { ConnectedSite, OAuthClient, OAuthContext, OAuthService, OAuthTokens } from './types.ts'

interface Secrets {
  readonly secret?: string | undefined
  /** RFC 7592: the URL and token for changing the registration. */
  readonly registration?: { readonly address: string; readonly token: string }
}

const tokenExchange = 'urn:ietf:params:oauth:grant-type:token-exchange'

async function register(context: OAuthContext, site: ConnectedSite): Promise<OAuthClient> {
  const { configuredClient } = context
  if (configuredClient) return clientOf(context, configuredClient.id, { secret: configuredClient.secret })
  const server = await readMetadata(context)
  const registration = registrationOf(site, server)
  return registeredClient(
    context,
    await library.dynamicClientRegistrationRequest(server, registration, requestOptions(context)),
  )
}

async function begin(context: OAuthContext, client: OAuthClient, { redirectUri }: ConnectedSite, state: string) {
  const { authorization_endpoint: endpoint = '' } = await readMetadata(context)
  if (!context.isAddress(endpoint)) throw new Error('it has no authorization_endpoint')
  const address = new URL(endpoint)
  const verifier = library.generateRandomCodeVerifier()
  const query = {
    client_id: client.id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: context.scope,
    state,
    code_challenge: await library.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value)
  return { address: address.href, verifier }
}

const finish = (
  context: OAuthContext,
  client: OAuthClient,
  { redirectUri }: ConnectedSite,
  { code, verifier, issuer }: Parameters<OAuthService['finish']>[2],
): Promise<OAuthTokens> =>
  tokensFrom(context, client, (...caller) => {
    const answer = validated(context, caller, { code, ...(issuer === undefined ? {} : { iss: issuer }) })
    return library.authorizationCodeGrantRequest(...caller, answer, redirectUri, verifier, requestOptions(context))
  })

const redeem = (context: OAuthContext, client: OAuthClient, token: string): Promise<OAuthTokens> =>
  tokensFrom(context, client, (...caller) => {
    const fields = {
      subject_token: token,
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      scope: context.scope,
    }
    return library.genericTokenEndpointRequest(...caller, tokenExchange, fields, requestOptions(context))
  })

/** RFC 6749, section 6. A server that answers without a refresh token leaves the old one valid. */
async function refresh(context: OAuthContext, client: OAuthClient, stored: string): Promise<OAuthTokens> {
  const token = await context.encryption.decrypt(stored)
  const tokens = await tokensFrom(context, client, (...caller) =>
    library.refreshTokenGrantRequest(...caller, token, requestOptions(context)),
  )
  return { ...tokens, refresh: tokens.refresh ?? stored }
}

async function end(
  context: OAuthContext,
  client: OAuthClient,
  { access, refresh }: Partial<OAuthTokens>,
): Promise<void> {
  const caller = await callerOf(context, client)
  if (caller[0].revocation_endpoint === undefined) return
  for (const stored of [refresh, access]) {
    if (!stored) continue
    const token = await context.encryption.decrypt(stored)
    await library.processRevocationResponse(await library.revocationRequest(...caller, token, requestOptions(context)))
  }
}

async function move(context: OAuthContext, client: OAuthClient, site: ConnectedSite): Promise<OAuthClient> {
  const before = await secretsOf(context, client)
  if (!before.registration) return client
  const { address, token } = before.registration
  const registration = registrationOf(site, await readMetadata(context))
  const body = await context.server.send(address, {
    method: 'PUT',
    body: JSON.stringify({ ...registration, client_id: client.id, client_secret: before.secret }),
    contentType: 'application/json',
    authorization: `Bearer ${token}`,
  })
  return registeredClient(context, responseOf(body), before)
}

export const client = { register, begin, finish, redeem, refresh, end, move }

/** The first arguments of the library's requests. */
type Caller = readonly [library.AuthorizationServer, library.Client, library.ClientAuth]

async function callerOf(context: OAuthContext, client: OAuthClient): Promise<Caller> {
  const server = await readMetadata(context)
  const { secret } = await secretsOf(context, client)
  return [server, { client_id: client.id }, secret ? library.ClientSecretPost(secret) : library.None()]
}

/** RFC 9207: a response of another server must not be accepted here. */
function validated(
  { refusal }: OAuthContext,
  [server, client]: Caller,
  parameters: { readonly [name: string]: string },
) {
  try {
    return library.validateAuthResponse(server, client, new URLSearchParams(parameters))
  } catch {
    throw refusal('another server has answered')
  }
}

async function tokensFrom(
  context: OAuthContext,
  client: OAuthClient,
  request: (...caller: Caller) => Promise<Response>,
): Promise<OAuthTokens> {
  const caller = await callerOf(context, client)
  const [server, self] = caller
  const answer = await library.processGenericTokenEndpointResponse(server, self, await request(...caller))
  const { encrypt } = context.encryption
  return {
    access: await encrypt(answer.access_token),
    refresh: answer.refresh_token === undefined ? null : await encrypt(answer.refresh_token),
    ...(answer.expires_in === undefined ? {} : { expiresIn: answer.expires_in }),
  }
}

async function secretsOf({ encryption }: OAuthContext, client: OAuthClient): Promise<Secrets> {
  // The cast: `clientOf` wrote the value.
  return JSON.parse(await encryption.decrypt(client.secrets)) as Secrets
}

const clientOf = async ({ encryption }: OAuthContext, id: string, secrets: Secrets): Promise<OAuthClient> => ({
  id,
  secrets: await encryption.encrypt(JSON.stringify(secrets)),
})

async function registeredClient(context: OAuthContext, { body }: Response, before: Secrets = {}): Promise<OAuthClient> {
  // RFC 7592 has the same response with another status.
  const client = await library.processDynamicClientRegistrationResponse(new Response(body, { status: 201 }))
  const address = client['registration_client_uri'] ?? before.registration?.address
  const token = client['registration_access_token'] ?? before.registration?.token
  const isUsable = typeof address === 'string' && typeof token === 'string' && context.isAddress(address)
  return clientOf(context, client.client_id, {
    // The cast: the library has judged it, and its type has no members.
    secret: (client.client_secret as string | undefined) ?? before.secret,
    ...(isUsable ? { registration: { address, token } } : {}),
  })
}

function registrationOf({ name, redirectUri, home }: ConnectedSite, server: library.AuthorizationServer) {
  // The server may name something else than a list.
  const grants: readonly unknown[] = [server.grant_types_supported].flat()
  return {
    client_name: name === '' ? home : name,
    redirect_uris: [redirectUri],
    response_types: ['code'],
    grant_types: ['authorization_code', ...['refresh_token', tokenExchange].filter((grant) => grants.includes(grant))],
    token_endpoint_auth_method: 'client_secret_post',
  }
}
