/** How often a write waits for the server, and that nothing is lost where it does not wait. */
import pg from 'pg'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Storage } from '../../../src/contract/storage.ts'
import type { ChangeSet } from '../../../src/core/changes/row-change.ts'
import { feature, type MakeObserver } from '../../../src/core/declare/feature.ts'
import type { Profile } from '../../../src/core/declare/profile.ts'
import { createSiteApi } from '../../../src/host/create-site-api.ts'
import { d1 } from '../../../src/profiles/d1.ts'
import { historyFeatures } from '../../../src/profiles/history.ts'
import { postgresStorage } from '../../../src/storage/postgres.ts'
import { addPost, addTerm, findPosts, postValues, things } from '../../../src/testing/content.ts'
import { inOwnContext, RoundTrips } from '../../support/counting-client.ts'
import { newSchema, postgresPool, postgresUrl } from '../../support/postgres.ts'
import { startPostgres } from '../../support/postgres-server.ts'
import { passwordOf, smallSite } from '../../support/small-site.ts'
import { startProxy } from '../../support/tcp-proxy.ts'

const counted = new RoundTrips()

beforeEach(() => {
  counted.watch = () => undefined
})

async function openStorage(options: pg.PoolConfig & { schema?: string } = {}) {
  const { schema = newSchema(), ...config } = options
  const pool = new pg.Pool({
    connectionString: postgresUrl(),
    max: 8,
    pipeline: true,
    Client: counted.Client,
    ...config,
  })
  const storage = postgresStorage(pool, { schema })
  onTestFinished(async () => {
    await storage.close?.()
    await pool.end()
    await postgresPool().query(`drop schema if exists ${schema} cascade`)
  })
  await storage.open?.()
  return { storage, schema }
}

const authorization = `Basic ${Buffer.from(`edith:${passwordOf('edith')}`).toString('base64')}`

type OpenOptions = pg.PoolConfig & { profile?: Profile; cacheTags?: object }

async function openSite({ profile = d1 as Profile, cacheTags, ...options }: OpenOptions = {}) {
  const { storage, schema } = await openStorage(options)
  const api = createSiteApi({
    ...{ storage: inOwnContext(storage), profile, url: 'https://quay.example' },
    ...(cacheTags && { cacheTags }),
  })
  await api.site.seed(smallSite)
  const send = async (method: string, path: string, body: unknown) => {
    const init = { method, headers: { authorization, 'content-type': 'application/json' }, body: JSON.stringify(body) }
    const request = new Request(`https://quay.example/api${path}`, init)
    const { result, trips, statements } = await counted.count(() => api.fetch(request))
    return { status: result.status, body: await result.json(), trips, statements }
  }
  // The first one creates the indexes of collections, prepares the statements, and wakes background work, which writes settings.
  await send('POST', '/cms/v2/posts', { title: 'First', status: 'publish' })
  await api.site.runDue()
  await send('POST', '/cms/v2/posts', { title: 'Settings are read again', status: 'draft' })
  /** Returns the tags that a visitor gets. */
  const tagsOf = async (path: string) => {
    const { headers } = await api.fetch(new Request(`https://quay.example/api${path}`))
    return (headers.get('cache-tag') ?? '').split(',')
  }
  return { storage, schema, send, tagsOf }
}

/** Gets all changes, with the rows before and after. */
function observedProfile() {
  const told: ChangeSet[] = []
  const observer: MakeObserver = () => ({ wants: () => true, beforeCommit: (changes) => void told.push(changes) })
  const watching = feature('watching', 'quay/v1', [], { observer })
  return { told, profile: { ...d1, features: [...d1.features, watching] } satisfies Profile }
}

const posts = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => ({
    method: 'POST',
    path: '/cms/v2/posts',
    body: { title: `Item ${from + at}`, content: 'c', status: 'publish', meta: { footnotes: '[]' } },
  }))

const isPostgres = process.env.TEST_STORAGE === 'postgres'

