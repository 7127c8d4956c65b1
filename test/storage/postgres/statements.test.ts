import { describe, expect, test } from 'vitest'
import type { PostQuery, Storage } from '../../../src/contract/storage.ts'
import type { BackgroundContext } from '../../../src/core/declare/scheduled-task.ts'
import { webhookDeliveries } from '../../../src/features/integration/outbox/collections.ts'
import { deliverDue, newDelivery } from '../../../src/features/shared/deliveries.ts'
import { createServerStatements } from '../../../src/storage/sql/postgres/statements.ts'
import { postValues, termValues, things } from '../../../src/testing/content.ts'
import { openPostgres, postgresPool } from '../../support/postgres.ts'
import { fillStorage } from '../fill-storage.ts'
import { countListStatements, list } from '../list-statements.ts'

/** Lists that must be read along an index, without sorting. */
const unsortedLists: { readonly [name: string]: PostQuery } = {
  'by date': list,
  'by date, oldest first': { ...list, order: { by: 'date', descending: false } },
  'of two types': { ...list, types: ['post', 'page'] },
  'by change': { ...list, order: { by: 'modified', descending: true } },
  'by title': { ...list, order: { by: 'title', descending: false } },
  'by id': { ...list, order: { by: 'id', descending: true } },
  'of an author': { ...list, authors: [2] },
  'of a term': { ...list, terms: { terms: [1], has: 'any' } },
  'of two terms': { ...list, terms: { terms: [1, 2], has: 'all' } },
  'between dates': { ...list, dates: [{ field: 'date', after: '2024-01-03T00:00:00' }] },
}

/** A new storage with analyzed tables, and the statements that it executes. */
async function observed(fill: (storage: Storage) => Promise<unknown>) {
  const executed: string[] = []
  const { storage } = await openPostgres({ onStatement: (text) => executed.push(text) })
  await fill(storage)
  const schema = /insert into ("[^"]+")/.exec(executed.join('\n'))?.[1] ?? ''
  await postgresPool().query(`vacuum (analyze) ${schema}.posts, ${schema}.post_terms, ${schema}.records`)
  executed.length = 0
  return { storage, executed, schema }
}

async function manyPosts(storage: Storage): Promise<void> {
  const terms = await storage.terms.insert([1, 2].map((at) => termValues(`term-${at}`)))
  const rows = Array.from({ length: 3000 }, (_, at) =>
    postValues({
      title: `Title ${(at * 37) % 1000}`,
      content: at % 100 === 0 ? `a needle in ${at}` : `hay number ${at}`,
      date: new Date(Date.UTC(2024, 0, 1) + at * 3_600_000).toISOString().slice(0, 19),
      author: at % 50,
      type: at % 3 === 0 ? 'page' : 'post',
    }),
  )
  const posts = await storage.posts.insert(rows)
  const some = posts.filter((_, at) => at % 8 === 0)
  await storage.terms.assign(some.map((post) => ({ post, taxonomy: 'category', terms })))
}

/** The generic plan, which a prepared statement gets after a few executions. */
async function planOf(text: string): Promise<string> {
  const client = await postgresPool().connect()
  try {
    await client.query('begin; set local plan_cache_mode = force_generic_plan; set local enable_seqscan = off')
    await client.query(`prepare planned as ${text}`)
    const count = new Set(text.match(/\$\d+/g)).size
    const { rows } = await client.query(
      `explain (format json) execute planned${count > 0 ? `(${Array(count).fill('null').join()})` : ''}`,
    )
    return JSON.stringify(rows[0]['QUERY PLAN'])
  } finally {
    // Closed, not given back: the pool's next user must not find a statement, nor an open transaction.
    client.release(true)
  }
}

const nodesOf = (plan: string) => [...plan.matchAll(/"Node Type":"([^"]+)"/g)].map(([, node]) => String(node))

