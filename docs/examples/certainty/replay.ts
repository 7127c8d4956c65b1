/** Records two requests, for `site-api replay`. */
import { createSiteApi, full } from 'site-api'
import { sqliteStorage } from 'site-api/storage/sqlite'

const url = 'https://example.com'
const api = createSiteApi({ storage: sqliteStorage('site.db'), profile: full, url, record: 'requests.jsonl' })
const post = { title: 'Tide', status: 'publish', password: 'a secret' } as const
const { data } = await api.call('POST', '/cms/v2/posts', post, { as: 'system' })
await api.call('GET', '/cms/v2/posts/{id}', { id: data.id, password: 'a secret' })
await api.close()
