import { type EventEmitter, once } from 'node:events'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Storage } from '../../../src/contract/storage.ts'
import { type PostgresOptions, postgresStorage } from '../../../src/storage/postgres.ts'
import { addPost, findPosts, postValues, things } from '../../../src/testing/content.ts'
import { newSchema, postgresPool, postgresUrl } from '../../support/postgres.ts'

const schemaOfTest = (): string => {
  const schema = newSchema()
  onTestFinished(async () => void (await postgresPool().query(`drop schema if exists ${schema} cascade`)))
  return schema
}

/** A storage with its own pool and queue, as in another process. */
async function storageOn(
  schema: string,
  options: PostgresOptions = {},
  poolOptions: pg.PoolConfig = {},
): Promise<Storage> {
  const pool = new pg.Pool({ connectionString: postgresUrl(), max: 3, ...poolOptions })
  const storage = postgresStorage(pool, { ...options, schema })
  onTestFinished(async () => {
    await storage.close?.()
    await pool.end()
  })
  await storage.open?.()
  return storage
}

/** Makes the first `times` writes of an option fail with this SQLSTATE, also across rollbacks. */
async function failOptionWrites(schema: string, times: number, state: '40001' | '40P01'): Promise<void> {
  await postgresPool().query(`
    create sequence ${schema}.refused;
    create function ${schema}.refuse() returns trigger language plpgsql as $$
    begin
      if nextval('${schema}.refused') <= ${times} then
        raise exception 'try again' using errcode = '${state}';
      end if;
      return new;
    end $$;
    create trigger refuse before insert or update on ${schema}.options
      for each row execute function ${schema}.refuse()`)
}

describe.runIf(process.env.TEST_STORAGE === 'postgres')('storages on one PostgreSQL', () => {
  test('run their transactions one at a time, so that none overwrites what another has read', async () => {
    const schema = schemaOfTest()
    const storages = await Promise.all([storageOn(schema), storageOn(schema), storageOn(schema)])
    await storages[0]?.options.write({ count: 0 })
    const add = (storage: Storage | undefined) =>
      storage?.atomic?.(async (transaction) => {
        const { count } = await transaction.options.read(['count'])
        await transaction.posts.insert([postValues()])
        await transaction.options.write({ count: Number(count) + 1 })
      })
    await Promise.all(Array.from({ length: 60 }, (_, at) => add(storages[at % 3])))
    expect(await storages[0]?.options.read()).toEqual({ count: 60 })
  })

  test('let exactly one insert of a slug succeed', async () => {
    const schema = schemaOfTest()
    const storages = await Promise.all([storageOn(schema), storageOn(schema)])
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, at) => addPost(storages[at % 2] as Storage, { slug: 'wanted' })),
    )
    const errors = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason)
    expect(errors).toHaveLength(19)
    for (const reason of errors) expect(reason).toMatchObject({ code: 'storage_conflict', field: 'slug' })
  })

  test('read without waiting and without uncommitted writes while a transaction is open', async () => {
    const schema = schemaOfTest()
    const [first, second] = await Promise.all([storageOn(schema), storageOn(schema)])
    const written = Promise.withResolvers<void>()
    const ending = Promise.withResolvers<void>()
    const running = first.atomic?.(async (transaction) => {
      await addPost(transaction)
      written.resolve()
      await ending.promise
    })
    await written.promise
    expect([await findPosts(first), await findPosts(second)]).toEqual([[], []])
    ending.resolve()
    await running
    expect([await findPosts(first), await findPosts(second)]).toEqual([[1], [1]])
  })

  test('run one at a time regardless of the default isolation of the connections', async () => {
    const schema = schemaOfTest()
    const serializable = { options: '-c default_transaction_isolation=serializable' }
    const storages = await Promise.all([storageOn(schema, {}, serializable), storageOn(schema)])
    await storages[0]?.options.write({ sum: 0 })
    await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        storages[at % 2]?.atomic?.(async (transaction) => {
          const { sum } = await transaction.options.read(['sum'])
          await transaction.options.write({ sum: Number(sum) + 1 })
        }),
      ),
    )
    expect(await storages[0]?.options.read()).toEqual({ sum: 30 })
  })
})

