/** DU-01 and DU-02 to DU-04 across processes, in short; `npm run test:crash` takes its time. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { newSchema, postgresPool, postgresUrl } from '../support/postgres.ts'
import { killAgain } from './kills.ts'
import { runTogether } from './concurrent-servers.ts'

const project = process.env.TEST_STORAGE ?? 'memory'
const kills = Number(process.env.CRASH_KILLS ?? 5)
const seconds = Number(process.env.CRASH_SECONDS ?? 4)

function emptyStorage(): string {
  if (project === 'sqlite') {
    const folder = mkdtempSync(join(tmpdir(), 'site-api-crash-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    return `sqlite:${join(folder, 'site.db')}`
  }
  const schema = newSchema()
  onTestFinished(async () => void (await postgresPool().query(`drop schema if exists ${schema} cascade`)))
  return `${postgresUrl()}?schema=${schema}`
}

describe.runIf(project !== 'memory')(`a server on ${project}`, () => {
  test('loses no acknowledged write and halves none when it is killed', { timeout: 240_000 }, async () => {
    const { acknowledged, wrong } = await killAgain({ storage: emptyStorage(), kills })
    expect(wrong).toEqual([])
    expect(acknowledged).toBeGreaterThan(0)
  })
})

describe.runIf(project === 'postgres')('three servers on one PostgreSQL', () => {
  test('give no slug twice, lose no update, publish once and never fail', { timeout: 240_000 }, async () => {
    const { requests, wrong } = await runTogether({ storage: emptyStorage(), seconds })
    expect(wrong).toEqual([])
    expect(requests).toBeGreaterThan(20)
  })
})
