/** The numbers of used terms in trees: kept by triggers, filled by the migration, read by lists without a scan. */
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Storage, TermQuery } from '../../../src/contract/storage.ts'
import { checkPostgres, postgresStorage } from '../../../src/storage/postgres.ts'
import { defaultTimeouts, PostgresConnection } from '../../../src/storage/sql/postgres/connection.ts'
import { migrate, quoteIdentifier } from '../../../src/storage/sql/postgres/migrate.ts'
import { postgresMigrations } from '../../../src/storage/sql/postgres/schema.ts'
import { addPost, assign, findTerms, termValues } from '../../../src/testing/content.ts'
import { changeTermTrees } from '../../../src/testing/terms/trees.ts'
import { newSchema, postgresPool } from '../../support/postgres.ts'

const longTimeout = { timeout: 60_000 }
const sound = { repaired: [], problems: [] }
const orders = ['id', 'name', 'slug', 'description', 'count'] as const

function newStorage(onStatement?: (text: string) => void) {
  const schema = newSchema()
  onTestFinished(async () => void (await postgresPool().query(`drop schema if exists ${schema} cascade`)))
  return { schema, storage: postgresStorage(postgresPool(), { schema, ...(onStatement ? { onStatement } : {}) }) }
}

/** Adds a chain of three terms, the first of them above the others, and terms beside it without posts. */
async function addTree(storage: Storage, others: number): Promise<number[]> {
  const [top = 0] = await storage.terms.insert([termValues('top')])
  const [middle = 0] = await storage.terms.insert([termValues('middle', { parent: top })])
  const [low = 0] = await storage.terms.insert([termValues('low', { parent: middle })])
  const rows = Array.from({ length: others }, (_, at) =>
    termValues(`other-${at}`, { parent: [0, top, middle][at % 3] ?? 0 }),
  )
  await storage.terms.insert(rows)
  return [top, middle, low]
}

/** The generic plan, which a prepared statement gets after a few executions. */
async function planOf(text: string): Promise<string> {
  const client = await postgresPool().connect()
  try {
    await client.query('begin; set local plan_cache_mode = force_generic_plan')
    await client.query(`prepare planned as ${text}`)
    const count = new Set(text.match(/\$\d+/g)).size
    const { rows } = await client.query(`explain (format json) execute planned(${Array(count).fill('null').join()})`)
    return JSON.stringify(rows[0]['QUERY PLAN'])
  } finally {
    // Closed, not given back: the pool's next user must not find a statement, nor an open transaction.
    client.release(true)
  }
}

describe.runIf(process.env.TEST_STORAGE === 'postgres')('the numbers of used terms in trees, in PostgreSQL', () => {
  test.each([3, 5])('are right after each of many changes (%i)', longTimeout, async (seed) => {
    const { schema, storage } = newStorage()
    await changeTermTrees(storage, { seed, turns: 60 }, async () => {
      expect(await checkPostgres(postgresPool(), { schema })).toEqual(sound)
    })
  })

  test('are right after writes of a host to many rows at once', async () => {
    const { schema, storage } = newStorage()
    const [top = 0, middle = 0, low = 0] = await addTree(storage, 6)
    await assign(storage, await addPost(storage), [low])
    for (const sql of [
      `update ${schema}.terms set parent = ${top} where parent = ${middle}`,
      `update ${schema}.terms set parent = ${middle} where id = ${low}`,
      `update ${schema}.terms set parent = case id when ${low} then ${top} when ${middle} then 7 else parent end`,
      `update ${schema}.terms set parent = 0`,
      `update ${schema}.terms set parent = id - 1`,
      `delete from ${schema}.terms where id in (${middle}, 7, 8)`,
      `insert into ${schema}.terms (id, taxonomy, slug, name, name_folded, description, parent)
        values (20, 'category', 'x', 'x', 'x', '', 21), (${middle}, 'category', 'y', 'y', 'y', '', 20), (21, 'tag', 'z', 'z', 'z', '', 0)`,
      `update ${schema}.terms set parent = ${middle} where id = ${low}`,
    ]) {
      await postgresPool().query(sql)
      expect([sql, await checkPostgres(postgresPool(), { schema })]).toEqual([sql, sound])
    }
    expect(await findTerms(storage, { counted: 'orBelow' })).toEqual([middle, low, 20, 21])
  })

  test('are filled when a schema gets them, and repaired', async () => {
    const { schema, storage } = newStorage()
    const connection = await PostgresConnection.from(postgresPool(), { prepares: false, timeouts: defaultTimeouts })
    const name = { schema, quotedSchema: quoteIdentifier(schema) }
    const before = postgresMigrations.slice(
      0,
      postgresMigrations.findIndex((each) => each.name === 'terms-in-use'),
    )
    await migrate(connection, name, before).finally(() => connection.release())
    await postgresPool().query(`insert into ${schema}.terms (id, taxonomy, slug, name, name_folded, description, parent, count) values
      (1, 'category', 'a', 'a', 'a', '', 3, 0), (2, 'category', 'b', 'b', 'b', '', 1, 1), (3, 'category', 'c', 'c', 'c', '', 9, 2),
      (4, 'category', 'd', 'd', 'd', '', 3, 0), (5, 'tag', 'e', 'e', 'e', '', 6, 1), (6, 'tag', 'f', 'f', 'f', '', 5, 0)`)
    expect(await findTerms(storage, { counted: 'orBelow' })).toEqual([1, 2, 3, 5, 6])
    const { rows } = await postgresPool().query(`select used_in_tree::int from ${schema}.terms order by id`)
    expect(rows.map((row) => row.used_in_tree)).toEqual([1, 1, 2, 0, 1, 1])
    // No post has these terms, and so the check finds the counts wrong first.
    await checkPostgres(postgresPool(), { schema, repair: true })
    expect(await findTerms(storage, { counted: 'orBelow' })).toEqual([])
    await postgresPool().query(`update ${schema}.terms set used_in_tree = 2 where id = 4`)
    const repaired = ['the number of used terms among a term and those below: term 4 is stored as 2 and is 0']
    expect(await checkPostgres(postgresPool(), { schema, repair: true })).toEqual({ repaired, problems: [] })
    expect(await checkPostgres(postgresPool(), { schema })).toEqual(sound)
  })

  test('are read by lists from an index of used terms, and their totals from counters', longTimeout, async () => {
    const executed: string[] = []
    const { schema, storage } = newStorage((text) => executed.push(text))
    const terms = await addTree(storage, 3000)
    await assign(storage, await addPost(storage), terms.slice(2))
    await postgresPool().query(`vacuum (analyze) ${schema}.terms`)
    const others: string[] = []
    for (const by of orders) {
      for (const counted of ['itself', 'orBelow'] as const) {
        executed.length = 0
        const order = { by, descending: false }
        const query: TermQuery = { taxonomies: ['category'], counted, order, offset: 0, limit: 10, total: true }
        expect((await storage.terms.query(query)).total).toBe(counted === 'itself' ? 1 : 3)
        const [rows = '', total = ''] = executed.toSorted((a) => (a.includes('list_counts') ? 1 : -1))
        const plan = await planOf(rows)
        if (!/"Index Name":"terms_used_by_/.test(plan) || /Seq Scan/.test(plan))
          others.push(`${by} ${counted}: ${plan}`)
        expect(total).toContain('list_counts')
      }
    }
    expect(others).toEqual([])
  })
})
