/** Meta and options: values by owner and key, values by name, compare and set. */
import type { Json } from '../contract/storage.ts'
import { type ConformanceCase, equal, isTrue, runConcurrently, throws } from './case.ts'
import { addPost, addPosts, addTerm, addUser } from './content.ts'
import { deepJson, jsonValues, orderedJson } from './json.ts'

export const metaAndOptionCases: readonly ConformanceCase[] = [
  {
    name: 'reads meta ordered by id and key, all keys or the given ones',
    async run(storage) {
      const [a, b, c] = (await addPosts(storage, [{}, {}, {}])) as [number, number, number]
      const entries = [
        { id: b, key: 'x', value: 1 },
        { id: a, key: 'é', value: 2 },
        { id: a, key: 'b', value: 3 },
        { id: a, key: 'B', value: 4 },
        { id: a, key: '😀', value: 5 },
        { id: a, key: '\ue000', value: 6 },
      ]
      await storage.meta.write('post', entries)
      const ordered = [3, 2, 1, 5, 4, 0].map((index) => entries[index])
      equal(await storage.meta.read('post', [b, a, c, b, 999]), ordered, 'all keys')
      equal(await storage.meta.read('post', [a, b], ['x', 'b', 'X', 'b']), [entries[2], entries[0]], 'some keys')
      equal(await storage.meta.read('post', [a], undefined), ordered.slice(0, 5), 'undefined keys')
      equal(await storage.meta.read('post', [a, b], []), [], 'no keys')
      equal(await storage.meta.read('post', []), [], 'no ids')
    },
  },
  {
    name: 'separates the meta of posts, users and terms',
    async run(storage) {
      const post = await addPost(storage)
      const user = await addUser(storage, 'a')
      const term = await addTerm(storage, 'a', { taxonomy: 't' })
      const owners = { post, user, term }
      for (const owner of ['post', 'user', 'term'] as const) {
        await storage.meta.write(owner, [{ id: owners[owner], key: 'k', value: owner }])
      }
      for (const owner of ['post', 'user', 'term'] as const) {
        const id = owners[owner]
        equal(await storage.meta.read(owner, [id]), [{ id, key: 'k', value: owner }], `the meta of a ${owner}`)
      }
    },
  },
  {
    name: 'replaces meta, removes it with null, and writes the last of several entries for a key',
    async run(storage) {
      const [a, b] = (await addPosts(storage, [{}, {}])) as [number, number]
      const read = async () => {
        const rows = await storage.meta.read('post', [a, b])
        return rows.map(({ id, key, value }) => [id, key, value])
      }
      await storage.meta.write('post', [
        { id: a, key: 'k', value: 1 },
        { id: a, key: 'l', value: 2 },
        { id: b, key: 'k', value: 3 },
      ])
      await storage.meta.write('post', [])
      await storage.meta.write('post', [
        { id: a, key: 'k', value: { new: true } },
        { id: a, key: 'l', value: null },
        { id: b, key: 'unknown', value: null },
      ])
      const changed = [
        [a, 'k', { new: true }],
        [b, 'k', 3],
      ]
      equal(await read(), changed, 'after a change')
      await storage.meta.write('post', [
        { id: a, key: 'k', value: 4 },
        { id: b, key: 'k', value: 5 },
        { id: a, key: 'k', value: 6 },
        { id: b, key: 'k', value: null },
        { id: a, key: 'm', value: null },
        { id: a, key: 'm', value: 7 },
      ])
      const last = [
        [a, 'k', 6],
        [a, 'm', 7],
      ]
      equal(await read(), last, 'after entries for one key')
    },
  },
  {
    name: 'returns JSON values of meta and options as they were written',
    async run(storage) {
      const id = await addPost(storage)
      const values = [...jsonValues, deepJson]
      const named = values.map((value, index) => ({ name: `n${String(index).padStart(3, '0')}`, value }))
      await storage.meta.write(
        'post',
        named.map(({ name, value }) => ({ id, key: name, value })),
      )
      const meta = await storage.meta.read('post', [id])
      for (const [index, { value }] of named.entries()) equal(meta[index]?.value, value, `value ${index} of meta`)
      await storage.options.write(Object.fromEntries(named.map(({ name, value }) => [name, value])))
      const options = await storage.options.read()
      for (const { name, value } of named) equal(options[name], value, `the option ${name}`)
    },
  },
  {
    name: 'keeps the order of the keys of JSON values in meta and options',
    async run(storage) {
      const id = await addPost(storage)
      const text = JSON.stringify(orderedJson)
      await storage.meta.write('post', [{ id, key: 'k', value: orderedJson }])
      equal(JSON.stringify((await storage.meta.read('post', [id]))[0]?.value), text, 'meta')
      await storage.options.write({ written: orderedJson })
      await storage.options.swap('swapped', null, orderedJson)
      const { written, swapped } = await storage.options.read()
      equal(JSON.stringify(written), text, 'a written option')
      equal(JSON.stringify(swapped), text, 'a swapped option')
    },
  },
  {
    name: 'reads all options or those that are named, without those that are missing',
    async run(storage) {
      equal(await storage.options.read(), {}, 'at first')
      await storage.options.write({})
      await storage.options.write({ a: 1, b: { c: [2] }, "it's %": '', z: false })
      equal(await storage.options.read(), { a: 1, b: { c: [2] }, "it's %": '', z: false }, 'all')
      equal(await storage.options.read(undefined), { a: 1, b: { c: [2] }, "it's %": '', z: false }, 'undefined names')
      equal(await storage.options.read(['b', 'A', 'unknown', "it's %", 'b']), { b: { c: [2] }, "it's %": '' }, 'some')
      equal(await storage.options.read([]), {}, 'none')
      await storage.options.write({ a: 2, b: null, unknown: null, new: [null], z: undefined as never })
      equal(await storage.options.read(), { a: 2, "it's %": '', new: [null], z: false }, 'after a change')
    },
  },
  {
    name: 'accepts any text as the name of an option and the key of meta',
    async run(storage) {
      const id = await addPost(storage)
      const names = ['__proto__', 'constructor', 'toString', '', ' ', 'a.b', 'É', 'é', 'e\u0301', '😀', '10', '9', '%']
      const values: { [name: string]: Json } = Object.fromEntries(names.map((name, index) => [name, index]))
      await storage.options.write(values)
      equal(await storage.options.read(), values, 'all options')
      for (const [index, name] of names.entries()) {
        equal(await storage.options.read([name]), Object.fromEntries([[name, index]]), `the option ${name}`)
        await storage.meta.write('post', [{ id, key: name, value: index }])
        equal(await storage.meta.read('post', [id], [name]), [{ id, key: name, value: index }], `the key ${name}`)
      }
      equal(await storage.options.read(['valueOf', 'hasOwnProperty']), {}, 'names that every object has')
    },
  },
  {
    name: 'swaps an option only if it has the expected value',
    async run(storage) {
      const { options } = storage
      equal(await options.swap('w', 1, 2), false, 'an absent option, a value expected')
      equal(await options.swap('w', null, 1), true, 'an absent option, none expected')
      equal(await options.swap('w', null, 2), false, 'an existing option, none expected')
      equal(await options.swap('w', 2, 3), false, 'another value expected')
      equal(await options.swap('w', '1', 3), false, 'a text for a number')
      equal(await options.swap('w', true, 3), false, 'a boolean for a number')
      equal(await options.swap('w', [1], 3), false, 'a list for a number')
      equal(await options.read(), { w: 1 }, 'before the swap')
      equal(await options.swap('w', 1, 2), true, 'the value expected')
      equal(await options.read(), { w: 2 }, 'after the swap')
      equal(await options.swap('w', 2, null), true, 'to nothing')
      equal(await options.read(), {}, 'after the swap to nothing')
    },
  },
  {
    name: 'compares values for a swap as JSON, regardless of the order of keys',
    async run(storage) {
      const { options } = storage
      await options.write({ o: { a: 1, b: { c: [1, 2], d: null } } })
      equal(await options.swap('o', { a: 1, b: { c: [2, 1], d: null } }, 0), false, 'another order of a list')
      equal(await options.swap('o', { a: 1, b: { c: [1, 2] } }, 0), false, 'a missing key')
      equal(await options.swap('o', { a: 1, b: { c: [1, 2], d: null }, e: 1 }, 0), false, 'one key more')
      equal(await options.swap('o', { a: 1, b: { c: [1, 2], e: null } }, 0), false, 'another key')
      equal(
        await options.swap('o', { b: { d: null, c: [1, 2] }, a: 1 }, [{ x: 1, y: 2 }]),
        true,
        'another order of keys',
      )
      equal(await options.swap('o', [{ y: 2, x: 1 }], 'text'), true, 'in a list')
      equal(await options.swap('o', 'Text', 0), false, 'another case')
      equal(await options.read(), { o: 'text' }, 'the value')
      for (const value of jsonValues) {
        await options.write({ o: value })
        equal(await options.swap('o', value, 'next'), true, `swapping ${JSON.stringify(value).slice(0, 80)}`)
      }
    },
  },
  {
    name: 'lets exactly one of many parallel swaps succeed, in each round',
    async run(storage) {
      for (let round = 0; round < 5; round++) {
        const expected = round === 0 ? null : { round: round - 1 }
        const swaps = Array.from({ length: 50 }, () => () => storage.options.swap('w', expected, { round }))
        const results = await runConcurrently(swaps)
        const successful = results.filter((result) => result.status === 'fulfilled' && result.value)
        equal(successful.length, 1, `successful swaps in round ${round}`)
        isTrue(
          results.every((result) => result.status === 'fulfilled'),
          'the others return false',
        )
      }
      equal(await storage.options.read(), { w: { round: 4 } }, 'the value')
    },
  },
  {
    name: 'stores meta of ids without a row',
    async run(storage) {
      for (const owner of ['post', 'user', 'term'] as const) {
        await storage.meta.write(owner, [{ id: 4711, key: 'k', value: owner }])
        equal(await storage.meta.read(owner, [4711]), [{ id: 4711, key: 'k', value: owner }], `the meta of no ${owner}`)
        await storage.meta.write(owner, [{ id: 4711, key: 'k', value: null }])
        equal(await storage.meta.read(owner, [4711]), [], `the removed meta of no ${owner}`)
      }
    },
  },
  {
    name: 'throws for meta of an unknown owner',
    async run(storage) {
      const owner = 'comment' as never
      await throws(() => storage.meta.read(owner, [1]), 'reading')
      await throws(() => storage.meta.write(owner, [{ id: 1, key: 'k', value: 1 }]), 'writing')
    },
  },
]
