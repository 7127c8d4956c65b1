/** Users in memory: login and email are unique when folded, the slug as it is. */
import { fold } from '../../site/text-fold.ts'
import { StorageConflict, type User, type UserQuery, type UserStore } from '../contract.ts'
import { byColumn, type Compare, pageOf } from './paging.ts'
import { insertRows, type RowTable, updateRows } from './rows.ts'
import type { State } from './state.ts'
import type { Access } from './transactions.ts'

const userFields: ReadonlySet<string> = new Set<keyof Omit<User, 'id'>>([
  'login',
  'slug',
  'displayName',
  'email',
  'url',
  'roles',
  'capabilities',
  'password',
  'blocked',
  'registered',
])
const searchFields: readonly string[] = ['login', 'slug', 'email', 'displayName']

export function userStore(state: State, access: Access): UserStore {
  const { users, meta } = state
  const rowTable: RowTable<User> = {
    table: users,
    fields: userFields,
    assertUnique: (user, depth) => assertUnique(state, user, depth),
  }
  return {
    query: (query) => access.read((depth) => queryUsers(state, query, depth)),
    insert: (rows) => access.write((depth) => insertRows(rowTable, rows, depth)),
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
  if (isTaken('login', fold(user.login))) throw new StorageConflict('login')
  if (isTaken('slug', user.slug)) throw new StorageConflict('slug')
  if (user.email !== '' && isTaken('email', fold(user.email))) throw new StorageConflict('email')
}

function queryUsers({ users }: State, query: UserQuery, depth: number): { rows: User[]; total: number } {
  const compare = userOrder(query.order)
  const { ids, slugs, roles, search } = query
  const logins = query.logins?.map(fold)
  const emails = query.emails?.map(fold)
  for (const field of search?.fields ?? []) {
    if (!searchFields.includes(field)) throw new TypeError(`unknown field ${field}`)
  }
  const candidates = (): User[] => {
    if (ids !== undefined) return users.getMany(ids, depth)
    if (logins !== undefined) return users.find('login', logins, depth)
    if (slugs !== undefined) return users.find('slug', slugs, depth)
    if (emails !== undefined) return users.find('email', emails, depth)
    return users.all(depth)
  }
  const matches = candidates().filter(
    (user) =>
      (logins === undefined || logins.includes(fold(user.login))) &&
      (slugs === undefined || slugs.includes(user.slug)) &&
      (emails === undefined || emails.includes(fold(user.email))) &&
      (roles === undefined || user.roles.some((role) => roles.includes(role))) &&
      (search === undefined || search.fields.some((field) => fold(user[field]).includes(search.text))),
  )
  return { rows: pageOf(matches, compare, query), total: query.total ? matches.length : 0 }
}

function userOrder({ by, descending }: UserQuery['order']): Compare<User> {
  switch (by) {
    case 'login':
    case 'displayName':
      return byColumn((user) => fold(user[by]), descending)
    case 'id':
    case 'slug':
    case 'registered':
      return byColumn((user) => user[by], descending)
    default:
      throw new TypeError(`unknown field ${String(by)}`)
  }
}
