/** A server process for tests that kill it. Prints its URL, then a line for each post that it publishes; sends webhooks. */
import { writeSync } from 'node:fs'
import { serveNode } from '../../adapters/node.ts'
import { openStorage } from '../../src/cli/storage.ts'
import { createSiteApi } from '../../src/host/create-site-api.ts'
import { d1 } from '../../src/profiles/d1.ts'
import { loopbackClient } from '../support/webhook-receiver.ts'

const [storageText = '', url = '', secret = '', ahead = '0'] = process.argv.slice(2)
const api = createSiteApi({
  storage: await openStorage(storageText),
  profile: d1,
  url: 'https://quay.example',
  clock: () => Date.now() + Number(ahead),
  // Each event is compared with its write at the end: none may be too old by then.
  events: { count: 10_000_000 },
  ...(url === '' ? {} : { webhooks: [{ url, secret }], services: { outbound: loopbackClient() } }),
})
api.on('post.published', ({ post }) => void writeSync(1, `published ${post.id}\n`))
const served = await serveNode(api, { port: 0 })
writeSync(1, `${served.url}/api\n`)
process.on('SIGTERM', () => process.exit(0))
