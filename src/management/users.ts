/** `api.site.users`: the users of a site. The REST interface reads users; only the host creates them. */

import { applicationPasswords } from '../core/pipeline/authentication.ts'
import { digestOfPassword } from '../core/runtime/crypto.ts'
import { nameAdvice } from '../core/runtime/nearest-name.ts'
import { toSlug } from '../site/slug.ts'
import type { Json, User, UserQuery } from '../storage/contract.ts'
import { inOneTransaction, type ManagementContext, metaEntries, nowGmt, readAll } from './context.ts'

export interface SiteUsersEvents {
  'user.created': { readonly id: number }
  'user.updated': { readonly id: number }
  'user.removed': { readonly id: number }
}

/** A user without the password digest. */
export type SiteMember = Omit<User, 'password'>

interface UserValues {
  readonly login?: string
  readonly displayName?: string
  readonly email?: string
  /** The public name in URLs. Default: derived from the login. */
  readonly slug?: string
  readonly url?: string
  /** In clear text; stored as a slow digest. Empty: password sign-in is disabled. */
  readonly password?: string
  readonly roles?: readonly string[]
  /** Granted or denied in addition to the roles. */
  readonly capabilities?: { readonly [capability: string]: boolean }
  /** True: all credentials of the user are rejected. */
  readonly blocked?: boolean
  /** A null value removes the key. */
  readonly meta?: { readonly [key: string]: Json }
}

export interface SiteUsers {
  /**
   * Rejects with a StorageConflict whose `field` is `login`, `slug` or `email` if another user has the value, and with a
   * TypeError for a role that the site does not have.
   */
  create(values: UserValues & { readonly login: string }): Promise<SiteMember>
  /** Rejects if there is no such user or role. */
  update(id: number, changes: UserValues): Promise<SiteMember>
  /** Removes the user with meta and application passwords; posts stay. Returns false if there was none. */
  remove(id: number): Promise<boolean>
  /** All users by login, or those with one of the roles. */
  list(options?: { readonly roles?: readonly string[] }): Promise<SiteMember[]>
  find(
    by: { readonly id: number } | { readonly login: string } | { readonly email: string } | { readonly slug: string },
  ): Promise<SiteMember | undefined>
}

export function createUsers(context: ManagementContext): SiteUsers {
  const { storage, ready, emit } = context

  const findUser = async (query: Partial<UserQuery>): Promise<SiteMember | undefined> => {
    const { rows } = await storage.users.query({
      order: { by: 'id', descending: false },
      offset: 0,
      limit: 1,
      ...query,
    })
    return rows[0] && withoutPassword(rows[0])
  }
  const existing = async (id: number): Promise<SiteMember> => {
    const member = await findUser({ ids: [id] })
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
        registered: nowGmt(context),
      }
      if (row.login.trim() === '') throw new TypeError('a user needs a login')
      await checkRoles(context, row.roles)
      const id = await inOneTransaction(storage, async (transaction) => {
        const [inserted = 0] = await transaction.users.insert([row])
        await transaction.meta.write('user', metaEntries(inserted, meta))
        return inserted
      })
      emit([{ name: 'user.created', payload: { id } }])
      return existing(id)
    },

    async update(id, { meta = {}, password, ...changes }) {
      await ready()
      await existing(id)
      if (changes.roles) await checkRoles(context, changes.roles)
      const digest = password === undefined ? {} : { password: password === '' ? '' : await digestOfPassword(password) }
      await inOneTransaction(storage, async (transaction) => {
        await transaction.users.update([{ id, changes: { ...changes, ...digest } }])
        await transaction.meta.write('user', metaEntries(id, meta))
      })
      emit([{ name: 'user.updated', payload: { id } }])
      return existing(id)
    },

    async remove(id) {
      await ready()
      if (!(await findUser({ ids: [id] }))) return false
      await inOneTransaction(storage, async (transaction) => {
        await transaction.records.remove(applicationPasswords, { field: 'user', is: id })
        await transaction.users.remove([id])
      })
      emit([{ name: 'user.removed', payload: { id } }])
      return true
    },

    async list({ roles } = {}) {
      await ready()
      const order = { by: 'login', descending: false } as const
      const query = { order, ...(roles ? { roles } : {}) }
      const rows = await readAll(async (offset, limit) => {
        return (await storage.users.query({ ...query, offset, limit })).rows
      })
      return rows.map(withoutPassword)
    },

    async find(by) {
      await ready()
      if ('id' in by) return findUser({ ids: [by.id] })
      if ('login' in by) return findUser({ logins: [by.login] })
      return 'email' in by ? findUser({ emails: [by.email] }) : findUser({ slugs: [by.slug] })
    },
  }
}

/** A role that the site does not have would grant nothing, without a word. */
async function checkRoles({ app, storage }: ManagementContext, roles: readonly string[]): Promise<void> {
  const known = Object.keys((await app.settings.read(storage)).roles)
  const unknown = roles.find((role) => !known.includes(role))
  if (unknown === undefined) return
  throw new TypeError(`there is no role ${unknown}: ${nameAdvice(unknown, known, 'the roles')}`)
}

const withoutPassword = ({ password: _, ...member }: User): SiteMember => member
