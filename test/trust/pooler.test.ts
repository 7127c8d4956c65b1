/** The storage behind a pooler in transaction mode, where each transaction may run on another connection of the server. */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Storage } from '../../src/contract/storage.ts'
import { type PostgresOptions, postgresStorage } from '../../src/storage/postgres.ts'
import { addPost, findPosts } from '../../src/testing/content.ts'
import { conformanceCases, isLacking } from '../../src/testing/index.ts'
import { runConcurrentServers } from '../crash/concurrent-servers.ts'
import { newSchema, postgresPool, postgresUrl } from '../support/postgres.ts'
import { pgbouncer, startPooler } from './pgbouncer.ts'

const program = pgbouncer()

describe.skipIf(program === undefined)('behind a pooler in transaction mode', () => {
  let pooler: Awaited<ReturnType<typeof startPooler>>

  beforeAll(async () => {
    pooler = await startPooler(program ?? '', postgresUrl())
    return () => pooler.stop()
  })

  async function open(options: PostgresOptions = {}): Promise<Storage> {
    const schema = newSchema()
    const storage = postgresStorage({ connectionString: pooler.url, max: 8 }, { schema, prepares: false, ...options })
    onTestFinished(async () => {
      await storage.close?.()
      await postgresPool().query(`drop schema if exists ${options.schema ?? schema} cascade`)
    })
    await storage.open?.()
    return storage
  }

  describe('a storage', () => {
    for (const each of conformanceCases) {
      test(each.name, async (context) => {
        const storage = await open()
        const reason = isLacking(storage, each)
        if (reason !== false) context.skip(reason)
        await each.run(storage)
      })
    }
  })

  test('storages lose no update and leave nothing behind in the sessions of the server', async () => {
    const schema = newSchema()
    const storages = await Promise.all([open({ schema }), open({ schema }), open({ schema })])
    await storages[0]?.options.write({ count: 0 })
    const add = (storage: Storage | undefined) =>
      storage?.atomic?.(async (transaction) => {
        const { count } = await transaction.options.read(['count'])
        await addPost(transaction)
        await transaction.options.write({ count: Number(count) + 1 })
      })
    const reads: Promise<readonly number[]>[] = []
    const writes = Array.from({ length: 90 }, (_, at) => {
      reads.push(findPosts(storages[(at + 1) % 3] as Storage))
      return add(storages[at % 3])
    })
    await Promise.all([...writes, ...reads])
    expect(await storages[0]?.options.read()).toEqual({ count: 90 })
    expect(await findPosts(storages[1] as Storage)).toHaveLength(90)
    const client = new pg.Client({ connectionString: pooler.url })
    await client.connect()
    onTestFinished(() => client.end())
    for (let connection = 0; connection < 8; connection++) {
      const { rows } = await client.query(
        `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
          (select count(*)::int from pg_prepared_statements) as prepared,
          (select count(*)::int from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()) as locks`,
      )
      expect(rows).toEqual([{ statement: '0', lock: '0', prepared: 0, locks: 0 }])
    }
  })

  test('several servers under mixed load answer every request and lose nothing', async () => {
    const schema = newSchema()
    onTestFinished(async () => void (await postgresPool().query(`drop schema if exists ${schema} cascade`)))
    const withSchema = (text: string, more: { readonly [name: string]: string } = {}) => {
      const url = new URL(text)
      for (const [name, value] of Object.entries({ schema, ...more })) url.searchParams.set(name, value)
      return url.href
    }
    const { requests, wrong } = await runConcurrentServers({
      storage: withSchema(pooler.url, { prepares: 'false' }),
      checkedAt: withSchema(postgresUrl()),
      seconds: 8,
      processes: 2,
    })
    expect(wrong).toEqual([])
    expect(requests).toBeGreaterThan(100)
  })
})

afterAll(() => postgresPool().end())
