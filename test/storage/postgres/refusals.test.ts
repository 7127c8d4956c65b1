/** A PostgreSQL that answers, and refuses: transactions to be run again, a server that only reads, a disk without room. */
import pg from 'pg'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Storage } from '../../../src/contract/storage.ts'
import { postgresStorage } from '../../../src/storage/postgres.ts'
import { newSchema, postgresPool, postgresUrl } from '../../support/postgres.ts'
import { createTestSite, type Received, type TestSite, type TestSiteOptions } from '../../support/site.ts'

/** `statement`: as a row is written; `commit`: when all statements have succeeded. */
type Moment = 'statement' | 'commit'

let schema: string
let pool: pg.Pool
/** Every connection that the storage has been given. */
let clients: Set<pg.PoolClient>
let storage: Storage

async function createSite(options: TestSiteOptions = {}): Promise<TestSite> {
  const site = await createTestSite({ ...options, storage: () => storage })
  onTestFinished(() => site.dispose())
  return site
}

/** The first `times` posts that are written are refused with this SQLSTATE; a sequence counts across rollbacks. */
async function refusePosts(times: number, state: string, moment: Moment = 'statement'): Promise<void> {
  const trigger =
    moment === 'commit'
      ? `create constraint trigger refuse after insert or update on ${schema}.posts deferrable initially deferred`
      : `create trigger refuse before insert or update on ${schema}.posts`
  await postgresPool().query(`
    create sequence ${schema}.attempts;
    create function ${schema}.refuse() returns trigger language plpgsql as $$
    begin
      if nextval('${schema}.attempts') <= ${times} then
        raise exception 'refused' using errcode = '${state}';
      end if;
      return new;
    end $$;
    ${trigger} for each row execute function ${schema}.refuse()`)
}

async function refusePostsNoMore(): Promise<void> {
  await postgresPool().query(`drop trigger refuse on ${schema}.posts`)
}

async function attempts(): Promise<number> {
  const { rows } = await postgresPool().query(`select last_value, is_called from ${schema}.attempts`)
  return rows[0]?.is_called ? Number(rows[0].last_value) : 0
}

async function storedTitles(like: string): Promise<string[]> {
  const { rows } = await postgresPool().query(
    `select title from ${schema}.posts where type = 'post' and title like $1 order by id`,
    [like],
  )
  return rows.map(({ title }) => String(title))
}

const create = (site: TestSite, title: string, headers: { readonly [name: string]: string } = {}) =>
  site.as('edith')('POST', '/cms/v2/posts', { body: { title, status: 'publish' }, headers })

function expectRefused({ status, headers, body }: Received): void {
  expect([status, headers.get('retry-after')]).toEqual([503, '5'])
  expect(body).toMatchObject({ code: 'storage_unavailable', data: { status: 503, written: 'no' } })
}

