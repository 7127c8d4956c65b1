/** Scheduled tasks that no request waits for. */
import { afterEach, expect, test } from 'vitest'
import { feature } from '../../../src/core/declare/feature.ts'
import { profile } from '../../../src/core/declare/profile.ts'
import { posts } from '../../../src/features/content/posts/index.ts'
import { toolFeatures } from '../../../src/profiles/tools.ts'
import { createTestSite, type TestSite } from '../../support/site.ts'

let site: TestSite
afterEach(() => site.dispose())

/** After the timers that are due. */
const turn = () => new Promise((resolve) => setTimeout(resolve))

/** A site with a task that is due all the time; each run of it is given to `run`. */
async function openWith(run: () => Promise<void>): Promise<void> {
  const waiting = feature('waiting', 'cms/v2', [], { scheduledTask: { mayWait: true, dueAt: () => undefined, run } })
  site = await createTestSite({
    profile: profile({ name: 'waiting', gmtOffset: 'text', features: [...toolFeatures, posts, waiting] }),
  })
}

test('a task that takes long is begun once, however many requests find it due', async () => {
  let begun = 0
  const end = Promise.withResolvers<void>()
  await openWith(() => {
    begun++
    return end.promise
  })
  for (let count = 0; count < 20; count++) {
    expect((await site.visitor('GET', '/')).status).toBe(200)
    await turn()
  }
  expect(begun).toBe(1)
  end.reject(new Error('the disk is away'))
  await turn()
  await turn()
  expect(begun).toBe(1)
})
