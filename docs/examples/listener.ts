/** A site below `/api` of a server with other pages. */
import { createServer } from 'node:http'
import { createSiteApi, d1 } from 'site-api'
import { createNodeHandler } from 'site-api/node'
import { memoryStorage } from 'site-api/storage/memory'

const api = createSiteApi({ storage: memoryStorage(), profile: d1, url: 'https://example.com', root: '/api' })

export const server = createServer(
  createNodeHandler(api, {
    fallThrough: (_request, response) => void response.end('a page of our own'),
  }),
)
