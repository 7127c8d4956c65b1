/** A storage that notes which records are read, as the history names them. */
import { withMembers } from '../../../contract/replaced-members.ts'
import type { Collection, MetaOwner, Storage } from '../../../contract/storage.ts'
import { anyOption } from '../history/model.ts'

/** Names the records that a call reads, by store and method. */
const namesOf: { readonly [store: PropertyKey]: { readonly [method: PropertyKey]: Names } } = {
  posts: {
    read: ([ids]) => named('post', ids as Ids),
    query: (_, { idsPage = [] }) =>
      named(
        'post',
        idsPage.map(({ id }) => id),
      ),
  },
  terms: {
    of: ([ids]) => named('post', ids as Ids),
    query: (_, { rows = [] }) =>
      named(
        'term',
        rows.map(({ id }) => id),
      ),
  },
  meta: { read: ([owner, ids]) => named(owner as MetaOwner, ids as Ids) },
  options: { read: ([names]) => (names === undefined ? [anyOption] : named('option', names as Ids)) },
  records: {
    query: ([collection], { rows = [] }) =>
      named(
        (collection as Collection).name,
        rows.map(({ id }) => id),
      ),
  },
}

type Ids = readonly (number | string)[]
type Rows = readonly { readonly id: number }[]
type Names = (values: readonly unknown[], found: { readonly rows?: Rows; readonly idsPage?: Rows }) => readonly string[]

const named = (kind: string, ids: Ids) => ids.map((id) => `${kind}:${id}`)

/** Adds to `records` the name of each record that is read. */
export function watched(storage: Storage, records: Set<string>): Storage {
  return withMembers(storage, (store, member) => {
    const names = Object.hasOwn(namesOf, store) ? namesOf[store] : undefined
    if (!names) return undefined
    return withMembers(member as object, (method, call) => {
      const name = Object.hasOwn(names, method) ? names[method] : undefined
      if (!name) return undefined
      return async (...values: readonly unknown[]) => {
        // The casts: the method is one of a store.
        const found: unknown = await (call as (...all: readonly unknown[]) => unknown).apply(member, [...values])
        for (const one of name(values, found as Parameters<Names>[1])) records.add(one)
        return found
      }
    })
  })
}
