/** A server of `node:http` with our handler as its listener. */
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createNodeHandler } from '../../../adapters/node.ts'
import { createNamedSite } from '../sites.ts'
import { type Host, quiet, type RunningHost } from './host.ts'

export const nodeHost: Host = {
  name: 'node',
  cannot: {},
  async start({ site, options, headersBefore = {}, fallThrough, front, outer = '' }) {
    const { api } = await createNamedSite(site, options)
    const handler = createNodeHandler(api, {
      onFailure: quiet,
      ...(front === undefined ? {} : { front }),
      ...(fallThrough ? { fallThrough: (_: unknown, response: ServerResponse) => void response.end('the host') } : {}),
    })
    return listen(
      (request, response) => {
        request.url = request.url?.slice(outer.length)
        for (const name in headersBefore) response.setHeader(name, headersBefore[name] as string)
        handler(request, response)
      },
      () => api.close(),
    )
  },
}

/** Listens on a free port of this machine. */
export async function listen(listener: RequestListener, after: () => Promise<void>): Promise<RunningHost> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    fetch: (target, init) => fetch(origin + target, init),
    async close() {
      server.close().closeAllConnections()
      await after()
    },
  }
}
