/** Creates and changes users. The rules for names are those of `site/user-names.ts`. */

import { blankUser } from '../../../contract/fields/blank.ts'
import { valuesIn } from '../../../contract/fields/stored-field.ts'
import { userFields } from '../../../contract/fields/users.ts'
import type { Json, Storage, StorageConflict, User, UserValues } from '../../../contract/storage.ts'
import type { ArgValues } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { forbidden } from '../../../core/declare/permissions.ts'
import { digestOfPassword } from '../../../core/runtime/crypto.ts'
import { stripMarkup } from '../../../html/strip-tags.ts'
import { safeAddress } from '../../../render/filter/addresses.ts'
import { filterTitle } from '../../../render/filter/filter.ts'
import { toSlug } from '../../../site/slug.ts'
import {
  emailProblem,
  foreignAddressProblem,
  freeUserSlug,
  takenName,
  toEmail,
  toLogin,
  type UserProblem,
  unknownRole,
} from '../../../site/user-names.ts'
import { localeKey } from '../../shared/locale.ts'
import { type createArgs, type UpdateArgs, userFieldsIn } from './args.ts'
import { descriptionKey } from './model.ts'
import { firstNameKey, lastNameKey, nicknameKey } from './view.ts'

/** Interface: a new user has this role unless the request names others. */
const defaultRole = 'subscriber'

const withRules: readonly (keyof UserValues)[] = [
  ...(['login', 'slug', 'displayName', 'email', 'url', 'roles', 'capabilities'] as const),
  ...(['password', 'blocked', 'registered'] as const),
]
/** An argument that is called like the column of any other field is stored as it was sent. The cast: names of the table. */
const plainNames = Object.keys(userFields).filter(
  (name) => !withRules.some((other) => other === name),
) as (keyof UserValues)[]

type CreateContext = Context<ArgValues<typeof createArgs>, undefined>
export type UpdateContext = Context<UpdateArgs, User>

export function createUser(context: CreateContext): Promise<User> {
  const { args, app, settings, storage } = context
  const login = toLogin(args.username)
  const email = toEmail(args.email)
  const roles = [...new Set(args.roles ?? [defaultRole])]
  return refusingConflicts(createCodes, async () => {
    refuseRoles(context, roles)
    refuse(
      emailProblem(email) ?? foreignAddressProblem(login, email) ?? (await takenName(storage, { login, email })),
      createCodes,
    )
    const row: UserValues = {
      ...blankUser,
      ...valuesIn(userFields, plainNames, args),
      login,
      slug: await freeUserSlug(storage, args.slug || login),
      displayName: nameOf(args.name ?? '') || login,
      email,
      url: addressOf(args.url ?? ''),
      roles,
      password: await digestOfPassword(args.password, context.app.passwordCost),
      registered: settings.time.now(app.clock).gmt,
    }
    const [id = 0] = await storage.users.insert([row])
    await storage.meta.write('user', entriesOf(id, { [nicknameKey]: login, ...metaOf(context, { login }) }))
    context.emit('user.created', { id })
    return { ...row, id }
  })
}

export function updateUser(context: UpdateContext): Promise<User> {
  const { args, storage, resource: before } = context
  const { id } = before
  return refusingConflicts(updateCodes, async () => {
    const changes = await changesOf(context, before)
    const password =
      args.password === undefined ? {} : { password: await digestOfPassword(args.password, context.app.passwordCost) }
    await storage.users.update([{ id, changes: { ...changes, ...password } }])
    await storage.meta.write('user', entriesOf(id, metaOf(context, before)))
    context.emit('user.updated', { id })
    return { ...before, ...changes }
  })
}

/** Interface: the order of these checks decides which error a client sees. */
async function changesOf(context: UpdateContext, before: User): Promise<Partial<User>> {
  const { args, storage } = context
  const { id, login } = before
  const email = args.email === undefined ? before.email : toEmail(args.email)
  if (email !== before.email) {
    refuse(emailProblem(email) ?? (await takenName(storage, { id, login, email })), updateCodes)
  }
  if (args.username !== undefined && toLogin(args.username) !== login) {
    throw new ApiError('rest_user_invalid_argument', 'The user name can not be changed.', 400)
  }
  const slug = await slugOf(storage, before, args.slug)
  const roles = args.roles && [...new Set(args.roles)]
  if (roles) {
    refuseRoles(context, roles)
    refuseLockout(context, before, roles)
  }
  return {
    ...(email === before.email ? {} : { email }),
    ...(slug === before.slug ? {} : { slug }),
    ...(roles ? { roles } : {}),
    ...(args.name === undefined ? {} : { displayName: nameOf(args.name) || login }),
    ...valuesIn(userFields, plainNames, args),
    ...(args.url === undefined ? {} : { url: addressOf(args.url) }),
  }
}

