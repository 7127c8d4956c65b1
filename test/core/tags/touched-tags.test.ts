/** A process learns of the transactions of others while its own requests go on. */
import { expect, test } from 'vitest'
import type { Storage } from '../../../src/contract/storage.ts'
import { observedStorage } from '../../../src/core/changes/observed-storage.ts'
import { TouchedTags } from '../../../src/core/tags/touched-tags.ts'
import { memoryStorage } from '../../../src/storage/memory/index.ts'

const touchedOn = (storage: Storage, process: string) =>
  new TouchedTags({
    ...{ storage, nameProcess: () => process, collections: new Map(), shownOptions: new Set() },
    hidden: { records: new Set(['touched_tags']), options: new Set() },
    privateTags: new Set(),
    onCommit: () => undefined,
  })

test('an answer that is begun at an earlier token ends with what is learned meanwhile', async () => {
  const storage = memoryStorage()
  const changes = async () => (await storage.readChanges?.()) ?? { all: 0 }
  const other = observedStorage(storage, [touchedOn(storage, 'other').observer], () => [])
  const touched = touchedOn(storage, 'own')
  // The first transaction of another process that it meets ends everything.
  for (const name of ['first', 'second']) {
    await other.options.write({ name })
    await touched.catchUp(await changes())
  }
  const earlier = await changes()
  await other.options.write({ name: 'third' })
  const learned = touched.catchUp(await changes())
  let moment = touched.moment
  for (; touched.isAt(earlier.all); await undefined) moment = touched.moment
  await learned
  const sources = (name: string) => ({ tags: new Set([`option:${name}`]), lists: [] })
  expect(touched.isUntouched(sources('name'), moment)).toBe(false)
  expect(touched.isUntouched(sources('other'), moment)).toBe(true)
  expect(touched.isUntouched(sources('name'), touched.moment)).toBe(true)
})
