/** A relaunch by three people: Ada leads it, Wren writes, Sam looks after the site meanwhile, reads all, and approves. */
import { createSiteApi, full, isApiError } from 'site-api'
import { createSitePages } from 'site-api/pages'
import { memoryStorage } from 'site-api/storage/memory'

const url = 'https://example.com'
const clock = () => Date.parse('2026-11-20T10:00:00Z')
const releases = { needsApproval: true }
const api = createSiteApi({ storage: memoryStorage(), profile: full, url, clock, releases })
const pages = createSitePages(api)
const userOf = async (login: string, role: string) =>
  (await api.site.users.create({ login, email: `${login}@example.com`, roles: [role] })).id
const ada = await userOf('ada', 'administrator')
const wren = await userOf('wren', 'editor')
const sam = await userOf('sam', 'editor')
const refusalOf = (error: unknown) => (isApiError(error) ? `${error.status} ${error.code}` : String(error))

const content = '<p>The ferry leaves at six.</p>\n<p>Tickets are sold on the pier.</p>'
const ferry = { title: 'The ferry', slug: 'ferry', status: 'publish', content } as const
const { id } = (await api.call('POST', '/cms/v2/pages', ferry, { as: ada })).data
const path = '/cms/v2/pages/{id}'
const textOf = async (options: { release?: number }) =>
  (await api.call('GET', path, { id, context: 'edit' }, { as: ada, ...options })).data.content?.raw

// Ada opens the release. Her own share is the name of the site.
const { id: release } = await api.site.releases.create('Relaunch', { as: ada })
await api.call('POST', '/cms/v2/settings', { title: 'Pier and ferry' }, { as: ada, release })

// Wren locks the page, so that writes of others to it are refused.
await api.call('POST', '/site-api/v1/locks/{id}', { id }, { as: wren })
const mine = { id, title: 'The new ferry', content: content.replace('on the pier', 'on board') }
await api.call('POST', path, mine, { as: wren, release })
console.log('sam:', await api.call('POST', path, { id, title: 'Ferries' }, { as: sam }).catch(refusalOf))
await api.call('DELETE', '/site-api/v1/locks/{id}', { id }, { as: wren })

// The timetable changes meanwhile, and Sam tells the readers at once: the release has it too, merged with what Wren has written.
await api.call('POST', path, { id, content: content.replace('six', 'seven') }, { as: sam })
console.log('the site:', await textOf({}))
console.log('the release:', await textOf({ release }))

// A link shows the relaunch to people without an account.
const { data: preview } = await api.call(
  'POST',
  '/site-api/v1/releases/{id}/previews',
  { id: release, days: 2 },
  { as: ada },
)
const opened = await pages.fetch(new Request(preview.url))
const cookie = String(opened.headers.get('set-cookie')).split(';')[0] ?? ''
const titleOf = async (headers: { cookie?: string }) =>
  /<title>([^<]*)/.exec(await (await pages.fetch(new Request(`${url}/ferry/`, { headers }))).text())?.[1]
console.log('with the link:', await titleOf({ cookie }))
console.log('without it:', await titleOf({}))

// Publishing needs the approval of a second person.
const setState = (state: 'in_review' | 'approved', as: number) =>
  api.call('POST', '/site-api/v1/releases/{id}', { id: release, state }, { as })
await setState('in_review', ada)
console.log('ada publishes:', await api.site.releases.publish(release, { as: ada }).catch(refusalOf))
console.log('ada approves:', await setState('approved', ada).catch(refusalOf))
await setState('approved', sam)

const published = await api.site.releases.publish(release, { as: ada })
console.log(published.release.state, '|', await titleOf({}), '|', await textOf({}))

// The new ferry is late, so the old site comes back, with the time that Sam has changed.
const undone = await api.site.releases.undo(release, { as: ada })
console.log(undone.release.state, '|', await titleOf({}), '|', await textOf({}))
await api.close()