describe.runIf(isPostgres)('the round trips to PostgreSQL of', () => {
  test('a list are one, page and total together, and two where sizes decide between indexes', async () => {
    const { storage } = await openStorage()
    const term = await addTerm(storage, 'tides')
    await storage.posts.insert(
      Array.from({ length: 30 }, (_, at) => postValues({ title: `Post ${at}`, author: at % 3 })),
    )
    const tripsOf = async (filters: object) => {
      const order = { by: 'date', descending: true } as const
      const query = { types: ['post'], statuses: [{ status: 'publish' }], order, offset: 0, limit: 5, total: true }
      await storage.posts.query({ ...query, ...filters })
      return (await counted.count(async () => storage.posts.query({ ...query, ...filters }))).trips
    }
    const ofTerm = { terms: [term], has: 'any' }
    const byTitle = { order: { by: 'title', descending: false } }
    expect(await tripsOf({})).toBe(1)
    expect(await tripsOf({ withPassword: false, sticky: false })).toBe(1)
    expect(await tripsOf({ terms: ofTerm })).toBe(1)
    expect(await tripsOf({ authors: [1] })).toBe(1)
    expect(await tripsOf(byTitle)).toBe(1)
    expect(await tripsOf({ terms: ofTerm, ...byTitle })).toBe(2)
    expect(await tripsOf({ terms: ofTerm, authors: [1] })).toBe(2)
    expect(await tripsOf({ dates: [{ field: 'modified', after: '2024-01-01T00:00:00' }], withPassword: false })).toBe(2)
  })

  test('a post that is created are three: who writes, what is taken, the write', async () => {
    const { send } = await openSite()
    const answer = await send('POST', '/cms/v2/posts', { title: 'Second', status: 'publish', categories: [1] })
    expect([answer.status, answer.body.slug, answer.trips]).toEqual([201, 'second', 3])
  })

  test('a post that is changed are four: who writes, the post and what belongs to it, the last revision, the write', async () => {
    const { send, storage } = await openSite()
    const { body } = await send('POST', '/cms/v2/posts', { title: 'Second', status: 'publish' })
    await send('POST', `/cms/v2/posts/${body.id}`, { content: 'once' })
    const answer = await send('POST', `/cms/v2/posts/${body.id}`, { content: 'twice', meta: { footnotes: '[1]' } })
    expect([answer.status, answer.body.content.raw, answer.trips]).toEqual([200, 'twice', 4])
    const [post] = await storage.posts.read([body.id])
    expect(post).toMatchObject({ title: 'Second', slug: 'second', content: 'twice', version: 3 })
    expect(await storage.posts.childCounts('revision', [body.id])).toMatchObject([{ count: 2 }])
  })

  test('a write beside lists that outside caches know is one more, where posts join or leave them', async () => {
    const tripsOf = async (cacheTags?: object) => {
      const { send, tagsOf } = await openSite(cacheTags && { cacheTags })
      const { body } = await send('POST', '/cms/v2/posts', { title: 'Second', status: 'publish' })
      const lists = ['?per_page=1', '?per_page=2&order=asc', '?per_page=1&categories=1', '?search=second']
      const namesOfLists = async () => {
        const tags = await Promise.all(lists.map((query) => tagsOf(`/cms/v2/posts${query}`)))
        return tags.map((of) => of.some((tag) => tag.startsWith('list:')))
      }
      // A list has a name when it was asked for twice.
      for (let tries = 0; tries < 5; tries++) {
        await namesOfLists()
        await send('POST', `/cms/v2/posts/${body.id}`, { content: `Second ${tries}` })
      }
      expect(await namesOfLists()).toEqual(lists.map(() => cacheTags !== undefined))
      return [
        (await send('POST', `/cms/v2/posts/${body.id}`, { title: 'Third' })).trips,
        (await send('POST', '/cms/v2/posts', { title: 'Fourth', status: 'publish' })).trips,
        (await send('POST', `/cms/v2/posts/${body.id}`, { status: 'draft' })).trips,
        (await send('POST', '/cms/v2/posts', { title: 'Fourth', status: 'draft' })).trips,
      ]
    }
    const without = await tripsOf()
    const more = (await tripsOf({})).map((trips, at) => trips - (without[at] ?? 0))
    expect(more).toEqual([1, 1, 1, 0])
  })

  test('a list after a write are two, and one more where it shows what was written: rows and what belongs to them', async () => {
    const { send } = await openSite()
    const { body: shown } = await send('POST', '/cms/v2/posts', { title: 'Second', status: 'publish' })
    const { body: hidden } = await send('POST', '/cms/v2/posts', { title: 'Third', status: 'draft' })
    const list = async () => {
      const { body, trips } = await send('GET', '/cms/v2/posts?per_page=1', undefined)
      return { title: body[0].title.rendered, trips }
    }
    await list()
    await send('POST', `/cms/v2/posts/${hidden.id}`, { title: 'Fourth' })
    expect(await list()).toEqual({ title: 'Second', trips: 2 })
    await send('POST', `/cms/v2/posts/${shown.id}`, { title: 'Fifth' })
    expect(await list()).toEqual({ title: 'Fifth', trips: 3 })
  })

  test('a batch of new posts are those of one: the items run side by side', async () => {
    const { send } = await openSite()
    const ten = await send('POST', '/batch/v1', { requests: posts(0, 10) })
    expect(ten.body.responses.map(({ status }: { status: number }) => status)).toEqual(Array(10).fill(201))
    const full = await send('POST', '/batch/v1', { requests: posts(10, 25), atomic: true })
    expect(full.body.responses.map(({ status }: { status: number }) => status)).toEqual(Array(25).fill(201))
    // One that is created alone takes as many.
    expect(ten.trips).toBe(3)
    expect(full.trips).toBe(3)
  })

  test('writes whose changes are told are no more: what a transaction has read is not read again', async () => {
    const { profile, told } = observedProfile()
    const { send } = await openSite({ profile })
    const made = await send('POST', '/cms/v2/posts', { title: 'Second', status: 'publish', categories: [1] })
    expect([made.status, made.trips]).toEqual([201, 3])
    told.length = 0
    await send('POST', `/cms/v2/posts/${made.body.id}`, { content: 'once' })
    expect(told.flatMap(({ changes }) => changes)).toContainEqual(
      expect.objectContaining({
        store: 'posts',
        id: made.body.id,
        after: expect.objectContaining({ content: 'once' }),
      }),
    )
    const meta = { footnotes: '[1]' }
    const changed = await send('POST', `/cms/v2/posts/${made.body.id}`, { content: 'twice', meta })
    expect([changed.status, changed.trips]).toEqual([200, 4])
    const full = await send('POST', '/batch/v1', { requests: posts(0, 25), atomic: true })
    expect(full.body.responses.map(({ status }: { status: number }) => status)).toEqual(Array(25).fill(201))
    expect(full.trips).toBeLessThanOrEqual(6)
  })

  test('writes whose changes are kept in the history are no more', async () => {
    const profile = { ...d1, features: [...d1.features, ...historyFeatures] }
    const { send } = await openSite({ profile })
    // The first change of a process asks whether the history has begun.
    for (const title of ['First', 'Second']) await send('POST', '/cms/v2/posts', { title })
    const made = await send('POST', '/cms/v2/posts', { title: 'Third', status: 'publish', categories: [1] })
    expect([made.status, made.trips]).toEqual([201, 3])
    await send('POST', `/cms/v2/posts/${made.body.id}`, { content: 'once' })
    const changed = await send('POST', `/cms/v2/posts/${made.body.id}`, { content: 'twice' })
    expect([changed.status, changed.trips]).toEqual([200, 4])
  })

  test('a batch of new posts send as many statements for 25 as for 10', async () => {
    const { send, storage } = await openSite()
    const counts: number[] = []
    for (const [from, count] of [
      [0, 10],
      [10, 25],
    ] as const) {
      const { body, statements } = await send('POST', '/batch/v1', { requests: posts(from, count), atomic: true })
      counts.push(statements)
      const ids: number[] = body.responses.map((response: { body: { id: number } }) => response.body.id)
      const rows = await storage.posts.read(ids)
      expect(rows.map(({ title }) => title)).toEqual(Array.from({ length: count }, (_, at) => `Item ${from + at}`))
      expect(await storage.meta.read('post', ids, ['footnotes'])).toHaveLength(count)
      expect((await storage.terms.of(ids)).map(({ post }) => post)).toEqual(ids)
    }
    expect(counts[1]).toBe(counts[0])
    expect(counts[1]).toBeLessThanOrEqual(18)
  })

  test('a batch of posts with one title are a few more', async () => {
    const { send } = await openSite()
    const same = posts(0, 12).map((request) => ({ ...request, body: { ...request.body, title: 'Same' } }))
    const { body, trips } = await send('POST', '/batch/v1', { requests: same })
    const slugs = body.responses.map((response: { body: { slug: string } }) => response.body.slug)
    expect(slugs).toEqual(['same', ...Array.from({ length: 11 }, (_, at) => `same-${at + 2}`)])
    expect(trips).toBeLessThanOrEqual(8)
  })
})

