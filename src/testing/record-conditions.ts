/** Records: every form of a condition, also on null. */
import type { Storage, Where } from '../contract/storage.ts'
import { type ConformanceCase, equal, throws } from './case.ts'
import { addThings, findThings, places, things } from './content.ts'

/** Checks which rows match a condition, as positions among the added rows. */
type Finds = (where: Where, positions: readonly number[], about: string) => Promise<void>

async function fill(storage: Storage): Promise<Finds> {
  const ids = await addThings(storage, [
    { name: 'Réd fox', size: 1, weight: 0.5, ready: true, owner: 1 },
    { name: '100% red_', size: 2, weight: 1, ready: false, owner: 1 },
    { name: '', size: 0, weight: -0.5, ready: true, owner: 2 },
    {},
    { name: 'réd fox', size: 10, weight: 1e21, ready: null, owner: 2 },
  ])
  return async (where, positions, about) => {
    const matches = await findThings(storage, where)
    equal(
      matches.map((id) => ids.indexOf(id)),
      positions,
      about,
    )
    const { total } = await storage.records.query(things, { where, limit: 1, total: true })
    equal(total, positions.length, `${about}, counted`)
  }
}

const every: Where = { every: [] }

export const recordConditionCases: readonly ConformanceCase[] = [
  {
    name: 'finds records by the exact value of a field',
    async run(storage) {
      const finds = await fill(storage)
      await finds({ field: 'size', is: 1 }, [0], 'an integer')
      await finds({ field: 'size', is: 0 }, [2], 'zero')
      await finds({ field: 'weight', is: 0.5 }, [0], 'a number')
      await finds({ field: 'weight', is: 1e21 }, [4], 'a large number')
      await finds({ field: 'name', is: 'Réd fox' }, [0], 'a text')
      await finds({ field: 'name', is: '' }, [2], 'an empty text')
      await finds({ field: 'name', is: 'red fox' }, [], 'a text without its accent')
      await finds({ field: 'name', is: '100% %' }, [], 'a text with a sign')
      await finds({ field: 'ready', is: true }, [0, 2], 'true')
      await finds({ field: 'ready', is: false }, [1], 'false')
      await finds({ field: 'owner', is: 2 }, [2, 4], 'an indexed field')
    },
  },
  {
    name: 'finds records by one of several values of a field',
    async run(storage) {
      const finds = await fill(storage)
      await finds({ field: 'size', in: [10, 1, 1, 77] }, [0, 4], 'integers')
      await finds({ field: 'name', in: ['', 'RÉD FOX', 'réd fox'] }, [2, 4], 'texts')
      await finds({ field: 'ready', in: [true, false] }, [0, 1, 2], 'booleans')
      await finds({ field: 'owner', in: [2, 3] }, [2, 4], 'an indexed field')
      await finds({ field: 'size', in: [] }, [], 'an empty list')
      await finds({ not: { field: 'size', in: [] } }, [0, 1, 2, 3, 4], 'not an empty list')
      const many = Array.from({ length: 40_000 }, (_, index) => index + 3)
      await finds({ field: 'size', in: many }, [4], 'a long list')
    },
  },
  {
    name: 'finds records by several values of an indexed field, with other conditions',
    async run(storage) {
      const finds = await fill(storage)
      const ofOwners: Where = { field: 'owner', in: [2, 2, 3, 1] }
      await finds({ every: [ofOwners, { field: 'size', above: 1 }] }, [1, 4], 'a bound')
      await finds({ every: [ofOwners, { field: 'name', in: ['', 'Réd fox'] }] }, [0, 2], 'two lists')
      await finds({ every: [ofOwners, { field: 'name', in: [] }] }, [], 'a list and an empty one')
      await finds({ every: [ofOwners, { not: { field: 'owner', in: [2] } }] }, [0, 1], 'without one of them')
      await finds(
        {
          some: [
            { field: 'owner', in: [2] },
            { field: 'size', is: 1 },
          ],
        },
        [0, 2, 4],
        'or another condition',
      )
      await finds({ not: ofOwners }, [3], 'none of them')
      await finds({ every: [ofOwners, { field: 'owner', in: [null, 2] }] }, [2, 4], 'a list with null')
      const codes = ['d', 'a', 'c', 'b']
      const ids = await storage.records.insert(
        places,
        codes.map((code, owner) => ({ code, owner, place: code })),
      )
      const ofCodes: Where = { field: 'code', in: ['b', 'x', 'd', 'd'] }
      const find = async (where: Where, by: string) => {
        const order = [{ by, descending: true }]
        return (await storage.records.query(places, { where, order, limit: 3 })).rows.map(({ id }) => ids.indexOf(id))
      }
      equal(await find(ofCodes, 'id'), [3, 0], 'a unique field, by id')
      equal(await find(ofCodes, 'code'), [0, 3], 'a unique field, by its values')
      equal(await find({ field: 'owner', is: 2 }, 'id'), [2], 'the first of two fields that are unique together')
      equal(await storage.records.remove(places, ofCodes), 2, 'removed')
      equal(await find({ every: [] }, 'id'), [2, 1], 'what is left')
    },
  },
  {
    name: 'finds records by id',
    async run(storage) {
      const [a, b, c] = (await addThings(storage, [{}, {}, {}])) as [number, number, number]
      equal(await findThings(storage, { field: 'id', is: b }), [b], 'one id')
      equal(await findThings(storage, { field: 'id', in: [c, a, 999] }), [a, c], 'ids')
      equal(await findThings(storage, { field: 'id', above: a }), [b, c], 'above')
      equal(await findThings(storage, { not: { field: 'id', is: b } }), [a, c], 'not')
      equal(await findThings(storage, { field: 'id', is: null }), [], 'null')
    },
  },
  {
    name: 'matches null only with is and in',
    async run(storage) {
      const finds = await fill(storage)
      await finds({ field: 'size', is: null }, [3], 'null')
      await finds({ field: 'ready', is: null }, [3, 4], 'null of a boolean')
      await finds({ field: 'owner', is: null }, [3], 'null of an indexed field')
      await finds({ field: 'size', in: [null, 2] }, [1, 3], 'null in a list')
      await finds({ field: 'owner', in: [null, 1] }, [0, 1, 3], 'null in a list of an indexed field')
      await finds({ field: 'size', in: [null] }, [3], 'null alone in a list')
      await finds({ not: { field: 'size', is: null } }, [0, 1, 2, 4], 'not null')
      await finds({ not: { field: 'size', in: [null, 2] } }, [0, 2, 4], 'not null in a list')
    },
  },
  {
    name: 'evaluates a condition on null as false and its negation as true',
    async run(storage) {
      const finds = await fill(storage)
      await finds({ field: 'size', from: -100 }, [0, 1, 2, 4], 'from')
      await finds({ field: 'size', below: 100 }, [0, 1, 2, 4], 'below')
      await finds({ not: { field: 'size', above: 1 } }, [0, 2, 3], 'not above')
      await finds({ not: { field: 'size', is: 1 } }, [1, 2, 3, 4], 'not one value')
      await finds({ not: { field: 'size', in: [1, 2] } }, [2, 3, 4], 'not one of two values')
      await finds({ not: { field: 'name', holds: 'fox' } }, [1, 2, 3], 'not holding')
      await finds({ not: { not: { field: 'size', above: 1 } } }, [1, 4], 'not not above')
      await finds({ not: { every: [{ field: 'size', above: 1 }, every] } }, [0, 2, 3], 'not every')
      await finds(
        {
          not: {
            some: [
              { field: 'size', above: 1 },
              { field: 'size', is: 0 },
            ],
          },
        },
        [0, 3],
        'not some',
      )
      await finds({ some: [{ not: { field: 'size', to: 1 } }, { field: 'size', is: 0 }] }, [1, 2, 3, 4], 'some')
    },
  },
  {
    name: 'finds records within bounds',
    async run(storage) {
      const finds = await fill(storage)
      await finds({ field: 'size', above: 1 }, [1, 4], 'above')
      await finds({ field: 'size', from: 1 }, [0, 1, 4], 'from')
      await finds({ field: 'size', below: 2 }, [0, 2], 'below')
      await finds({ field: 'size', to: 2 }, [0, 1, 2], 'to')
      await finds({ field: 'size', above: 0, to: 2 }, [0, 1], 'above and to')
      await finds({ field: 'size', above: 0, from: 2, below: 10, to: 10 }, [1], 'all four')
      await finds({ field: 'size', above: 5, below: 2 }, [], 'no room')
      await finds({ field: 'size', above: undefined, below: 2 }, [0, 2], 'an undefined bound')
      await finds({ field: 'weight', from: -0.5, below: 0.75 }, [0, 2], 'numbers')
      await finds({ field: 'weight', above: 1e20 }, [4], 'large numbers')
      await finds({ field: 'name', above: '' }, [0, 1, 4], 'texts above nothing')
      await finds({ field: 'name', from: 'R', below: 'r' }, [0], 'texts')
    },
  },
  {
    name: 'compares texts in bounds by code point',
    async run(storage) {
      const names = ['B', 'a', 'é', '\ue000', '😀']
      const ids = await addThings(
        storage,
        names.map((name) => ({ name })),
      )
      for (const [index, name] of names.entries()) {
        equal(await findThings(storage, { field: 'name', above: name }), ids.slice(index + 1), `above ${name}`)
        equal(await findThings(storage, { field: 'name', to: name }), ids.slice(0, index + 1), `to ${name}`)
      }
    },
  },
  {
    name: 'finds records whose folded text contains another',
    async run(storage) {
      const finds = await fill(storage)
      await finds({ field: 'name', holds: 'fox' }, [0, 4], 'a part')
      await finds({ field: 'name', holds: 'RED' }, [0, 1, 4], 'in another case, with accents')
      await finds({ field: 'name', holds: 'réd' }, [0, 1, 4], 'folded on both sides')
      await finds({ field: 'name', holds: '%' }, [1], 'a percent sign')
      await finds({ field: 'name', holds: '_' }, [1], 'an underscore')
      await finds({ field: 'name', holds: 'r%d' }, [], 'a sign in a text')
      await finds({ field: 'name', holds: '\\' }, [], 'a backslash')
      await finds({ field: 'name', holds: "'" }, [], 'a quote')
      await finds({ field: 'name', holds: '' }, [0, 1, 2, 4], 'nothing')
    },
  },
  {
    name: 'combines conditions on records by AND, OR and NOT at every depth',
    async run(storage) {
      const finds = await fill(storage)
      const owner: Where = { field: 'owner', is: 1 }
      const ready: Where = { field: 'ready', is: true }
      const large: Where = { field: 'size', from: 2 }
      await finds({ every: [owner, ready] }, [0], 'every')
      await finds({ some: [owner, ready] }, [0, 1, 2], 'some')
      await finds(every, [0, 1, 2, 3, 4], 'an empty every')
      await finds({ some: [] }, [], 'an empty some')
      await finds({ not: every }, [], 'not an empty every')
      await finds({ not: { some: [] } }, [0, 1, 2, 3, 4], 'not an empty some')
      await finds({ every: [{ some: [owner, large] }, { not: ready }] }, [1, 4], 'OR and NOT in AND')
      await finds({ some: [{ every: [owner, large] }, { every: [ready, { not: owner }] }] }, [1, 2], 'AND in OR')
      await finds({ every: [owner, { field: 'owner', is: 2 }] }, [], 'two values of one field')
      await finds({ every: [{ field: 'id', in: [] }, owner] }, [], 'with an empty list')
      let deep: Where = owner
      for (let depth = 0; depth < 20; depth++) deep = { not: { every: [deep, every] } }
      await finds(deep, [0, 1], 'forty levels')
    },
  },
  {
    name: 'throws for conditions that do not fit the kind of the field',
    async run(storage) {
      await fill(storage)
      await throws(() => findThings(storage, { field: 'extra', is: null }), 'JSON compared')
      await throws(() => findThings(storage, { field: 'extra', in: ['a'] }), 'JSON in a list')
      await throws(() => findThings(storage, { field: 'extra', holds: 'a' }), 'JSON that holds')
      await throws(() => findThings(storage, { field: 'size', is: '1' }), 'a text for an integer')
      await throws(() => findThings(storage, { field: 'name', is: 1 }), 'an integer for a text')
      await throws(() => findThings(storage, { field: 'ready', is: 1 }), 'an integer for a boolean')
      await throws(() => findThings(storage, { field: 'name', above: 1 }), 'an integer as the bound of a text')
      await throws(() => findThings(storage, { field: 'size', below: '1' }), 'a text as the bound of an integer')
      await throws(() => findThings(storage, { field: 'size', in: [1, '2'] }), 'a text in a list of integers')
      await throws(() => findThings(storage, { field: 'size', holds: '1' }), 'an integer that holds')
      const nested: Where = { some: [every, { not: { field: 'unknown', is: 1 } }] }
      await throws(() => findThings(storage, nested), 'an unknown field deep in a tree')
    },
  },
  {
    name: 'updates the records of a list that meet one condition, each with its own values',
    async run(storage) {
      const sizes = [3, 1, 2, 5]
      const ids = await addThings(
        storage,
        sizes.map((size) => ({ size, extra: { z: 'é\\"', a: [size] } })),
      )
      const updates = [...ids, 999].map((id, at) => ({
        id,
        changes: { name: `n ${at} {"}`, size: at },
        when: { field: 'size', above: 1 },
      }))
      const [three, one, two, five] = ids as [number, number, number, number]
      equal(await storage.records.update(things, updates.toReversed()), [five, two, three], 'the ids')
      const { rows } = await storage.records.query(things, {
        where: { field: 'name', holds: 'N ' },
        order: [{ by: 'id' }],
      })
      equal(
        rows.map(({ id, name, size, extra }) => [id, name, size, JSON.stringify(extra)]),
        [
          [three, 'n 0 {"}', 0, '{"z":"é\\\\\\"","a":[3]}'],
          [two, 'n 2 {"}', 2, '{"z":"é\\\\\\"","a":[2]}'],
          [five, 'n 3 {"}', 3, '{"z":"é\\\\\\"","a":[5]}'],
        ],
        'the rows',
      )
      equal(
        (await storage.records.query(things, { where: { field: 'id', is: one } })).rows[0]?.size,
        1,
        'the other one',
      )
    },
  },
]
