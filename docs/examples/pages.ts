/** The pages of a site in each host. */
import { createServer } from 'node:http'
import express from 'express'
import Fastify from 'fastify'
import { createExpressHandler } from '../../adapters/express.ts'
import { createFastifyPlugin } from '../../adapters/fastify.ts'
import { createNodeHandler, nodeListener } from '../../adapters/node.ts'
import type { SiteApi } from '../../src/index.ts'
import { createSitePages, type SitePages } from '../../src/site-pages/index.ts'

export const createPages = (api: SiteApi) => createSitePages(api, { locale: 'en-GB', cacheTags: 'Cache-Tag' })

export const previewForAnHour = (pages: SitePages, id: number) => pages.previewUrl(id, { forMs: 60 * 60 * 1000 })

export const nodeServer = (api: SiteApi) =>
  createServer(createNodeHandler(api, { fallThrough: nodeListener(createSitePages(api).fetch) }))

export const expressApp = (api: SiteApi) =>
  express().use(createExpressHandler(api, { fallThrough: true }), nodeListener(createSitePages(api).fetch))

export const fastifyApp = (api: SiteApi) => {
  const listener = nodeListener(createSitePages(api).fetch)
  return Fastify()
    .register(createFastifyPlugin(api))
    .register(async (scope) => {
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
      scope.all('/*', (request, reply) => {
        reply.hijack()
        listener(request.raw, reply.raw)
      })
    })
}