/** Interface: an empty one is made from the login again; one that another user has is refused. */
async function slugOf(storage: Storage, { id, login, slug }: User, sent: string | undefined): Promise<string> {
  if (sent === undefined) return slug
  const wanted = toSlug(sent)
  if (wanted === slug) return slug
  if (wanted === '') return toSlug(login) === slug ? slug : freeUserSlug(storage, login)
  const order = { by: 'id', descending: false } as const
  const { rows } = await storage.users.query({ slugs: [wanted], order, offset: 0, limit: 1 })
  if (rows[0] && rows[0].id !== id) throw refusal('slug', 'another user has this public name', updateCodes)
  return wanted
}

function refuseRoles({ settings }: Pick<Context, 'settings'>, roles: readonly string[]): void {
  const unknown = unknownRole(roles, settings.roles)
  if (unknown !== undefined) throw new ApiError('rest_user_invalid_role', `There is no role ${unknown}.`, 400)
}

/** Choice: users cannot take the right to edit users from themselves, which could leave a site without administrators. */
function refuseLockout({ user, settings }: UpdateContext, { id }: User, roles: readonly string[]): void {
  if (user.user?.id !== id || !user.can('edit_users')) return
  if (roles.some((role) => settings.roles[role]?.['edit_users'] === true)) return
  throw forbidden(user, 'rest_user_invalid_role', 'You may not take the right to edit users from yourself.')
}

// ---------------------------------------------------------------- values

/** Names are texts without markup. */
const nameOf = (text: string): string => stripMarkup(text).replace(/\s+/gu, ' ').trim()

/** Interface: an address without a protocol gets one; one with a protocol that leads nowhere safe is left out. */
function addressOf(text: string): string {
  const address = text.replace(/[\s\p{Cc}]+/gu, '')
  if (address === '') return ''
  const hasProtocol = /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(address)
  const whole = hasProtocol || /^[/#?]/.test(address) ? address : `http://${address}`
  return safeAddress(whole) === whole ? whole : ''
}

type MetaChanges = { readonly [key: string]: Json }

/** Writes the sent members only. Interface: an empty nickname is the login again. */
function metaOf(context: CreateContext | UpdateContext, { login }: Pick<User, 'login'>): MetaChanges {
  const { args } = context
  return {
    ...(args.first_name === undefined ? {} : { [firstNameKey]: nameOf(args.first_name) }),
    ...(args.last_name === undefined ? {} : { [lastNameKey]: nameOf(args.last_name) }),
    ...(args.nickname === undefined ? {} : { [nicknameKey]: nameOf(args.nickname) || login }),
    ...(args.description === undefined ? {} : { [descriptionKey]: filterTitle(args.description).trim() }),
    ...(args.locale === undefined ? {} : { [localeKey]: args.locale === '' ? null : args.locale }),
    ...fieldsOf(context),
  }
}

/** More than any editor keeps, and little enough to be read with each view. Fields of the host have the bounds that it declares. */
const maxPreferences = 64 * 1024

function fieldsOf(context: CreateContext | UpdateContext): MetaChanges {
  const changes = userFieldsIn(context.app.contributions).changes(context.args.meta, context)
  const { persisted_preferences: preferences = null } = changes
  if (JSON.stringify(preferences).length <= maxPreferences) return changes
  throw new ApiError('rest_too_long', `Preferences have at most ${maxPreferences} characters.`, 400)
}

const entriesOf = (id: number, meta: MetaChanges) => Object.entries(meta).map(([key, value]) => ({ id, key, value }))

// ---------------------------------------------------------------- refusals

type Codes = { readonly [field in UserProblem['field']]: string }

const updateCodes: Codes = {
  login: 'rest_user_invalid_username',
  email: 'rest_user_invalid_email',
  slug: 'rest_user_invalid_slug',
  role: 'rest_user_invalid_role',
  password: 'rest_user_invalid_password',
}
/** Interface: a new user whose names are taken is refused with separate codes. */
const createCodes: Codes = { ...updateCodes, login: 'existing_user_login', email: 'existing_user_email' }

const refusal = (field: UserProblem['field'], message: string, codes: Codes) =>
  new ApiError(codes[field], `The user is refused: ${message}.`, 400)

function refuse(problem: UserProblem | undefined, codes: Codes): void {
  if (problem) throw refusal(problem.field, problem.message, problem.kind === 'taken' ? codes : updateCodes)
}

/** Another process may write the same names between check and write. */
async function refusingConflicts<T>(codes: Codes, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { code, field } = error as StorageConflict
    if (code !== 'storage_conflict' || !Object.hasOwn(codes, field)) throw error
    // The cast: one of the fields that have a code.
    throw refusal(field as UserProblem['field'], `another user has this ${field}`, codes)
  }
}