describe.runIf(process.env.TEST_STORAGE === 'postgres')('a site on a PostgreSQL that refuses', () => {
  beforeEach(async () => {
    schema = newSchema()
    clients = new Set()
    pool = new pg.Pool({ connectionString: postgresUrl(), max: 4 })
    pool.on('connect', (client) => void clients.add(client))
    pool.on('remove', (client) => void clients.delete(client))
    storage = postgresStorage(pool, { schema })
    await storage.open?.()
    return async () => {
      await pool.end()
      await postgresPool().query(`drop schema if exists ${schema} cascade`)
    }
  })

  describe.each(['40001', '40P01'])('transactions with %s', (state) => {
    test.each<Moment>(['statement', 'commit'])('at the %s runs them again, with one effect', async (moment) => {
      const site = await createSite()
      const created: unknown[] = []
      site.api.on('post.created', (event) => void created.push(event))
      await refusePosts(3, state, moment)
      const { status } = await create(site, 'Retried', { 'idempotency-key': 'retried' })
      expect([status, await attempts(), created.length]).toEqual([201, 4, 1])
      expect(await storedTitles('Retried')).toEqual(['Retried'])
      expect(site.failures).toEqual([])
    })

    test.each<Moment>(['statement', 'commit'])(
      'at the %s again and again answers 503 after four attempts, and stores nothing',
      async (moment) => {
        const site = await createSite()
        const created: unknown[] = []
        site.api.on('post.created', (event) => void created.push(event))
        await refusePosts(1000, state, moment)
        expectRefused(await create(site, 'Refused', { 'idempotency-key': 'refused' }))
        expect([await attempts(), created.length, await storedTitles('Refused')]).toEqual([4, 0, []])
        await refusePostsNoMore()
        const key = { 'idempotency-key': 'refused' }
        const again = [await create(site, 'Refused', key), await create(site, 'Refused', key)]
        expect(again.map(({ status }) => status)).toEqual([201, 201])
        expect([created.length, await storedTitles('Refused')]).toEqual([1, ['Refused']])
      },
    )

    test('in a batch runs all of its items again, each with one effect', async () => {
      const site = await createSite()
      await refusePosts(2, state)
      const requests = ['One', 'Two', 'Three'].map((title) => ({
        method: 'POST',
        path: '/cms/v2/posts',
        body: { title: `Batch ${title}` },
      }))
      const { status, body } = await site.as('edith')('POST', '/batch/v1', { body: { requests } })
      expect([status, body.responses.map((one: { status: number }) => one.status)]).toEqual([207, [201, 201, 201]])
      expect(await storedTitles('Batch %')).toEqual(['Batch One', 'Batch Two', 'Batch Three'])
    })
  })

  test('one of two transactions that wait for each other runs the request again, with one effect', async () => {
    const host = new pg.Client({ connectionString: postgresUrl() })
    await host.connect()
    onTestFinished(() => host.end())
    const hold = (id: number) => host.query(`select 1 from ${schema}.posts where id = ${id} for update`)
    let hookRuns = 0
    let hostDone: Promise<unknown> = Promise.resolve()
    const site = await createSite({
      hooks: {
        'post.updated': async ({ post }, context) => {
          hookRuns++
          // The host waits for the row that this request has changed, and this request for the row that the host holds.
          if (hookRuns === 1) hostDone = hold(post.id).then(() => host.query('commit'))
          await context.storage.posts.update([{ id: other, changes: { title: `seen ${hookRuns}` } }])
        },
      },
    })
    const ours = (await create(site, 'Ours')).body.id as number
    const other: number = (await create(site, 'Other')).body.id
    const updated: unknown[] = []
    site.api.on('post.updated', (event) => void updated.push(event))
    // The host looks for deadlocks so late that the server ends the transaction of the request.
    await host.query("set deadlock_timeout = '20s'; begin")
    await hold(other)
    const answer = await site.as('edith')('POST', `/cms/v2/posts/${ours}`, { body: { title: 'Changed' } })
    await hostDone
    expect([answer.status, await storedTitles('Changed'), await storedTitles('Ours')]).toEqual([200, ['Changed'], []])
    expect([hookRuns, updated.length]).toEqual([2, 1])
    expect(await storedTitles('seen %')).toEqual(['seen 2'])
    const revisions = await site.as('edith')('GET', `/cms/v2/posts/${ours}/revisions`)
    expect(revisions.body).toHaveLength(1)
    expect(site.failures).toEqual([])
  })

  /** As `default_transaction_read_only`, which an administrator or a full disk of a provider sets, shows in open connections. */
  async function setReadOnly(isReadOnly: boolean): Promise<void> {
    for (const client of clients) {
      await client.query(`set default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`)
    }
    pool.options.options = `-c default_transaction_read_only=${isReadOnly ? 'on' : 'off'}`
  }

  test('to write goes on with reads, says 503 to writes, and works again without a restart', async () => {
    const site = await createSite()
    const acknowledged = (await create(site, 'Before')).body.id as number
    await setReadOnly(true)
    expectRefused(await create(site, 'During', { 'idempotency-key': 'during' }))
    expectRefused(await site.as('edith')('DELETE', `/cms/v2/posts/${acknowledged}`))
    const reads = [
      await site.visitor('GET', '/cms/v2/posts'),
      await site.visitor('GET', `/cms/v2/posts/${acknowledged}`),
      await site.as('edith')('GET', '/cms/v2/posts', { query: { context: 'edit', search: 'Before' } }),
    ]
    expect(reads.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(reads[2]?.body).toHaveLength(1)
    await setReadOnly(false)
    expect((await create(site, 'During', { 'idempotency-key': 'during' })).status).toBe(201)
    expect(await storedTitles('%')).toEqual(expect.arrayContaining(['Before', 'During']))
  })

  test.each<[string, Moment]>([
    ['53100', 'statement'],
    ['53100', 'commit'],
    ['58030', 'statement'],
    ['53200', 'statement'],
  ])(
    'for want of room with %s at the %s goes on with reads, and loses nothing that was acknowledged',
    async (state, moment) => {
      const site = await createSite()
      expect((await create(site, 'Before')).status).toBe(201)
      await refusePosts(1000, state, moment)
      for (const title of ['During 1', 'During 2']) expectRefused(await create(site, title))
      expect(await attempts()).toBe(2)
      const { status, body } = await site.visitor('GET', '/cms/v2/posts', { query: { search: 'Before' } })
      expect([status, body.length]).toEqual([200, 1])
      await refusePostsNoMore()
      expect((await create(site, 'After')).status).toBe(201)
      expect([await storedTitles('Before'), await storedTitles('During%'), await storedTitles('After')]).toEqual([
        ['Before'],
        [],
        ['After'],
      ])
    },
  )
})
