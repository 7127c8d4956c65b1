/** The views of users: what everybody sees, and the edit context, which users have of themselves and administrators of all. */

import type { Json, User } from '../../../contract/storage.ts'
import { type Args, bool, dateTime, list, str } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import {
  editOnly,
  either,
  emptyList,
  fields,
  mapOf,
  notEmbedded,
  openFields,
  sometimes,
  targetLinks,
} from '../../../core/declare/response-schema.ts'
import { localeFrom, localeKey } from '../../shared/locale.ts'
import { userFieldsIn } from './args.ts'
import { descriptionKey, publicUser, publicUserMembers } from './model.ts'

type ViewContext = 'view' | 'embed' | 'edit'

const capabilitiesSchema = (description: string) => editOnly(mapOf(bool(), { description }))

const preferences = either(emptyList(), openFields({}, { description: 'As the user has set them.' }))
const metaSchema = either(emptyList(), fields({ persisted_preferences: preferences }))

/** Fields of the host may be in all contexts, those of editors are in one. */
const metaSchemaWith = ({ persisted_preferences: _, ...own }: Args) =>
  Object.keys(own).length === 0
    ? metaSchema
    : // The cast: the members of the host are more.
      (fields({ ...own, persisted_preferences: sometimes(preferences) }) as unknown as typeof metaSchema)

const members = {
  ...publicUserMembers,
  username: editOnly(str({ description: 'The login; in the edit context, as all that others may not see.' })),
  first_name: editOnly(str()),
  last_name: editOnly(str()),
  email: editOnly(str()),
  locale: editOnly(str()),
  nickname: editOnly(str()),
  registered_date: editOnly(dateTime()),
  roles: editOnly(list(str())),
  capabilities: capabilitiesSchema('What the user may do, by roles and beyond them.'),
  extra_capabilities: capabilitiesSchema('The roles, and what is granted or taken away beyond them.'),
  meta: notEmbedded(metaSchema),
  _links: fields({ self: targetLinks, collection: targetLinks }),
}

/** The responses, with the fields of a profile. */
export function userSchemasOf(fieldsOfUsers: { readonly members: Args }) {
  const { _links, ...others } = { ...members, meta: notEmbedded(metaSchemaWith(fieldsOfUsers.members)) }
  return {
    user: fields({ ...others, _links }, { title: 'User', record: 'user' }),
    deleted: fields({ deleted: bool(), previous: fields(others, { title: 'User before the removal' }) }),
  }
}

/** Meta keys of names; an import or the host may have written them. */
export const firstNameKey = 'first_name'
export const lastNameKey = 'last_name'
export const nicknameKey = 'nickname'
const editKeys = [descriptionKey, firstNameKey, lastNameKey, nicknameKey, localeKey]

/** The meta that a user may read in a context. */
export function readableKeysOf({ app, user }: Pick<Context, 'app' | 'user'>, viewContext: ViewContext): string[] {
  if (viewContext === 'embed') return [descriptionKey]
  const ofFields = userFieldsIn(app.contributions).readableKeys(user, viewContext)
  return [...(viewContext === 'edit' ? editKeys : [descriptionKey]), ...ofFields]
}

/** The views of these users, in order; the number of reads is constant. */
export async function userViews(context: Context, users: readonly User[], viewContext: ViewContext) {
  const isEdit = viewContext === 'edit'
  const ids = users.map(({ id }) => id)
  const [entries, options, allows] = await Promise.all([
    context.storage.meta.read('user', ids, readableKeysOf(context, viewContext)),
    isEdit ? context.storage.options.read([localeKey]) : {},
    context.allowedMethods(context, '/cms/v2/users/{id}', users, ({ id }) => ({ id })),
  ])
  const metaById = Map.groupBy(entries, ({ id }) => id)
  return users.map((user, index) => {
    const meta = Object.fromEntries((metaById.get(user.id) ?? []).map(({ key, value }) => [key, value]))
    const { _links, ...open } = publicUser(user, context.settings, context.app.names, textOf(meta[descriptionKey]))
    const links = { ..._links, self: _links.self.map((link) => withHints(link, allows[index] ?? '')) }
    if (viewContext === 'embed') return { ...open, _links: links }
    if (!isEdit) return { ...open, meta: metaOf(context, meta, 'view'), _links: links }
    return { ...open, ...editMembers(context, user, meta, options), _links: links }
  })
}

/** Interface: meta without members is an empty list. */
function metaOf(context: Context, meta: Meta, viewContext: 'view' | 'edit') {
  const shown = userFieldsIn(context.app.contributions).view(meta, viewContext, context)
  return Object.keys(shown).length === 0 ? [] : shown
}

const withHints = <L extends object>(link: L, allow: string) =>
  allow === '' ? link : { ...link, targetHints: { allow: allow.split(', ') } }

type Meta = { readonly [key: string]: Json }

function editMembers(context: Context, user: User, meta: Meta, options: { readonly [name: string]: Json }) {
  const { settings, app } = context
  const roles = Object.fromEntries(user.roles.map((role) => [role, true]))
  return {
    username: user.login,
    first_name: textOf(meta[firstNameKey]),
    last_name: textOf(meta[lastNameKey]),
    email: user.email,
    locale: localeFrom(meta[localeKey], options[localeKey]),
    nickname: textOf(meta[nicknameKey]) || user.login,
    registered_date: `${user.registered}+00:00`,
    roles: user.roles,
    capabilities: withPublicNames({ ...capabilitiesOfRoles(user, settings), ...roles, ...user.capabilities }, app),
    extra_capabilities: withPublicNames({ ...roles, ...user.capabilities }, app),
    meta: metaOf(context, meta, 'edit'),
  }
}

const textOf = (value: Json | undefined) => (typeof value === 'string' ? value : '')

type Capabilities = { readonly [capability: string]: boolean }

const capabilitiesOfRoles = (
  { roles }: User,
  { roles: definitions }: Pick<Context, 'settings'>['settings'],
): Capabilities =>
  Object.assign({}, ...roles.map((role) => (Object.hasOwn(definitions, role) ? definitions[role] : {})))

const withPublicNames = (capabilities: Capabilities, { names }: Pick<Context, 'app'>['app']): Capabilities =>
  Object.fromEntries(Object.entries(capabilities).map(([name, isGranted]) => [names.toPublic(name), isGranted]))
