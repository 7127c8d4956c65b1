import Fastify from 'fastify'
import type { SiteApi } from 'site-api'
import { createFastifyPlugin, createFrameworkErrors } from 'site-api/fastify'

export const mount = (api: SiteApi) =>
  Fastify({ frameworkErrors: createFrameworkErrors(api) }).register(createFastifyPlugin(api), { prefix: '/api' })
