/** Seeds a file into a new SQLite file, and exports it again, in a separate process; prints the memory that each took. */
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { readDocument } from '../../src/cli/documents.ts'
import { createSiteApi } from '../../src/host/create-site-api.ts'
import { d1 } from '../../src/profiles/d1.ts'
import { sqliteStorage } from '../../src/storage/sqlite.ts'

const [database = '', file = '', target = ''] = process.argv.slice(2)

let highest = 0
/** The highest value of all moments at which the engine had collected what it could. */
const measure = () => {
  globalThis.gc?.()
  highest = Math.max(highest, process.memoryUsage().rss)
}

const api = createSiteApi({ storage: sqliteStorage(database), profile: d1, url: 'https://quay.example' })
let windows = 0
await api.site.seed(readDocument(file), {
  progress(done, total) {
    if (++windows % 8 === 0 || done === total) measure()
  },
})
let pieces = 0
async function* measured(stream: AsyncIterable<Uint8Array>) {
  for await (const piece of stream) {
    if (++pieces % 64 === 0) measure()
    yield piece
  }
}
await pipeline(measured(api.site.exportStream()), createWriteStream(target))
measure()
process.stdout.write(JSON.stringify({ highest }))
await api.close()