describe.runIf(isPostgres)('a transaction of PostgreSQL', () => {
  test('gives rows the ids that the server gives them, with and without pipeline mode', async () => {
    for (const pipeline of [true, false]) {
      const { send, storage } = await openSite({ pipeline })
      const created = await send('POST', '/cms/v2/posts', {
        title: 'Second',
        status: 'publish',
        meta: { footnotes: '[1]' },
      })
      const batch = await send('POST', '/batch/v1', { requests: posts(0, 3) })
      const ids = [created.body.id, ...batch.body.responses.map(({ body }: { body: { id: number } }) => body.id)]
      const rows = await storage.posts.read(ids)
      expect(rows.map(({ title }) => title)).toEqual(['Second', 'Item 0', 'Item 1', 'Item 2'])
      expect(await storage.meta.read('post', ids, ['footnotes'])).toHaveLength(4)
      expect((await storage.terms.of(ids)).map(({ post }) => post)).toEqual(ids)
    }
  })

  test('runs again where something else takes the next id meanwhile', async () => {
    const { send, storage, schema } = await openSite()
    // A program of the host may do this in the middle of a transaction: sequences know no transactions.
    await postgresPool().query(`
      create function ${schema}.foreign_row() returns trigger language plpgsql as $$
      begin
        perform nextval('${schema}.posts_id_seq');
        return null;
      end $$;
      create trigger foreign_row after insert on ${schema}.posts for each row execute function ${schema}.foreign_row()`)
    const { body } = await send('POST', '/batch/v1', { requests: posts(0, 3) })
    const ids: number[] = body.responses.map((response: { body: { id: number } }) => response.body.id)
    expect((await storage.posts.read(ids)).map(({ title }) => title)).toEqual(['Item 0', 'Item 1', 'Item 2'])
    const { rows } = await postgresPool().query(
      `select id::int from ${schema}.posts where title like 'Item%' order by id`,
    )
    expect(rows.map(({ id }) => id)).toEqual(ids)
  })

  test('undoes the writes of an item that fails, and keeps those before and after', async () => {
    const { send, storage } = await openSite()
    const [first, second, third] = posts(0, 3)
    const lost = { ...second, body: { ...second?.body, slug: 'lost', template: 'no-such.php' } }
    const { body } = await send('POST', '/batch/v1', { requests: [first, lost, second, third] })
    expect(body.responses.map(({ status }: { status: number }) => status)).toEqual([201, 400, 201, 201])
    const [before, , after, last] = body.responses.map((response: { body: { id: number } }) => response.body.id)
    expect((await storage.posts.read([before, after, last])).map(({ title }) => title)).toEqual([
      'Item 0',
      'Item 1',
      'Item 2',
    ])
  })

  test('knows what items of a batch change for those that follow: terms, slugs, rows that are gone', async () => {
    const { send, storage } = await openSite()
    const create = (body: object) => ({ method: 'POST', path: '/cms/v2/posts', body: { status: 'publish', ...body } })
    const first = await send('POST', '/cms/v2/posts', { title: 'Held', status: 'publish', categories: [1] })
    const term = { method: 'POST', path: '/cms/v2/categories', body: { name: 'Fresh' } }
    const { rows: known } = await storage.terms.query({ order: { by: 'id', descending: true }, offset: 0, limit: 1 })
    const next = (known[0]?.id ?? 0) + 1
    const { body } = await send('POST', '/batch/v1', {
      requests: [
        create({ title: 'Held', categories: [1, next] }),
        create({ title: 'Lost', template: 'no-such.php' }),
        create({ title: 'Lost', categories: [1] }),
        term,
        create({ title: 'Lost', categories: [1, next] }),
        { method: 'DELETE', path: `/cms/v2/posts/${first.body.id}?force=true` },
        create({ title: 'Held' }),
      ],
    })
    const answers = body.responses.map(({ status, body }: { status: number; body: Record<string, unknown> }) => [
      status,
      body.slug,
      body.categories,
    ])
    const isServed = answers[3][0] === 201
    expect(answers).toEqual([
      [201, 'held-2', [1]],
      [400, undefined, undefined],
      [201, 'lost', [1]],
      isServed ? [201, 'fresh', undefined] : [404, undefined, undefined],
      [201, 'lost-2', isServed ? [1, next] : [1]],
      [200, undefined, undefined],
      [201, 'held', [1]],
    ])
  })

  test('throws at its end what a statement that it did not wait for has thrown, and writes nothing', async () => {
    const { storage } = await openStorage()
    const term = await addTerm(storage, 'a')
    const write = storage.atomic?.(async (transaction) => {
      const post = await addPost(transaction)
      await transaction.terms.assign([{ post, taxonomy: 'category', terms: [term, term + 1] }])
      await transaction.meta.write('post', [{ id: post, key: 'k', value: 1 }])
    })
    await expect(write).rejects.toThrow(TypeError)
    expect([await findPosts(storage), (await storage.terms.of([1, 2])).length]).toEqual([[], 0])
    expect(await addPost(storage)).toBeGreaterThan(0)
  })

  test('forgets a failure in a savepoint that is rolled back', async () => {
    const { storage } = await openStorage()
    const id = await storage.atomic?.(async (transaction) => {
      const post = await addPost(transaction)
      const inner = transaction.atomic?.(async (savepoint) => {
        await savepoint.terms.assign([{ post, taxonomy: 'category', terms: [77] }])
        await savepoint.posts.read([post])
      })
      await expect(inner).rejects.toThrow(TypeError)
      await transaction.meta.write('post', [{ id: post, key: 'k', value: 1 }])
      return post
    })
    expect(await storage.meta.read('post', [Number(id)])).toEqual([{ id, key: 'k', value: 1 }])
  })

  test('writes nothing of a savepoint that is rolled back before it was sent, and keeps the ids of what follows', async () => {
    const { storage, schema } = await openStorage()
    const term = await addTerm(storage, 'a')
    const marked = async () => {
      const { rows } = await postgresPool().query(`select version from ${schema}.post_changes where type = 'post'`)
      return rows[0]?.version
    }
    const insert = async (target: Storage, slug: string) => {
      await target.posts.takenSlugs('post', [slug])
      const [post = 0] = await target.posts.insert([postValues({ slug, title: slug })])
      await target.terms.assign([{ post, taxonomy: 'category', terms: [term] }])
      await target.meta.write('post', [{ id: post, key: 'k', value: slug }])
      return post
    }
    for (const isSent of [false, true]) {
      const before = await marked()
      const prefix = isSent ? 'sent' : 'held'
      const ids = await storage.atomic?.(async (transaction) => {
        const kept = isSent ? [] : [await insert(transaction, `${prefix}-a`)]
        const lost = transaction.atomic?.(async (savepoint) => {
          await insert(savepoint, `${prefix}-lost`)
          const inner = await savepoint.atomic?.((child) => insert(child, `${prefix}-inner`))
          if (isSent) expect(await savepoint.posts.read([Number(inner)])).toHaveLength(1)
          throw new Error('no')
        })
        await expect(lost).rejects.toThrow('no')
        return [...kept, await insert(transaction, `${prefix}-b`)]
      })
      const rows = await storage.posts.read(ids ?? [])
      expect(rows.map(({ slug }) => slug)).toEqual(isSent ? ['sent-b'] : ['held-a', 'held-b'])
      expect((await storage.meta.read('post', ids ?? [])).map(({ value }) => value)).toEqual(
        rows.map(({ slug }) => slug),
      )
      expect(await marked()).not.toBe(before)
    }
    expect(await findPosts(storage)).toHaveLength(3)
    const { rows } = await storage.terms.query({
      ids: [term],
      order: { by: 'id', descending: false },
      offset: 0,
      limit: 1,
    })
    expect(rows).toMatchObject([{ count: 3 }])
  })

  test('gives a post the last of the terms and values that it is given', async () => {
    const { storage } = await openStorage()
    const [first, second] = [await addTerm(storage, 'a'), await addTerm(storage, 'b')]
    const old = await addPost(storage)
    await storage.terms.assign([{ post: old, taxonomy: 'category', terms: [first] }])
    const added = await storage.atomic?.(async (transaction) => {
      await transaction.posts.takenSlugs('post', ['new'])
      await transaction.terms.assign([{ post: old, taxonomy: 'category', terms: [second] }])
      const [post = 0] = await transaction.posts.insert([postValues({ slug: 'new' })])
      for (const term of [first, second]) {
        await transaction.terms.assign([{ post, taxonomy: 'category', terms: [term] }])
        await transaction.meta.write('post', [{ id: post, key: 'k', value: term }])
      }
      return post
    })
    const post = Number(added)
    expect(await storage.terms.of([old, post])).toMatchObject([
      { post: old, term: second },
      { post, term: second },
    ])
    expect(await storage.meta.read('post', [post])).toEqual([{ id: post, key: 'k', value: second }])
  })

  test('updates nothing in the place of a row that was removed while it was read', async () => {
    const { storage } = await openStorage()
    const post = await addPost(storage)
    const updated = await storage.atomic?.(async (transaction) => {
      await Promise.all([transaction.posts.read([post]), transaction.posts.remove([post])])
      return transaction.posts.update([{ id: post, changes: { title: 'Late' } }])
    })
    expect(updated).toEqual([])
  })

  test('sees in a savepoint that a slug is taken again after another one was rolled back', async () => {
    const { storage } = await openStorage()
    const insert = (target: Storage) => target.posts.insert([postValues({ slug: 'wanted' })])
    await storage.atomic?.(async (transaction) => {
      const [post = 0] = await insert(transaction)
      const removed = transaction.atomic?.(async (savepoint) => {
        await savepoint.posts.remove([post])
        expect(await savepoint.posts.takenSlugs('post', ['wanted'])).toEqual([])
        throw new Error('no')
      })
      await expect(removed).rejects.toThrow('no')
      await expect(async () => insert(transaction)).rejects.toMatchObject({ field: 'slug' })
    })
    expect(await findPosts(storage)).toHaveLength(1)
  })

  test.each([false, true])(
    'is sent again when it waited too long for the lock, and writes once; answers in parts: %s',
    async (inParts) => {
      const { storage, schema } = await openStorage()
      const { hostname, port } = new URL(postgresUrl())
      const proxy = await startProxy({ host: hostname, port: Number(port) })
      const url = postgresUrl().replace(`:${port}`, `:${proxy.port}`)
      const pool = new pg.Pool({ connectionString: url, max: 2, pipeline: true, Client: counted.Client })
      const other = postgresStorage(pool, { schema, timeouts: { queryMs: 2000 } })
      onTestFinished(async () => {
        await other.close?.()
        await pool.end()
        await proxy.close()
      })
      await other.open?.()
      const held = Promise.withResolvers<void>()
      const ending = Promise.withResolvers<void>()
      const holding = storage.atomic?.(async (transaction) => {
        await transaction.options.write({ held: true })
        held.resolve()
        await ending.promise
      })
      await held.promise
      if (inParts) proxy.fail('drip')
      // It begins anew with each slice of its wait.
      const secondBegin = Promise.withResolvers<void>()
      let begins = 0
      counted.watch = (text) => {
        if (text.startsWith('begin') && ++begins === 2) secondBegin.resolve()
      }
      const work = async (transaction: Storage) => {
        const [taken, before] = await Promise.all([
          transaction.posts.takenSlugs('post', ['wanted']),
          transaction.options.read(['held', 'count']),
        ])
        await transaction.options.write({ count: 1 })
        return { taken, before, posts: await transaction.posts.insert([postValues({ slug: 'wanted' })]) }
      }
      const patient = Promise.resolve(other.atomic?.(work))
      patient.catch(secondBegin.reject)
      await secondBegin.promise
      ending.resolve()
      await holding
      expect(await patient).toMatchObject({ taken: [], before: { held: true } })
      expect([await storage.options.read(), await findPosts(storage)]).toMatchObject([
        { held: true, count: 1 },
        { length: 1 },
      ])
    },
  )
})

