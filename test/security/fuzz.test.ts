/**
 * QV-04: thousands of generated requests to every route of both profiles. None fails, and none hands the storage a value
 * that its contract does not know. `FUZZ_SEED` and `FUZZ_RUNS` make other or more of them.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { d1 } from '../../src/profiles/d1.ts'
import { d2 } from '../../src/profiles/d2.ts'
import { baseUrl, basic, createTestSite, type TestSite } from '../support/site.ts'
import { mistyped } from './contract-shapes.ts'
import { type GeneratedRequest, requestsTo } from './generated-requests.ts'
import { deferred, spied } from './spied-storage.ts'

const runs = Number(process.env.FUZZ_RUNS ?? 1100)
const seed = Number(process.env.FUZZ_SEED ?? 20240615)

const unhandled: unknown[] = []
const note = (reason: unknown) => void unhandled.push(reason)
beforeAll(() => void process.on('unhandledRejection', note))
afterAll(() => void process.off('unhandledRejection', note))

/** The post with saved versions comes up more often than others, so that some of them are met. */
const idsOf = ({ ids }: TestSite): number[] =>
  Object.entries(ids).flatMap(([key, id]) =>
    key === 'post.hello' ? [id, id, id] : /^(?:post|revision)\./.test(key) ? [id] : [],
  )

describe.each([
  ['d1', d1, 'that answers at once where it can', <T>(storage: T) => storage],
  ['d2', d2, 'that always answers later', deferred],
])('QV-04: %s', (_, profile, _kind, slowed) => {
  let site: TestSite
  const wrong: string[] = []
  const tally = new Map<number, number>()

  beforeAll(async () => {
    site = await createTestSite({
      profile,
      storage: (storage) =>
        spied(slowed(storage), (context) => {
          const problem = mistyped(context)
          if (problem) wrong.push(problem)
        }),
    })
    // What the site itself wrote for the start is no business of this test.
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
    `answers ${runs} requests on a storage ${_kind}`,
    async () => {
      const property = fc.asyncProperty(requestsTo(profile, idsOf(site)), async (request) => {
        wrong.length = 0
        const answer = await send(request)
        const text = await answer.text()
        tally.set(answer.status, (tally.get(answer.status) ?? 0) + 1)
        expect({ request, wrong, failures: site.failures, unhandled }).toEqual({
          request,
          wrong: [],
          failures: [],
          unhandled: [],
        })
        // Recorded: what can't be put in a trash says 501.
        if (answer.status !== 501) expect(answer.status).toBeLessThan(500)
        expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
        if (request.method === 'HEAD' || text === '') return
        // Pages for people.
        if (answer.headers.get('content-type')?.startsWith('text/html')) return
        const value = JSON.parse(text)
        // Interface: cross-sell says in an envelope of its own what went wrong.
        if (request.path.startsWith('/crosssell/v1/') && value.success === false) return
        if (answer.status >= 400) expect(value).toMatchObject({ code: expect.any(String), message: expect.any(String) })
      })
      await fc.assert(property, { seed, numRuns: runs, endOnFailure: true })
      // Requests that are all refused at the door would prove nothing.
      const share = (...statuses: number[]) =>
        statuses.reduce((sum, status) => sum + (tally.get(status) ?? 0), 0) / runs
      expect(share(200, 201, 207)).toBeGreaterThan(0.3)
      expect(share(201)).toBeGreaterThan(0.01)
      expect(share(403)).toBeGreaterThan(0.02)
    },
    Math.max(60_000, runs * 20),
  )

  test('the site can be read and taken out afterwards', async () => {
    const { status } = await site.as('ada')('GET', '/cms/v2/posts', {
      query: 'context=edit&status=any,trash&per_page=100&_embed=1',
    })
    expect(status).toBe(200)
    const fresh = await createTestSite({ profile, seed: await site.api.site.export() })
    await fresh.dispose()
    expect(site.failures).toEqual([])
  })
})
