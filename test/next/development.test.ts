/** `next dev`: what changes while it runs. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { application, bundlers, copyExample, develop, resetApplication, writeFiles } from './application.ts'

beforeEach(resetApplication)

test.each(bundlers)('with %s, an option that is added shows without a restart', async (bundler) => {
  copyExample('next')
  const { home, output } = await develop(bundler)
  const statusOf = async (path: string) => (await fetch(home + path)).status
  expect([await statusOf('/api/cms/v2/posts'), await statusOf('/'), await statusOf('/api/docs')]).toEqual([
    200, 200, 404,
  ])

  const path = 'site/api.ts'
  const text = readFileSync(join(application, path), 'utf8')
  writeFiles({ [path]: text.replace('profile: d1,', 'profile: d1, docs: true,') })
  await expect.poll(() => statusOf('/api/docs'), { timeout: 60_000 }).toBe(200)
  expect([await statusOf('/api/cms/v2/posts'), await statusOf('/')]).toEqual([200, 200])
  expect(output().match(/the options changed, so the api was made anew/g)).toHaveLength(1)

  writeFiles({ [path]: text.replace('profile: d1,', 'profile: d1, urll: 3,') })
  await expect.poll(() => statusOf('/api/docs'), { timeout: 60_000 }).toBe(500)
  writeFiles({ [path]: text })
  await expect.poll(() => statusOf('/api/docs'), { timeout: 60_000 }).toBe(404)
  expect(await statusOf('/api/cms/v2/posts')).toBe(200)
})
