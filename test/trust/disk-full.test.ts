/** A PostgreSQL whose tables lie on a disk that gets full, and has room again. */
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { postgresStorage } from '../../src/storage/postgres.ts'
import { faultsOf } from '../crash/integrity.ts'
import { newSchema, postgresPool, postgresUrl } from '../support/postgres.ts'
import { openSite, outcomeOf } from './site.ts'

const megabytes = 64
const ballastMegabytes = 40

/**
 * Mounts a file system in memory, for which the right to mount is needed. Undefined, with a line that says so, without
 * it.
 */
function mountTiny(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'site-api-tiny-'))
  chmodSync(folder, 0o755)
  const isRoot = process.getuid?.() === 0 && process.platform === 'linux'
  if (isRoot && spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]).status === 0) {
    return folder
  }
  rmSync(folder, { recursive: true })
  console.warn('skipped: a full disk needs the right to mount a small file system (root on Linux)')
  return undefined
}

function unmount(folder: string): void {
  execFileSync('umount', [folder])
  rmSync(folder, { recursive: true })
}

describe('a site on a PostgreSQL whose disk', () => {
  test('is full says 503 to writes and answers reads, and goes on when there is room', async (context) => {
    const disk = mountTiny()
    if (disk === undefined) return context.skip()
    onTestFinished(() => unmount(disk))
    // The server of the tests runs as the user `nobody` where they run as root.
    mkdirSync(join(disk, 'tables'), { mode: 0o777 })
    chmodSync(join(disk, 'tables'), 0o777)
    execFileSync('chown', ['nobody', join(disk, 'tables')])
    const ballast = join(disk, 'ballast')
    writeFileSync(ballast, Buffer.alloc(ballastMegabytes * 1024 * 1024))
    const schema = newSchema()
    await postgresPool().query(`create tablespace ${schema} location '${join(disk, 'tables')}'`)
    onTestFinished(async () => {
      await postgresPool().query(`drop schema if exists ${schema} cascade`)
      await postgresPool().query(`drop tablespace ${schema}`)
    })
    const storage = postgresStorage(
      { connectionString: postgresUrl(), options: `-c default_tablespace=${schema}` },
      { schema },
    )
    const site = await openSite(storage)
    onTestFinished(() => site.close())

    const outcomes = new Map<string, ReturnType<typeof outcomeOf>>()
    const told = (outcome: string) => [...outcomes].flatMap(([title, one]) => (one === outcome ? [title] : []))
    const write = async (title: string) => {
      // Text that can not be compressed.
      const content = Array.from({ length: 2000 }, () => crypto.randomUUID()).join(' ')
      const outcome = outcomeOf(await site.create(title, content))
      outcomes.set(title, outcome)
      return outcome
    }
    for (let at = 0; told('no').length < 10; at++) expect(await write(`full-${at}`)).not.toBe('wrong')
    expect(told('yes').length).toBeGreaterThan(10)
    for (const path of [
      '/cms/v2/posts',
      '/cms/v2/posts?search=full-0',
      '/cms/v2/posts?search=full&orderby=relevance',
    ]) {
      const { status, body } = await site.get(path)
      expect([status, body.length > 0]).toEqual([200, true])
    }

    rmSync(ballast)
    expect(await write('after')).toBe('yes')
    for (const title of told('no')) expect(await write(title)).toBe('yes')
    const { rows } = await postgresPool().query(
      `select title from ${schema}.posts where type = 'post' and (title like 'full-%' or title = 'after')`,
    )
    const stored = rows.map(({ title }) => String(title))
    expect(stored.toSorted()).toEqual([...outcomes.keys()].toSorted())
    const url = new URL(postgresUrl())
    url.searchParams.set('schema', schema)
    expect(await faultsOf(url.href)).toEqual([])
  })
})
