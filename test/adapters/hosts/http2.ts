/** The same over HTTP/2, where names of headers may begin with a colon and nothing is text on a socket. */
import { connect, createServer, type Http2Server, type IncomingHttpHeaders } from 'node:http2'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { createFastifyPlugin, createFrameworkErrors } from '../../../adapters/fastify.ts'
import { createNodeHandler } from '../../../adapters/node.ts'
import { createNamedSite } from '../sites.ts'
import { type Host, quiet, type RunningHost } from './host.ts'

const noText = { socket: 'HTTP/2 is no text that could be written by hand' }

export const nodeHttp2Host: Host = {
  name: 'node over HTTP/2',
  cannot: { ...noText, fallThrough: 'shown by node', outer: 'shown by node' },
  async start({ site, options, headersBefore = {}, front }) {
    const { api } = await createNamedSite(site, options)
    const handler = createNodeHandler(api, { onFailure: quiet, ...(front === undefined ? {} : { front }) })
    // The casts are safe: Node's HTTP/2 objects have the members of its HTTP/1 objects.
    const server = createServer((request, response) => {
      for (const name in headersBefore) response.setHeader(name, headersBefore[name] as string)
      handler(request as never, response as never)
    })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    return speakingTo(server, () => api.close())
  },
}

export const fastifyHttp2Host: Host = {
  name: 'fastify over HTTP/2',
  cannot: {
    ...noText,
    allPaths: 'Fastify answers what lies outside our prefix',
    fallThrough: 'shown by fastify',
    front: 'shown by fastify',
    outer: 'shown by fastify',
  },
  async start({ site, options, headersBefore = {} }) {
    const { api } = await createNamedSite(site, options)
    const app = Fastify({ http2: true, frameworkErrors: createFrameworkErrors(api) })
    app.addHook('onRequest', async (_, reply) => void reply.headers(headersBefore))
    await app.register(createFastifyPlugin(api, { onFailure: quiet }))
    await app.listen({ port: 0, host: '127.0.0.1' })
    return speakingTo(app.server, async () => {
      await app.close()
      await api.close()
    })
  },
}

function speakingTo(server: Http2Server, after: () => Promise<void>): RunningHost {
  const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  return {
    async fetch(target, init) {
      // A Request knows the type that a body brings along.
      const request = new Request('http://host.example', init)
      const body = new Uint8Array(await request.arrayBuffer())
      const head = { ...Object.fromEntries(request.headers), ':method': request.method, ':path': target }
      const stream = session.request(head, { endStream: body.length === 0 })
      if (body.length > 0) stream.end(body)
      const [status, answered] = await new Promise<[number, Headers]>((resolve, reject) => {
        stream.once('error', reject).once('response', (head) => resolve([Number(head[':status']), headersOf(head)]))
      })
      const parts: Uint8Array[] = []
      for await (const part of stream) parts.push(part)
      return new Response([204, 304].includes(status) ? null : Buffer.concat(parts), { status, headers: answered })
    },
    async close() {
      session.close()
      server.close()
      await after()
    },
  }
}

function headersOf(head: IncomingHttpHeaders): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(head)) {
    if (!name.startsWith(':')) for (const one of [value].flat()) headers.append(name, String(one))
  }
  return headers
}
