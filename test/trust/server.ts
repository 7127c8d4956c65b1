/**
 * A server process for the rows that attack one, under Node or Bun. Arguments: a storage. Prints its URL, and at SIGUSR2 under Node the
 * megabytes that stay when all garbage is collected and given back.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { openStorage } from '../../src/cli/storage.ts'
import { createSiteApi } from '../../src/host/create-site-api.ts'
import { full } from '../../src/profiles/full.ts'

const [storageText = ''] = process.argv.slice(2)
const api = createSiteApi({ storage: await openStorage(storageText), profile: full, url: 'https://quay.example' })
const isBun = 'Bun' in globalThis
const served = isBun
  ? await (await import('../../adapters/bun.ts')).serveBun(api, { port: 0 })
  : await (await import('../../adapters/node.ts')).serveNode(api, { port: 0 })
console.log(`${served.url}/api`)
if (!isBun) {
  setFlagsFromString('--expose-gc')
  const collect: (options: object) => void = runInNewContext('gc')
  process.on('SIGUSR2', () => {
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
    console.log(process.memoryUsage.rss() / 2 ** 20)
  })
}
process.on('SIGTERM', () => process.exit(0))
