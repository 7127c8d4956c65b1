/** How long a process takes from createSiteApi to its first answer; each time in a process that has done nothing yet. */
import { fileURLToPath } from 'node:url'
import { answer, spawnPinned } from './contenders.ts'
import { innerGet } from './inner-get.ts'
import type { BenchOptions } from './options.ts'
import { tell } from './progress.ts'

export interface StartFigures {
  /** Milliseconds of createSiteApi, by round. */
  readonly create: number[]
  /** Milliseconds of the first request, by round. */
  readonly first: number[]
}

export const profileNames = ['d1', 'd2'] as const

export async function measureStarts({ rounds }: BenchOptions): Promise<{ readonly [profile: string]: StartFigures }> {
  const figures = Object.fromEntries(profileNames.map((name) => [name, { create: [], first: [] } as StartFigures]))
  for (let round = 1; round <= rounds; round++) {
    for (const [name, { create, first }] of Object.entries(figures)) {
      tell(`round ${round} of ${rounds}: ${name}`)
      const child = spawnPinned(0, fileURLToPath(import.meta.url), [name])
      const [created, answered] = (await answer(child)) as [number, number]
      create.push(created)
      first.push(answered)
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

const [, own, name] = process.argv
if (name && own === import.meta.filename && process.send) {
  process.on('disconnect', () => process.exit())
  process.send(await startOnce(name))
}
