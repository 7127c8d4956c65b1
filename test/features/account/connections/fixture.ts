/** A site with a local authorization server, and the steps of a user who connects it. */
import { afterAll, beforeAll } from 'vitest'
import { createOAuth, type OAuthOptions, type OAuthService } from '../../../../src/services/oauth/index.ts'
import { type AuthorizationServer, startAuthorizationServer } from '../../../support/authorization-server.ts'
import { baseUrl, type Requester } from '../../../support/site.ts'
import { openSite } from '../../add-ons/packages/fixture.ts'

export const connect = '/builder-one/v1/connect'

/** Starts one server for all tests of a file. */
export function withServer(): () => AuthorizationServer {
  let server: AuthorizationServer | undefined
  beforeAll(async () => {
    server = await startAuthorizationServer()
  })
  afterAll(async () => server?.close())
  return () => {
    if (!server) throw new Error('the server has not started')
    return server
  }
}

type OpenOptions = Parameters<typeof openSite>[0] & {
  readonly connect?: OAuthOptions
  readonly wrap?: (service: OAuthService) => OAuthService
}

export async function openConnected(
  server: AuthorizationServer,
  { connect: more, wrap = (service) => service, ...options }: OpenOptions = {},
) {
  const service = wrap(createOAuth({ ...server.options, secret: 'a secret of the host', ...more }))
  const site = await openSite({ ...options, services: { ...options.services, connect: service } })

  /** Follows the redirect after consent, as a path below the API root. */
  const agree = async (address: string, decision?: { readonly agree?: boolean }): Promise<string> => {
    const back = await server.browse(address, decision)
    if (!back.href.startsWith(`${baseUrl}/api/`)) throw new Error(`sent back to ${back.href}`)
    return back.href.slice(`${baseUrl}/api`.length)
  }
  const begin = async (send: Requester = site.ada, body: object = {}): Promise<string> =>
    (await send('POST', `${connect}/authorize`, { body })).body.data

  const connectAccount = async () => {
    const { status } = await site.visitor('GET', await agree(await begin()))
    if (status !== 200) throw new Error(`connecting responded with ${status}`)
  }
  const isConnected = async () => (await site.ada('GET', '/builder-one/v1/settings')).body.isConnected
  return { ...site, agree, begin, connectAccount, isConnected }
}
