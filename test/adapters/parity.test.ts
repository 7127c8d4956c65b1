import { bunHost } from './hosts/bun.ts'
import { expressHost } from './hosts/express.ts'
import { fastifyHost } from './hosts/fastify.ts'
import { fetchHost } from './hosts/fetch.ts'
import { fastifyHttp2Host, nodeHttp2Host } from './hosts/http2.ts'
import { nextHost } from './hosts/next.ts'
import { nodeHost } from './hosts/node.ts'
import { holdParity, nextAdditions } from './parity.ts'

// Runs the script twice: it separates what a host changes from what differs between two runs.
holdParity(fetchHost)
holdParity(nodeHost)
holdParity(nodeHttp2Host)
holdParity(expressHost, { headers: ['x-powered-by'] })
holdParity(fastifyHost)
holdParity(fastifyHttp2Host)
holdParity(nextHost, nextAdditions)
holdParity(bunHost)
