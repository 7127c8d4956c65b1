/**
 * Tests the api that the process keeps for Next: in production the first one, in development one that follows its
 * options.
 */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createNextHandlers, keepApi } from '../../adapters/next.ts'
import { createSiteApi, d1, type SiteApi, type SiteApiOptions } from '../../src/index.ts'
import { memoryStorage } from '../../src/storage/memory/index.ts'

let name = ''
let closed: string[] = []
beforeEach(() => {
  name = crypto.randomUUID()
  closed = []
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

/** Runs the host's module once. */
const runModule = (more: Partial<SiteApiOptions> = {}): SiteApi =>
  keepApi(
    { storage: memoryStorage(), profile: d1, url: 'https://quay.example', ...more },
    (options) => {
      const api = createSiteApi(options)
      const close = async () => {
        closed.push(options.url ?? '')
        await api.close()
      }
      return { ...api, close }
    },
    name,
  )

async function statusOf(api: SiteApi, path: string): Promise<number> {
  const context = { params: Promise.resolve({ path: path.split('/') }) }
  return (await createNextHandlers(api).GET(new Request(`https://quay.example/api/${path}`), context)).status
}

test('each run of the module has the same api', async () => {
  const first = runModule()
  await first.call('POST', '/cms/v2/posts', { title: 'Tide', status: 'publish' }, { as: 'system' })
  const { data } = await runModule().call('GET', '/cms/v2/posts')
  expect(data).toMatchObject([{ slug: 'tide' }])
  expect(runModule()).toBe(first)
})

test('in production other options change nothing', async () => {
  vi.stubEnv('NODE_ENV', 'production')
  const first = runModule()
  const second = runModule({ docs: true })
  expect([second === first, await statusOf(second, 'docs'), closed]).toEqual([true, 404, []])
})

test('in development other options take effect wherever the api is used, and the api before is closed', async () => {
  vi.stubEnv('NODE_ENV', 'development')
  const log = vi.spyOn(console, 'info').mockReturnValue()
  const first = runModule()
  expect(await statusOf(first, 'docs')).toBe(404)
  const second = runModule({ docs: true, url: 'https://pier.example' })
  expect([await statusOf(first, 'docs'), await statusOf(second, 'docs')]).toEqual([200, 200])
  expect(closed).toEqual(['https://quay.example'])
  runModule({ docs: true, url: 'https://pier.example' })
  expect(log.mock.calls).toEqual([['site-api: the options changed, so the api was made anew']])
  expect(closed).toHaveLength(1)
})

test('a profile with another route is another option', async () => {
  vi.stubEnv('NODE_ENV', 'development')
  vi.spyOn(console, 'info').mockReturnValue()
  const api = runModule()
  expect(await statusOf(api, 'cms/v2/posts')).toBe(200)
  runModule({ profile: { ...d1, features: d1.features.filter((feature) => feature.name !== 'posts') } })
  expect(await statusOf(api, 'cms/v2/posts')).toBe(404)
})

test('wrong options in development throw, and the api stays', async () => {
  vi.stubEnv('NODE_ENV', 'development')
  const api = runModule()
  expect(() => runModule({ url: 'quay' })).toThrow(/url/)
  expect([await statusOf(api, 'cms/v2/posts'), closed]).toEqual([200, []])
})
