/** Writes of several requests wait for each other; each keeps what its request has put into an `AsyncLocalStorage`. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { expect, onTestFinished, test } from 'vitest'
import { addPost } from '../../src/testing/content.ts'
import { openStorage } from '../support/storage.ts'

test('a transaction that has waited runs in the context of its caller', async () => {
  const { storage, dispose } = await openStorage()
  onTestFinished(dispose)
  const request = new AsyncLocalStorage<string>()
  const seen: unknown[] = []
  const write = (name: string) =>
    request.run(name, async () => {
      await storage.atomic?.(async (transaction) => {
        seen.push([name, request.getStore()])
        await addPost(transaction, { title: name })
        await transaction.atomic?.(async (inner) => {
          await addPost(inner, { title: `${name}, inside` })
          seen.push([name, request.getStore()])
        })
      })
      seen.push([name, request.getStore()])
    })
  const names = ['first', 'second', 'third', 'fourth']
  await Promise.all(names.map(write))
  expect(seen.sort()).toEqual(names.flatMap((name) => Array(3).fill([name, name])).sort())
})
