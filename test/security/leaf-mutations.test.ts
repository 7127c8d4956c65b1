/**
 * Each value of each documented body, replaced by odd ones: no write of any route fails. The gate sends every `LEAF_STEP`-th of them
 * (default 12); `LEAF_STEP=1` sends all.
 */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { full } from '../../src/profiles/full.ts'
import { createPackages } from '../../src/services/packages/index.ts'
import { listed } from '../support/assertion-messages.ts'
import { mutationsOf } from '../support/leaf-mutations.ts'
import { baseUrl, createTestSite, failuresOf } from '../support/site.ts'

const step = Number(process.env.LEAF_STEP ?? 12)
const first = Number(process.env.LEAF_FIRST ?? 0)
const sampleSite = JSON.parse(readFileSync(new URL('../../docs/sample-site.json', import.meta.url), 'utf8'))

/** Recorded: what has no trash and is not forced is 501. An upstream that is not there is 502. */
const isFailure = (status: number) => status >= 500 && status !== 501 && status !== 502

test('no value of a documented body makes a write fail', { timeout: 600_000 }, async () => {
  const site = await createTestSite({
    profile: full,
    seed: sampleSite,
    // Without passwords, so that no mutation locks the administrator out.
    authenticate: ({ header }) => Number(header('x-user')),
    limit: () => 0,
    services: {
      outbound: { get: async (url) => ({ url, status: 404, contentType: 'text/plain', body: new Uint8Array() }) },
      packages: createPackages([{ kind: 'plugin', slug: 'assistant', name: 'Assistant', version: '1.0' }]),
    },
  })
  const administrator = String(site.ids['user.ada'])
  const failed: string[] = []
  const answers = new Map<number, number>()
  for (const { method, path, body, says } of mutationsOf(full, { step, first })) {
    const response = await site.api.fetch(
      new Request(`${baseUrl}${site.api.root}${path}`, {
        method,
        headers: { 'x-user': administrator, 'content-type': 'application/json' },
        body,
      }),
    )
    await response.text()
    answers.set(response.status, (answers.get(response.status) ?? 0) + 1)
    if (isFailure(response.status)) failed.push(`${says} -> ${response.status} ${failuresOf(site).at(-1) ?? ''}`)
    if (failed.length >= 200) break
  }
  await site.dispose()
  if (process.env.LEAF_REPORT) console.info(Object.fromEntries(answers))
  expect(failed, listed('These requests failed:', failed)).toEqual([])
  // The mutations have to get past the sign-in, and many past the argument checks.
  expect(answers.get(401) ?? 0).toBe(0)
  expect(answers.get(400) ?? 0).toBeGreaterThan(100)
  expect((answers.get(200) ?? 0) + (answers.get(201) ?? 0)).toBeGreaterThan(100)
})
