/** What another process does with a file while a test looks on. */

import { sqliteStorage } from '../../../src/storage/sqlite.ts'
import { postValues } from '../../../src/testing/content.ts'

const [job, file = ''] = process.argv.slice(2)
const storage = sqliteStorage(file)

if (job === 'open') {
  await storage.posts.insert([postValues()])
  await storage.close?.()
}
if (job === 'leave') {
  // Nothing is closed: what the storage has planned for later must not keep the process.
  await storage.posts.insert(Array.from({ length: 300 }, (_, at) => postValues({ slug: `slug-${at}` })))
  storage.changes?.()
}
if (job === 'write') {
  for (let at = 0; ; at++) {
    const [id] = await storage.posts.insert([postValues({ slug: `slug-${at}` })])
    process.stdout.write(`${id}\n`)
  }
}
if (job === 'share') {
  // Two storages of one process: the second finds the lock taken, and waits without blocking.
  const second = sqliteStorage(file)
  await storage.open?.()
  const before = second.changes?.()
  const { promise, resolve } = Promise.withResolvers<void>()
  const first = storage.atomic?.(async (inside) => {
    const ids = await inside.posts.insert([postValues({ slug: 'first' })])
    await promise
    return ids
  })
  const waiting = Promise.resolve(second.posts.insert([postValues({ slug: 'second' })]))
  resolve()
  const ids = [await first, await waiting]
  await new Promise((next) => setImmediate(next))
  const isTold = second.changes?.() !== before
  process.stdout.write(`${JSON.stringify({ ids, isTold })}\n`)
  await Promise.all([storage.close?.(), second.close?.()])
}
