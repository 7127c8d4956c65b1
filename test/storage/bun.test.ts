/** The storages under Bun, in processes of its own: SQLite through `bun:sqlite`, PostgreSQL through the same `pg`. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { beforeAll, describe, expect, test } from 'vitest'
import { findPosts } from '../../src/testing/content.ts'
import { conformanceCases } from '../../src/testing/index.ts'
import { runBun, startBun } from '../support/bun.ts'
import { postgresUrl } from '../support/postgres.ts'
import { exitCode, isSqlite, openFile, patient, temporaryFile } from './sqlite/file.ts'

interface CaseResult {
  readonly name: string
  readonly failure?: string
  readonly skipped?: string | false
}

const project = process.env.TEST_STORAGE ?? 'memory'
const names = project === 'sqlite' ? ['sqlite', 'sqlite-memory'] : [project]
const runs = process.env.AGREEMENT_RUNS ?? '20'
const script = (name: string) => fileURLToPath(new URL(name, import.meta.url))

describe.each(names)('%s under Bun', (name) => {
  const results = new Map<string, CaseResult>()

  beforeAll(async () => {
    const env: { [name: string]: string } = project === 'postgres' ? { TEST_POSTGRES_URL: postgresUrl() } : {}
    const { code, out } = await runBun(script('bun-cases.ts'), [name, runs], env)
    for (const line of out.trim().split('\n')) {
      const result: CaseResult = JSON.parse(line)
      results.set(result.name, result)
    }
    expect(code).toBe(0)
  }, 240_000)

  for (const about of [...conformanceCases.map((each) => each.name), 'agreement']) {
    test(about, (context) => {
      const { failure, skipped } = results.get(about) ?? { failure: 'it was never run' }
      expect(failure).toBeUndefined()
      // For what the storage leaves out, as the same case is skipped under Node; the text names it.
      if (skipped) context.skip(skipped)
    })
  }
})

describe.runIf(isSqlite)('a SQLite file under Bun', () => {
  test('is opened by one bundle under both runtimes', patient, async () => {
    const file = temporaryFile()
    const bundle = join(dirname(file), 'bundle.mjs')
    const entryPoints = [script('sqlite/process.ts')]
    await build({ entryPoints, outfile: bundle, bundle: true, format: 'esm', platform: 'node' })
    expect((await runBun(bundle, ['open', file])).code).toBe(0)
    const underNode = spawn(process.execPath, ['--no-warnings', bundle, 'leave', file], { stdio: 'inherit' })
    expect(await exitCode(underNode)).toBe(0)
    expect(await findPosts(openFile(file), { limit: 1000 })).toHaveLength(301)
  })

  test('holds everything that was answered before its process was killed, and Node reads it', patient, async () => {
    const file = temporaryFile()
    const writer = await startBun(script('sqlite/process.ts'), ['write', file])
    await writer.said(50)
    await writer.end('SIGKILL')
    const stored = new Set(await findPosts(openFile(file), { limit: 1_000_000 }))
    expect(writer.lines.filter((id) => !stored.has(Number(id)))).toEqual([])
  })

  test('is left whole and closed', patient, async () => {
    const file = temporaryFile()
    expect((await runBun(script('sqlite/process.ts'), ['open', file])).code).toBe(0)
    // The last to close a file takes the log away; what was not let go of would leave it.
    expect([existsSync(file), existsSync(`${file}-wal`)]).toEqual([true, false])
    expect(await findPosts(openFile(file))).toEqual([1])
  })

  test('is written in turn by two storages, and each hears of the commits of the other', patient, async () => {
    const { out } = await runBun(script('sqlite/process.ts'), ['share', temporaryFile()])
    expect(JSON.parse(out)).toEqual({ ids: [[1], [2]], isTold: true })
  })

  test('does not keep a process that has nothing more to do', patient, async () => {
    expect((await runBun(script('sqlite/process.ts'), ['leave', temporaryFile()])).code).toBe(0)
  })
})
