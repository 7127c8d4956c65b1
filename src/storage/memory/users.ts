/** Users: their login, slug and address are unique, the first and last of them whatever their case and accents. */
import { fold } from '../../site/text-fold.ts'
import { StorageConflict, type User, type UserQuery, type UserStore } from '../contract.ts'
import type { State } from './state.ts'
import type { Access } from './transactions.ts'
import { allValues, knownValues } from './values.ts'
import { byColumn, type Compare, windowOf } from './paging.ts'

type UserValues = Omit<User, 'id'>

const userFields: ReadonlySet<string> = new Set<keyof UserValues>([
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
  return {
    query: (query) => access.read((depth) => queryUsers(state, query, depth)),
    insert: (rows) =>
      access.write((depth) =>
        rows.map((row) => {
          // The cast: `allValues` saw every field, and none besides.
          const values = allValues(row, userFields) as unknown as UserValues
          const user: User = Object.freeze({ id: users.nextId(), ...values })
          refuseTaken(state, user, depth)
          users.put(user.id, user)
          return user.id
        }),
      ),
    update: (updates) =>
      access.write((depth) => {
        const changed: number[] = []
        for (const { id, changes } of updates) {
          const values = knownValues(changes, userFields)
          const before = users.get(id, depth)
          if (before === undefined) continue
          const user: User = Object.freeze({ ...before, ...values })
          refuseTaken(state, user, depth)
          users.put(id, user)
          changed.push(id)
        }
        return changed
      }),
    remove: (ids) =>
      access.write(() => {
        for (const id of ids) {
          users.delete(id)
          meta.user.delete(id)
        }
      }),
  }
}

function refuseTaken({ users }: State, user: User, depth: number): void {
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
    if (ids !== undefined) {
      return [...new Set(ids)].map((id) => users.get(id, depth)).filter((user) => user !== undefined)
    }
    if (logins !== undefined) return users.find('login', logins, depth)
    if (slugs !== undefined) return users.find('slug', slugs, depth)
    if (emails !== undefined) return users.find('email', emails, depth)
    return users.all(depth)
  }
  const found = candidates().filter(
    (user) =>
      (logins === undefined || logins.includes(fold(user.login))) &&
      (slugs === undefined || slugs.includes(user.slug)) &&
      (emails === undefined || emails.includes(fold(user.email))) &&
      (roles === undefined || user.roles.some((role) => roles.includes(role))) &&
      (search === undefined || search.fields.some((field) => fold(user[field]).includes(search.text))),
  )
  return { rows: windowOf(found, compare, query), total: query.total ? found.length : 0 }
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
