/** `api.site.users` reads and writes users by the rules of the routes, without their permissions. */

import { blankUser } from '../contract/fields/blank.ts'
import { nameAdvice, nearestName } from '../contract/nearest-name.ts'
import {
  type Json,
  type Storage,
  StorageConflict,
  type User,
  type UserQuery,
  type UserValues as UserRow,
} from '../contract/storage.ts'
import { applicationPasswords } from '../core/pipeline/authentication.ts'
import { digestOfPassword } from '../core/runtime/crypto.ts'
import { toSlug } from '../site/slug.ts'
import {
  emailProblem,
  foreignAddressProblem,
  freeUserSlug,
  loginProblem,
  passwordProblem,
  takenName,
  toEmail,
  toLogin,
  type UserProblem,
  unknownRole,
} from '../site/user-names.ts'
import { type ManagementContext, metaEntries, nowGmt, readAll } from './context.ts'
import { acceptedMeta, declaredFields } from './declared-meta.ts'

/** Events of users. */
export interface SiteUsersEvents {
  'user.created': { readonly id: number }
  'user.updated': { readonly id: number }
  /** `reassign`: who got the posts; null: the trash did. Absent after a removal by the host, which leaves the posts alone. */
  'user.removed': { readonly id: number; readonly reassign?: number | null }
}

/** A user without the password digest. */
export type SiteMember = Omit<User, 'password'>

