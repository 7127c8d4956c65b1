/** What another process does with a file while a test looks on. */
import { postValues } from '../../src/storage/conformance/content.ts'
import { sqliteStorage } from '../../src/storage/sqlite.ts'

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
