/** Users in memory: login and email are unique by `identityFold`, the slug as it is. */

import { userFields } from '../../contract/fields/users.ts'
import { userFilter } from '../../contract/row-filters.ts'
import { byColumn, type Compare } from '../../contract/row-order.ts'
import { StorageConflict, type User, type UserQuery, type UserStore } from '../../contract/storage.ts'
import { fold, identityFold } from '../../contract/text-fold.ts'
import { pageOf } from './paging.ts'
import { insertRows, type RowTable, updateRows } from './rows.ts'
import type { State } from './state.ts'
import type { Access } from './transactions.ts'

export function userStore(state: State, access: Access): UserStore {
  const { users, meta } = state
  const rowTable: RowTable<User> = {
    table: users,
    fields: userFields,
    assertUnique: (user, depth) => assertUnique(state, user, depth),
  }
  return {
    query: (query) => access.read((depth) => queryUsers(state, query, depth)),
    insert: (rows, ids) => access.write((depth) => insertRows(rowTable, rows, depth, { ids })),
    update: (updates) => access.write((depth) => updateRows(rowTable, updates, depth)),
    remove: (ids) =>
      access.write(() => {
        for (const id of ids) {
          users.delete(id)
          meta.user.delete(id)
        }
      }),
  }
}

function assertUnique({ users }: State, user: User, depth: number): void {
  const isTaken = (index: string, key: string) => users.find(index, [key], depth).some((other) => other.id !== user.id)
  if (isTaken('login', identityFold(user.login))) throw new StorageConflict('login')
  if (isTaken('slug', user.slug)) throw new StorageConflict('slug')
  if (user.email !== '' && isTaken('email', identityFold(user.email))) throw new StorageConflict('email')
}

function queryUsers(state: State, query: UserQuery, depth: number): { rows: User[]; total: number } {
  const compare = userOrder(query)
  const [filter, isAuthor] = [userFilter(query), authorFilter(state, query, depth)]
  const matches = candidates(state, query, depth).filter((user) => filter(user) && isAuthor(user))
  return { rows: pageOf(matches, compare, query), total: query.total ? matches.length : 0 }
}

/** The users that the first condition with an index finds; the tests check all conditions. */
function candidates({ users }: State, query: UserQuery, depth: number): User[] {
  const { ids, logins, slugs, emails, names } = query
  if (ids !== undefined) return users.getMany(ids, depth)
  if (logins !== undefined) return users.find('login', logins.map(identityFold), depth)
  if (slugs !== undefined) return users.find('slug', slugs, depth)
  if (emails !== undefined) return users.find('email', emails.map(identityFold), depth)
  if (names !== undefined) {
    const folded = names.map(identityFold)
    return [...new Set([...users.find('login', folded, depth), ...users.find('email', folded, depth)])]
  }
  return users.all(depth)
}

function authorFilter({ posts }: State, { authorsOf }: UserQuery, depth: number): (user: User) => boolean {
  if (authorsOf === undefined) return () => true
  const authors = new Set<number>()
  for (const { author, status } of posts.find('type', authorsOf.types, depth)) {
    if (authorsOf.statuses.includes(status)) authors.add(author)
  }
  return ({ id }) => authors.has(id)
}

function userOrder({ order, ids, slugs }: UserQuery): Compare<User> {
  switch (order.by) {
    case 'ids':
      return byPlace(ids, (user) => user.id)
    case 'slugs':
      return byPlace(slugs, (user) => user.slug)
    case 'login':
    case 'email':
    case 'displayName': {
      const { by } = order
      return byColumn((user) => fold(user[by]), order.descending)
    }
    case 'id':
    case 'slug':
    case 'url':
    case 'registered': {
      const { by } = order
      return byColumn((user) => user[by], order.descending)
    }
    default:
      throw new TypeError(`unknown field ${String((order as { readonly by: unknown }).by)}`)
  }
}

function byPlace<T>(list: readonly T[] | undefined, column: (user: User) => T): Compare<User> {
  if (list === undefined) throw new TypeError('this order needs the list that it follows')
  const places = new Map(list.toReversed().map((value, index) => [value, list.length - index]))
  return byColumn((user) => places.get(column(user)) ?? 0, false)
}
