/** Errors of a method: thrown if its results are synchronous, rejected if they are promises. */
import { isPromise, type MaybePromise } from '../contract/maybe-promise.ts'
import type { Storage } from '../contract/storage.ts'
import { type ConformanceCase, throws } from './case.ts'
import { postValues, things } from './content.ts'

const unknown = { field: 'unknown', is: 1 } as const
const nul = 'a\0b'

/** For each method a call that succeeds and a call that fails. */
const methods: { readonly [name: string]: (storage: Storage) => readonly (() => MaybePromise<unknown>)[] } = {
  'posts.insert': ({ posts }) => [() => posts.insert([]), () => posts.insert([postValues({ title: nul })])],
  'posts.update': ({ posts }) => [() => posts.update([]), () => posts.update([{ id: 1, changes: { title: nul } }])],
  'meta.write': ({ meta }) => [() => meta.write('post', []), () => meta.write('post', [{ id: 1, key: nul, value: 1 }])],
  'options.write': ({ options }) => [() => options.write({}), () => options.write({ a: nul })],
  'records.query': ({ records }) => [() => records.query(things, {}), () => records.query(things, { where: unknown })],
  'records.insert': ({ records }) => [
    () => records.insert(things, []),
    () => records.insert(things, [{ unknown: 1 } as never]),
  ],
  'records.update': ({ records }) => [
    () => records.update(things, []),
    () => records.update(things, [{ id: 1, changes: { unknown: 1 } as never }]),
  ],
  'records.remove': ({ records }) => [
    () => records.remove(things, { some: [] }),
    () => records.remove(things, unknown),
  ],
}

export const failureCases: readonly ConformanceCase[] = Object.entries(methods).map(([name, calls]) => ({
  name: `rejects and does not throw when ${name} fails, if it returns promises`,
  async run(storage) {
    const [succeed, fail] = calls(storage) as [() => MaybePromise<unknown>, () => MaybePromise<unknown>]
    const result = succeed()
    if (!isPromise(result)) return
    await result
    let failure: MaybePromise<unknown>
    try {
      failure = fail()
    } catch (error) {
      throw new Error(`${name} threw synchronously: ${error instanceof Error ? error.message : error}`)
    }
    await throws(() => failure, name)
  },
}))
