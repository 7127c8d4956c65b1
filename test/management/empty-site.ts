/** An empty site of the profile `full`, for one test. */
import { expect, onTestFinished } from 'vitest'
import { full } from '../../src/profiles/full.ts'
import { createTestSite } from '../support/site.ts'

export async function openEmptySite() {
  const site = await createTestSite({ profile: full, seed: false })
  onTestFinished(async () => {
    expect(site.failures).toEqual([])
    await site.dispose()
  })
  return site.api
}
