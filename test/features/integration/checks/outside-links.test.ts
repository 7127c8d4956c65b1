/** Links to elsewhere are asked for by a task beside requests, a few at a time, and findings follow from its answers. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { full } from '../../../../src/profiles/full.ts'
import { createTestPages, type TestPages } from '../../../site-pages/pages.ts'
import { failuresOf, type Requester } from '../../../support/site.ts'

const day = 86_400_000
const answers = new Map<string, number | string>()
const asked: string[] = []
let atOnce = 0
let mostAtOnce = 0
const outbound = {
  get: async (url: string) => {
    asked.push(url)
    atOnce++
    mostAtOnce = Math.max(mostAtOnce, atOnce)
    await Promise.resolve()
    atOnce--
    const answer = answers.get(new URL(url).pathname) ?? 200
    if (typeof answer === 'string') throw Object.assign(new Error('not reached'), { code: answer })
    return { url, status: answer, contentType: 'text/html', body: new Uint8Array() }
  },
}

let site: TestPages
let ada: Requester
beforeEach(async () => {
  asked.length = 0
  answers.clear()
  site = await createTestPages({
    profile: full,
    publishing: { linksEveryMs: day },
    services: { outbound },
  })
  ada = site.as('ada')
})
afterEach(async () => {
  expect(failuresOf(site)).toEqual([])
  await site.dispose()
})

const link = (path: string) => `<p><a href="https://elsewhere.example${path}">there</a></p>`
const post = async (content: string, values: object = {}): Promise<number> =>
  (await ada('POST', '/cms/v2/posts', { body: { title: 'Links', status: 'publish', content, ...values } })).body.id
const problems = async (id: number): Promise<string[]> => {
  const { body } = await ada('GET', `/site-api/v1/checks/post:${id}`)
  const found = body.findings.filter(({ code }: { code: string }) => code === 'dead-outside-link')
  return found.map(({ message }: { message: string }) => message)
}
/** Runs the task until nothing is due. */
async function settle(): Promise<void> {
  for (let run = 0; run < 12; run++) {
    await site.api.site.runDue()
    site.clock.now += 1001
  }
}

test('finds links whose server says that nothing is there, or that can not be reached', async () => {
  answers.set('/gone', 404).set('/busy', 429).set('/private', 'refused').set('/late', 'timeout')
  const id = await post(['/gone', '/busy', '/private', '/late', '/fine'].map(link).join(''))
  await settle()
  const before = asked.length
  expect(await problems(id)).toEqual([
    'The link to https://elsewhere.example/gone leads nowhere: it is answered with 404.',
    'The link to https://elsewhere.example/private leads nowhere: it is no public address.',
    'The link to https://elsewhere.example/late leads nowhere: it does not answer in time.',
  ])
  expect(asked.filter((url) => url.endsWith('/gone'))).toHaveLength(1)
  // The check itself sends no request.
  expect(asked).toHaveLength(before)
})

test('asks for an address once for all records, a few at a time, again after a day, and not when nobody links it any more', async () => {
  const paths = Array.from({ length: 8 }, (_, at) => `/page-${at}`)
  const first = await post(paths.map(link).join(''))
  await post(link('/page-0'))
  await ada('POST', '/cms/v2/posts', { body: { title: 'A draft', content: link('/draft') } })
  await settle()
  expect(mostAtOnce).toBe(1)
  const own = () => asked.filter((url) => url.includes('elsewhere.example/')).sort()
  expect(own()).toEqual(paths.map((path) => `https://elsewhere.example${path}`))

  asked.length = 0
  await settle()
  expect(own()).toEqual([])
  answers.set('/page-0', 410)
  await ada('POST', `/cms/v2/posts/${first}`, { body: { content: link('/page-0') } })
  site.clock.now += day
  await settle()
  expect(own()).toEqual(['https://elsewhere.example/page-0'])
  expect(await problems(first)).toHaveLength(1)

  await ada('DELETE', `/cms/v2/posts/${first}`, { query: { force: true } })
  asked.length = 0
  site.clock.now += day
  await settle()
  expect(own()).toEqual(['https://elsewhere.example/page-0'])
})

test('asks for nothing where the host does not say how often', async () => {
  await site.dispose()
  site = await createTestPages({ profile: full, services: { outbound } })
  await site.as('ada')('POST', '/cms/v2/posts', { body: { title: 'One', status: 'publish', content: link('/') } })
  await site.api.site.runDue()
  expect(asked.filter((url) => url.includes('elsewhere.example'))).toEqual([])
})
