/** A short run of the crash tests; `npm run test:crash` runs them longer. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { newSchema, postgresPool, postgresUrl } from '../support/postgres.ts'
import { runConcurrentServers } from './concurrent-servers.ts'
import { killRepeatedly } from './kills.ts'

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
  test('loses no acknowledged write and no event when it is killed, and stores no partial write', {
    timeout: 240_000,
  }, async () => {
    const { acknowledged, delivered, wrong } = await killRepeatedly({
      storage: emptyStorage(),
      kills,
      writes: 3 * kills,
    })
    expect(wrong).toEqual([])
    expect(acknowledged).toBeGreaterThan(0)
    expect(delivered).toBeGreaterThan(0)
  })
})

describe.runIf(project === 'postgres')('three servers on one PostgreSQL', () => {
  test('assign unique slugs, lose no update, publish each post once and never fail', { timeout: 240_000 }, async () => {
    const { requests, wrong } = await runConcurrentServers({ storage: emptyStorage(), seconds })
    expect(wrong).toEqual([])
    expect(requests).toBeGreaterThan(20)
  })
})
