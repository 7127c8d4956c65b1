/** A server process for the rows that attack one, under Node or Bun. Arguments: a storage. Prints its URL. */
import { openStorage } from '../../src/cli/storage.ts'
import { createSiteApi } from '../../src/create-site-api.ts'
import { full } from '../../src/profiles/full.ts'

const [storageText = ''] = process.argv.slice(2)
const api = createSiteApi({ storage: await openStorage(storageText), profile: full, url: 'https://quay.example' })
const isBun = 'Bun' in globalThis
const served = isBun
  ? await (await import('../../adapters/bun.ts')).serveBun(api, { port: 0 })
  : await (await import('../../adapters/node.ts')).serveNode(api, { port: 0 })
console.log(`${served.url}/api`)
process.on('SIGTERM', () => process.exit(0))
