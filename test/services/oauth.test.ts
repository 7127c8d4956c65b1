/** The client with authorization servers that are nearly right, and with answers that it must not take. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { createOAuth } from '../../src/services/oauth/index.ts'

const site = { name: 'Quay', home: 'https://quay.example', redirectUri: 'https://quay.example/return' }
const token = 'a-token-of-the-server'

/** A service of a server that sends these bodies; its metadata has all endpoints. */
async function connectTo(bodies: { readonly [path: string]: unknown }, metadata: object = {}) {
  const sent: URLSearchParams[] = []
  const http = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    if (request.method === 'POST') sent.push(new URLSearchParams(Buffer.concat(chunks).toString()))
    const path = request.url ?? ''
    const body = path === '/elsewhere' ? found : bodies[path]
    response.end(typeof body === 'string' ? body : JSON.stringify(body ?? {}))
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void http.close())
  const { port } = http.address() as AddressInfo
  const issuer = `http://127.0.0.1:${port}`
  const found = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    registration_endpoint: `${issuer}/register`,
    revocation_endpoint: `${issuer}/revoke`,
    ...metadata,
  }
  const service = createOAuth({ issuer, metadata: `${issuer}/elsewhere`, allow: (_, at) => at === port })
  return { service, sent, issuer }
}

const registered = { client_id: 'c', client_secret: 's' }

test('takes answers that leave out the type of the token and the end of the secret, or say null', async () => {
  const { service, sent } = await connectTo({
    '/register': { ...registered, registration_client_uri: null },
    '/token': { access_token: token, refresh_token: null, expires_in: '60', id_token: 'not for us' },
  })
  const client = await service.register(site)
  const { verifier } = await service.begin(client, site, 'state')
  const tokens = await service.finish(client, site, { code: 'code', verifier, issuer: undefined })
  expect(tokens).toEqual({ access: `plain.${token}`, refresh: null, expiresIn: 60 })
  expect(Object.fromEntries(sent.at(-1) ?? [])).toEqual({
    grant_type: 'authorization_code',
    code: 'code',
    code_verifier: verifier,
    redirect_uri: site.redirectUri,
    client_id: 'c',
    client_secret: 's',
  })
  await service.end(client, tokens)
  expect(sent.at(-1)?.get('token')).toBe(token)
})

test.each([
  ['a type of token that it does not know', { access_token: token, token_type: 'mac' }],
  ['no token', { token_type: 'Bearer', refresh_token: token }],
  ['no JSON', token],
])('an answer with %s has failed, and the error holds no token', async (_, answer) => {
  const { service } = await connectTo({ '/register': registered, '/token': answer })
  const client = await service.register(site)
  const error = await service.redeem(client, 'theirs').catch((reason: unknown) => reason)
  expect(error).toMatchObject({ name: 'OAuthError', code: 'failed' })
  expect(inspect(error, { depth: null })).not.toContain(token.slice(0, 7))
})

test('refuses the answer of another server, and the error holds no code', async () => {
  const { service } = await connectTo({ '/register': registered })
  const client = await service.register(site)
  const answer = { code: 'secret-code', verifier: 'v', issuer: 'https://evil.example' }
  const error = await service.finish(client, site, answer).catch((reason: unknown) => reason)
  expect(error).toMatchObject({ name: 'OAuthError', code: 'refused' })
  expect(inspect(error, { depth: null })).not.toContain('secret-code')
})

test.each(['authorization_endpoint', 'token_endpoint'])('metadata without a usable %s has failed', async (name) => {
  for (const value of [undefined, 'nonsense', 'ftp://quay.example/']) {
    const { service } = await connectTo({ '/register': registered }, { [name]: value })
    const client = await service.register(site)
    const call = name === 'token_endpoint' ? service.redeem(client, 'theirs') : service.begin(client, site, 'state')
    await expect(call).rejects.toMatchObject({ name: 'OAuthError', code: 'failed' })
  }
})
