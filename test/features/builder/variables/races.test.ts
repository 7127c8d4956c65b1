import { expect, test } from 'vitest'
import type { Json, Storage } from '../../../../src/storage/contract.ts'
import { color, openSite, refusalOf } from './fixture.ts'

test('of 50 parallel batches on one variable under one watermark exactly one succeeds', async () => {
  const { batch, create, list } = await openSite()
  const id = await create()
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      batch(1, [{ type: 'update', id, variable: { value: `#${100 + index}` } }]),
    ),
  )
  const statuses = answers.map(({ status }) => status)
  expect([statuses.filter((one) => one === 200).length, statuses.filter((one) => one === 409).length]).toEqual([1, 49])
  const winner = answers.find(({ status }) => status === 200)
  const { variables, watermark } = await list()
  expect(watermark).toBe(2)
  expect(variables[id].value).toBe(winner?.body.data.results[0].variable.value)
})

test('parallel creations all stand, each with a watermark of its own', async () => {
  const { post, list } = await openSite()
  const made = await Promise.all(
    Array.from({ length: 30 }, (_, index) => post('create', { ...color, label: `tone-${index}` })),
  )
  expect(new Set(made.map(({ body }) => body.data.watermark)).size).toBe(30)
  expect(await list()).toMatchObject({ total: 30, watermark: 30 })
})

/** As if another process wrote between the read and the write of each change, `times` times. */
function disturbed(storage: Storage, times: { left: number }): Storage {
  return new Proxy(storage, {
    get(target, name) {
      if (name === 'atomic') {
        return (work: (inside: Storage) => unknown) =>
          target.atomic?.((inside) => work(disturbed(inside, times)) as never)
      }
      if (name !== 'options') return Reflect.get(target, name)
      const { options } = target
      return {
        ...options,
        read: options.read.bind(options),
        write: options.write.bind(options),
        swap: async (option: string, expected: Json, next: Json) => {
          if (times.left > 0) {
            times.left--
            const stored = (await options.read([option]))[option] as { watermark?: number } | undefined
            await options.write({ [option]: { watermark: 0, list: [], ...stored, disturbance: times.left } })
          }
          return options.swap(option, expected, next)
        },
      }
    },
  })
}

test('a change is made anew on what somebody else wrote meanwhile', async () => {
  const times = { left: 5 }
  const { create, list } = await openSite({ storage: (storage) => disturbed(storage, times) })
  await create()
  expect(times.left).toBe(0)
  expect(await list()).toMatchObject({ total: 1, watermark: 1 })
})

test('a change that never finds a quiet moment is a conflict, not a failure', async () => {
  const { post } = await openSite({ storage: (storage) => disturbed(storage, { left: 1e9 }) })
  expect(refusalOf(await post('create', color))).toEqual([409, 'rest_conflict'])
})

test('each changed variable is told, with the watermark; a refused batch is not', async () => {
  const { api, batch, create, post } = await openSite()
  const told: unknown[] = []
  for (const name of ['created', 'updated', 'deleted', 'restored'] as const) {
    api.on(`variable.${name}`, ({ variable, watermark }) => void told.push([name, variable.label, watermark]))
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
  expect(told).toEqual([
    ['created', 'sea', 1],
    ['updated', 'lake', 2],
    ['deleted', 'lake', 3],
    ['restored', 'lake', 4],
    ['updated', 'pond', 5],
    ['created', 'sea', 5],
  ])
})
