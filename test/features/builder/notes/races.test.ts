/** Another process changes the same notes while a request runs: its writes come between two calls of the storage. */
import { expect, test } from 'vitest'
import { andThen } from '../../../../src/contract/maybe-promise.ts'
import { notesCollection, receiptsCollection } from '../../../../src/features/builder/notes/model.ts'
import { spied } from '../../../support/spied-storage.ts'
import { errorOf, openSite, root, withRecords } from './fixture.ts'

test('a note that the user marks as read elsewhere at the same time counts as marked, and so do the others', async () => {
  let isMarkedElsewhere = false
  const { api, make, connie, sam, ids } = await openSite({
    storage: (opened) =>
      spied(opened, ({ name, args: [collection] }, { records }) => {
        if (!isMarkedElsewhere || name !== 'records.insert' || collection !== receiptsCollection) return undefined
        isMarkedElsewhere = false
        return andThen(records.insert(receiptsCollection, [receipt]), () => undefined)
      }),
  })
  const [first, second] = [await make(connie), await make(connie)]
  const receipt = { note: first, user: ids['user.subscriber'] as number, kind: 'read' }
  isMarkedElsewhere = true
  const { status, body } = await sam('POST', `${root}/read-status`, { body: { ids: [first, second] } })
  expect([status, body]).toEqual([201, []])
  const { records } = await api.site.export()
  expect(records?.['note_marks']?.filter(({ user }) => user === 'user.sam')).toEqual([
    { note: 'notes.1', user: 'user.sam', kind: 'read' },
    { note: 'notes.2', user: 'user.sam', kind: 'read' },
  ])
})

test('marking as read gives up with 409 when the receipt stays in the way but cannot be read', async () => {
  let isHidden = false
  let attempts = 0
  const { make, connie, sam } = await openSite({
    storage: (opened) =>
      withRecords(opened, (records) => ({
        // As in a database whose transaction reads what was committed before it began.
        query: (collection, query) =>
          isHidden && collection.name === 'note_marks' ? { rows: [], total: 0 } : records.query(collection, query),
        insert(collection, ...rest) {
          if (isHidden && collection.name === 'note_marks') attempts++
          return records.insert(collection, ...rest)
        },
      })),
  })
  const id = await make(connie)
  const mark = () => sam('POST', `${root}/read-status`, { body: { ids: [id] } })
  expect((await mark()).status).toBe(201)
  isHidden = true
  expect([...errorOf(await mark()), attempts]).toEqual([409, 'rest_conflict', 10])
})

test('a note that is deleted while it is changed is 404', async () => {
  let isDeletedFirst = false
  const { make, list, connie } = await openSite({
    storage: (opened) =>
      spied(opened, ({ name, args: [collection] }, { records }) => {
        if (!isDeletedFirst || name !== 'records.update' || collection !== notesCollection) return undefined
        return andThen(records.remove(notesCollection, { field: 'id', in: [deleted] }), () => undefined)
      }),
  })
  const [deleted, other] = [await make(connie), await make(connie)]
  isDeletedFirst = true
  const response = await connie('PATCH', `${root}/${deleted}`, { body: { content: 'Late' } })
  expect(errorOf(response)).toEqual([404, 'not-found'])
  expect(await list(connie)).toContain(other)
})
