/** docs/examples/sign-in-library.ts, and what the log says of ids that are no user of the site. */
import { expect, test } from 'vitest'
import { createApi } from '../../docs/examples/sign-in-library.ts'
import { createSiteApi } from '../../src/host/create-site-api.ts'
import { full } from '../../src/profiles/full.ts'
import { memoryStorage } from '../../src/storage/memory/index.ts'

const me = (cookie: string) => new Request('http://localhost/api/cms/v2/users/me', { headers: { cookie } })

test('a person of a library gets one user of the site, also by requests at once', async () => {
  const person = { id: '8e03978e-40d5', name: 'Ada Lind', email: 'ada@quay.example' }
  const api = createApi(memoryStorage(), {
    api: { getSession: async ({ headers }) => (headers.get('cookie') === 'session=1' ? { user: person } : null) },
  })
  const answers = await Promise.all([1, 2, 3].map(async () => (await api.fetch(me('session=1'))).json()))
  expect(answers).toEqual([1, 2, 3].map(() => expect.objectContaining({ id: answers[0].id, name: 'Ada Lind' })))
  expect(await api.site.users.list()).toHaveLength(1)
  expect((await api.fetch(me(''))).status).toBe(401)
  await api.close()
})

test('an id that is no user of the site is said in the log, once a minute', async () => {
  let answer: unknown = '8e03978e-40d5'
  const clock = { now: Date.now() }
  const said: string[] = []
  const api = createSiteApi({
    storage: memoryStorage(),
    profile: full,
    clock: () => clock.now,
    log: { error: (message) => void said.push(message) },
    // The cast: a host without types returns what its library has.
    authenticate: () => answer as number,
  })
  const status = async () => (await api.fetch(new Request('http://localhost/api/cms/v2/posts'))).status
  expect([await status(), await status()]).toEqual([200, 200])
  answer = 77
  clock.now += 61_000
  expect(await status()).toBe(401)
  answer = null
  clock.now += 61_000
  expect(await status()).toBe(200)
  expect(said).toEqual([
    'authenticate returned the text "8e03978e-40d5", which is not the id of a user of this site',
    'authenticate returned 77, which is not the id of a user of this site',
  ])
  await api.close()
})
