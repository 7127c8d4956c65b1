/** The mounts have the types that their frameworks accept, for every configuration. `npm run types` is the test. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import express, { Router } from 'express'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyTypeProvider,
  type RawServerDefault,
} from 'fastify'
import { test } from 'vitest'
import { createExpressHandler } from '../../adapters/express.ts'
import { createFastifyPlugin, createFrameworkErrors } from '../../adapters/fastify.ts'
import type { SiteApi } from '../../src/host/create-site-api.ts'

declare const api: SiteApi

interface OwnTypes extends FastifyTypeProvider {
  validator: this['schema']
  serializer: this['schema']
}
interface OwnLogger extends FastifyBaseLogger {
  own(): void
}
declare const ownLogger: OwnLogger
declare const given: FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, OwnLogger>

test('the handler fits where Express takes one', () => {
  const handler = createExpressHandler(api)
  const app = express()
  app.use(handler).use('/api', handler).use('/api', express.json(), handler).all('/api{/*rest}', handler)
  app.route('/api').all(handler)
  Router().use('/api', handler)
})

test('the plugin fits instances with loggers, types and servers of the host', async () => {
  const plugin = createFastifyPlugin(api)
  const frameworkErrors = createFrameworkErrors(api)
  await given.register(plugin)
  await Fastify({ logger: true, frameworkErrors }).withTypeProvider<OwnTypes>().register(plugin, { prefix: '/api' })
  await Fastify({ loggerInstance: ownLogger, frameworkErrors }).register(plugin)
  await Fastify({ https: {}, frameworkErrors }).register(plugin)
  await Fastify({ http2: true, frameworkErrors }).register(plugin)
  await Fastify({ http2: true, https: {}, frameworkErrors }).register(plugin)
})
