/** The command line on PostgreSQL. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { endAll, run, serve } from '../../cli/process.ts'
import { newSchema, postgresPool, postgresUrl } from '../../support/postgres.ts'
import { smallSite } from '../../support/small-site.ts'

afterEach(endAll)

function storageOfTest(): { readonly storage: string; readonly schema: string } {
  const schema = newSchema()
  onTestFinished(async () => void (await postgresPool().query(`drop schema if exists ${schema} cascade`)))
  const url = new URL(postgresUrl())
  url.searchParams.set('schema', schema)
  return { storage: url.href, schema }
}

describe.runIf(process.env.TEST_STORAGE === 'postgres')('the bin', () => {
  test('migrates a database and prints its URL without the password', { timeout: 60_000 }, async () => {
    const { storage, schema } = storageOfTest()
    const redacted = storage.replace(/:[^:@]+@/, ':***@')
    const first = await run('migrate', '--storage', storage)
    expect(first).toMatchObject({ code: 0, err: '' })
    expect(first.out).toMatch(/ has schema version \d+: applied tables/)
    expect(first.out).toContain(redacted)
    expect((await run('migrate', '--storage', storage)).out).toContain('nothing to do')
    const { rows } = await postgresPool().query(
      "select count(*)::int as indexes from pg_indexes where schemaname = $1 and indexname ~ '^records_(unique|by):'",
      [schema],
    )
    expect(rows[0].indexes).toBeGreaterThan(3)
  })

  test('seeds, serves and exports a site', { timeout: 60_000 }, async () => {
    const { storage } = storageOfTest()
    const folder = mkdtempSync(join(tmpdir(), 'site-api-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const file = join(folder, 'site.json')
    writeFileSync(file, JSON.stringify(smallSite))
    expect(await run('seed', file, '--storage', storage)).toMatchObject({ code: 0 })
    const running = await serve('serve', '--port', '0', '--storage', storage)
    const response = await fetch(`${running.base}/cms/v2/posts`)
    expect([response.status, ((await response.json()) as unknown[]).length > 0]).toEqual([200, true])
    expect(await running.end()).toMatchObject({ code: 0, err: '' })
    const exported = await run('export', '--storage', storage)
    expect(JSON.parse(exported.out).posts.length).toBeGreaterThan(0)
  })

  test('takes `prepares=false` for poolers, and refuses other values than true and false', async () => {
    const { storage } = storageOfTest()
    expect(await run('migrate', '--storage', `${storage}&prepares=false`)).toMatchObject({ code: 0, err: '' })
    const refused = await run('migrate', '--storage', `${storage}&prepares=no`)
    expect(refused.code).not.toBe(0)
    expect(refused.err).toContain('prepares in --storage must be true or false')
  })
})