/** Starts a separate server, whose commits wait for the disk. */
async function openDurable() {
  const server = await startPostgres({ isDurable: true })
  onTestFinished(() => server.stop())
  const storage = postgresStorage({ connectionString: server.url, max: 6 })
  onTestFinished(async () => storage.close?.())
  const admin = new pg.Client({ connectionString: server.url })
  await admin.connect()
  onTestFinished(() => admin.end())
  const setStandby = async (name: string) => {
    await admin.query(`alter system set synchronous_standby_names = '${name}'`)
    await admin.query('select pg_reload_conf()')
  }
  const probe = new pg.Client({ connectionString: server.url })
  await probe.connect()
  onTestFinished(() => probe.end())
  const probeId = (await probe.query('select pg_backend_pid() as id')).rows[0].id
  /** How many commits wait, besides that of `probe`. */
  const heldCommits = async (): Promise<number> => {
    const { rows } = await admin.query(
      "select pid = $1 as is_probe from pg_stat_activity where wait_event = 'SyncRep'",
      [probeId],
    )
    if (rows.length > 0) isProbeHeld = true
    return rows.filter(({ is_probe }) => !is_probe).length
  }
  let isProbeHeld = false
  /** No standby has this name: all commits wait until `release`. The server takes its settings over some time after it was asked to. */
  const holdCommits = async () => {
    await setStandby('nobody')
    while (!isProbeHeld) {
      let isCommitted = false
      const probing = probe.query("select pg_logical_emit_message(true, 'probe', '')").then(() => {
        isCommitted = true
      })
      probing.catch(() => undefined)
      while (!isCommitted && !isProbeHeld) await heldCommits()
    }
  }
  return { storage, admin, holdCommits, heldCommits, release: () => setStandby('') }
}

