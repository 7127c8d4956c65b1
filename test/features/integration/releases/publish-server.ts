/**
 * Publishes a release, or undoes it, and kills itself with SIGKILL before a statement of that transaction. Ends with 0 where the transaction
 * has fewer statements.
 */
import { createSiteApi } from '../../../../src/host/create-site-api.ts'
import { full } from '../../../../src/profiles/full.ts'
import { postgresStorage } from '../../../../src/storage/postgres.ts'
import { sqliteStorage } from '../../../../src/storage/sqlite.ts'
import { spied } from '../../../support/spied-storage.ts'

const [place = '', schema = '', action = 'publish', release = '0', call = '1'] = process.argv.slice(2)
const last = Number(call)
let seen = 0
let isBegun = false

const opened = schema === '' ? sqliteStorage(place) : postgresStorage(place, { schema })
const storage = spied(opened, () => {
  if (isBegun && ++seen === last) process.kill(process.pid, 'SIGKILL')
})
const api = createSiteApi({ storage, profile: full, url: 'https://quay.example' })
await api.call('GET', '/cms/v2/posts')
isBegun = true
await api.site.releases[action === 'undo' ? 'undo' : 'publish'](Number(release))
isBegun = false
await api.close()
