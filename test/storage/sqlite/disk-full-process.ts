/**
 * Writes posts into a file, so many at once, until the limit of its process refuses several, then reads; prints the
 * outcomes.
 */
import { sqliteStorage } from '../../../src/storage/sqlite.ts'
import { postValues } from '../../../src/testing/content.ts'

const [file = '', size = '1'] = process.argv.slice(2)
const storage = sqliteStorage(file)
await storage.open?.()
const acknowledged: string[] = []
const failures: { slug: string; code: unknown; written: unknown }[] = []

/** Alone, or in a transaction that shares its commit with others. */
async function write(slug: string): Promise<void> {
  const rows = [postValues({ slug, content: 'x'.repeat(20_000) })]
  if (size === '1') await storage.posts.insert(rows)
  else await storage.atomic?.((transaction) => transaction.posts.insert(rows), { groupCommit: true })
}

for (let number = 0; failures.length < 5; number++) {
  const slugs = Array.from({ length: Number(size) }, (_, at) => `p${number}-${at}`)
  const outcomes = await Promise.allSettled(slugs.map(write))
  outcomes.forEach((outcome, at) => {
    const slug = slugs[at] as string
    if (outcome.status === 'fulfilled') acknowledged.push(slug)
    else failures.push({ slug, code: outcome.reason.code, written: outcome.reason.written })
  })
}
const query = { types: ['post'], order: { by: 'id', descending: false }, offset: 0, limit: 1, total: true } as const
const { total } = await storage.posts.query(query)
process.stdout.write(JSON.stringify({ acknowledged, failures, readable: total }))
