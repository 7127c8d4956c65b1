import { createServer } from 'node:http'
import type { SiteApi } from 'site-api'
import { createNodeHandler, serveNode } from 'site-api/node'

export const serve = (api: SiteApi) => serveNode(api, { port: 0 })
export const server = (api: SiteApi) =>
  createServer(createNodeHandler(api, { fallThrough: (_request, response) => void response.end('ours') }))
