/** Fastify with our plugin. */
import Fastify from 'fastify'
import { createFastifyPlugin, createFrameworkErrors } from '../../../adapters/fastify.ts'
import { createNamedSite } from '../sites.ts'
import { type Host, quiet } from './host.ts'

export const fastifyHost: Host = {
  name: 'fastify',
  cannot: { allPaths: 'Fastify answers what lies outside our prefix' },
  async start({ site, options, headersBefore = {}, fallThrough = false, front, outer = '' }) {
    const { api } = await createNamedSite(site, options)
    const app = Fastify({ frameworkErrors: createFrameworkErrors(api), bodyLimit: 50 })
    app.addHook('onRequest', async (_, reply) => void reply.headers(headersBefore))
    if (fallThrough) app.setNotFoundHandler((_, reply) => reply.send('the host'))
    const given = { fallThrough, onFailure: quiet, ...(front === undefined ? {} : { front }) }
    await app.register(createFastifyPlugin(api, given), { prefix: outer })
    const origin = await app.listen({ port: 0, host: '127.0.0.1' })
    return {
      origin,
      fetch: (target, init) => fetch(origin + target, init),
      async close() {
        app.server.closeAllConnections()
        await app.close()
        await api.close()
      },
    }
  },
}