interface UserValues {
  readonly login?: string
  readonly displayName?: string
  readonly email?: string
  /** The public name in URLs. Default: derived from the login, with a number if another user has it. */
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

/** `api.site.users`: accounts. Values that no account may have are refused with an ApiError. */
export interface SiteUsers {
  /**
   * Rejects with a StorageConflict whose `field` is `login`, `slug` or `email` if another user has the value (also a login that
   * is the address of another user), and with a TypeError for a role that the site does not have, a login with other signs
   * than letters, digits, blanks and `_ . @ * + -`, and an address that is none.
   */
  create(values: UserValues & { readonly login: string }): Promise<SiteMember>
  /** Rejects if there is no such user or role. */
  update(id: number, changes: UserValues): Promise<SiteMember>
  /** Removes the user with meta and application passwords; posts stay. Returns false if there was none. */
  remove(id: number): Promise<boolean>
  /** Lists all users by login, or those with one of the roles. */
  list(options?: { readonly roles?: readonly string[] }): Promise<SiteMember[]>
  find(
    by: { readonly id: number } | { readonly login: string } | { readonly email: string } | { readonly slug: string },
  ): Promise<SiteMember | undefined>
}

export function createUsers(context: ManagementContext): SiteUsers {
  const { storage, ready, write } = context
  const fields = declaredFields(context.persisted).users

  const findUser = async (query: Partial<UserQuery>, from = storage): Promise<SiteMember | undefined> => {
    const { rows } = await from.users.query({
      order: { by: 'id', descending: false },
      offset: 0,
      limit: 1,
      ...query,
    })
    return rows[0] && withoutPassword(rows[0])
  }
  const existing = async (id: number, from = storage): Promise<SiteMember> => {
    const member = await findUser({ ids: [id] }, from)
    if (!member) throw new TypeError(`there is no user ${id}`)
    return member
  }

  return {
    async create(sent) {
      await ready()
      const { meta: given = {}, password = '', ...values } = checked(sent)
      const meta = acceptedMeta(fields, given)
      const login = toLogin(values.login)
      const email = toEmail(values.email ?? '')
      const roles = values.roles ?? ['subscriber']
      await checkRoles(context, roles)
      refuse(loginProblem(login) ?? emailProblem(email) ?? foreignAddressProblem(login, email))
      const digest = await digestOf(context, password)
      const id = await write(async (transaction, queue) => {
        refuse(await takenName(transaction, { login, email }))
        const row: UserRow = {
          ...blankUser,
          login,
          slug: values.slug === undefined ? await freeUserSlug(transaction, login) : toSlug(values.slug) || 'user',
          displayName: values.displayName ?? login,
          email,
          url: values.url ?? '',
          roles,
          capabilities: values.capabilities ?? {},
          password: digest,
          blocked: values.blocked ?? false,
          registered: nowGmt(context),
        }
        const [inserted = 0] = await transaction.users.insert([row])
        await transaction.meta.write('user', metaEntries(inserted, meta))
        queue('user.created', { id: inserted })
        return inserted
      })
      return existing(id)
    },

    async update(id, sent) {
      await ready()
      const { meta: given = {}, password, ...changes } = checked(sent)
      const meta = acceptedMeta(fields, given)
      await existing(id)
      if (changes.roles) await checkRoles(context, changes.roles)
      const digest = password === undefined ? {} : { password: await digestOf(context, password) }
      await write(async (transaction, queue) => {
        const names = await changedNames(transaction, await existing(id, transaction), changes)
        await transaction.users.update([{ id, changes: { ...changes, ...names, ...digest } }])
        await transaction.meta.write('user', metaEntries(id, meta))
        queue('user.updated', { id })
      })
      return existing(id)
    },

    async remove(id) {
      await ready()
      if (!(await findUser({ ids: [id] }))) return false
      await write(async (transaction, queue) => {
        await transaction.records.remove(applicationPasswords, { field: 'user', is: id })
        await transaction.users.remove([id])
        queue('user.removed', { id })
      })
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
      if ('login' in by) return findUser({ logins: [toLogin(by.login)] })
      return 'email' in by ? findUser({ emails: [toEmail(by.email)] }) : findUser({ slugs: [by.slug] })
    },
  }
}

const isText = (value: unknown): boolean => typeof value === 'string'
const isRecord = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Says which form each value of an account must have, in words and as a check. */
const forms: { readonly [name in keyof UserValues]-?: readonly [form: string, fits: (value: unknown) => boolean] } = {
  login: ['a text', isText],
  displayName: ['a text', isText],
  email: ['a text', isText],
  slug: ['a text', isText],
  url: ['a text', isText],
  password: ['a text', isText],
  roles: ['a list of names of roles', (value) => Array.isArray(value) && value.every(isText)],
  capabilities: [
    'an object such as { edit_posts: true }',
    (value) => isRecord(value) && Object.values(value).every((isGranted) => typeof isGranted === 'boolean'),
  ],
  blocked: ['true or false', (value) => typeof value === 'boolean'],
  meta: ['an object', isRecord],
}

/** A misspelt name is refused. Other names belong to the records of the host, and no account has them. */
function refuseMisspelt(name: string): void {
  const meant = nearestName(name, Object.keys(forms))
  if (meant !== undefined) throw new TypeError(`users have no ${name}: did you mean ${meant}?`)
}

/** A value of another form would be stored as sent, and take rights away without a word. Throws a TypeError. */
function checked<T extends UserValues>(values: T): T {
  const known: { [name: string]: unknown } = {}
  for (const [name, value] of Object.entries(values)) {
    if (!Object.hasOwn(forms, name)) {
      refuseMisspelt(name)
      continue
    }
    // The cast: the lines above check the name.
    const [form, fits] = forms[name as keyof UserValues]
    if (value !== undefined && !fits(value)) throw new TypeError(`${name} of a user must be ${form}`)
    known[name] = value
  }
  // The cast: the members are those of the values that an account has.
  return known as unknown as T
}

/** A role that the site does not have would grant nothing, without a word. */
async function checkRoles({ app, storage }: ManagementContext, roles: readonly string[]): Promise<void> {
  const known = (await app.settings.read(storage)).roles
  const unknown = unknownRole(roles, known)
  if (unknown === undefined) return
  throw new TypeError(`there is no role ${unknown}: ${nameAdvice(unknown, Object.keys(known), 'the roles')}`)
}

/** The checked names among the changes. An address is checked against the login only where the login changes. */
async function changedNames(storage: Storage, before: SiteMember, changes: UserValues): Promise<Partial<User>> {
  const login = changes.login === undefined ? before.login : toLogin(changes.login)
  const email = changes.email === undefined ? before.email : toEmail(changes.email)
  if (login !== before.login) refuse(loginProblem(login) ?? foreignAddressProblem(login, email))
  if (email !== before.email) refuse(emailProblem(email))
  if (login !== before.login || email !== before.email)
    refuse(await takenName(storage, { id: before.id, login, email }))
  return { login, email, ...(changes.slug === undefined ? {} : { slug: toSlug(changes.slug) || before.slug }) }
}

function refuse(problem: UserProblem | undefined): void {
  if (problem === undefined) return
  throw problem.kind === 'taken' ? new StorageConflict(problem.field) : new TypeError(problem.message)
}

async function digestOf({ app }: ManagementContext, password: string): Promise<string> {
  refuse(passwordProblem(password))
  return password === '' ? '' : digestOfPassword(password, app.passwordCost)
}

const withoutPassword = ({ password: _, ...member }: User): SiteMember => member
