/**
 * Thousands of generated requests to every route of both profiles. None fails, and none passes the storage a value
 * outside its contract. `FUZZ_SEED` and `FUZZ_RUNS` choose other or more requests; `FUZZ_REPORT=1` says how long the slowest took.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { d1 } from '../../src/profiles/d1.ts'
import { d2 } from '../../src/profiles/d2.ts'
import { casesOf } from '../support/generated-cases.ts'
import { baseUrl, basic, createTestSite, type TestSite } from '../support/site.ts'
import { deferred, spied } from '../support/spied-storage.ts'
import { mistyped } from './contract-shapes.ts'
import { type GeneratedRequest, requestsTo } from './generated-requests.ts'

const runs = Number(process.env.FUZZ_RUNS ?? casesOf(1100, 1 / 4))
const seed = Number(process.env.FUZZ_SEED ?? 20240615)

const unhandled: unknown[] = []
const note = (reason: unknown) => void unhandled.push(reason)
beforeAll(() => void process.on('unhandledRejection', note))
afterAll(() => void process.off('unhandledRejection', note))

/** The post with revisions occurs more often than others, so that some requests reach revisions. */
const idsOf = ({ ids }: TestSite): number[] =>
  Object.entries(ids).flatMap(([key, id]) =>
    key === 'post.hello' ? [id, id, id] : /^(?:post|revision)\./.test(key) ? [id] : [],
  )

/** No failure, and a JSON body; an error has a code and a message. */
function expectWellFormed({ method, path }: GeneratedRequest, { status, headers }: Response, text: string): void {
  // Recorded: a delete without force of a record that has no trash is 501.
  if (status !== 501) expect(status).toBeLessThan(500)
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  if (method === 'HEAD' || text === '') return
  // The consent page, the docs page, and avatars.
  if (/^(?:text\/html|image\/)/.test(headers.get('content-type') ?? '')) return
  const value = JSON.parse(text)
  // Interface: cross-sell wraps errors in its own envelope.
  if (path.startsWith('/crosssell/v1/') && value.success === false) return
  if (status >= 400) expect(value).toMatchObject({ code: expect.any(String), message: expect.any(String) })
}

describe.each([
  ['d1', d1, 'that responds synchronously where it can', <T>(storage: T) => storage],
  ['d2', d2, 'that always responds with promises', deferred],
])('profile %s', (_, profile, kind, wrapStorage) => {
  let site: TestSite
  const wrong: string[] = []
  const tally = new Map<number, number>()
  let slowestMs = 0

  beforeAll(async () => {
    site = await createTestSite({
      profile,
      storage: (storage) =>
        spied(wrapStorage(storage), (context) => {
          const problem = mistyped(context)
          if (problem) wrong.push(problem)
        }),
    })
    // Ignores the writes of the seed.
    wrong.length = 0
  })
  afterAll(() => site.dispose())

  async function send({ login, method, path, type, body }: GeneratedRequest): Promise<Response> {
    return site.api.fetch(
      new Request(`${baseUrl}${site.api.root}${path}`, {
        method,
        headers: {
          ...(login ? { authorization: basic(login) } : {}),
          ...(type === undefined ? {} : { 'content-type': type }),
        },
        ...(body === undefined ? {} : { body }),
      }),
    )
  }

  test(
    `handles ${runs} requests without failures on a storage ${kind}`,
    async () => {
      const property = fc.asyncProperty(requestsTo(profile, idsOf(site)), async (request) => {
        wrong.length = 0
        const started = performance.now()
        const response = await send(request)
        const text = await response.text()
        slowestMs = Math.max(slowestMs, performance.now() - started)
        tally.set(response.status, (tally.get(response.status) ?? 0) + 1)
        expect({ request, wrong, failures: site.failures, unhandled }).toEqual({
          request,
          wrong: [],
          failures: [],
          unhandled: [],
        })
        expectWellFormed(request, response, text)
      })
      await fc.assert(property, { seed, numRuns: runs, endOnFailure: true })
      if (process.env.FUZZ_REPORT) console.info(`${runs} requests, the slowest took ${Math.ceil(slowestMs)} ms`)
      // Most requests have to get past the argument checks.
      const share = (...statuses: number[]) =>
        statuses.reduce((sum, status) => sum + (tally.get(status) ?? 0), 0) / runs
      expect(share(200, 201, 207)).toBeGreaterThan(0.3)
      expect(share(201)).toBeGreaterThan(0.01)
      expect(share(403)).toBeGreaterThan(0.02)
    },
    Math.max(60_000, runs * 20),
  )

  test('the site can still be read, exported and seeded from its export', async () => {
    const { status } = await site.as('ada')('GET', '/cms/v2/posts', {
      query: 'context=edit&status=any,trash&per_page=100&_embed=1',
    })
    expect(status).toBe(200)
    const fresh = await createTestSite({ profile, seed: await site.api.site.export() })
    await fresh.dispose()
    expect(site.failures).toEqual([])
  })
})
