/** Serves a test site on a free port, with clients over HTTP and in the process. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serveNode } from '../../adapters/node.ts'
import { type Client, createClient, type HttpOptions } from '../../src/client/index.ts'
import type { Profile } from '../../src/core/declare/profile.ts'
import { createTestSite, type TestSite, type TestSiteOptions } from '../support/site.ts'
import { passwordOf } from '../support/small-site.ts'

export interface ServedSite<P extends Profile> extends TestSite {
  /** The root of the api. */
  readonly address: string
  /** Null: a visitor. */
  overHttp(login: string | null, options?: Partial<HttpOptions>): Client<P>
  inProcess(login: string | null): Client<P>
}

export async function serveTestSite<P extends Profile>(
  options: TestSiteOptions & { profile: P },
): Promise<ServedSite<P>> {
  const site = await createTestSite(options)
  const served = await serveNode(site.api, { port: 0 })
  const address = `${served.url}${site.api.root}`
  const keyOf: { readonly [login: string]: string } = {
    ada: 'admin',
    edith: 'editor',
    arthur: 'author',
    sam: 'subscriber',
  }
  return {
    ...site,
    address,
    overHttp: (login, more) =>
      createClient<P>({
        url: address,
        ...(login === null ? {} : { signIn: { login, password: passwordOf(login) } }),
        ...more,
      }),
    inProcess: (login) =>
      createClient<P>({ api: site.api, ...(login === null ? {} : { as: site.ids[`user.${keyOf[login]}`] as number }) }),
    dispose: async () => {
      await served.close({ graceMs: 0 })
      await site.dispose()
    },
  }
}

/** A server for responses that the service does not send. */
export async function serveScript(answer: (request: IncomingMessage, response: ServerResponse, count: number) => void) {
  let count = 0
  const server = createServer((request, response) => answer(request, response, ++count))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get count() {
      return count
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
