/** `api.site.users`: the people of a site. The REST interface reads users; only the host makes them. */
import { applicationPasswords } from '../core/pipeline/authentication.ts'
import { digestOfPassword } from '../core/runtime/crypto.ts'
import { toSlug } from '../site/slug.ts'
import type { Json, User, UserQuery } from '../storage/contract.ts'
import { inOneTransaction, type ManagementContext, nowGmt } from './context.ts'

/** What it tells listeners. */
export interface SiteUsersEvents {
  'user.created': { readonly id: number }
  'user.updated': { readonly id: number }
  'user.removed': { readonly id: number }
}

declare module '../core/declare/events.ts' {
  interface EventPayloads extends SiteUsersEvents {}
}

/** A user without the digest of the password. */
export type SiteMember = Omit<User, 'password'>

export interface UserValues {
  readonly login?: string
  readonly displayName?: string
  readonly email?: string
  /** The public name in addresses. Default: made from the login. */
  readonly slug?: string
  readonly url?: string
  /** In clear; kept as a slow digest. Empty: nobody signs in with a password. */
  readonly password?: string
  readonly roles?: readonly string[]
  /** Granted or taken away on top of the roles. */
  readonly capabilities?: { readonly [capability: string]: boolean }
  /** True: no credential of this user works any more. */
  readonly blocked?: boolean
  /** A null value removes the key. */
  readonly meta?: { readonly [key: string]: Json }
}

export interface SiteUsers {
  /** Rejects with a StorageConflict whose `field` is `login`, `slug` or `email` when another user has it. */
  create(values: UserValues & { readonly login: string }): Promise<SiteMember>
  /** Rejects when there is no such user. */
  update(id: number, changes: UserValues): Promise<SiteMember>
  /** Removes the user with meta and application passwords; posts stay. Answers false when there was none. */
  remove(id: number): Promise<boolean>
  find(
    by: { readonly id: number } | { readonly login: string } | { readonly email: string } | { readonly slug: string },
  ): Promise<SiteMember | undefined>
}

export function createUsers(parts: ManagementContext): SiteUsers {
  const { storage, ready, emit } = parts

  const found = async (query: Partial<UserQuery>): Promise<SiteMember | undefined> => {
    const { rows } = await storage.users.query({
      order: { by: 'id', descending: false },
      offset: 0,
      limit: 1,
      ...query,
    })
    return rows[0] && withoutPassword(rows[0])
  }
  const existing = async (id: number): Promise<SiteMember> => {
    const member = await found({ ids: [id] })
    if (!member) throw new TypeError(`there is no user ${id}`)
    return member
  }

  return {
    async create({ meta = {}, password = '', ...values }) {
      await ready()
      const digest = password === '' ? '' : await digestOfPassword(password)
      const row: Omit<User, 'id'> = {
        login: values.login,
        slug: values.slug ?? (toSlug(values.login) || 'user'),
        displayName: values.displayName ?? values.login,
        email: values.email ?? '',
        url: values.url ?? '',
        roles: values.roles ?? ['subscriber'],
        capabilities: values.capabilities ?? {},
        password: digest,
        blocked: values.blocked ?? false,
        registered: nowGmt(parts),
      }
      if (row.login.trim() === '') throw new TypeError('a user needs a login')
      const id = await inOneTransaction(storage, async (inside) => {
        const [made = 0] = await inside.users.insert([row])
        await inside.meta.write('user', metaEntries(made, meta))
        return made
      })
      emit([{ name: 'user.created', payload: { id } }])
      return existing(id)
    },

    async update(id, { meta = {}, password, ...changes }) {
      await ready()
      await existing(id)
      const digest = password === undefined ? {} : { password: password === '' ? '' : await digestOfPassword(password) }
      await inOneTransaction(storage, async (inside) => {
        await inside.users.update([{ id, changes: { ...changes, ...digest } }])
        await inside.meta.write('user', metaEntries(id, meta))
      })
      emit([{ name: 'user.updated', payload: { id } }])
      return existing(id)
    },

    async remove(id) {
      await ready()
      if (!(await found({ ids: [id] }))) return false
      await inOneTransaction(storage, async (inside) => {
        await inside.records.remove(applicationPasswords, { field: 'user', is: id })
        await inside.users.remove([id])
      })
      emit([{ name: 'user.removed', payload: { id } }])
      return true
    },

    async find(by) {
      await ready()
      if ('id' in by) return found({ ids: [by.id] })
      if ('login' in by) return found({ logins: [by.login] })
      return 'email' in by ? found({ emails: [by.email] }) : found({ slugs: [by.slug] })
    },
  }
}

const withoutPassword = ({ password: _, ...member }: User): SiteMember => member

const metaEntries = (id: number, meta: { readonly [key: string]: Json }) =>
  Object.entries(meta).map(([key, value]) => ({ id, key, value }))
