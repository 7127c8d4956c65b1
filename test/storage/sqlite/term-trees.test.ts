/** The numbers of used terms in trees: kept by triggers, filled by the migration, read by lists without a scan. */
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import type { Storage, TermQuery } from '../../../src/contract/storage.ts'
import { migrate } from '../../../src/storage/sql/sqlite/migrate.ts'
import { openNode } from '../../../src/storage/sql/sqlite/node-driver.ts'
import { sqliteMigrations } from '../../../src/storage/sql/sqlite/schema.ts'
import { checkSqlite } from '../../../src/storage/sqlite.ts'
import { addPost, assign, findTerms, termValues } from '../../../src/testing/content.ts'
import { changeTermTrees } from '../../../src/testing/terms/trees.ts'
import { isSqlite, longTimeout, openFile, planOf, temporaryFile } from './file.ts'

const sound = { repaired: [], problems: [] }
const orders = ['id', 'name', 'slug', 'description', 'count'] as const

/** Adds a chain of three terms, the first of them above the others, and terms beside it without posts. */
async function addTree(storage: Storage, others: number): Promise<number[]> {
  const [top = 0] = await storage.terms.insert([termValues('top')])
  const [middle = 0] = await storage.terms.insert([termValues('middle', { parent: top })])
  const [low = 0] = await storage.terms.insert([termValues('low', { parent: middle })])
  const rows = Array.from({ length: others }, (_, at) =>
    termValues(`other-${at}`, { parent: [0, top, middle][at % 3] }),
  )
  await storage.terms.insert(rows)
  return [top, middle, low]
}

describe.runIf(isSqlite)('the numbers of used terms in trees, in SQLite', () => {
  test.each([3, 5])('are right after each of many changes (%i)', longTimeout, async (seed) => {
    const file = temporaryFile()
    await changeTermTrees(openFile(file), { seed, turns: 60 }, async () => {
      expect(checkSqlite(file)).toEqual(sound)
    })
  })

  test('are right after writes of a host to many rows at once', async () => {
    const file = temporaryFile()
    const storage = openFile(file)
    const [top = 0, middle = 0, low = 0] = await addTree(storage, 6)
    await assign(storage, await addPost(storage), [low])
    const database = new DatabaseSync(file)
    for (const sql of [
      `update terms set parent = ${top} where parent = ${middle}`,
      `update terms set parent = ${low} where parent = 0`,
      'update terms set parent = 0',
      `update terms set parent = id - 1 where id < 9`,
      `delete from terms where id in (${middle}, 7, 8)`,
      `insert into terms (id, taxonomy, slug, name, name_folded, description, parent)
        values (20, 'category', 'x', 'x', 'x', '', 21), (${middle}, 'category', 'y', 'y', 'y', '', 20), (21, 'tag', 'z', 'z', 'z', '', 0)`,
    ]) {
      database.exec(sql)
      expect([sql, checkSqlite(file)]).toEqual([sql, sound])
    }
    database.close()
    expect(await findTerms(storage, { counted: 'orBelow' })).toEqual([middle, low, 20, 21])
  })

  test('are filled when a database gets them', async () => {
    const file = temporaryFile()
    const connection = openNode(file, { busyMs: 1000 })
    migrate(
      connection,
      sqliteMigrations.filter((_, at) => at < sqliteMigrations.findIndex(({ name }) => name === 'terms-in-use')),
    )
    connection.exec(`insert into terms (id, taxonomy, slug, name, name_folded, description, parent, count) values
      (1, 'category', 'a', 'a', 'a', '', 3, 0), (2, 'category', 'b', 'b', 'b', '', 1, 1), (3, 'category', 'c', 'c', 'c', '', 9, 2),
      (4, 'category', 'd', 'd', 'd', '', 3, 0), (5, 'tag', 'e', 'e', 'e', '', 6, 1), (6, 'tag', 'f', 'f', 'f', '', 5, 0)`)
    connection.close()
    expect(await findTerms(openFile(file), { counted: 'orBelow' })).toEqual([1, 2, 3, 5, 6])
    const database = new DatabaseSync(file)
    const numbers = database.prepare('select used_in_tree from terms order by id').all()
    database.close()
    expect(numbers.map((row) => row.used_in_tree)).toEqual([1, 1, 2, 0, 1, 1])
  })

  test('are read by lists from an index of used terms, and their totals from counters', async () => {
    const file = temporaryFile()
    const executed: string[] = []
    const storage = openFile(file, { onStatement: (text) => executed.push(text) })
    const terms = await addTree(storage, 400)
    await assign(storage, await addPost(storage), terms.slice(2))
    const plans = async (counted: 'itself' | 'orBelow', total: number) => {
      const steps: string[] = []
      for (const by of orders) {
        executed.length = 0
        const order = { by, descending: false }
        const query: TermQuery = { taxonomies: ['category'], counted, order, offset: 0, limit: 10, total: true }
        expect((await storage.terms.query(query)).total).toBe(total)
        steps.push(...executed.flatMap((text) => planOf(file, text)))
      }
      return steps.filter((step) => !/SUBQUERY|json_each/.test(step))
    }
    const steps = [...(await plans('itself', 1)), ...(await plans('orBelow', 3))]
    analyze(file)
    steps.push(...(await plans('itself', 1)), ...(await plans('orBelow', 3)))
    const expected = /^SEARCH terms USING INDEX terms_used_by_\w+ \(taxonomy=\?\)$|^SEARCH c USING PRIMARY KEY/
    expect(steps).toHaveLength(2 * orders.length * 2 * 2)
    expect(steps.filter((step) => !expected.test(step))).toEqual([])
  })

  test('change as many rows in a large tree as in a small one', async () => {
    const changes: number[] = []
    for (const others of [0, 300]) {
      const file = temporaryFile()
      const storage = openFile(file)
      const [, , low = 0] = await addTree(storage, others)
      const post = await addPost(storage, { status: 'draft' })
      await assign(storage, post, [low])
      const database = new DatabaseSync(file)
      database.exec(`update posts set status = 'publish' where id = ${post}`)
      changes.push(Number(database.prepare('select total_changes() as changes').get()?.changes))
      database.close()
      expect(await findTerms(storage, { counted: 'orBelow' })).toHaveLength(3)
    }
    expect(changes[1]).toBe(changes[0])
  })
})

function analyze(file: string): void {
  const database = new DatabaseSync(file)
  database.exec('analyze')
  database.close()
}
