/** The view that users get of themselves. */

import { bool, dateTime, list, str } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { emptyList, fields, mapOf, sometimes } from '../../../core/declare/response-schema.ts'
import type { Json, User } from '../../../storage/contract.ts'
import { publicUser, publicUserMembers } from './model.ts'

type ViewContext = 'view' | 'embed' | 'edit'

const capabilitiesSchema = (description: string) => sometimes(mapOf(bool(), { description }))

export const ownUserSchema = fields(
  {
    ...publicUserMembers,
    username: sometimes(str({ description: 'The login; in the edit context, as all that others may not see.' })),
    first_name: sometimes(str()),
    last_name: sometimes(str()),
    email: sometimes(str()),
    locale: sometimes(str()),
    nickname: sometimes(str()),
    registered_date: sometimes(dateTime()),
    roles: sometimes(list(str())),
    capabilities: capabilitiesSchema('What the user may do, by roles and beyond them.'),
    extra_capabilities: capabilitiesSchema('The roles, and what is granted or taken away beyond them.'),
    meta: sometimes(emptyList()),
  },
  { title: 'User who asks' },
)

interface OwnUser {
  readonly user: User
  readonly locale: string
  /** Names by key; users without names have none. */
  readonly meta: { readonly [key: string]: Json }
}

export function ownUserView(context: Pick<Context, 'settings' | 'app'>, own: OwnUser, viewContext: ViewContext) {
  const { settings, app } = context
  const { user, locale, meta } = own
  const { _links, ...publicMembers } = publicUser(user, settings, app.names)
  if (viewContext === 'embed') return { ...publicMembers, _links }
  if (viewContext === 'view') return { ...publicMembers, meta: [], _links }
  const roles = Object.fromEntries(user.roles.map((role) => [role, true]))
  return {
    ...publicMembers,
    username: user.login,
    first_name: textOf(meta[firstNameKey]),
    last_name: textOf(meta[lastNameKey]),
    email: user.email,
    locale,
    nickname: textOf(meta[nicknameKey]) || user.displayName,
    registered_date: `${user.registered}+00:00`,
    roles: user.roles,
    capabilities: withPublicNames({ ...capabilitiesOfRoles(user, settings), ...roles, ...user.capabilities }, app),
    extra_capabilities: withPublicNames({ ...roles, ...user.capabilities }, app),
    meta: [],
    _links,
  }
}

/** Meta keys that an import or the host may have written. */
const firstNameKey = 'first_name'
const lastNameKey = 'last_name'
const nicknameKey = 'nickname'
export const nameKeys = [firstNameKey, lastNameKey, nicknameKey]

const textOf = (value: Json | undefined) => (typeof value === 'string' ? value : '')

type Capabilities = { readonly [capability: string]: boolean }

const capabilitiesOfRoles = (
  { roles }: User,
  { roles: definitions }: Pick<Context, 'settings'>['settings'],
): Capabilities =>
  Object.assign({}, ...roles.map((role) => (Object.hasOwn(definitions, role) ? definitions[role] : {})))

const withPublicNames = (capabilities: Capabilities, { names }: Pick<Context, 'app'>['app']): Capabilities =>
  Object.fromEntries(Object.entries(capabilities).map(([name, isGranted]) => [names.toPublic(name), isGranted]))
