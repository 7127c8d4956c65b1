/** Imports a file in a separate process, and prints its memory use during and after the import. */
import { createReadStream } from 'node:fs'
import { createSiteApi } from '../../../src/host/create-site-api.ts'
import { d1 } from '../../../src/profiles/d1.ts'
import { sqliteStorage } from '../../../src/storage/sqlite.ts'

const [database = '', file = '', early = '0'] = process.argv.slice(2)

const held = () => {
  globalThis.gc?.()
  return process.memoryUsage().rss
}

const storage = sqliteStorage(database)
const api = createSiteApi({ storage, profile: d1, url: 'https://quay.example' })
let atEarly = 0
const { counts } = await api.site.import(createReadStream(file), {
  progress({ bytes }) {
    if (atEarly === 0 && bytes >= Number(early)) atEarly = held()
  },
})
process.stdout.write(JSON.stringify({ atEarly, atLate: held(), counts }))
await api.close()
