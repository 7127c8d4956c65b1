/** The time from createSiteApi to the first response, each time in a new process. */
import { fileURLToPath } from 'node:url'
import { nextMessage, spawnPinned } from './contenders.ts'
import { innerGet } from './inner-get.ts'
import type { BenchOptions } from './options.ts'
import { showProgress } from './progress.ts'

export interface StartFigures {
  /** Milliseconds of createSiteApi, by round. */
  readonly create: number[]
  /** Milliseconds of the first request, by round. */
  readonly first: number[]
}

const profileNames = ['d1', 'd2'] as const

export async function measureStarts({ rounds }: BenchOptions): Promise<{ readonly [profile: string]: StartFigures }> {
  const figures = Object.fromEntries(profileNames.map((name) => [name, { create: [], first: [] } as StartFigures]))
  for (let round = 1; round <= rounds; round++) {
    for (const [name, { create, first }] of Object.entries(figures)) {
      showProgress(`round ${round} of ${rounds}: ${name}`)
      const child = spawnPinned(0, fileURLToPath(import.meta.url), [name])
      const [createMs, firstMs] = (await nextMessage(child)) as [number, number]
      create.push(createMs)
      first.push(firstMs)
      child.disconnect()
    }
  }
  return figures
}

async function startOnce(name: string): Promise<readonly [create: number, first: number]> {
  const { createSiteApi, d1, d2 } = await import('../src/index.ts')
  const { memoryStorage } = await import('../src/storage/memory/index.ts')
  const storage = memoryStorage()
  const begin = performance.now()
  const api = createSiteApi({ storage, profile: name === 'd1' ? d1 : d2, url: 'https://quay.example' })
  const created = performance.now()
  await innerGet(api, '/api/cms/v2/posts?per_page=5&search=harbour')
  return [created - begin, performance.now() - created]
}

const [, script, name] = process.argv
if (name && script === import.meta.filename && process.send) {
  process.on('disconnect', () => process.exit())
  process.send(await startOnce(name))
}
