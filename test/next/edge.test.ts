/** A route of Next's edge runtime over memory storage: the program of the runtimes check, built with both bundlers. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { build, bundlers, resetApplication, start, writeFiles } from './application.ts'

const siteProgram = readFileSync(join(import.meta.dirname, '../package/site-program.js'), 'utf8')

const site = `import { createSiteApi, d1 } from 'site-api'
import { createNextHandlers } from 'site-api/next'
import { memoryStorage } from 'site-api/storage/memory'

const api = createSiteApi({ storage: memoryStorage(), profile: d1, url: 'https://quay.example' })

export const runtime = 'edge'
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createNextHandlers(api)
`

const check = `import * as site from 'site-api'
import { memoryStorage } from 'site-api/storage/memory'
import { answersOf, expected } from '../../site-program.js'

export const runtime = 'edge'
export async function GET() {
  return Response.json({
    runtime: EdgeRuntime,
    expected,
    answers: [
      await answersOf(site, memoryStorage(), site.d1),
      await answersOf(site, memoryStorage(), site.d2),
    ],
  })
}
`

/** As in docs/runtimes.md: webpack follows imports of `node:fs` and the like, which the code of the edge runtime never reaches. */
const config = `import type { NextConfig } from 'next'

const config: NextConfig = {
  webpack(config, { nextRuntime }) {
    if (nextRuntime === 'edge') config.externals.unshift(withoutNode)
    return config
  },
}

type Found = (error?: Error, external?: string) => void
const withoutNode = ({ request }: { request?: string }, found: Found) =>
  request?.startsWith('node:') ? found(undefined, 'var {}') : found()

export default config
`

beforeEach(() => {
  resetApplication()
  writeFiles({
    // Without the template's cached components, which refuse routes of the edge runtime.
    'next.config.ts': config,
    'site-program.js': siteProgram,
    'app/api/[[...path]]/route.js': site,
    'app/check/route.js': check,
  })
})

test.each(bundlers)(
  'a route of the edge runtime lists, refuses, signs in and writes, built with %s',
  async (bundler) => {
    await build(bundler)
    const home = await start()
    const found = await fetch(`${home}/check`)
    // The cast: what the route above answers.
    const { runtime, expected, answers } = (await found.json()) as { [name: string]: readonly unknown[] }
    expect(runtime).toBe('edge-runtime')
    expect(expected).toContain('author writes 201')
    expect(answers).toEqual([expected, expected])
    const posts = await fetch(`${home}/api/cms/v2/posts?per_page=5`)
    expect([posts.status, posts.headers.get('x-cms-total'), await posts.json()]).toEqual([200, '0', []])
    const wrong = await fetch(`${home}/api/cms/v2/posts?per_page=1000`)
    expect([wrong.status, await wrong.json()]).toMatchObject([400, { code: 'rest_invalid_param' }])
  },
)
