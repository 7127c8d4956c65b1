/** CPU profiles for missed targets: the shares of functions in our side alone. */
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { measureCase, start } from './contenders.ts'
import { loadOurs } from './http.ts'
import type { Measured } from './targets.ts'

export interface Share {
  readonly name: string
  /** Percent of the busy time of the process. */
  readonly percent: number
}

interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string }
  }[]
  readonly samples: readonly number[]
}

const seconds = 3

/** The functions with the largest shares, without those called from them, without start and idle time. */
export async function profileOf(measured: Measured): Promise<readonly Share[]> {
  const folder = mkdtempSync(join(tmpdir(), 'site-api-profile-'))
  try {
    const flags = ['--cpu-prof', `--cpu-prof-dir=${folder}`]
    if ('server' in measured) await loadOurs(measured.server, flags, seconds)
    else await runContender(measured, flags)
    const [file] = readdirSync(folder)
    if (file === undefined) return []
    return sharesIn(JSON.parse(readFileSync(join(folder, file), 'utf8')) as CpuProfile)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function runContender(measured: Exclude<Measured, { server: string }>, flags: readonly string[]): Promise<void> {
  const file = fileURLToPath(new URL(measured.file, import.meta.url))
  const { child } = await start(file, measured.contender, flags)
  await measureCase(child, { name: measured.case, seconds })
  child.disconnect()
  await once(child, 'exit')
}

const ignored = /^\((?:idle|program|root)\)|node:internal\/(?:modules|main|bootstrap)|amaro|wasm/

function sharesIn({ nodes, samples }: CpuProfile): Share[] {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]))
  const counts = new Map<string, number>()
  let total = 0
  for (const sample of samples) {
    const name = names.get(sample) ?? ''
    if (ignored.test(name)) continue
    total++
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, 8)
    .map(([name, count]) => ({ name, percent: (100 * count) / total }))
}

function nameOf({ functionName, url }: CpuProfile['nodes'][number]['callFrame']): string {
  const location = url.replace(/^.*\/(?=(?:src|adapters|bench|node_modules)\/)/, '')
  return `${functionName === '' ? '(anonymous)' : functionName} ${location}`.trim()
}
