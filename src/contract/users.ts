/** The part of the storage contract about users. */
import type { ValuesOf } from './fields/stored-field.ts'
import type { userFields } from './fields/users.ts'
import type { MaybePromise, Paging } from './values.ts'

/** The columns of a user without its id. */
export interface UserValues extends ValuesOf<typeof userFields> {}

/** A user with the digest of the password. */
export interface User extends UserValues {
  readonly id: number
}

/** Users, found by id, login, email or slug. */
export interface UserStore {
  /** One page of the matching users, in order; `total` counts all matches. */
  query(query: UserQuery): MaybePromise<{ rows: User[]; total: number }>
  /** Returns the new ids, in the order of `rows`. Throws StorageConflict with 'login', 'slug' or 'email'. */
  insert(rows: readonly UserValues[], ids?: readonly number[]): MaybePromise<number[]>
  /** Returns one id per update whose row exists, in order. Throws StorageConflict as `insert` does. */
  update(updates: readonly { readonly id: number; readonly changes: Partial<UserValues> }[]): MaybePromise<number[]>
  /** Removes users and their meta. Their posts stay. */
  remove(ids: readonly number[]): MaybePromise<void>
}

/** All members are joined by AND; an absent member is no condition. */
export interface UserQuery extends Paging {
  readonly ids?: readonly number[]
  readonly notIds?: readonly number[]
  /** Compared by `identityFold`. */
  readonly logins?: readonly string[]
  readonly slugs?: readonly string[]
  /** Compared by `identityFold`. */
  readonly emails?: readonly string[]
  /** Logins or e-mail addresses, compared by `identityFold`: what a user may sign in with. An empty text is no address. */
  readonly names?: readonly string[]
  /** Users with at least one of these roles. */
  readonly roles?: readonly string[]
  /** Lists users who have at least one capability of each list. */
  readonly capabilities?: readonly (readonly CapabilityGrant[])[]
  /** Users who are the author of at least one post of these types and statuses. */
  readonly authorsOf?: { readonly types: readonly string[]; readonly statuses: readonly string[] }
  /** Folded text that one of the folded fields must contain; `id` must equal it as a decimal number. */
  readonly search?: { readonly text: string; readonly fields: readonly UserSearchField[] }
  readonly order:
    | {
        readonly by: 'id' | 'login' | 'slug' | 'displayName' | 'email' | 'url' | 'registered'
        readonly descending: boolean
      }
    /** The order of `query.ids` or `query.slugs`, without which the query throws. */
    | { readonly by: 'ids' | 'slugs' }
}

export type UserSearchField = 'id' | 'login' | 'slug' | 'email' | 'displayName'

/** A user has it who has it in `capabilities`, or who has one of the roles and not a false in `capabilities`. */
export interface CapabilityGrant {
  readonly capability: string
  readonly roles: readonly string[]
}
