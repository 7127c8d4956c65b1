/** A Fastify application: its own routes, the API below `/api`, and the pages of the site at all other addresses. */
import Fastify from 'fastify'
import { createFastifyPlugin, createFrameworkErrors } from 'site-api/fastify'
import { closeServer, nodeListener } from 'site-api/node'
import { fillEmptySite } from './first-start.ts'
import { api, host, pages, port, url } from './site.ts'

const app = Fastify({ frameworkErrors: createFrameworkErrors(api) })

app.get('/hello', async () => ({ text: 'a route of this application' }))
await app.register(createFastifyPlugin(api))

const listener = nodeListener(pages.fetch)
await app.register(async (scope) => {
  // The pages read the bodies of their forms themselves.
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
  scope.all('/*', (request, reply) => {
    reply.hijack()
    listener(request.raw, reply.raw)
  })
})
app.addHook('onClose', () => api.close())

await fillEmptySite()
await app.listen({ port, host })
console.log(`${url} is the site, ${url}${api.root}/docs shows its routes`)

process.once('SIGTERM', async () => {
  await closeServer(app.server)
  await app.close()
})
