/** A PostgreSQL that is silent, cut off, slow or frozen: what callers learn, and that work goes on when the fault has ended. */
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Storage } from '../../../src/contract/storage.ts'
import { type PostgresTimeouts, postgresStorage } from '../../../src/storage/postgres.ts'
import { postValues } from '../../../src/testing/content.ts'
import { newSchema, postgresPool, postgresUrl } from '../../support/postgres.ts'
import { type Fault, startProxy, type TcpProxy } from '../../support/tcp-proxy.ts'

const isPostgres = process.env.TEST_STORAGE === 'postgres'
const timeouts: PostgresTimeouts = { connectMs: 700, queryMs: 700, lockMs: 3000, closeMs: 700 }

let schema: string
let proxy: TcpProxy
let storage: Storage

async function openThrough(proxied: TcpProxy): Promise<Storage> {
  const url = new URL(postgresUrl())
  url.port = String(proxied.port)
  const opened = postgresStorage({ connectionString: url.href, max: 5 }, { schema, timeouts })
  await opened.open?.()
  return opened
}

/** The outcome of one write. */
type Outcome = 'yes' | 'no' | 'perhaps'

async function write(slug: string, on: Storage = storage): Promise<Outcome> {
  try {
    await on.posts.insert([postValues({ slug })])
    return 'yes'
  } catch (error) {
    const { code, written } = error as { code?: unknown; written?: Outcome }
    expect(code, String(error)).toBe('storage_unavailable')
    return written ?? 'no'
  }
}

async function read(): Promise<boolean> {
  return Promise.resolve(storage.posts.takenSlugs('post', ['none'])).then(
    () => true,
    (error) => {
      expect((error as { code?: unknown }).code, String(error)).toBe('storage_unavailable')
      return false
    },
  )
}

const storedSlugs = async () => {
  const { rows } = await postgresPool().query(`select slug from ${schema}.posts`)
  return new Set(rows.map(({ slug }) => String(slug)))
}