describe.runIf(isPostgres)('a commit of PostgreSQL', () => {
  test('lets the next transaction begin before the disk or a standby has answered, and answers after it', async () => {
    const { storage, admin, holdCommits, release } = await openDurable()
    await addPost(storage)
    await holdCommits()
    const answered: string[] = []
    const write = async (title: string) => {
      await storage.atomic?.(async (transaction) => {
        await transaction.posts.insert([postValues({ title })])
      })
      answered.push(title)
    }
    const writes = ['a', 'b', 'c'].map(write)
    // Visible, although none is answered.
    for (let count = 0; count < 3; ) {
      const { rows } = await admin.query("select count(*)::int from site_api.posts where title in ('a', 'b', 'c')")
      count = rows[0].count
    }
    expect(answered).toEqual([])
    await release()
    await Promise.all(writes)
    expect(answered.toSorted()).toEqual(['a', 'b', 'c'])
  })

  test('of an index waits for the disk or a standby, also where no row is written: the process remembers the index', async () => {
    const { storage, holdCommits, heldCommits, release } = await openDurable()
    await storage.open?.()
    await holdCommits()
    let isAnswered = false
    const update = [{ id: 1, changes: { name: 'not there' } }]
    const writing = Promise.resolve(storage.records.update(things, update)).then(() => {
      isAnswered = true
    })
    while (!isAnswered && (await heldCommits()) === 0);
    expect(isAnswered).toBe(false)
    await release()
    await writing
  })

  test('has a token that no other commit has, also after a server that failed', async () => {
    const { storage } = await openStorage()
    const tokens = new Set<unknown>()
    for (let at = 0; at < 20; at++) {
      await storage.options.write({ at })
      tokens.add((await storage.readChanges?.())?.all)
    }
    expect(tokens.size).toBe(20)
    // Not the next number: a commit that the server has forgotten may have had that.
    const [first = 0, second = 0] = [...tokens].map(Number)
    expect(Math.abs(second - first)).toBeGreaterThan(1)
  })
})
