/** Clients that write without pause and record their writes in a ledger. */
import type { Ledger } from './ledger.ts'
import { send } from './server-process.ts'

const writers = 4

/** Writes until a request fails. `round` makes titles unique. */
export async function writeUntilKilled(base: string, round: number, ledger: Ledger): Promise<void> {
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(base, `r${round}-w${writer}`, ledger)))
}

async function write(base: string, name: string, ledger: Ledger): Promise<void> {
  const title = `${name}-counter`
  const counter = { sent: 1, acknowledged: 0 }
  ledger.counters.set(title, counter)
  const created = await send(base, 'POST', '/cms/v2/posts', { title, status: 'publish', ...version(1) })
  if (created.status !== 201) return
  counter.acknowledged = 1
  for (let at = 1; ; at++) {
    if (!(await createPost(base, `${name}-${at}`, ledger))) return
    if (!(await createBatch(base, `${name}-${at}`, at % 2 === 0, ledger))) return
    counter.sent++
    const updated = await send(base, 'POST', `/cms/v2/posts/${created.body.id}`, version(counter.sent))
    if (updated.status !== 200) return
    counter.acknowledged = counter.sent
  }
}

/** Content and a meta value of the same version. */
const version = (number: number) => ({ content: `v${number}`, meta: { footnotes: JSON.stringify([`v${number}`]) } })

async function createPost(base: string, title: string, ledger: Ledger): Promise<boolean> {
  ledger.singles.set(title, false)
  const { status } = await send(base, 'POST', '/cms/v2/posts', { title, status: 'publish', categories: [1] })
  ledger.singles.set(title, status === 201)
  return status === 201
}

async function createBatch(base: string, name: string, atomic: boolean, ledger: Ledger): Promise<boolean> {
  const titles = [1, 2, 3, 4, 5].map((at) => `${name}-batch-${at}`)
  const batch = { titles, isAcknowledged: false }
  ledger.batches.push(batch)
  const requests = titles.map((title) => ({ path: '/cms/v2/posts', body: { title, status: 'draft' } }))
  const { status, body } = await send(base, 'POST', '/batch/v1', { requests, atomic })
  batch.isAcknowledged =
    status === 207 && body.responses.every((response: { status: number }) => response.status === 201)
  return batch.isAcknowledged
}