describe.runIf(isPostgres)('a PostgreSQL storage', { timeout: 60_000 }, () => {
  beforeEach(async () => {
    schema = newSchema()
    const { hostname, port } = new URL(postgresUrl())
    proxy = await startProxy({ host: hostname, port: Number(port) })
    storage = await openThrough(proxy)
  })
  afterEach(async () => {
    proxy.heal()
    await storage.close?.()
    await proxy.close()
    await postgresPool().query(`drop schema if exists ${schema} cascade`)
  })

  test.each<Fault>(['stall', 'cut', 'swallow'])(
    'through a network that begins to %s fails at once or in time, and goes on when it ends',
    async (fault) => {
      const outcomes = new Map<string, Outcome>()
      const attempt = async (slug: string) => void outcomes.set(slug, await write(slug))
      await attempt('before')
      // Some of them are anywhere between their first statement and their commit.
      const early = Array.from({ length: 5 }, (_, at) => attempt(`early-${at}`))
      proxy.fail(fault)
      const late = Array.from({ length: 5 }, (_, at) => attempt(`late-${at}`))
      const reads = await Promise.all([read(), read(), read()])
      await Promise.all([...early, ...late])
      expect(reads).toContain(false)
      proxy.heal()
      let attempts = 0
      for (let outcome: Outcome = 'no'; outcome !== 'yes' && attempts < 8; attempts++) {
        outcome = await write(`after-${attempts}`)
        outcomes.set(`after-${attempts}`, outcome)
      }
      expect([...outcomes.values()].at(-1)).toBe('yes')
      expect(await read()).toBe(true)
      const stored = await storedSlugs()
      const told = (outcome: Outcome) => [...outcomes].flatMap(([slug, found]) => (found === outcome ? [slug] : []))
      expect(told('yes').filter((slug) => !stored.has(slug))).toEqual([])
      expect(told('no').filter((slug) => stored.has(slug))).toEqual([])
    },
  )

  test('through a network that delays every part is slow and right', async () => {
    proxy.fail('delay')
    expect(await Promise.all([write('a'), write('b'), read()])).toEqual(['yes', 'yes', true])
  })

  test('whose backend is frozen in a transaction lets others write, and closes', async () => {
    const direct = new pg.Pool({ connectionString: postgresUrl(), max: 3 })
    onTestFinished(() => direct.end())
    const pids: number[] = []
    const entered = Promise.withResolvers<void>()
    const frozen = storage.atomic?.(async (transaction) => {
      await transaction.posts.insert([postValues({ slug: 'frozen' })])
      const { rows } = await direct.query(
        `select l.pid from pg_locks l join pg_stat_activity a on a.pid = l.pid
          where l.locktype = 'advisory' and l.granted and a.state = 'idle in transaction' and a.query like $1`,
        [`%${schema}%`],
      )
      pids.push(...rows.map(({ pid }) => Number(pid)))
      for (const pid of pids) process.kill(pid, 'SIGSTOP')
      entered.resolve()
      await transaction.posts.insert([postValues({ slug: 'never' })])
    })
    const lost = expect(frozen).rejects.toMatchObject({ code: 'storage_unavailable', written: 'no' })
    await entered.promise
    expect(pids).toHaveLength(1)
    await lost
    for (const pid of pids) process.kill(pid, 'SIGCONT')
    let outcome: Outcome = 'no'
    for (let attempts = 0; outcome !== 'yes' && attempts < 8; attempts++) outcome = await write('after')
    expect(outcome).toBe('yes')
    expect(await storedSlugs()).toEqual(new Set(['after']))
  })

  test('takes over when a transaction waits for something that never comes', async () => {
    const never = storage.atomic?.(async (transaction) => {
      await transaction.posts.insert([postValues({ slug: 'never' })])
      await new Promise(() => undefined)
    })
    const ended = expect(never).rejects.toMatchObject({ code: 'storage_unavailable', written: 'no' })
    expect(await write('next')).toBe('yes')
    await ended
    expect(await storedSlugs()).toEqual(new Set(['next']))
  })

  test('closes while its server is silent and a transaction runs', async () => {
    const running = write('running')
    proxy.fail('swallow')
    await storage.close?.()
    expect(await running).not.toBe('yes')
  })

  test.each([
    ['the disk is full', '53100'],
    ['it is out of memory', '53200'],
    ['the database only reads', '25006'],
  ])('refuses writes with a code while %s, goes on with reads, and writes again afterwards', async (_, state) => {
    expect(await write('before')).toBe('yes')
    await postgresPool().query(`
      create function ${schema}.refuse() returns trigger language plpgsql as $$
      begin
        raise exception 'no room' using errcode = '${state}';
      end $$;
      create trigger refuse before insert on ${schema}.posts for each row execute function ${schema}.refuse()`)
    const outcomes = await Promise.all(['a', 'b', 'c'].map((slug) => write(slug)))
    expect(outcomes).toEqual(['no', 'no', 'no'])
    expect(await read()).toBe(true)
    expect(await storedSlugs()).toEqual(new Set(['before']))
    await postgresPool().query(`drop trigger refuse on ${schema}.posts`)
    expect(await write('a')).toBe('yes')
    expect(await storedSlugs()).toEqual(new Set(['before', 'a']))
  })

  test.each([
    ['53100', 'no'],
    ['08006', 'perhaps'],
    ['40003', 'perhaps'],
  ] as const)('that refuses a commit with %s proves what the code says: %s', async (state, told) => {
    expect(await write('before')).toBe('yes')
    await postgresPool().query(`
      create function ${schema}.refuse() returns trigger language plpgsql as $$
      begin
        raise exception 'not now' using errcode = '${state}';
      end $$;
      create constraint trigger refuse after insert on ${schema}.posts deferrable initially deferred
        for each row execute function ${schema}.refuse()`)
    expect(await write('a')).toBe(told)
    expect(await storedSlugs()).toEqual(new Set(['before']))
    expect(await read()).toBe(true)
  })
})
