/**
 * The rules for logins, addresses, public names and roles of users: the routes, `api.site.users`, the command line, seed and
 * import share them. Nothing here writes.
 */
import type { Storage, User } from '../contract/storage.ts'
import { identityFold } from '../contract/text-fold.ts'
import { freeSlug } from './free-slug.ts'
import type { Roles } from './roles.ts'
import { toSlug } from './slug.ts'

/** The problem of a user, and the value that has it. */
export interface UserProblem {
  readonly kind: 'invalid' | 'taken'
  readonly field: 'login' | 'email' | 'slug' | 'role' | 'password'
  readonly message: string
}

const invalid = (field: UserProblem['field'], message: string): UserProblem => ({ kind: 'invalid', field, message })
const taken = (field: UserProblem['field'], message: string): UserProblem => ({ kind: 'taken', field, message })

/** A login as it is stored and looked up: in the form NFKC, with single blanks and none at the ends. */
export const toLogin = (text: string): string => text.normalize('NFKC').replace(/\s+/gu, ' ').trim()

export const toEmail = (text: string): string => text.trim()

const maxLoginLength = 60
const maxEmailLength = 254

/** HTTP Basic parts login and password by a colon; invisible characters would let two logins look the same. */
const loginForm = /^[\p{L}\p{M}\p{N} _.@*+-]+$/u

export function loginProblem(login: string): UserProblem | undefined {
  if (login === '') return invalid('login', 'a user needs a login')
  if (login.length > maxLoginLength) return invalid('login', `a login has at most ${maxLoginLength} characters`)
  if (loginForm.test(login)) return undefined
  return invalid('login', 'a login consists of letters, digits, blanks and the signs _ . @ * + -')
}

/** Matches a local part of printable characters and a host of at least two labels (RFC 5321, without quoted forms). */
const emailForm =
  /^[^\s@<>()[\]\\,;:"\p{C}]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])$/u

export const isEmail = (text: string): boolean => text.length <= maxEmailLength && emailForm.test(text)

export function emailProblem(email: string): UserProblem | undefined {
  return email === '' || isEmail(email) ? undefined : invalid('email', `this is no e-mail address: ${email}`)
}

/** A login that is an address, but not that of the user, would claim an address that belongs to somebody else. */
export function foreignAddressProblem(login: string, email: string): UserProblem | undefined {
  if (!login.includes('@') || identityFold(login) === identityFold(email)) return undefined
  return invalid('login', 'a login with @ has to be the e-mail address of the user')
}

const maxPasswordLength = 4096

export function passwordProblem(password: string): UserProblem | undefined {
  if (password.length <= maxPasswordLength) return undefined
  return invalid('password', `a password has at most ${maxPasswordLength} characters`)
}

/** The first of the roles that the site does not have. */
export const unknownRole = (roles: readonly string[], known: Roles): string | undefined =>
  roles.find((role) => !Object.hasOwn(known, role))

interface Named {
  /** The id of the user who is changed; absent for a new one. */
  readonly id?: number
  readonly login: string
  readonly email: string
}

/**
 * No user may have the login or the address of another user as login or address: otherwise a name would mean two users.
 * The unique indexes of the storage decide between users that are written at the same time.
 */
export async function takenName(storage: Storage, { id, login, email }: Named): Promise<UserProblem | undefined> {
  const names = email === '' ? [login] : [login, email]
  const order = { by: 'id', descending: false } as const
  const { rows } = await storage.users.query({ names, order, offset: 0, limit: 5 })
  const others = rows.filter((user) => user.id !== id)
  return takenBy(others, { login, email })
}

function takenBy(others: readonly Pick<User, 'login' | 'email'>[], own: Named): UserProblem | undefined {
  const used = new Set(
    others.flatMap(({ login, email }) => [identityFold(login), identityFold(email)]).filter((name) => name !== ''),
  )
  if (used.has(identityFold(own.login))) return taken('login', `another user has the login ${own.login}`)
  if (own.email === '' || !used.has(identityFold(own.email))) return undefined
  return taken('email', `another user has the address ${own.email}`)
}

/** The public name that a login gives: itself, or the first free one of `name-2`, `name-3` and so on. */
export function freeUserSlug(storage: Storage, wanted: string): Promise<string> {
  const base = toSlug(wanted) || 'user'
  const order = { by: 'id', descending: false } as const
  return freeSlug(base, async (slugs) => {
    const { rows } = await storage.users.query({ slugs, order, offset: 0, limit: slugs.length })
    return rows.map(({ slug }) => slug)
  })
}

/**
 * Whoever signs in under this name: login or e-mail address, in one look-up. Databases of earlier versions may hold a login that
 * is the address of another user; the address decides then.
 */
export async function findUserByName(storage: Storage, name: string): Promise<User | undefined> {
  const login = toLogin(name)
  const query = { names: [login], order: { by: 'id', descending: false }, offset: 0, limit: 2 } as const
  const { rows } = await storage.users.query(query)
  return rows.length < 2 ? rows[0] : rows.find(({ email }) => identityFold(email) === identityFold(login))
}
