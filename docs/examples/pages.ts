/** The pages of a site in each host. */
import { createServer } from 'node:http'
import express from 'express'
import Fastify from 'fastify'
import type { SiteApi } from 'site-api'
import { createExpressHandler } from 'site-api/express'
import { createFastifyPlugin } from 'site-api/fastify'
import { createNodeHandler, nodeListener } from 'site-api/node'
import { createSitePages, type SitePages } from 'site-api/pages'

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
