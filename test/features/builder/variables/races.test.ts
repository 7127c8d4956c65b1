import { expect, test } from 'vitest'
import type { Json, Storage } from '../../../../src/contract/storage.ts'
import { color, errorOf, openSite } from './fixture.ts'

test('exactly one of 50 concurrent batches on one variable under one watermark succeeds', async () => {
  const { batch, create, list } = await openSite()
  const id = await create()
  const responses = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      batch(1, [{ type: 'update', id, variable: { value: `#${100 + index}` } }]),
    ),
  )
  const statuses = responses.map(({ status }) => status)
  expect([statuses.filter((one) => one === 200).length, statuses.filter((one) => one === 409).length]).toEqual([1, 49])
  const winner = responses.find(({ status }) => status === 200)
  const { variables, watermark } = await list()
  expect(watermark).toBe(2)
  expect(variables[id].value).toBe(winner?.body.data.results[0].variable.value)
})

test('concurrent creations all succeed, each with a different watermark', async () => {
  const { post, list } = await openSite()
  const responses = await Promise.all(
    Array.from({ length: 30 }, (_, index) => post('create', { ...color, label: `tone-${index}` })),
  )
  expect(new Set(responses.map(({ body }) => body.data.watermark)).size).toBe(30)
  expect(await list()).toMatchObject({ total: 30, watermark: 30 })
})

/** Simulates another process that writes between the read and the write of a change, `writes.left` times. */
function withConcurrentWrites(storage: Storage, writes: { left: number }): Storage {
  return new Proxy(storage, {
    get(target, name) {
      if (name === 'atomic') {
        return (work: (transaction: Storage) => unknown) =>
          target.atomic?.((transaction) => work(withConcurrentWrites(transaction, writes)) as never)
      }
      if (name !== 'options') return Reflect.get(target, name)
      const { options } = target
      return {
        ...options,
        read: options.read.bind(options),
        write: options.write.bind(options),
        swap: async (option: string, expected: Json, next: Json) => {
          if (writes.left > 0) {
            writes.left--
            const stored = (await options.read([option]))[option] as { watermark?: number } | undefined
            await options.write({ [option]: { watermark: 0, list: [], ...stored, disturbance: writes.left } })
          }
          return options.swap(option, expected, next)
        },
      }
    },
  })
}

test('a change is repeated on the value of a concurrent write', async () => {
  const writes = { left: 5 }
  const { create, list } = await openSite({ storage: (storage) => withConcurrentWrites(storage, writes) })
  await create()
  expect(writes.left).toBe(0)
  expect(await list()).toMatchObject({ total: 1, watermark: 1 })
})

test('a change that meets a concurrent write in every attempt fails with 409', async () => {
  const { post } = await openSite({ storage: (storage) => withConcurrentWrites(storage, { left: 1e9 }) })
  expect(errorOf(await post('create', color))).toEqual([409, 'rest_conflict'])
})

test('emits an event with the watermark for each changed variable, and none for a failed batch', async () => {
  const { api, batch, create, post } = await openSite()
  const events: unknown[] = []
  for (const name of ['created', 'updated', 'deleted', 'restored'] as const) {
    api.on(`variable.${name}`, ({ variable, watermark }) => void events.push([name, variable.label, watermark]))
  }
  const id = await create()
  await post('update', { id, label: 'lake', value: '#000' })
  await post('delete', { id })
  await post('restore', { id })
  await batch(4, [
    { type: 'update', id, variable: { label: 'pond' } },
    { type: 'create', variable: { id: 'tmp', ...color } },
  ])
  await batch(5, [
    { type: 'delete', id },
    { type: 'delete', id: 'unknown' },
  ])
  expect(events).toEqual([
    ['created', 'sea', 1],
    ['updated', 'lake', 2],
    ['deleted', 'lake', 3],
    ['restored', 'lake', 4],
    ['updated', 'pond', 5],
    ['created', 'sea', 5],
  ])
})
