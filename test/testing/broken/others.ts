/** Storages that are wrong about terms, users, meta, options or records. */
import type { Json, RecordQuery, StoredRecord, Where } from '../../../src/storage/contract.ts'
import { type Break, mapText, withoutNul } from './break.ts'

export const brokenOthers: { readonly [name: string]: Break } = {
  'answers with promises, but throws at once': ({ records }) => ({
    records: {
      update: (collection, updates) => {
        const done = records.update(collection, updates)
        return done instanceof Promise ? done : Promise.resolve(done)
      },
    },
  }),
  'puts terms below themselves': ({ terms }) => ({
    terms: { below: async (ids) => [...new Set([...ids, ...(await terms.below(ids))])].sort((a, b) => a - b) },
  }),
  'adds terms to those of a post': ({ terms }) => ({
    terms: {
      assign: async (assignments) => {
        const had = await terms.of(assignments.map(({ post }) => post))
        const kept = (post: number, taxonomy: string) =>
          had.filter((row) => row.post === post && row.taxonomy === taxonomy)
        await terms.assign(
          assignments.map((each) => ({
            ...each,
            terms: [...each.terms, ...kept(each.post, each.taxonomy).map((row) => row.term)],
          })),
        )
      },
    },
  }),
  'passes over unknown terms': ({ terms }) => ({
    terms: {
      assign: async (assignments) => {
        const query = { order: { by: 'id', descending: false }, offset: 0, limit: 1e6 } as const
        const known = (await terms.query(query)).rows
        const kept = (id: number, taxonomy: string) =>
          known.some((term) => term.id === id && term.taxonomy === taxonomy)
        await terms.assign(
          assignments.map((each) => ({ ...each, terms: each.terms.filter((term) => kept(term, each.taxonomy)) })),
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
  'finds logins as they are': ({ users }) => ({
    users: {
      query: async (query) => {
        const { rows, total } = await users.query(query)
        return { rows: rows.filter((row) => query.logins?.includes(row.login) ?? true), total }
      },
    },
  }),
  'sorts roles': ({ users }) => ({
    users: { insert: (rows) => users.insert(rows.map((row) => ({ ...row, roles: row.roles.toSorted() }))) },
  }),
  'gives meta as it was written': ({ meta }) => ({
    meta: { read: async (...asked) => (await meta.read(...asked)).toReversed() },
  }),
  'keeps meta that null should remove': ({ meta }) => ({
    meta: {
      write: (owner, entries) =>
        meta.write(
          owner,
          entries.filter((entry) => entry.value !== null),
        ),
    },
  }),
  'takes meta with a NUL': ({ meta }) => ({
    meta: {
      write: (owner, entries) =>
        meta.write(
          owner,
          entries.map((entry) => ({ ...entry, value: mapText(entry.value, withoutNul) })),
        ),
    },
  }),
  'gives null for a missing option': ({ options }) => ({
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
  'swaps whatever is expected': ({ options }) => ({
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
  'hands out what it keeps': ({ options }) => {
    const kept = new Map<string, Json>()
    return {
      options: {
        read: async (names) => {
          const values = await options.read(names)
          for (const [name, value] of Object.entries(values)) {
            const known = kept.get(name)
            if (JSON.stringify(known) === undefined) kept.set(name, structuredClone(value))
          }
          return Object.fromEntries(Object.keys(values).map((name) => [name, kept.get(name) ?? null]))
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
  'takes a condition on null as unknown': ({ records }) => {
    const decided = (where: Where): Where => {
      if ('every' in where) return { every: where.every.map(decided) }
      if ('some' in where) return { some: where.some.map(decided) }
      if (!('not' in where) || !('field' in where.not) || 'is' in where.not) return where
      return { every: [where, { not: { field: where.not.field, is: null } }] }
    }
    const ask = (query: RecordQuery): RecordQuery => ({ ...query, where: query.where && decided(query.where) })
    return { records: { query: (collection, query) => records.query(collection, ask(query)) } }
  },
  'takes digits for a number': ({ records }) => ({
    records: {
      insert: (collection, rows) =>
        records.insert(
          collection,
          rows.map((row) => (typeof row.size === 'string' ? { ...row, size: Number(row.size) } : row)),
        ),
    },
  }),
  'passes over unique sets': ({ records }) => ({
    records: { insert: (collection, rows) => records.insert({ ...collection, unique: [] }, rows) },
  }),
  'leaves out fields that were never set': ({ records }) => ({
    records: {
      query: async (collection, query) => {
        const { rows, total } = await records.query(collection, query)
        const set = rows.map((row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)))
        return { rows: set as StoredRecord[], total }
      },
    },
  }),
}
