/** Storages with defects of terms, users, meta, options or records. */

import type { Json, RecordQuery, StoredRecord, Where } from '../../../src/contract/storage.ts'
import { fold } from '../../../src/contract/text-fold.ts'
import { type Break, mapText, withoutNul } from './break.ts'

export const brokenOthers: { readonly [name: string]: Break } = {
  'ignores the ids that callers name': (correct) => ({ terms: { insert: (rows) => correct.terms.insert(rows) } }),
  'returns promises, but throws synchronously': ({ records }) => ({
    records: {
      update: (collection, updates) => {
        const result = records.update(collection, updates)
        return result instanceof Promise ? result : Promise.resolve(result)
      },
    },
  }),
  'counts no posts of terms': ({ terms }) => ({
    terms: {
      query: async (query) => {
        const { rows, total } = await terms.query(query)
        return { rows: rows.map((row) => ({ ...row, count: 0 })), total }
      },
    },
  }),
  'returns terms among their own descendants': ({ terms }) => ({
    terms: { below: async (ids) => [...new Set([...ids, ...(await terms.below(ids))])].sort((a, b) => a - b) },
  }),
  'adds assigned terms instead of replacing': ({ terms }) => ({
    terms: {
      assign: async (assignments) => {
        const current = await terms.of(assignments.map(({ post }) => post))
        const currentTerms = (post: number, taxonomy: string) =>
          current.filter((row) => row.post === post && row.taxonomy === taxonomy)
        await terms.assign(
          assignments.map((each) => ({
            ...each,
            terms: [...each.terms, ...currentTerms(each.post, each.taxonomy).map((row) => row.term)],
          })),
        )
      },
    },
  }),
  'ignores unknown terms': ({ terms }) => ({
    terms: {
      assign: async (assignments) => {
        const query = { order: { by: 'id', descending: false }, offset: 0, limit: 1e6 } as const
        const existing = (await terms.query(query)).rows
        const exists = (id: number, taxonomy: string) =>
          existing.some((term) => term.id === id && term.taxonomy === taxonomy)
        await terms.assign(
          assignments.map((each) => ({ ...each, terms: each.terms.filter((term) => exists(term, each.taxonomy)) })),
        )
      },
    },
  }),
  'moves children of a removed term to the top': ({ terms }) => ({
    terms: {
      remove: async (ids) => {
        const query = { parents: ids, order: { by: 'id', descending: false }, offset: 0, limit: 1e6 } as const
        const { rows } = await terms.query(query)
        await terms.remove(ids)
        await terms.update(rows.map(({ id }) => ({ id, changes: { parent: 0 } })))
      },
    },
  }),
  'compares logins unfolded': ({ users }) => ({
    users: {
      query: async (query) => {
        const { rows, total } = await users.query(query)
        return { rows: rows.filter((row) => query.logins?.includes(row.login) ?? true), total }
      },
    },
  }),
  'compares logins without marks': ({ users }) => ({
    users: {
      query: async ({ logins, ...query }) => {
        const { rows, total } = await users.query(query)
        return { rows: rows.filter(({ login }) => logins?.map(fold).includes(fold(login)) ?? true), total }
      },
    },
  }),
  'sorts roles': ({ users }) => ({
    users: { insert: (rows) => users.insert(rows.map((row) => ({ ...row, roles: row.roles.toSorted() }))) },
  }),
  'returns meta in another order': ({ meta }) => ({
    meta: { read: async (...values) => (await meta.read(...values)).toReversed() },
  }),
  'ignores a null value of meta': ({ meta }) => ({
    meta: {
      write: (owner, entries) =>
        meta.write(
          owner,
          entries.filter((entry) => entry.value !== null),
        ),
    },
  }),
  'accepts meta with a NUL': ({ meta }) => ({
    meta: {
      write: (owner, entries) =>
        meta.write(
          owner,
          entries.map((entry) => ({ ...entry, value: mapText(entry.value, withoutNul) })),
        ),
    },
  }),
  'returns null for a missing option': ({ options }) => ({
    options: {
      read: async (names) => {
        const missing = Object.fromEntries((names ?? []).map((name) => [name, null]))
        return { ...missing, ...(await options.read(names)) }
      },
    },
  }),
  'rounds numbers': ({ options }) => ({
    options: {
      write: (values) =>
        options.write(
          Object.fromEntries(
            Object.entries(values).map(([name, value]) => [
              name,
              typeof value === 'number' ? Math.fround(value) : value,
            ]),
          ),
        ),
    },
  }),
  'swaps regardless of the expected value': ({ options }) => ({
    options: {
      swap: async (name, _expected, next) => {
        await options.write({ [name]: next })
        return true
      },
    },
  }),
  'swaps in two steps': ({ options }) => ({
    options: {
      swap: async (name, expected, next) => {
        const { [name]: value = null } = await options.read([name])
        if (JSON.stringify(value) !== JSON.stringify(expected)) return false
        await options.write({ [name]: next })
        return true
      },
    },
  }),
  'compares the order of keys in a swap': ({ options }) => ({
    options: {
      swap: async (name, expected, next) => {
        const { [name]: value = null } = await options.read([name])
        return JSON.stringify(value) === JSON.stringify(expected) && options.swap(name, expected, next)
      },
    },
  }),
  'sorts the keys of JSON values in options': ({ options }) => ({
    options: { write: (values) => options.write(Object.fromEntries(Object.entries(values).map(sortedEntry))) },
  }),
  'sorts the keys of JSON values in records': ({ records }) => ({
    records: {
      insert: (collection, rows) =>
        records.insert(
          collection,
          rows.map((row) => Object.fromEntries(Object.entries(row).map(sortedEntry))),
        ),
    },
  }),
  'returns its stored objects': ({ options }) => {
    const stored = new Map<string, Json>()
    return {
      options: {
        read: async (names) => {
          const values = await options.read(names)
          for (const [name, value] of Object.entries(values)) {
            if (!stored.has(name)) stored.set(name, structuredClone(value))
          }
          return Object.fromEntries(Object.keys(values).map((name) => [name, stored.get(name) ?? null]))
        },
      },
    }
  },
  'orders null last': ({ records }) => ({
    records: {
      query: async (collection, query) => {
        const { rows, total } = await records.query(collection, query)
        const by = query.order?.[0]?.by
        if (by === undefined) return { rows, total }
        const isNull = (row: StoredRecord) => row[by] === null
        return { rows: [...rows.filter((row) => !isNull(row)), ...rows.filter(isNull)], total }
      },
    },
  }),
  'evaluates a condition on null as unknown': ({ records }) => {
    const withoutNull = (where: Where): Where => {
      if ('every' in where) return { every: where.every.map(withoutNull) }
      if ('some' in where) return { some: where.some.map(withoutNull) }
      if (!('not' in where) || !('field' in where.not) || 'is' in where.not) return where
      return { every: [where, { not: { field: where.not.field, is: null } }] }
    }
    const change = (query: RecordQuery): RecordQuery => ({ ...query, where: query.where && withoutNull(query.where) })
    return { records: { query: (collection, query) => records.query(collection, change(query)) } }
  },
  'accepts digits for a number': ({ records }) => ({
    records: {
      insert: (collection, rows) =>
        records.insert(
          collection,
          rows.map((row) => (typeof row.size === 'string' ? { ...row, size: Number(row.size) } : row)),
        ),
    },
  }),
  'ignores unique sets': ({ records }) => ({
    records: { insert: (collection, rows) => records.insert({ ...collection, unique: [] }, rows) },
  }),
  'has a clock in seconds': () => ({ now: () => Math.floor(Date.now() / 1000) }),
  'omits fields that were never set': ({ records }) => ({
    records: {
      query: async (collection, query) => {
        const { rows, total } = await records.query(collection, query)
        const set = rows.map((row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)))
        return { rows: set as StoredRecord[], total }
      },
    },
  }),
}

const sortedEntry = ([name, value]: [string, Json]): [string, Json] => [name, sorted(value)]

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(sortedEntry).sort())
}