describe.runIf(process.env.TEST_STORAGE === 'postgres')('a transaction on PostgreSQL', () => {
  test.each(['40001', '40P01'] as const)(
    'of the caller ends with storage_rerun after %s, and is rolled back',
    async (state) => {
      const schema = schemaOfTest()
      const storage = await storageOn(schema)
      await failOptionWrites(schema, 1, state)
      let runs = 0
      const work = async (transaction: Storage) => {
        runs++
        await addPost(transaction)
        // The transaction fails even if its work ignores the error.
        await Promise.resolve(transaction.options.write({ done: runs })).catch(() => undefined)
      }
      await expect(storage.atomic?.(work)).rejects.toMatchObject({ code: 'storage_rerun', cause: { code: state } })
      expect([runs, await findPosts(storage), await storage.options.read()]).toEqual([1, [], {}])
      await storage.atomic?.(work)
      expect([runs, (await findPosts(storage)).length, await storage.options.read()]).toEqual([2, 1, { done: 2 }])
    },
  )

  test('of the storage itself is retried three times at most', async () => {
    const schema = schemaOfTest()
    const storage = await storageOn(schema)
    await failOptionWrites(schema, 7, '40001')
    // The first write fails four times, the second three times; its fourth attempt succeeds.
    await expect(storage.options.write({ a: 1 })).rejects.toMatchObject({ code: 'storage_rerun' })
    await storage.options.write({ a: 2 })
    expect(await storage.options.read()).toEqual({ a: 2 })
  })

  test('is rolled back after a deadlock with statements of the host', async () => {
    const schema = schemaOfTest()
    const storage = await storageOn(schema)
    const [a, b] = (await storage.posts.insert([postValues(), postValues()])) as [number, number]
    const host = new pg.Client({ connectionString: postgresUrl() })
    await host.connect()
    onTestFinished(() => host.end())
    // The host checks for deadlocks so late that the storage detects it first.
    await host.query("set deadlock_timeout = '20s'; begin")
    await host.query(`select 1 from ${schema}.posts where id = ${b} for update`)
    let hostUpdate: Promise<unknown> = Promise.resolve()
    const deadlocked = storage.atomic?.(async (transaction) => {
      await transaction.posts.update([{ id: a, changes: { title: 'ours' } }])
      hostUpdate = host.query(`update ${schema}.posts set title = 'theirs' where id = ${a}`)
      await transaction.posts.update([{ id: b, changes: { title: 'ours' } }])
    })
    await expect(deadlocked).rejects.toMatchObject({ code: 'storage_rerun' })
    await hostUpdate
    await host.query('commit')
    expect((await storage.posts.read([a, b])).map(({ title }) => title)).toEqual(['theirs', ''])
  })

  test('rejects when its connection is lost, and the storage continues', async () => {
    const schema = schemaOfTest()
    const storage = await storageOn(schema)
    const lost = storage.atomic?.(async (transaction) => {
      await addPost(transaction)
      await endConnections(schema)
      await addPost(transaction)
    })
    await expect(lost).rejects.toThrow()
    expect(await findPosts(storage)).toEqual([])
    await addPost(storage)
    expect(await findPosts(storage)).toHaveLength(1)
  })

  test('does not end the process when a released connection emits another error', async () => {
    const schema = schemaOfTest()
    const pool = new pg.Pool({ connectionString: postgresUrl(), max: 2 })
    const storage = postgresStorage(pool, { schema })
    onTestFinished(() => pool.end())
    await storage.open?.()
    const removed = once(pool, 'remove')
    const lost = storage.atomic?.(async (transaction) => {
      await addPost(transaction)
      await endConnections(schema)
      await addPost(transaction)
    })
    await expect(lost).rejects.toThrow()
    const [client] = (await removed) as [EventEmitter]
    // The socket delivers the message of the server, then the end of the stream. `emit` throws without a listener.
    expect(client.emit('error', new Error('the stream has ended'))).toBe(true)
    await addPost(storage)
  })

  test('does not end the process when the server closes a connection as it accepts it', async () => {
    const pool = new pg.Pool({ connectionString: postgresUrl(), max: 2 })
    const storage = postgresStorage(pool, { schema: schemaOfTest() })
    onTestFinished(() => pool.end())
    await storage.open?.()
    // Occupies the idle client, which already has a listener, so that the next one is new.
    const idle = await pool.connect()
    const hasListener = Promise.withResolvers<boolean>()
    // The message arrives with the acceptance, so it is read before code that awaits the client continues.
    pool.once('connect', (client) => {
      queueMicrotask(() => {
        try {
          hasListener.resolve(client.emit('error', new Error('the server ends')))
        } catch (error) {
          hasListener.reject(error)
        }
      })
    })
    await expect(addPost(storage)).rejects.toMatchObject({ code: 'storage_unavailable', written: 'no' })
    expect(await hasListener.promise).toBe(true)
    idle.release()
    await addPost(storage)
  })

  test('rejects after an error that its work ignored', async () => {
    const storage = await storageOn(schemaOfTest())
    const ignoring = storage.atomic?.(async (transaction) => {
      await addPost(transaction)
      // Too long for an index entry of the server, because it can't be compressed.
      const name = Array.from({ length: 4000 }, (_, at) => String.fromCodePoint(0x4e00 + ((at * 7919) % 20_000))).join(
        '',
      )
      await Promise.resolve(transaction.options.write({ [name]: 1 })).catch(() => undefined)
    })
    await expect(ignoring).rejects.toThrow()
    expect(await findPosts(storage)).toEqual([])
  })
})

