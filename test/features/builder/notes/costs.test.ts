import { expect, test } from 'vitest'
import type { Collection } from '../../../../src/contract/storage.ts'
import { isWrite, recorded, type StorageCall } from '../../../support/spied-storage.ts'
import { openSite, root, withRecords } from './fixture.ts'

const ofNotes = ({ name, args }: StorageCall) =>
  name.startsWith('records.') && ['notes', 'note_marks'].includes((args[0] as Collection).name)

test('a change of a post without its elements reads no notes', async () => {
  const { calls, wrap } = recorded()
  const { make, ada, connie, doc } = await openSite({ storage: wrap })
  await make(connie)
  calls.length = 0
  expect((await ada('POST', `/cms/v2/posts/${doc}`, { body: { title: 'Still here' } })).status).toBe(200)
  expect(calls.filter(ofNotes)).toEqual([])
})

test('a post without notes is deleted without a write to notes', async () => {
  const { calls, wrap } = recorded()
  const { make, ada, connie, ids } = await openSite({ storage: wrap })
  await make(connie)
  calls.length = 0
  await ada('DELETE', `/cms/v2/posts/${ids['post.other']}`, { query: { force: true } })
  expect(calls.filter((call) => ofNotes(call) && isWrite(call))).toEqual([])
})

test('reading a note reads no notes of other threads, and a list no private notes of others', async () => {
  let rowsRead = 0
  const { make, connie, sam } = await openSite({
    storage: (opened) =>
      withRecords(opened, (records) => ({
        async query(collection, query) {
          const found = await records.query(collection, query)
          if (collection.name === 'notes') rowsRead += found.rows.length
          return found
        },
      })),
  })
  const thread = await make(connie)
  await make(sam, { parent_id: thread })
  const costs = async () => {
    const costs: number[] = []
    for (const path of [root, `${root}/${thread}`]) {
      rowsRead = 0
      await sam('GET', path)
      costs.push(rowsRead)
    }
    return costs
  }
  const before = await costs()
  for (let count = 0; count < 3; count++) await make(connie, { is_public: false })
  expect(await costs()).toEqual(before)
})
