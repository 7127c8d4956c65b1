/**
 * A process that calls a site for another one: `site-process.ts PLACE SCHEMA`, where PLACE is a SQLite file, or the address of a PostgreSQL
 * with a schema. Each message is a call; the answer has its number, and the data or the error.
 */
import { createSiteApi, isApiError } from '../../src/index.ts'
import { full } from '../../src/profiles/full.ts'
import { postgresStorage } from '../../src/storage/postgres.ts'
import { sqliteStorage } from '../../src/storage/sqlite.ts'
import type { CallAnswer, CallMessage } from './remote-site.ts'

const [place = '', schema = ''] = process.argv.slice(2)
const storage = schema === '' ? sqliteStorage(place) : postgresStorage(place, { schema })
const api = createSiteApi({ storage, profile: full, url: 'https://quay.example', passwordCost: 10 })

async function answerTo({ number, method, path, args, options }: CallMessage): Promise<CallAnswer> {
  try {
    const { data } = await api.call<unknown>(method, path, args as never, options)
    return { number, data }
  } catch (error) {
    if (!isApiError(error)) throw error
    const { code, message, status, data } = error
    return { number, error: { code, message, status, data } }
  }
}

process.on('message', async (message: CallMessage | 'close') => {
  if (message !== 'close') return void process.send?.(await answerTo(message))
  await api.close()
  process.disconnect()
})
await api.call('GET', '/cms/v2/posts')
process.send?.('ready')
