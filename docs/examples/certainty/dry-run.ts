/** Tries writes: the answer, the changes and the calls outside, and nothing of it happens. */
import { createSiteApi, type DryRunReport, full } from 'site-api'
import { createClient } from 'site-api/client'
import { memoryStorage } from 'site-api/storage/memory'

const mail = { send: () => console.log('a mail is sent') }
const api = createSiteApi({ storage: memoryStorage(), profile: full, url: 'https://example.com', services: { mail } })
const wren = await api.site.users.create({ login: 'wren', roles: ['editor'] })
const { data: post } = await api.call('POST', '/cms/v2/posts', { title: 'Tide', status: 'draft' }, { as: wren.id })

const path = '/cms/v2/posts/{id}'
const change = { id: post.id, title: 'Ebb', status: 'publish' } as const
const tried = await api.call('POST', path, change, { as: wren.id, dryRun: true })
console.log(tried.status, tried.data.link)
if (tried.dryRun) show(tried.dryRun)

const { data: read } = await api.call('GET', path, { id: post.id, context: 'edit' }, { as: wren.id })
console.log('still', read.title.raw, read.status)

const client = createClient<typeof full>({ api, as: wren.id })
const removed = await client.delete(path, { id: post.id, force: true }, { dryRun: true })
if (removed.dryRun) show(removed.dryRun)

const { result, changes } = await api.site.dryRun((site) => site.users.create({ login: 'sam', roles: ['author'] }))
console.log(`${result.login} would be user ${changes[0]?.record.id}`)

await api.close()

function show({ changes, events, outside, complete }: DryRunReport) {
  for (const { record, before, after } of changes) {
    const kind = before === null ? 'new' : after === null ? 'gone' : 'changed'
    console.log(
      `${kind}: ${record.store} ${record.id} ${record.type ?? ''} ${record.key ?? record.taxonomy ?? ''}`.trim(),
    )
  }
  console.log(events.map(({ name }) => name).join(', '), outside.length, complete)
}
