/** Reads that may be long, on the thread that reads beside the event loop. */
import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { PostQuery, Storage } from '../../../src/contract/storage.ts'
import { readingThreadStorage } from '../../../src/storage/reading-thread.ts'
import { openReader } from '../../../src/storage/sql/sqlite/connection.ts'
import { openSqlite } from '../../../src/storage/sql/sqlite/open.ts'
import { LongReads } from '../../../src/storage/sql/sqlite/reading/long-reads.ts'
import { ReadingThread } from '../../../src/storage/sql/sqlite/reading/reading-thread.ts'
import { sqliteStorage } from '../../../src/storage/sqlite.ts'
import { addPost, addPosts } from '../../../src/testing/content.ts'
import { conformanceCases } from '../../../src/testing/index.ts'
import { runBun } from '../../support/bun.ts'
import { exitCode, isSqlite, longTimeout, openFile, startProcess, temporaryFile } from './file.ts'

/** The size from which on reads may be long. */
const largeBytes = 5 * 1024 * 1024

let emptyFile = ''

/** A file of that size without content: the pages of what was removed stay in it. */
beforeAll(async () => {
  if (!isSqlite) return
  emptyFile = join(mkdtempSync(join(tmpdir(), 'site-api-')), 'site.db')
  const storage = sqliteStorage(emptyFile)
  await storage.options.write({ large: 'x'.repeat(largeBytes) })
  await storage.options.write({ large: null })
  await storage.close?.()
})
afterAll(() => rmSync(dirname(emptyFile), { recursive: true, force: true }))

function largeFile(): string {
  const file = temporaryFile()
  copyFileSync(emptyFile, file)
  return file
}

const openThreaded = (file: string) => openFile(file, {}, readingThreadStorage)

const search = (text: string): PostQuery => ({
  types: ['post'],
  search: { every: [text], none: [], columns: ['title', 'content'], exact: false },
  order: { by: 'id', descending: false },
  offset: 0,
  limit: 10,
  total: true,
})

const totalOf = async (storage: Storage, text: string) => (await storage.posts.query(search(text))).total

const listTerms = (storage: Storage) =>
  storage.terms.query({ taxonomies: ['category'], order: { by: 'id', descending: false }, offset: 0, limit: 10 })

/** The turns of the event loop until the promise settles. */
async function turnsUntil(promise: PromiseLike<unknown>): Promise<number> {
  let turns = 0
  let next: NodeJS.Immediate | undefined
  const count = () => {
    turns++
    next = setImmediate(count)
  }
  next = setImmediate(count)
  await promise
  clearImmediate(next)
  return turns
}

/** The workers that start from now on. */
function startedWorkers(): Worker[] {
  const workers: Worker[] = []
  const add = (worker: Worker) => void workers.push(worker)
  process.on('worker', add)
  onTestFinished(() => void process.off('worker', add))
  return workers
}

describe.runIf(isSqlite)('a large SQLite file', () => {
  test('is searched while the event loop turns, and read by id at once', async () => {
    const storage = openThreaded(largeFile())
    await addPosts(storage, [{ title: 'a harbour' }, { title: 'a market' }])
    const found = storage.posts.query(search('harbour'))
    expect(storage.posts.read([1])).toHaveLength(1)
    expect(found).toBeInstanceOf(Promise)
    expect(await turnsUntil(Promise.resolve(found))).toBeGreaterThan(0)
    expect(await found).toMatchObject({ idsPage: [{ id: 1 }], total: 1 })
  })

  test('is read at once without a thread, or in a transaction', async () => {
    const file = largeFile()
    const workers = startedWorkers()
    const storage = openFile(file)
    expect(storage.posts.query(search('harbour'))).toEqual({ idsPage: [], total: 0 })
    await openThreaded(file).atomic?.(async (transaction) => {
      expect(transaction.posts.query(search('harbour'))).toEqual({ idsPage: [], total: 0 })
    })
    expect(workers).toEqual([])
  })

  test('shows each write that was acknowledged before the read', async () => {
    const storage = openThreaded(largeFile())
    for (let count = 1; count <= 20; count++) {
      await addPost(storage, { title: `harbour ${count}` })
      expect(await totalOf(storage, 'harbour')).toBe(count)
    }
  })

  test('forgets what it has read while something else was committed', async () => {
    const storage = openThreaded(largeFile())
    const before = totalOf(storage, 'harbour')
    await addPost(storage, { title: 'harbour' })
    await before
    expect(await totalOf(storage, 'harbour')).toBe(1)
  })

  test('answers the reads that have begun when it is closed, and no others', async () => {
    const file = largeFile()
    const storage = openThreaded(file)
    const reads = Array.from({ length: 300 }, () => listTerms(storage))
    const closing = storage.close?.()
    await expect(async () => listTerms(storage)).rejects.toThrow('closed')
    expect(await Promise.all(reads)).toEqual(Array(300).fill({ rows: [], total: 0 }))
    await closing
    // The last connection to close removes the log.
    expect(existsSync(`${file}-wal`)).toBe(false)
  })

  test('that was replaced before its thread started is not read', async () => {
    const [file, other] = [largeFile(), largeFile()]
    const storage = openThreaded(file)
    await storage.open?.()
    renameSync(other, file)
    const reads = [1, 2, 3, 4].map(() => expect(listTerms(storage)).rejects.toThrow('deleted or replaced'))
    await Promise.all(reads)
  })

  test(
    'is searched by a process that nothing else keeps alive, and that the thread does not',
    longTimeout,
    async () => {
      const file = largeFile()
      expect(await exitCode(startProcess('search', file))).toBe(0)
      expect(await runBun(fileURLToPath(new URL('process.ts', import.meta.url)), ['search', file])).toMatchObject({
        code: 0,
        out: 'a promise of 2\n',
      })
    },
  )
})

