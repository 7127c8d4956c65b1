/** The process of `startProcess`: runs one job on a database file. */
import { readingThreadStorage } from '../../../src/storage/reading-thread.ts'
import { sqliteStorage } from '../../../src/storage/sqlite.ts'
import { postValues } from '../../../src/testing/content.ts'

const [job, file = ''] = process.argv.slice(2)
const storage = job === 'search' ? readingThreadStorage(sqliteStorage(file)) : sqliteStorage(file)

if (job === 'open') {
  await storage.posts.insert([postValues()])
  await storage.close?.()
}
if (job === 'leave') {
  // Does not close the storage: its scheduled work must not keep the process alive.
  await storage.posts.insert(Array.from({ length: 300 }, (_, at) => postValues({ slug: `slug-${at}` })))
  storage.changes?.()
}
if (job === 'write') {
  for (let at = 0; ; at++) {
    const [id] = await storage.posts.insert([postValues({ slug: `slug-${at}` })])
    process.stdout.write(`${id}\n`)
  }
}
if (job === 'search') {
  // Does not close the storage either.
  await storage.posts.insert([postValues({ title: 'harbour' })])
  const found = storage.posts.query({
    types: ['post'],
    search: { every: ['harbour'], none: [], columns: ['title'], exact: false },
    order: { by: 'id', descending: false },
    offset: 0,
    limit: 10,
    total: true,
  })
  process.stdout.write(`${found instanceof Promise ? 'a promise of ' : ''}${(await found).total}\n`)
}
if (job === 'count') {
  // Prints whether the file has changed since the last line of the input. Between the lines nothing wakes the event loop.
  await storage.open?.()
  let before = storage.changes?.()
  process.stdin.on('data', () => {
    const now = storage.changes?.()
    process.stdout.write(`${now === before ? 'same' : 'changed'}\n`)
    // Read again in another phase of the event loop than the one in which input arrives.
    setImmediate(() => {
      before = storage.changes?.()
      process.stdout.write('ready\n')
    })
  })
  setImmediate(() => {
    before = storage.changes?.()
    process.stdout.write('ready\n')
  })
}
if (job === 'share') {
  // Two storages of one process: the second finds the lock held, and waits without blocking.
  const second = sqliteStorage(file)
  await storage.open?.()
  const before = second.changes?.()
  const { promise, resolve } = Promise.withResolvers<void>()
  const first = storage.atomic?.(async (transaction) => {
    const ids = await transaction.posts.insert([postValues({ slug: 'first' })])
    await promise
    return ids
  })
  const queued = Promise.resolve(second.posts.insert([postValues({ slug: 'second' })]))
  resolve()
  const ids = [await first, await queued]
  await new Promise((next) => setImmediate(next))
  const hasChanged = second.changes?.() !== before
  process.stdout.write(`${JSON.stringify({ ids, hasChanged })}\n`)
  await Promise.all([storage.close?.(), second.close?.()])
}