describe.runIf(process.env.TEST_STORAGE === 'postgres')('the statements of PostgreSQL', () => {
  test('look slugs up along their index, also with a plan from when there were no posts', async () => {
    const executed: string[] = []
    const { storage } = await openPostgres({ onStatement: (text) => executed.push(text) })
    await storage.open?.()
    for (const [slugs, parent] of [[['a']], [['a', 'b']], [['a', 'b'], 3]] as const) {
      executed.length = 0
      await storage.posts.takenSlugs('post', slugs, parent)
      const [text = ''] = executed
      expect(await planOf(text)).toMatch(/"Index Name":"posts_(?:by|unique)_slug"/)
    }
  })

  test('are equally many for a list of 10 as for a list of 100', async () => {
    const { storage, executed } = await observed(fillStorage)
    const [few, many] = await countListStatements(storage, executed)
    expect(many).toBe(few)
  })

  test('read the total of a query without filters from the counters', async () => {
    const { storage, executed } = await observed(fillStorage)
    await storage.posts.query({ ...list, dates: [], total: true })
    expect(executed.some((text) => /^select .* from "[^"]+".post_counts /.test(text))).toBe(true)
    await storage.posts.query({ ...list, terms: { terms: [1], has: 'any' }, total: true })
    expect(executed.some((text) => /^select .* from "[^"]+".term_counts /.test(text))).toBe(true)
  })

  test('use one statement for a new record and one for many new posts', async () => {
    const { storage, executed } = await observed(fillStorage)
    await storage.records.insert(things, [{ name: 'a' }])
    expect(executed).toHaveLength(1)
    executed.length = 0
    const ids = await storage.posts.insert(Array.from({ length: 256 }, () => postValues()))
    expect([executed.length, ids.length]).toEqual([1, 256])
    expect(ids).toEqual(ids.toSorted((a, b) => a - b))
  })

  test('assign the terms of many posts, of any taxonomies, in two statements', async () => {
    const { storage, executed } = await observed(fillStorage)
    const [category = 0] = await storage.terms.insert([termValues('quays')])
    const [tag = 0] = await storage.terms.insert([{ ...termValues('boats'), taxonomy: 'tag' }])
    const posts = await storage.posts.insert(Array.from({ length: 100 }, () => postValues()))
    executed.length = 0
    await storage.terms.assign(
      posts.flatMap((post, at) => [
        { post, taxonomy: 'category', terms: [category] },
        { post, taxonomy: 'tag', terms: at % 2 === 0 ? [tag] : [] },
      ]),
    )
    const ofTerms = executed.filter((text) => text.includes('post_terms'))
    expect(ofTerms).toHaveLength(2)
  })

  test('read lists along an index and sort nothing', { timeout: 60_000 }, async () => {
    const { storage, executed } = await observed(manyPosts)
    const sorted: string[] = []
    for (const [name, query] of Object.entries(unsortedLists)) {
      executed.length = 0
      await storage.posts.query(query)
      const nodes = nodesOf(await planOf(executed.at(-1) as string))
      // The rows of the page may be sorted again after they are read.
      const below = nodes.slice(nodes.indexOf('Limit'))
      if (!nodes.includes('Limit') || below.some((node) => /^(?:Sort|Seq Scan|Bitmap .*)$/.test(node))) {
        sorted.push(`${name}: ${nodes.join(' > ')}`)
      }
    }
    expect(sorted).toEqual([])
  })

  test('find the few posts with a password along their index, and pass the first page by its rows alone', async () => {
    const { storage, executed, schema } = await observed(async (filled) => {
      await manyPosts(filled)
      const all = await filled.posts.query({ ...list, limit: 9999 })
      const ids = all.idsPage.map(({ id }) => id)
      await filled.terms.assign(ids.map((post) => ({ post, taxonomy: 'category', terms: [1] })))
      await filled.posts.update(
        ids.map((id) => ({ id, changes: { author: 2, format: id % 4 ? 'standard' : 'aside' } })),
      )
      await filled.posts.update(ids.slice(0, 5).map((id) => ({ id, changes: { password: 'tide' } })))
    })
    for (const filter of [{ terms: { terms: [1], has: 'any' } }, { authors: [2] }] as const) {
      executed.length = 0
      await storage.posts.query({ ...list, ...filter, withPassword: false, total: true })
      const page = executed.find((text) => text.includes('order by')) ?? ''
      expect(page).not.toContain('not in')
      const counting = executed.filter((text) => text.includes('case when'))
      expect(counting.length).toBeGreaterThan(0)
      // A custom plan knows the values: the index has to be worth it with them too.
      const client = await postgresPool().connect()
      const values = ['post', 'publish']
      const { rows } = await client.query(
        `explain select 1 from ${schema}.posts p where p.type = '${values[0]}' and p.status = '${values[1]}' and
          ${/\(p\.status <> 'publish' or .*? = 1 and/.exec(counting[0] ?? '')?.[0]} p.password <> ''`,
      )
      client.release()
      expect(JSON.stringify(rows)).toContain('posts_unusual')
    }
  })

  test('use the trigram index for text search', async () => {
    const { storage, executed } = await observed(manyPosts)
    const result = await storage.posts.query({
      ...list,
      types: ['post', 'page'],
      search: { every: ['needle'], none: [], columns: ['content'], exact: false },
      limit: 100,
      total: true,
    })
    expect([result.total, result.idsPage.length]).toEqual([30, 30])
    const [total = ''] = executed.filter((text) => text.startsWith('select 0 '))
    const [page = ''] = executed.filter((text) => text.includes(' w join '))
    expect(await planOf(total)).toContain('posts_search')
    expect(await planOf(page)).toContain('posts_search')
  })

  test('find the deliveries that are due, and the first one of a record, along their indexes', async () => {
    const now = Date.UTC(2024, 0, 1)
    const delivery = (at: number) =>
      newDelivery(
        { target: 'hook', subject: `post:${at % 700}`, sequence: at },
        now,
        at % 3 === 0 ? { state: 'dead' } : {},
      )
    const rows = Array.from({ length: 2000 }, (_, at) => delivery(at))
    const { storage, executed } = await observed(async (empty) => empty.records.insert(webhookDeliveries, rows))
    const stop = new AbortController()
    const context = { storage, app: { clock: () => now }, signal: stop.signal }
    const attempt = async () => {
      stop.abort()
      return { result: 'delivered' } as const
    }
    // The cast: it needs nothing else of its context.
    await deliverDue(context as unknown as BackgroundContext, { name: 'row', collection: webhookDeliveries, attempt })
    const plans = new Map<string, string>()
    for (const text of new Set(executed)) {
      const order = /order by \(r\.body ->> '(\w+)'/.exec(text)?.[1]
      if (order !== undefined) plans.set(order, await planOf(text))
    }
    expect([...plans.keys()]).toEqual(['due', 'sequence'])
    expect(plans.get('due')).toContain('records_by:webhook_deliveries:state,due"')
    expect(plans.get('sequence')).toContain('records_by:webhook_deliveries:subject,state,sequence"')
  })

  test('find and order records along the indexes of their collection', async () => {
    const rows = Array.from({ length: 2000 }, (_, at) => ({ owner: at % 100, name: `name ${at}` }))
    const { storage, executed } = await observed(async (empty) => empty.records.insert(things, rows))
    await storage.records.query(things, { where: { every: [{ field: 'owner', is: 1 }] } })
    expect(await planOf(executed.at(-1) as string)).toContain('records_by:things:owner')
    await storage.records.query(things, { order: [{ by: 'name' }], limit: 10 })
    const plan = await planOf(executed.at(-1) as string)
    expect(plan).toContain('records_by:things:name')
    expect(plan).not.toContain('"Sort"')
  })

  test('are the same for lists of any length', async () => {
    const { storage, executed } = await observed(fillStorage)
    await find(storage, 2)
    const shapes = new Set(executed).size
    for (let length = 3; length < 50; length++) await find(storage, length)
    expect(new Set(executed).size).toBe(shapes)
  })

  test('are converted once, up to a limit', () => {
    const statements = createServerStatements('"site"')
    const first = statements.of('select 0')
    expect(statements.of('select 0')).toBe(first)
    for (let at = 1; at < 1000; at++) statements.of(`select ${at}`)
    expect(statements.of('select 0')).not.toBe(first)
  })

  test('stay prepared on a connection up to a limit', { timeout: 60_000 }, async () => {
    const { storage } = await observed(fillStorage)
    const fields = ['name', 'size', 'weight', 'ready', 'owner'] as const
    await storage.atomic?.(async (transaction) => {
      for (let shape = 0; shape < 600; shape++) {
        const some = Array.from({ length: 1 + (shape >> 3) }, (_, at) => fields[(shape + at) % 5] as string)
        await transaction.records.query(things, { where: { every: some.map((field) => ({ field, is: null })) } })
      }
    })
    const counts = await Promise.all(
      Array.from({ length: 8 }, () => postgresPool().query('select count(*)::int from pg_prepared_statements')),
    )
    for (const { rows } of counts) expect(rows[0].count).toBeLessThanOrEqual(400)
  })
})

async function find(storage: Storage, length: number): Promise<void> {
  const ids = Array.from({ length }, (_, at) => at + 1)
  await storage.posts.read(ids)
  await storage.posts.query({ ...list, ids, notAuthors: ids })
  await storage.terms.query({ ids, order: { by: 'id', descending: false }, offset: 0, limit: 10 })
  await storage.meta.read('post', ids)
  await storage.posts.takenSlugs('post', ids.map(String))
}
