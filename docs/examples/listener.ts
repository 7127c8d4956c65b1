/** A site below `/api` of a server with other pages. */
import { createServer } from 'node:http'
import { createNodeHandler } from '../../adapters/node.ts'
import { createSiteApi, d1 } from '../../src/index.ts'
import { memoryStorage } from '../../src/storage/memory/index.ts'

const api = createSiteApi({ storage: memoryStorage(), profile: d1, url: 'https://example.com', root: '/api' })

export const server = createServer(
  createNodeHandler(api, {
    fallThrough: (_request, response) => void response.end('a page of our own'),
  }),
)
