/** Records: values by kind, orders, unique sets, updates and removals. Conditions are in record-conditions.ts. */
import type { Collection, Json, RecordValues, Where } from '../contract/storage.ts'
import { type ConformanceCase, conflicts, equal, isTrue, runConcurrently, settledIds, throws } from './case.ts'
import { addThings, findThings, places, things } from './content.ts'
import { deepJson, jsonValues, orderedJson } from './json.ts'

interface RecordUpdate {
  readonly id: number
  readonly changes: RecordValues
  readonly when?: Where
}

const remarks: Collection = {
  name: 'remarks',
  fields: { thread: 'integer', kind: 'text', at: 'text' },
  orders: [['thread', 'kind', 'at'], ['thread', 'at'], ['at']],
}

const other: Collection = { name: 'others', fields: { name: 'text' } }

export const recordCases: readonly ConformanceCase[] = [
  {
    name: 'returns records with id and all declared fields, null for unset ones',
    async run(storage) {
      const ids = await addThings(storage, [
        { name: "it's 😀 %", size: -5, weight: 0.1, ready: false, extra: { a: [1] }, owner: Number.MAX_SAFE_INTEGER },
        {},
        { name: undefined as never, ready: true, weight: 3, extra: null },
      ])
      const empty = { name: null, size: null, weight: null, ready: null, extra: null, owner: null }
      const { rows } = await storage.records.query(things, {})
      const first = { name: "it's 😀 %", size: -5, weight: 0.1, ready: false, extra: { a: [1] } }
      const expected = [
        { id: ids[0], ...first, owner: Number.MAX_SAFE_INTEGER },
        { id: ids[1], ...empty },
        { id: ids[2], ...empty, ready: true, weight: 3 },
      ]
      equal(rows, expected, 'the rows')
    },
  },
  {
    name: 'returns JSON values of records as they were written',
    async run(storage) {
      const values = [...jsonValues, deepJson]
      await addThings(
        storage,
        values.map((extra) => ({ extra })),
      )
      const { rows } = await storage.records.query(things, {})
      for (const [index, value] of values.entries()) equal(rows[index]?.extra, value, `value ${index}`)
      const numbers = values.filter((value) => typeof value === 'number')
      const ids = await addThings(
        storage,
        numbers.map((weight) => ({ weight })),
      )
      const found = await storage.records.query(things, { where: { field: 'id', in: ids } })
      equal(
        found.rows.map((row) => row.weight),
        numbers,
        'numbers',
      )
    },
  },
  {
    name: 'keeps the order of the keys of JSON values in records',
    async run(storage) {
      const ids = (await addThings(storage, [{ extra: orderedJson, name: 'a' }, {}])) as [number, number]
      await storage.records.update(things, [{ id: ids[1], changes: { extra: orderedJson } }])
      await storage.records.update(things, [{ id: ids[0], changes: { size: 1 } }])
      const { rows } = await storage.records.query(things, {})
      for (const [index, { extra }] of rows.entries()) {
        equal(JSON.stringify(extra), JSON.stringify(orderedJson), `row ${index}`)
      }
    },
  },
  {
    name: 'separates the rows of collections',
    async run(storage) {
      const [a] = await addThings(storage, [{ name: 'thing' }])
      const [b] = await storage.records.insert(other, [{ name: 'other' }])
      equal((await storage.records.query(other, {})).rows, [{ id: b, name: 'other' }], 'the one')
      equal(await findThings(storage), [a], 'the other')
      equal(await storage.records.remove(other, { every: [] }), 1, 'removing all of one')
      equal(await findThings(storage), [a], 'what is left of the other')
    },
  },
  {
    name: 'reads a field that was declared later as null',
    async run(storage) {
      const [a] = await storage.records.insert(other, [{ name: 'a' }])
      const grown: Collection = {
        ...other,
        fields: { ...other.fields, size: 'integer', ready: 'boolean' },
        indexed: ['size'],
      }
      const [b] = await storage.records.insert(grown, [{ name: 'b', size: 1, ready: true }])
      const rows = [
        { id: a, name: 'a', size: null, ready: null },
        { id: b, name: 'b', size: 1, ready: true },
      ]
      equal((await storage.records.query(grown, {})).rows, rows, 'the rows')
      const where = { field: 'size', is: null }
      equal((await storage.records.query(grown, { where })).rows, rows.slice(0, 1), 'found by null')
      await storage.records.update(grown, [{ id: a ?? 0, changes: { size: 2 } }])
      const order = [{ by: 'size', descending: true }]
      const sizes = (await storage.records.query(grown, { order })).rows.map((row) => row.size)
      equal(sizes, [2, 1], 'ordered by it')
    },
  },
  {
    name: 'assigns ascending ids to records and never reuses one',
    async run(storage) {
      const ids = (await addThings(storage, [{}, {}, {}])) as [number, number, number]
      equal(
        ids,
        [...new Set(ids)].sort((a, b) => a - b),
        'the ids',
      )
      isTrue(
        ids.every((id) => Number.isSafeInteger(id) && id > 0),
        `${ids} are integers above 0`,
      )
      equal(await storage.records.remove(things, { field: 'id', in: ids.slice(1) }), 2, 'removing')
      const [next] = await addThings(storage, [{}])
      isTrue((next ?? 0) > ids[2], `${next} is above ${ids[2]}`)
      equal(await addThings(storage, []), [], 'inserting nothing')
    },
  },
  {
    name: 'orders records by fields, null first, ties by id ascending',
    async run(storage) {
      const ids = await addThings(storage, [
        { size: 10, weight: 0.5, name: 'b', ready: true },
        { size: null, weight: -1, name: '😀', ready: false },
        { size: 9, weight: 0.25, name: 'B', ready: true },
        { size: 10, weight: null, name: '\ue000', ready: null },
        { size: -1, weight: 0.5, name: 'é', ready: false },
        { name: '' },
      ])
      const ordered = async (by: string, descending?: boolean) => {
        const found = await findThings(storage, undefined, { order: [{ by, descending }] })
        return found.map((id) => ids.indexOf(id))
      }
      equal(await ordered('size'), [1, 5, 4, 2, 0, 3], 'integers')
      equal(await ordered('size', true), [0, 3, 2, 4, 1, 5], 'integers, last first')
      equal(await ordered('weight'), [3, 5, 1, 2, 0, 4], 'numbers')
      equal(await ordered('weight', true), [0, 4, 2, 1, 3, 5], 'numbers, last first')
      equal(await ordered('name'), [5, 2, 0, 4, 3, 1], 'texts')
      equal(await ordered('ready'), [3, 5, 1, 4, 0, 2], 'booleans')
      equal(await ordered('ready', true), [0, 2, 1, 4, 3, 5], 'booleans, last first')
      equal(await ordered('id', true), [5, 4, 3, 2, 1, 0], 'ids, last first')
      equal(await ordered('id', false), [0, 1, 2, 3, 4, 5], 'ids')
      equal(await findThings(storage), ids, 'no order')
    },
  },
  {
    name: 'orders records by several fields, in pages, with a total',
    async run(storage) {
      const ids = await addThings(storage, [
        { owner: 1, name: 'a' },
        { owner: 2, name: 'b' },
        { owner: 1, name: 'b' },
        { owner: 2, name: 'a' },
        { owner: 1, name: 'b' },
      ])
      const order = [{ by: 'owner', descending: true }, { by: 'name' }]
      const expected = [3, 1, 0, 2, 4].map((index) => ids[index])
      equal(await findThings(storage, undefined, { order }), expected, 'two fields')
      equal(await findThings(storage, undefined, { order, offset: 1, limit: 3 }), expected.slice(1, 4), 'a page')
      equal(await findThings(storage, undefined, { order, offset: 3 }), expected.slice(3), 'an offset alone')
      equal(await findThings(storage, undefined, { order, limit: 2 }), expected.slice(0, 2), 'a limit alone')
      equal(await findThings(storage, undefined, { limit: 0 }), [], 'an empty page')
      const idLast = [{ by: 'owner' }, { by: 'id', descending: true }]
      equal(
        await findThings(storage, undefined, { order: idLast }),
        [4, 2, 0, 3, 1].map((index) => ids[index]),
        'ids named',
      )
      const where = { field: 'owner', is: 1 }
      equal((await storage.records.query(things, { where, limit: 1, total: true })).total, 3, 'the total')
      equal((await storage.records.query(things, { where, limit: 1 })).total, 0, 'the total, not requested')
    },
  },
  {
    name: 'throws for unknown fields of a collection, and writes nothing',
    async run(storage) {
      const [id] = (await addThings(storage, [{ name: 'a' }])) as [number]
      for (const field of ['weigth', 'id', 'toString']) {
        await throws(() => addThings(storage, [{ name: 'b' }, { [field]: 1 }]), `inserting ${field}`)
        const updates = [
          { id, changes: { name: 'b' } },
          { id, changes: { [field]: 1 } },
        ]
        await throws(() => storage.records.update(things, updates), `updating ${field}`)
      }
      await throws(() => findThings(storage, { field: 'weigth', is: null }), 'a condition')
      await throws(() => findThings(storage, undefined, { order: [{ by: 'weigth' }] }), 'an order')
      await throws(() => findThings(storage, undefined, { order: [{ by: 'extra' }] }), 'an order by JSON')
      await throws(() => storage.records.remove(things, { field: 'weigth', is: null }), 'a removal')
      const when = { field: 'weigth', is: null }
      await throws(() => storage.records.update(things, [{ id, changes: {}, when }]), 'a condition of an update')
      equal((await storage.records.query(things, {})).rows.length, 1, 'the rows')
      equal((await storage.records.query(things, {})).rows[0]?.name, 'a', 'the row')
    },
  },
  {
    name: 'throws for values of another kind than their field, and writes nothing',
    async run(storage) {
      const [id] = (await addThings(storage, [{ name: 'a' }])) as [number]
      const wrong: readonly { readonly [field: string]: Json }[] = [
        { name: 1 },
        { name: true },
        { name: ['a'] },
        { size: '1' },
        { size: 1.5 },
        { size: true },
        { weight: '1.5' },
        { weight: {} },
        { weight: Number.NaN },
        { weight: Number.POSITIVE_INFINITY },
        { ready: 1 },
        { ready: 'true' },
      ]
      for (const values of wrong) {
        const about = Object.entries(values).join()
        await throws(() => addThings(storage, [{ name: 'b' }, values]), `inserting ${about}`)
        await throws(() => storage.records.update(things, [{ id, changes: values }]), `updating ${about}`)
      }
      equal(await findThings(storage, { field: 'name', is: 'a' }), [id], 'the row')
      equal(await findThings(storage), [id], 'the rows')
    },
  },
  {
    name: 'finds and orders texts of any length in indexed fields',
    async run(storage) {
      // Text that an engine cannot compress.
      const long = Array.from({ length: 20_000 }, (_, at) => ((at * 7919) % 9973).toString(36)).join('')
      const [b, short, a, other] = (await addThings(
        storage,
        [`${long}b`, 'short', `${long}a`, `~${long}`].map((name) => ({ name })),
      )) as [number, number, number, number]
      const named = (where: Where) => findThings(storage, where)
      equal(await named({ field: 'name', is: `${long}a` }), [a], 'a text of full length')
      equal(await named({ field: 'name', is: long }), [], 'its beginning')
      equal(await named({ field: 'name', in: [`${long}b`, 'short', 'sho'] }), [b, short], 'a list')
      equal(await named({ field: 'name', above: `${long}a` }), [b, short, other], 'above')
      equal(await named({ field: 'name', from: `${long}a`, below: `${long}b` }), [a], 'from, below')
      equal(await named({ field: 'name', to: `${long}a` }), [a], 'to')
      equal(await findThings(storage, undefined, { order: [{ by: 'name' }] }), [a, b, short, other], 'the order')
      const insert = (code: string) => storage.records.insert(places, [{ code }])
      await insert(`${long}a`)
      await insert(`${long}b`)
      await conflicts('code', () => insert(`${long}a`), 'a code of full length')
    },
  },
  {
    name: 'lists records in the orders that a collection declares, and in others',
    async run(storage) {
      const row = (thread: number, kind: string | null, at: string) => ({ thread, kind, at })
      const [a, b, c, d, e] = (await storage.records.insert(remarks, [
        row(1, 'plain', '2024-01-03'),
        row(1, 'plain', '2024-01-01'),
        row(2, 'plain', '2024-01-02'),
        row(1, null, '2024-01-02'),
        row(1, 'plain', '2024-01-03'),
      ])) as [number, number, number, number, number]
      const found = async (every: readonly Where[], descending: boolean, by = 'at') => {
        const order = [{ by, descending }, ...(descending ? [{ by: 'id', descending }] : [])]
        const { rows, total } = await storage.records.query(remarks, { where: { every }, order, limit: 3, total: true })
        return [total, ...rows.map(({ id }) => id)]
      }
      const thread: Where = { field: 'thread', is: 1 }
      const kind: Where = { field: 'kind', is: 'plain' }
      equal(await found([thread, kind], true), [3, e, a, b], 'a declared order')
      equal(await found([kind, thread], false), [3, b, a, e], 'the same, the other way round')
      equal(await found([thread], true), [4, e, a, d], 'a shorter one')
      equal(await found([thread, { field: 'kind', is: null }], true), [1, d], 'null')
      equal(await found([], false), [5, b, c, d], 'of all rows')
      equal(await found([{ field: 'thread', in: [1, 2] }, kind], true), [4, e, a, c], 'of several values')
      equal(await found([thread, { not: kind }], true), [1, d], 'with another condition')
      equal(await found([thread, kind], false, 'kind'), [3, a, b, e], 'by a field of its own')
      const { rows } = await storage.records.query(remarks, { where: thread })
      equal(
        rows.map(({ id }) => id),
        [a, b, d, e],
        'without an order',
      )
    },
  },
  {
    name: 'enforces unique sets of fields, except those with null',
    async run(storage) {
      const insert = (...rows: { [field: string]: Json }[]) => storage.records.insert(places, rows)
      const [a, b] = (await insert({ owner: 1, place: 'x', code: 'p' }, { owner: 1, place: 'y' })) as [number, number]
      await conflicts('owner', () => insert({ owner: 2, place: 'x' }, { owner: 1, place: 'x' }), 'a set of two')
      await conflicts('code', () => insert({ owner: 3, place: 'x', code: 'p' }), 'a set of one')
      await conflicts('owner', () => insert({ owner: 4, place: 'x' }, { owner: 4, place: 'x' }), 'two at once')
      const updates: RecordUpdate[] = [
        { id: a, changes: { note: 'changed' } },
        { id: b, changes: { place: 'x' } },
      ]
      await conflicts('owner', () => storage.records.update(places, updates), 'an update')
      const { rows } = await storage.records.query(places, {})
      const kept = [
        { id: a, owner: 1, place: 'x', code: 'p', note: null },
        { id: b, owner: 1, place: 'y', code: null, note: null },
      ]
      equal(rows, kept, 'the rows')
      const free = await insert(
        { owner: 2, place: 'x' },
        { owner: 1, place: 'X' },
        { owner: 1 },
        { owner: 1 },
        { place: 'x' },
      )
      equal(free.length, 5, 'rows that differ, or with null')
      equal(await storage.records.update(places, [{ id: a, changes: { owner: 1, place: 'x' } }]), [a], 'its own values')
      await storage.records.remove(places, { field: 'id', is: a })
      equal((await insert({ owner: 1, place: 'x', code: 'p' })).length, 1, 'after a removal')
    },
  },
  {
    name: 'lets exactly one of many parallel inserts of a unique value succeed',
    async run(storage) {
      const inserts = Array.from(
        { length: 20 },
        (_, owner) => () => storage.records.insert(places, [{ owner, code: 'x' }]),
      )
      const results = await runConcurrently(inserts)
      equal(results.filter((result) => result.status === 'fulfilled').length, 1, 'how many had it')
      equal((await storage.records.query(places, {})).rows.length, 1, 'the rows')
    },
  },
  {
    name: 'updates records that exist and match the condition, and returns their ids',
    async run(storage) {
      const [a, b] = (await addThings(storage, [
        { name: 'a', size: 1, extra: { x: 1 } },
        { name: 'b', size: 2 },
      ])) as [number, number]
      const updates: RecordUpdate[] = [
        { id: b, changes: { name: 'B' }, when: { field: 'size', above: 1 } },
        { id: a, changes: { name: 'A' }, when: { field: 'size', above: 1 } },
        { id: 999, changes: { name: 'unknown' } },
        { id: a, changes: { size: 5, ready: undefined as never } },
        { id: a, changes: { extra: null }, when: { field: 'size', is: 5 } },
        { id: a, changes: { name: 'never' }, when: { some: [] } },
      ]
      equal(await storage.records.update(things, updates), [b, a, a], 'the ids')
      const { rows } = await storage.records.query(things, {})
      equal(
        rows.map(({ name, size, extra }) => [name, size, extra]),
        [
          ['a', 5, null],
          ['B', 2, null],
        ],
        'the rows',
      )
      equal(await storage.records.update(things, []), [], 'no updates')
    },
  },
  {
    name: 'applies exactly one of many parallel updates with the same condition',
    async run(storage) {
      const [id] = (await addThings(storage, [{ size: 0 }])) as [number]
      const when = { field: 'size', is: 0 }
      const updates = Array.from(
        { length: 20 },
        (_, index) => () => storage.records.update(things, [{ id, changes: { size: index + 1 }, when }]),
      )
      const results = await runConcurrently(updates)
      equal(settledIds(results), [id], 'the ids')
    },
  },
  {
    name: 'removes the records that match a condition and returns their number',
    async run(storage) {
      const ids = await addThings(storage, [{ size: 1 }, { size: 2 }, { size: 3 }, {}])
      equal(await storage.records.remove(things, { field: 'size', from: 2 }), 2, 'two')
      equal(await findThings(storage), [ids[0], ids[3]], 'what is left')
      equal(await storage.records.remove(things, { field: 'size', in: [] }), 0, 'an empty list')
      equal(await storage.records.remove(things, { some: [] }), 0, 'no branch')
      equal(await storage.records.remove(things, { every: [] }), 2, 'the rest')
    },
  },
]
