import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import type { PostQuery, Storage } from '../../../src/contract/storage.ts'
import { createSiteApi, d1 } from '../../../src/index.ts'
import { PreparedConnection } from '../../../src/storage/sql/sqlite/connection.ts'
import type { Connection } from '../../../src/storage/sql/sqlite/driver.ts'
import { sqliteStorage } from '../../../src/storage/sqlite.ts'
import { places, postValues, termValues, things } from '../../../src/testing/content.ts'
import { fillStorage } from '../fill-storage.ts'
import { countListStatements, list } from '../list-statements.ts'
import { isSqlite, openFile, planOf, temporaryFile } from './file.ts'

/** Lists that must be read along an index, without sorting. */
const unsortedLists: { readonly [name: string]: PostQuery } = {
  'by date': list,
  'by date, oldest first': { ...list, order: { by: 'date', descending: false } },
  'by change': { ...list, order: { by: 'modified', descending: true } },
  'by title': { ...list, order: { by: 'title', descending: false } },
  'by id': { ...list, order: { by: 'id', descending: true } },
  'of an author': { ...list, authors: [2] },
  'of a term': { ...list, terms: { terms: [1], has: 'any' } },
  'of two terms': { ...list, terms: { terms: [1, 2], has: 'all' } },
  'without a term': { ...list, terms: { terms: [1], has: 'none' } },
  'between dates': { ...list, dates: [{ field: 'date', after: '2024-01-03T00:00:00' }] },
}

