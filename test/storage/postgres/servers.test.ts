/** Other servers than a single one that writes: a standby that takes over, and one that only reads. */
import pg from 'pg'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Storage } from '../../../src/contract/storage.ts'
import { type PostgresOptions, postgresStorage } from '../../../src/storage/postgres.ts'
import { postValues } from '../../../src/testing/content.ts'
import { newSchema } from '../../support/postgres.ts'
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
})
