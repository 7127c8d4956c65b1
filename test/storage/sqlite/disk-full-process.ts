/** Writes posts into a file until the limit of its process refuses several, then reads; prints what it was told. */
import { sqliteStorage } from '../../../src/storage/sqlite.ts'
import { postValues } from '../../../src/testing/content.ts'

const [file = ''] = process.argv.slice(2)
const storage = sqliteStorage(file)
await storage.open?.()
const acknowledged: string[] = []
const failures: { slug: string; code: unknown; written: unknown }[] = []
for (let number = 0; failures.length < 5; number++) {
  const slug = `p${number}`
  try {
    await storage.posts.insert([postValues({ slug, content: 'x'.repeat(20_000) })])
    acknowledged.push(slug)
  } catch (error) {
    const { code, written } = error as { readonly code?: unknown; readonly written?: unknown }
    failures.push({ slug, code, written })
  }
}
const query = { types: ['post'], order: { by: 'id', descending: false }, offset: 0, limit: 1, total: true } as const
const { total } = await storage.posts.query(query)
process.stdout.write(JSON.stringify({ acknowledged, failures, readable: total }))
