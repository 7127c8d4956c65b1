/** Runs the storages in Bun processes: SQLite through `bun:sqlite`, PostgreSQL through the same `pg`. */
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
import { exitCode, isSqlite, longTimeout, openFile, temporaryFile } from './sqlite/file.ts'

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

  for (const caseName of [...conformanceCases.map((each) => each.name), 'agreement']) {
    test(caseName, (context) => {
      const { failure, skipped } = results.get(caseName) ?? { failure: 'the case did not run' }
      expect(failure).toBeUndefined()
      // The storage lacks an optional method, which the reason names; Node skips the same case.
      if (skipped) context.skip(skipped)
    })
  }
})

describe.runIf(isSqlite)('a SQLite file under Bun', () => {
  test('opens in one bundle under both runtimes', longTimeout, async () => {
    const file = temporaryFile()
    const bundle = join(dirname(file), 'bundle.mjs')
    const entryPoints = [script('sqlite/process.ts')]
    await build({ entryPoints, outfile: bundle, bundle: true, format: 'esm', platform: 'node' })
    expect((await runBun(bundle, ['open', file])).code).toBe(0)
    const underNode = spawn(process.execPath, ['--no-warnings', bundle, 'leave', file], { stdio: 'inherit' })
    expect(await exitCode(underNode)).toBe(0)
    expect(await findPosts(openFile(file), { limit: 1000 })).toHaveLength(301)
  })

  test('has every acknowledged write after its process was killed, and Node reads it', longTimeout, async () => {
    const file = temporaryFile()
    const writer = await startBun(script('sqlite/process.ts'), ['write', file])
    await writer.waitForLines(50)
    await writer.end('SIGKILL')
    const stored = new Set(await findPosts(openFile(file), { limit: 1_000_000 }))
    expect(writer.lines.filter((id) => !stored.has(Number(id)))).toEqual([])
  })

  test('is closed completely', longTimeout, async () => {
    const file = temporaryFile()
    expect((await runBun(script('sqlite/process.ts'), ['open', file])).code).toBe(0)
    // The last connection to close removes the log; an open statement would keep it.
    expect([existsSync(file), existsSync(`${file}-wal`)]).toEqual([true, false])
    expect(await findPosts(openFile(file))).toEqual([1])
  })

  test('is written in turn by two storages, each of which sees the commits of the other', longTimeout, async () => {
    const { out } = await runBun(script('sqlite/process.ts'), ['share', temporaryFile()])
    expect(JSON.parse(out)).toEqual({ ids: [[1], [2]], hasChanged: true })
  })

  test('does not keep an idle process alive', longTimeout, async () => {
    expect((await runBun(script('sqlite/process.ts'), ['leave', temporaryFile()])).code).toBe(0)
  })
})