describe.runIf(process.env.TEST_STORAGE === 'postgres')('a PostgreSQL storage', () => {
  test('accepts a connection string and closes its own pool', async () => {
    const schema = schemaOfTest()
    const storage = postgresStorage(postgresUrl(), { schema })
    expect(await addPost(storage)).toBe(1)
    await storage.close?.()
    await expect(async () => storage.options.read()).rejects.toThrow('closed')
  })

  test('leaves the pool of the host open', async () => {
    const schema = schemaOfTest()
    const storage = postgresStorage(postgresPool(), { schema })
    await addPost(storage)
    await storage.close?.()
    expect((await postgresPool().query('select 1 as one')).rows).toEqual([{ one: 1 }])
  })

  test('works without prepared statements', async () => {
    const schema = schemaOfTest()
    const storage = await storageOn(schema, { prepares: false })
    const [id = 0] = await storage.posts.insert([postValues({ title: 'a' })])
    await storage.meta.write('post', [{ id, key: 'k', value: 1 }])
    expect(await storage.meta.read('post', [id])).toEqual([{ id, key: 'k', value: 1 }])
  })

  test('orders long titles that differ only at the end', async () => {
    const storage = await storageOn(schemaOfTest())
    const start = 'x'.repeat(5000)
    const ids = await storage.posts.insert(['c', 'a', 'b', ''].map((end) => postValues({ title: start + end })))
    const order = [3, 1, 2, 0].map((at) => ids[at])
    expect(await findPosts(storage, { order: { by: 'title', descending: false } })).toEqual(order)
    expect(await findPosts(storage, { order: { by: 'title', descending: true } })).toEqual(order.toReversed())
  })

  test('accepts queries that no row can match', async () => {
    const storage = await storageOn(schemaOfTest())
    const id = await addPost(storage, { slug: 'a', title: 'a', content: 'a' })
    const search = { every: ['a\0'], none: [], columns: ['title', 'content'], exact: false } as const
    expect(await findPosts(storage, { search })).toEqual([])
    expect(await findPosts(storage, { search: { ...search, every: [], none: ['\0'] } })).toEqual([id])
    expect(await findPosts(storage, { slugs: ['a\0', 'a'] })).toEqual([id])
    expect(await findPosts(storage, { ids: [1.5, 1e300, id, Number.NaN] })).toEqual([id])
    expect(await storage.posts.read([1e300])).toEqual([])
    expect(await findPosts(storage, { offset: 1e300 })).toEqual([])
    expect(await storage.options.read(['a\0'])).toEqual({})
  })

  test('stores lone surrogates as U+FFFD', async () => {
    const storage = await storageOn(schemaOfTest())
    await storage.options.write({ half: ['\ud800', 'a\udc00b', '😀', '\\ud800'] })
    expect(await storage.options.read()).toEqual({ half: ['\ufffd', 'a\ufffdb', '😀', '\\ud800'] })
    await storage.records.insert(things, [{ name: 'a\ud800', extra: { '\udfff': 1 } }])
    const { rows } = await storage.records.query(things, {})
    expect(rows[0]).toMatchObject({ name: 'a\ufffd', extra: { '\ufffd': 1 } })
    const id = await addPost(storage, { title: 'a\ud800' })
    expect((await storage.posts.read([id]))[0]?.title).toBe('a\ufffd')
  })
})

/** Closes the connections of the storages of a test, as a restart of the server does. */
async function endConnections(schema: string): Promise<void> {
  await postgresPool().query(
    'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and query like $1',
    [`%${schema}%`],
  )
}
