/** Other servers than a single one that writes: a standby that takes over, one that only reads, and a pooler. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Storage } from '../../../src/storage/contract.ts'
import { type PostgresOptions, postgresStorage } from '../../../src/storage/postgres.ts'
import { postValues } from '../../../src/testing/content.ts'
import { newSchema, postgresPool, postgresUrl } from '../../support/postgres.ts'
import { startPostgres } from '../../support/postgres-server.ts'
import { startProxy } from '../../support/tcp-proxy.ts'

const timeouts = { connectMs: 1500, queryMs: 1500, lockMs: 5000, closeMs: 1500 }

async function open(connectionString: string, options: PostgresOptions & pg.PoolConfig = {}): Promise<Storage> {
  const { schema = newSchema(), prepares, ...pool } = options
  const storage = postgresStorage(
    { connectionString, max: 5, ...pool },
    { schema, timeouts, ...(prepares === undefined ? {} : { prepares }) },
  )
  onTestFinished(async () => {
    await storage.close?.()
  })
  await storage.open?.()
  return storage
}

const write = (storage: Storage, slug: string) =>
  Promise.resolve(storage.posts.insert([postValues({ slug })])).then(
    () => 'yes' as const,
    (error) => {
      expect((error as { code?: unknown }).code, String(error)).toBe('storage_unavailable')
      return (error as { written: 'no' | 'perhaps' }).written
    },
  )

const pgbouncer = ['pgbouncer', '/usr/sbin/pgbouncer'].find((name) => spawnSync(name, ['--version']).status === 0)

/** Starts at the first call. */
function startOnce<T>(start: () => Promise<T>): () => Promise<T> {
  let started: Promise<T> | undefined
  return () => {
    started ??= start()
    return started
  }
}

describe.runIf(process.env['TEST_STORAGE'] === 'postgres')('a PostgreSQL storage', { timeout: 90_000 }, () => {
  describe('with a standby', () => {
    const primaryStarted = startOnce(() => startPostgres({ isDurable: true }))
    const standbyStarted = startOnce(async () => (await primaryStarted()).standby())
    afterAll(async () => {
      await (await standbyStarted()).stop()
      await (await primaryStarted()).stop()
    })

    test('reads from it, and says that it can not write there', async () => {
      const [primary, standby] = [await primaryStarted(), await standbyStarted()]
      const schema = newSchema()
      const writing = await open(primary.url, { schema })
      expect(await write(writing, 'first')).toBe('yes')
      const reading = await open(standby.url, { schema })
      expect(await reading.posts.takenSlugs('post', ['first'])).toEqual(['first'])
      expect(await write(reading, 'second')).toBe('no')
      expect(await write(writing, 'second')).toBe('yes')
    })

    test('goes on with the standby that is promoted, and loses no acknowledged write', async () => {
      const [primary, standby] = [await primaryStarted(), await standbyStarted()]
      const proxy = await startProxy({ host: '127.0.0.1', port: Number(new URL(primary.url).port) })
      onTestFinished(() => proxy.close())
      const proxied = new URL(primary.url)
      proxied.port = String(proxy.port)
      const schema = newSchema()
      const storage = await open(proxied.href, { schema })
      const acknowledged: string[] = []
      for (let at = 0; at < 20; at++)
        if ((await write(storage, `before-${at}`)) === 'yes') acknowledged.push(`before-${at}`)
      expect(acknowledged).toHaveLength(20)
      // Some are under way when the server dies.
      const running = Array.from(
        { length: 5 },
        async (_, at) => [`during-${at}`, await write(storage, `during-${at}`)] as const,
      )
      await primary.kill()
      const outcomes = await Promise.all(running)
      const promoting = new pg.Client({ connectionString: standby.url })
      await promoting.connect()
      onTestFinished(() => promoting.end())
      await promoting.query('select pg_promote(true, 60)')
      await promoting.query(`alter system set synchronous_standby_names = ''`)
      await promoting.query('select pg_reload_conf()')
      proxy.redirect({ host: '127.0.0.1', port: Number(new URL(standby.url).port) })
      let outcome: string = 'no'
      for (let attempts = 0; outcome !== 'yes' && attempts < 8; attempts++)
        outcome = await write(storage, `after-${attempts}`)
      expect(outcome).toBe('yes')
      const { rows } = await promoting.query(`select slug from ${schema}.posts`)
      const stored = new Set(rows.map(({ slug }) => String(slug)))
      acknowledged.push(...outcomes.filter(([, one]) => one === 'yes').map(([slug]) => slug))
      expect(acknowledged.filter((slug) => !stored.has(slug))).toEqual([])
      expect(outcomes.filter(([slug, one]) => one === 'no' && stored.has(slug))).toEqual([])
    })
  })

  test.skipIf(pgbouncer === undefined)('works behind a pooler in transaction mode', async () => {
    const url = new URL(postgresUrl())
    const folder = mkdtempSync(join(tmpdir(), 'site-api-pooler-'))
    chmodSync(folder, 0o755)
    const listening = createServer().listen(0, '127.0.0.1')
    await once(listening, 'listening')
    const { port } = listening.address() as AddressInfo
    listening.close()
    await once(listening, 'close')
    const settings = [
      '[databases]',
      `postgres = host=127.0.0.1 port=${url.port} user=${url.username} password=${url.password}`,
      '[pgbouncer]',
      `listen_addr = 127.0.0.1\nlisten_port = ${port}\nauth_type = any\npool_mode = transaction\ndefault_pool_size = 4\nunix_socket_dir =`,
    ]
    writeFileSync(join(folder, 'pgbouncer.ini'), settings.join('\n'), { mode: 0o644 })
    const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
    const pooler = spawn(pgbouncer ?? '', [...user, join(folder, 'pgbouncer.ini')], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    onTestFinished(async () => {
      pooler.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    })
    for await (const part of pooler.stderr) if (String(part).includes('process up')) break
    const schema = newSchema()
    onTestFinished(async () => void (await postgresPool().query(`drop schema if exists ${schema} cascade`)))
    const pooled = new URL(url)
    pooled.port = String(port)
    const storages = await Promise.all([1, 2, 3].map(() => open(pooled.href, { schema, prepares: false })))
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, (_, at) => write(storages[at % 3] as Storage, `pooled-${at}`)),
    )
    expect(new Set(outcomes)).toEqual(new Set(['yes']))
    await storages[0]?.atomic?.(async (transaction) => {
      await transaction.posts.insert([postValues({ slug: 'in-a-transaction' })])
    })
    const slugs = Array.from({ length: 30 }, (_, at) => `pooled-${at}`)
    expect(await storages[1]?.posts.takenSlugs('post', [...slugs, 'in-a-transaction'])).toHaveLength(31)
  })
})
