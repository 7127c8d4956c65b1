/** Reads a page as it was, tells what has changed since, and restores it. */
import { createSiteApi, full } from 'site-api'
import { memoryStorage } from 'site-api/storage/memory'

const marks = {
  same: (text: string) => text,
  removed: (text: string) => `[-${text}-]`,
  added: (text: string) => `[+${text}+]`,
}
let now = Date.parse('2026-11-20T10:00:00Z')
const clock = () => now
const api = createSiteApi({ storage: memoryStorage(), profile: full, url: 'https://example.com', clock })
const write = { as: 'system' } as const

const { data } = await api.call('POST', '/cms/v2/pages', { title: 'Tides', content: 'Low water at six.' }, write)
const page = { id: data.id, context: 'edit' } as const
now += 60_000
const later = { id: data.id, title: 'Tides and winds', content: 'Low water at seven in the morning.' }
await api.call('POST', '/cms/v2/pages/{id}', later, write)

const then = await api.call('GET', '/cms/v2/pages/{id}', page, { ...write, asOf: '2026-11-20T10:00:00Z' })
console.log('then:', then.data.title.raw)

const { members } = await api.site.history.difference(`post:${data.id}`, '2026-11-20T10:00:00Z')
for (const { sentence, words = [] } of members) {
  console.log(sentence, '|', words.map(({ change, text }) => marks[change](text)).join(''))
}

now += 60_000
const { records } = await api.site.history.restore('2026-11-20T10:00:00Z', { record: `post:${data.id}` })
console.log('restored:', records.join())
await api.site.history.restore('2026-11-20T10:01:00Z')
const after = await api.call('GET', '/cms/v2/pages/{id}', page, write)
console.log('undone:', after.data.title.raw)

await api.close()
