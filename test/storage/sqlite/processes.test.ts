import { once } from 'node:events'
import { symlinkSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { addPost, findPosts, postValues } from '../../../src/testing/content.ts'
import { counted } from '../../support/counted.ts'
import { exitCode, isSqlite, longTimeout, openFile, startProcess, temporaryFile } from './file.ts'

describe.runIf(isSqlite)('a SQLite file', () => {
  test('has all writes when it is opened again', async () => {
    const file = temporaryFile()
    const first = openFile(file)
    const id = await addPost(first, { title: 'kept' })
    await first.meta.write('post', [{ id, key: 'color', value: { deep: [1, 'two', null] } }])
    await first.close?.()
    const second = openFile(file)
    expect((await second.posts.read([id]))[0]?.title).toBe('kept')
    expect(await second.meta.read('post', [id])).toEqual([{ id, key: 'color', value: { deep: [1, 'two', null] } }])
  })

  test('has every acknowledged write after its process was killed', longTimeout, async () => {
    const file = temporaryFile()
    const writer = startProcess('write', file)
    let output = ''
    writer.stdout?.on('data', (chunk) => {
      output += chunk
      if (output.split('\n').length > 50) writer.kill('SIGKILL')
    })
    await once(writer, 'close')
    const ids = output.split('\n').slice(0, -1).map(Number)
    const stored = new Set(await findPosts(openFile(file), { limit: 1_000_000 }))
    expect(ids.length).toBeGreaterThan(49)
    expect(ids.filter((id) => !stored.has(id))).toEqual([])
  })

  test('does not keep an idle process alive', longTimeout, async () => {
    expect(await exitCode(startProcess('leave', temporaryFile()))).toBe(0)
  })

  test('counts a commit of another process with the next event of the event loop', longTimeout, async () => {
    const file = temporaryFile()
    const storage = openFile(file)
    await storage.open?.()
    const counting = startProcess('count', file)
    const lines = createInterface({ input: counting.stdout ?? process.stdin })[Symbol.asyncIterator]()
    const counted: unknown[] = []
    for (const at of [1, 2, 3]) {
      await lines.next()
      await storage.posts.insert([postValues({ slug: `slug-${at}` })])
      counting.stdin?.write('\n')
      counted.push((await lines.next()).value)
    }
    expect(counted).toEqual(['changed', 'changed', 'changed'])
  })

  test('is read synchronously, without uncommitted writes, while a transaction is open', async () => {
    const storage = openFile(temporaryFile())
    await storage.open?.()
    const { promise, resolve } = Promise.withResolvers<void>()
    const writing = storage.atomic?.(async (transaction) => {
      await transaction.posts.insert([postValues()])
      await promise
    })
    const query = {
      types: ['post'],
      order: { by: 'id', descending: false },
      offset: 0,
      limit: 10,
      total: true,
    } as const
    expect(storage.posts.query(query)).toEqual({ idsPage: [], total: 0 })
    resolve()
    await writing
    expect(await storage.posts.query(query)).toMatchObject({ total: 1 })
  })

  test('is written by two storages of one process in turn, without blocking', async () => {
    const file = temporaryFile()
    const [first, second] = [openFile(file), openFile(file)]
    await addPost(first)
    const { promise, resolve } = Promise.withResolvers<void>()
    const open = first.atomic?.(async (transaction) => {
      await transaction.posts.insert([postValues()])
      await promise
    })
    const queued = Promise.resolve(second.posts.insert([postValues()]))
    resolve()
    await open
    expect(await queued).toEqual([3])
    expect(await findPosts(first)).toEqual([1, 2, 3])
  })

  test('shows the commits of other storages of its process at once, by any name, and of a program that is loaded again', async () => {
    const file = temporaryFile()
    const link = temporaryFile()
    symlinkSync(file, link)
    const first = openFile(file)
    await first.open?.()
    vi.resetModules()
    const { sqliteStorage } = await import('../../../src/storage/sqlite.ts')
    const again = sqliteStorage(file)
    onTestFinished(async () => await again.close?.())
    for (const second of [openFile(file), openFile(link), again]) {
      const before = second.changes?.()
      expect(second.changes?.()).toBe(before)
      first.posts.insert([postValues()])
      expect(second.changes?.()).not.toBe(before)
      const between = await first.readChanges?.()
      second.posts.insert([postValues()])
      expect((await first.readChanges?.())?.all).not.toBe(between?.all)
      counted(2, 'writes of another storage seen at once')
    }
  })

  test('counts totals again after another storage has written', async () => {
    const file = temporaryFile()
    const [first, second] = [openFile(file), openFile(file)]
    const query = {
      types: ['post'],
      statuses: [{ status: 'publish' }],
      withPassword: false,
      order: { by: 'date', descending: true },
      offset: 0,
      limit: 1,
      total: true,
    } as const
    for (const total of [1, 2, 3]) {
      await addPost(total % 2 === 0 ? first : second)
      await new Promise((next) => setImmediate(next))
      await new Promise((next) => setImmediate(next))
      expect((await first.posts.query(query)).total).toBe(total)
      expect((await second.posts.query(query)).total).toBe(total)
    }
  })

  test('finds a text whether its post is indexed or still pending', async () => {
    const storage = openFile(temporaryFile())
    const search = { every: ['needle'], none: [], columns: ['title', 'content'], exact: false } as const
    const ids = await storage.posts.insert(Array.from({ length: 150 }, () => postValues({ content: 'Neédle' })))
    expect(await findPosts(storage, { search, limit: 200 })).toEqual(ids)
    for (let turn = 0; turn < 10; turn++) await new Promise((next) => setImmediate(next))
    expect(await findPosts(storage, { search, limit: 200 })).toEqual(ids)
    await storage.posts.update([{ id: ids[0] as number, changes: { content: 'thread' } }])
    await storage.posts.remove([ids[1] as number])
    expect(await findPosts(storage, { search, limit: 200 })).toEqual(ids.slice(2))
  })
})