describe.runIf(isSqlite)('the storage of a large SQLite file', () => {
  test.each(conformanceCases)('$name', async ({ run }) => {
    await run(openThreaded(largeFile()))
  })
})

test.runIf(isSqlite)('a storage that reads on a thread has to be one of sqliteStorage', () => {
  expect(() => readingThreadStorage({} as Storage)).toThrow('readingThreadStorage takes a storage of sqliteStorage')
  const inMemory = readingThreadStorage(sqliteStorage(':memory:'))
  expect(inMemory.posts.query(search('harbour'))).toEqual({ idsPage: [], total: 0 })
})

describe.runIf(isSqlite)('the thread that reads', () => {
  function startThread() {
    const file = largeFile()
    const here = openReader(file, { open: openSqlite, durability: 'full', searchIndex: true })
    const thread = new ReadingThread({
      file,
      pragmas: [],
      assertSameFile: () => undefined,
      readHere: (sql) => [...here.all(sql, []), ['here']],
    })
    onTestFinished(async () => {
      await thread.close()
      here.close()
    })
    return { thread, workers: startedWorkers() }
  }
  const long = `with recursive n (x) as (select 1 union all select x + 1 from n limit 2000000) select max(x) from n`
  const lost = { code: 'storage_unavailable', written: 'no' }

  test('is replaced when it dies; what it had at work fails, and what waits is read', async () => {
    const { thread, workers } = startThread()
    expect((await thread.read('select 1', [])).rows).toEqual([[1]])
    const running = [thread.read(long, []), thread.read('select 2', [])]
    const waiting = thread.read('select 3', [])
    await Promise.all([workers[0]?.terminate(), ...running.map((read) => expect(read).rejects.toMatchObject(lost))])
    expect((await waiting).rows).toEqual([[3]])
    expect(workers).toHaveLength(2)
  })

  test('is not started again when it dies before its first answer', async () => {
    const { thread } = startThread()
    process.once('worker', (worker) => void worker.terminate())
    const reads = ['select 1', 'select 2', 'select 3'].map((sql) => thread.read(sql, []))
    expect((await Promise.all(reads)).map(({ rows }) => rows.at(-1))).toEqual([['here'], ['here'], ['here']])
    expect(thread.isAvailable).toBe(false)
  })

  test('ends when it has had nothing to do for a minute, and starts again', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { thread, workers } = startThread()
    await thread.read('select 1', [])
    vi.advanceTimersByTime(60_000)
    const reads = [thread.read('select 2', []), thread.read('select 3', []), thread.read('select 4', [])]
    expect((await Promise.all(reads)).map(({ rows }) => rows)).toEqual([[[2]], [[3]], [[4]]])
    expect(workers).toHaveLength(2)
    vi.advanceTimersByTime(60_000)
    await thread.close()
  })

  test('hands errors on with their result codes', async () => {
    const { thread } = startThread()
    await expect(thread.read('selec', [])).rejects.toMatchObject({ errcode: 1, message: /syntax error/ })
    await expect(thread.read('delete from posts', [])).rejects.toMatchObject({ errcode: 8 })
    expect((await thread.read('select ?', ['x'])).rows).toEqual([['x']])
  })

  test('hands out one result in each turn of the event loop', async () => {
    const { thread } = startThread()
    const turns: number[] = []
    let turn = 0
    const reads = Array.from({ length: 20 }, () => thread.read('select 1', []).then(() => turns.push(turn)))
    const count = () => {
      turn++
      next = setImmediate(count)
    }
    let next = setImmediate(count)
    await Promise.all(reads)
    clearImmediate(next)
    expect(new Set(turns).size).toBe(20)
  })
})

describe.runIf(isSqlite)('the choice of reads for the thread', () => {
  test('takes a list until it is known to be short, and again when it is long', () => {
    const reads = new LongReads(() => largeBytes)
    expect(reads.has('a list', 'list')).toBe(true)
    reads.add('a list', 0.2)
    expect(reads.has('a list', 'list')).toBe(false)
    // A pause of the machine.
    reads.add('a list', 3)
    expect(reads.has('a list', 'list')).toBe(false)
    reads.add('a list', 1000)
    expect(reads.has('a list', 'list')).toBe(true)
    let runs = 0
    for (; reads.has('a list', 'list'); runs++) reads.add('a list', 0.2)
    expect(runs).toBeLessThan(10)
  })

  test('takes each search, and nothing of a small file', () => {
    const reads = new LongReads(() => largeBytes)
    reads.add('a search', 0.1)
    expect(reads.has('a search', 'search')).toBe(true)
    const small = new LongReads(() => 1_000_000)
    expect([small.has('a search', 'search'), small.has('a list', 'list')]).toEqual([false, false])
  })
})