describe.runIf(isSqlite)('the statements of SQLite', () => {
  test('are equally many for a list of 10 as for a list of 100', async () => {
    const executed: string[] = []
    const storage = openFile(':memory:', { onStatement: (text) => executed.push(text) })
    await fillStorage(storage)
    const [few, many] = await countListStatements(storage, executed)
    expect(many).toBe(few)
  })

  test('read the settings again only when options were written, by whatever connection', async () => {
    const file = temporaryFile()
    const executed: string[] = []
    const storage = openFile(file, { onStatement: (text) => executed.push(text) })
    const api = createSiteApi({ storage, profile: d1, url: 'https://quay.example' })
    const { id: as } = await api.site.users.create({ login: 'ada', roles: ['administrator'] })
    const create = () => api.call<{ id: number }>('POST', '/cms/v2/posts', { title: 'Tide' }, { as })
    const optionReads = () => executed.filter((text) => /^select .* from options/.test(text)).length
    const name = async () => (await api.call<{ name: string }>('GET', '/', {}, { as })).data.name
    await create()
    // Runs due tasks that no request waits for, and writes their due times.
    await api.site.runDue()
    executed.length = 0
    await create()
    await create()
    expect(optionReads()).toBe(0)
    await api.site.options.write({ name: 'Quay' })
    // The write has read the value before it.
    executed.length = 0
    expect(await name()).toBe('Quay')
    expect(optionReads()).toBe(1)
    await expect(
      Promise.resolve(
        storage.atomic?.(async (transaction) => {
          await transaction.options.write({ name: 'Lost' })
          throw new Error('not kept')
        }),
      ),
    ).rejects.toThrow('not kept')
    expect(await name()).toBe('Quay')
    const other = openFile(file)
    await other.options.write({ name: 'Wharf' })
    await new Promise(setImmediate)
    expect(await name()).toBe('Wharf')
  })

  test('write nothing for terms that a post has already, and only the difference for others', async () => {
    const executed: string[] = []
    const storage = openFile(':memory:', { onStatement: (text) => executed.push(text) })
    const [post] = (await storage.posts.insert([postValues({ slug: 'tide' })])) as [number]
    const terms = await storage.terms.insert(['a', 'b', 'c'].map((slug) => termValues(slug)))
    const assign = async (ids: readonly number[]) => {
      executed.length = 0
      await storage.terms.assign([{ post, taxonomy: 'category', terms: ids }])
      return executed
        .filter((text) => /^(?:with|insert|delete)/.test(text))
        .map((text) => /insert|delete/.exec(text)?.[0])
    }
    expect(await assign(terms.slice(0, 2))).toEqual(['insert'])
    expect(await assign(terms.slice(0, 2))).toEqual([])
    expect(await assign(terms.slice(1))).toEqual(['insert', 'delete'])
    expect(await assign(terms.slice(1, 2))).toEqual(['delete'])
    expect((await storage.terms.of([post])).map(({ term }) => term)).toEqual(terms.slice(1, 2))
  })

  test('read no terms of a post that their transaction has inserted', async () => {
    const executed: string[] = []
    const storage = openFile(':memory:', { onStatement: (text) => executed.push(text) })
    const [term] = (await storage.terms.insert([termValues('a')])) as [number]
    await storage.atomic?.(async (transaction) => {
      const [post] = (await transaction.posts.insert([postValues({ slug: 'tide' })])) as [number]
      executed.length = 0
      await transaction.terms.assign([{ post, taxonomy: 'category', terms: [term] }])
      expect(executed).toHaveLength(1)
      await transaction.terms.assign([{ post, taxonomy: 'category', terms: [] }])
      expect(await transaction.terms.of([post])).toEqual([])
    })
  })

  test('write nothing of a refused assignment, and nothing of refused posts, in a transaction that goes on', async () => {
    const storage = openFile(':memory:')
    const [a = 0, b = 0] = await storage.terms.insert([termValues('a'), termValues('b')])
    await storage.posts.insert([postValues({ slug: 'taken' })])
    await storage.atomic?.(async (transaction) => {
      const assign = async (post: number, terms: readonly number[]) =>
        transaction.terms.assign([{ post, taxonomy: 'category', terms }])
      const refused = async () => transaction.posts.insert(['one', 'taken'].map((slug) => postValues({ slug })))
      await expect(refused()).rejects.toThrow('slug')
      const [post = 0] = await transaction.posts.insert([postValues({ slug: 'tide' })])
      await expect(assign(post, [a, 999])).rejects.toThrow('category has no term 999')
      expect(await transaction.terms.of([post])).toEqual([])
      await assign(post, [a])
      await expect(assign(post, [b, 999])).rejects.toThrow('category has no term 999')
      expect((await transaction.terms.of([post])).map(({ term }) => term)).toEqual([a])
    })
    const { idsPage, total } = await storage.posts.query({ ...list, total: true })
    expect(total).toBe(2)
    const slugs = (await storage.posts.read(idsPage.map(({ id }) => id))).map(({ slug }) => slug)
    expect(slugs.toSorted()).toEqual(['taken', 'tide'])
  })

  test('count the posts with a password without reading their rows', async () => {
    const file = temporaryFile()
    const executed: string[] = []
    const storage = openFile(file, { onStatement: (text) => executed.push(text) })
    await fillStorage(storage)
    const month = { field: 'date', after: '2024-01-01T00:00:00', before: '2024-02-01T00:00:00' } as const
    await storage.posts.query({ ...list, withPassword: false, dates: [month], total: true })
    const counting = executed.filter((text) => text.includes('posts_unusual'))
    expect(counting.length).toBeGreaterThan(0)
    const database = new DatabaseSync(file)
    const [{ root } = {}] = database.prepare("select rootpage as root from sqlite_master where name = 'posts'").all()
    for (const text of counting) {
      const values = Array.from({ length: text.split('?').length - 1 }, () => null)
      const steps = database.prepare(`explain ${text}`).all(...values)
      const cursors = steps.filter(({ opcode, p2 }) => opcode === 'OpenRead' && p2 === root).map(({ p1 }) => p1)
      expect(steps.filter(({ opcode, p1 }) => opcode === 'Column' && cursors.includes(p1))).toEqual([])
    }
    database.close()
  })

  test('count a list that no counter has once, until a post of its types is written', async () => {
    const executed: string[] = []
    const storage = openFile(':memory:', { onStatement: (text) => executed.push(text) })
    const add = (slug: string, type = 'post') => storage.posts.insert([postValues({ slug, type, menuOrder: 3 })])
    const count = async (offset: number) => {
      executed.length = 0
      const { total } = await storage.posts.query({ ...list, menuOrders: [3], offset, total: true })
      return { total, isCounted: executed.some((text) => text.includes('count(')) }
    }
    await add('one')
    expect(await count(0)).toEqual({ total: 1, isCounted: true })
    await add('page', 'page')
    for (const offset of [0, 0, 1]) expect(await count(offset)).toEqual({ total: 1, isCounted: false })
    await add('two')
    expect(await count(1)).toEqual({ total: 2, isCounted: true })
  })

  test('read the list of the query, although the caller has changed the lists of an equal query since', async () => {
    const storage = openFile(':memory:')
    await storage.posts.insert([postValues({ slug: 'one', title: 'Tide', author: 1 })])
    const search = { every: ['tide'], none: [], columns: ['title'], exact: false } as const
    const authors = [1]
    const query = { ...list, order: { by: 'title', descending: true }, search, total: true } as const
    expect((await storage.posts.query({ ...query, authors })).total).toBe(1)
    authors[0] = 7
    await storage.posts.insert([postValues({ slug: 'two', title: 'Tide', author: 1 })])
    expect((await storage.posts.query({ ...query, authors: [1] })).total).toBe(2)
  })

  test('use one statement for a new record', async () => {
    const executed: string[] = []
    const storage = openFile(':memory:', { onStatement: (text) => executed.push(text) })
    await fillStorage(storage)
    executed.length = 0
    await storage.records.insert(things, [{ name: 'a' }])
    expect(executed).toHaveLength(1)
  })

  test('find records by the values of a field along its index', async () => {
    const file = temporaryFile()
    const executed: string[] = []
    const storage = openFile(file, { onStatement: (text) => executed.push(text) })
    await storage.records.insert(things, [{ name: 'a', owner: 1 }])
    await storage.records.insert(places, [{ owner: 1, place: 'quay', code: 'q' }])
    const scanned: string[] = []
    for (const [collection, field, values] of [
      [things, 'owner', [1, 2]],
      [things, 'name', ['a', 'b']],
      [places, 'code', ['q', 'r']],
      [places, 'owner', [1, 2]],
    ] as const) {
      for (const where of [
        { field, in: values },
        { every: [{ field, in: values }] },
        { field, is: values[0] },
      ] as const) {
        executed.length = 0
        await storage.records.update(collection, [{ id: 1, changes: {}, when: where }])
        const when = executed.find((text) => text.startsWith('select'))
        if (/records_(?:by|unique):/.test(planOf(file, when).join())) scanned.push(`update ${JSON.stringify(where)}`)
        executed.length = 0
        await storage.records.query(collection, { where })
        await storage.records.query(collection, {
          where,
          order: [{ by: 'id', descending: true }],
          limit: 1,
          total: true,
        })
        await storage.records.remove(collection, where)
        const steps = executed.flatMap((text) => planOf(file, text))
        const isScanned = steps.some((step) => /\(collection=\?\)|^SCAN (?:records|r|x)\b/.test(step))
        if (isScanned) scanned.push(`${field} ${JSON.stringify(where)}: ${steps.join('; ')}`)
      }
    }
    expect(scanned).toEqual([])
  })

  test('read lists along an index and sort nothing', async () => {
    const file = temporaryFile()
    const storage = openFile(file, { onStatement: (text) => executed.push(text) })
    const executed: string[] = []
    await fillStorage(storage)
    const sorted: string[] = []
    for (const [name, query] of Object.entries(unsortedLists)) {
      executed.length = 0
      await storage.posts.query(query)
      if (planOf(file, executed.at(-1)).some((step) => /TEMP B-TREE|^SCAN p\b/.test(step))) sorted.push(name)
    }
    expect(sorted).toEqual([])
  })

  test('read lists of terms and users along an index, and count them along one', async () => {
    const file = temporaryFile()
    const executed: string[] = []
    const storage = openFile(file, { onStatement: (text) => executed.push(text) })
    await fillStorage(storage)
    const page = { offset: 0, limit: 10, total: true }
    const read: string[] = []
    const observe = async (name: string, list: () => unknown) => {
      executed.length = 0
      await list()
      const steps = executed.flatMap((statement) => planOf(file, statement))
      // A scan of users that gives the order ends with the page.
      const costly = steps.filter((step) => /TEMP B-TREE|^SCAN (?!users\b|json_each|CONSTANT ROW)/.test(step))
      if (costly.length > 0) read.push(`${name}: ${costly.join('; ')}`)
    }
    for (const by of ['id', 'name', 'slug'] as const) {
      for (const query of [{}, { counted: 'itself' }, { notIds: [3] }] as const) {
        const order = { by, descending: true }
        await observe(`terms ${by} ${JSON.stringify(query)}`, () =>
          storage.terms.query({ taxonomies: ['category'], ...query, order, ...page }),
        )
      }
    }
    for (const by of ['id', 'login', 'slug', 'displayName', 'email', 'url', 'registered'] as const) {
      await observe(`users ${by}`, () => storage.users.query({ order: { by, descending: true }, notIds: [], ...page }))
    }
    expect(read).toEqual([])
  })

  test('find the terms of a post and below another, and few rows without a parent, without a scan', async () => {
    const file = temporaryFile()
    const executed: string[] = []
    const storage = openFile(file, { onStatement: (text) => executed.push(text) })
    await fillStorage(storage)
    const page = { offset: 0, limit: 10, total: true }
    const byName = { taxonomies: ['category'], order: { by: 'name', descending: false }, ...page } as const
    const ofPlans = async (read: () => unknown, costly: RegExp) => {
      executed.length = 0
      await read()
      return executed.flatMap((text) => planOf(file, text)).filter((step) => costly.test(step))
    }
    expect(await ofPlans(() => storage.terms.query({ ...byName, parents: [1] }), /SCAN terms|B-TREE|BY_NAME/i)).toEqual(
      [],
    )
    expect(await ofPlans(() => storage.terms.query({ ...byName, posts: [1] }), /SCAN terms|TERMS_BY_NAME/i)).toEqual([])
    const order = { by: 'menuOrder', descending: false } as const
    const top = () => storage.posts.query({ ...list, types: ['page'], parents: [0], order, total: true })
    expect(await ofPlans(top, /posts_by_menu_order|SCAN p\b/)).toEqual([])
  })

  test('count files by their type from counters, and look up those of a rare type', async () => {
    const file = temporaryFile()
    const executed: string[] = []
    const storage = openFile(file, { onStatement: (text) => executed.push(text) })
    await fillStorage(storage)
    const medium = (at: number) =>
      postValues({ type: 'attachment', slug: `file-${at}`, mimeType: at < 3 ? 'audio/mpeg' : 'image/png' })
    await storage.posts.insert(Array.from({ length: 1100 }, (_, at) => medium(at)))
    const of = async (...mimeTypes: readonly string[]) => {
      executed.length = 0
      const { total } = await storage.posts.query({ ...list, types: ['attachment'], mimeTypes, total: true })
      const plans = executed.flatMap((text) => planOf(file, text))
      return { total, plans: plans.join(), counted: executed.some((text) => text.includes('c.mime_type')) }
    }
    expect(await of('image/png')).toMatchObject({ total: 1097, counted: true })
    expect(await of('image/png', 'audio/mpeg')).toMatchObject({ total: 1100, counted: true })
    const rare = await of('audio/mpeg')
    expect([rare.total, rare.plans.includes('posts_by_date'), rare.plans.includes('posts_by_mime')]).toEqual([
      3,
      false,
      true,
    ])
    const [one = 0] = await storage.posts.insert([medium(2000)])
    await storage.posts.update([{ id: one, changes: { mimeType: 'image/webp' } }])
    await storage.posts.update([{ id: one, changes: { status: 'private' } }])
    expect((await of('image/png')).total).toBe(1097)
    await storage.posts.update([{ id: one, changes: { mimeType: 'image/png', status: 'publish' } }])
    expect((await of('image/png')).total).toBe(1098)
    await storage.posts.update([{ id: one, changes: { mimeType: '' } }])
    await storage.posts.remove([one])
    expect((await of('image/png')).total).toBe(1097)
  })

  test('count the rest of a list once between two writes', async () => {
    const executed: string[] = []
    const storage = openFile(temporaryFile(), { onStatement: (text) => executed.push(text) })
    await fillStorage(storage)
    await storage.records.insert(things, [{ name: 'a' }])
    const counts = async () => {
      executed.length = 0
      for (const offset of [0, 1]) {
        await storage.terms.query({
          search: { text: 'e', fields: ['name'] },
          order: { by: 'id', descending: false },
          offset,
          limit: 1,
          total: true,
        })
        await storage.records.query(things, { where: { field: 'name', holds: 'a' }, offset, limit: 1, total: true })
      }
      return executed.filter((text) => text.includes('count(*)')).length
    }
    expect(await counts()).toBe(2)
    expect(await counts()).toBe(0)
    await storage.options.write({ x: 1 })
    expect(await counts()).toBe(2)
  })

  test('find and order records along the indexes of their collection', async () => {
    const file = temporaryFile()
    const executed: string[] = []
    const storage = openFile(file, { onStatement: (text) => executed.push(text) })
    await fillStorage(storage)
    const where = { every: [{ field: 'owner', is: 1 }] }
    const order = [{ by: 'name', descending: true }]
    await storage.records.query(things, { where, order })
    expect(planOf(file, executed.at(-1)).join()).toContain('records_by:things:owner')
    await storage.records.query(things, { order })
    expect(planOf(file, executed.at(-1)).join()).toContain('records_by:things:name')
  })

  test('are the same for lists of any length', async () => {
    const executed = new Set<string>()
    const storage = openFile(':memory:', { onStatement: (text) => executed.add(text) })
    await find(storage, 2)
    const shapes = executed.size
    for (let length = 3; length < 50; length++) await find(storage, length)
    expect(executed.size).toBe(shapes)
  })

  test('stay prepared up to a limit', () => {
    let prepared = 0
    const fake: Connection = {
      prepare: () => {
        prepared++
        return { all: () => [], run: () => ({ changes: 0, lastId: 0 }) }
      },
      exec: () => undefined,
      inTransaction: false,
      close: () => undefined,
    }
    const connection = new PreparedConnection(fake)
    for (let at = 0; at < 10; at++) connection.all('select 1', [])
    expect(prepared).toBe(1)
    for (let at = 0; at < 1000; at++) connection.all(`select ${at} + 1`, [])
    connection.all('select 1', [])
    expect(prepared).toBe(1002)
  })

  test('return results synchronously', () => {
    const storage = sqliteStorage(':memory:')
    const result = storage.atomic?.((transaction) => transaction.posts.query({ ...list, total: true }))
    expect(result).toEqual({ idsPage: [], total: 0 })
    storage.close?.()
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
