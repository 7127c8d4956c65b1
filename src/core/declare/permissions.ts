/** Who is asking, which capabilities that gives, and the permissions that most endpoints need. */
import type { Json, User } from '../../storage/contract.ts'
import type { Permission } from './endpoint.ts'
import { ApiError } from './errors.ts'

/** The one who asks. A visitor has id 0. */
export interface Actor {
  readonly id: number
  readonly isVisitor: boolean
  readonly user: User | undefined
  can(capability: string): boolean
}

export const visitor: Actor = { id: 0, isVisitor: true, user: undefined, can: () => false }

/** All rights, nobody's name: only for the host's own calls that ask for it by name. */
export const system: Actor = { id: 0, isVisitor: false, user: undefined, can: () => true }

/** Role name to its capabilities. */
export type Roles = { readonly [role: string]: { readonly [capability: string]: boolean } }

export function actorOf(user: User, roles: Roles): Actor {
  const granted = new Set<string>()
  for (const role of user.roles) {
    for (const [capability, given] of Object.entries(ownEntry(roles, role) ?? {})) if (given) granted.add(capability)
  }
  for (const [capability, given] of Object.entries(user.capabilities)) {
    if (given) granted.add(capability)
    else granted.delete(capability)
  }
  return { id: user.id, isVisitor: false, user, can: (capability) => granted.has(capability) }
}

const ownEntry = (roles: Roles, role: string) => (Object.hasOwn(roles, role) ? roles[role] : undefined)

/** Refused: 401 for a visitor, who may try again signed in; 403 for a known user. */
export const refusal = (user: Actor, code = 'rest_forbidden', message = 'Sorry, you are not allowed to do that.') =>
  new ApiError(code, message, user.isVisitor ? 401 : 403)

export const permission = <A, S>(who: string, check: Permission<A, S>['check']): Permission<A, S> => ({ who, check })

/** Everybody, visitors too. Public routes say so by this name, so that one search finds them. */
export const anyone: Permission<unknown, unknown> = permission('anyone', () => undefined)

export const signedIn: Permission<unknown, unknown> = permission('signed in', ({ user }) =>
  user.isVisitor ? refusal(user) : undefined,
)

export const can = (capability: string): Permission<unknown, unknown> =>
  permission(capability, ({ user }) => (user.can(capability) ? undefined : refusal(user)))

// ---------------------------------------------------------------- default roles

const words = (text: string) => text.trim().split(/\s+/)

const subscriber = words('read level_0')
const contributor = [...subscriber, ...words('edit_posts delete_posts level_1')]
const author = [
  ...contributor,
  ...words('publish_posts edit_published_posts delete_published_posts upload_files level_2'),
]
const editor = [
  ...author,
  ...words(`edit_others_posts delete_others_posts edit_private_posts delete_private_posts read_private_posts
    edit_pages edit_others_pages edit_published_pages publish_pages delete_pages delete_others_pages
    delete_published_pages delete_private_pages edit_private_pages read_private_pages
    manage_categories manage_links moderate_comments unfiltered_html level_7`),
]
const administrator = [
  ...editor,
  ...words(`manage_options edit_theme_options switch_themes edit_themes install_themes update_themes delete_themes
    activate_plugins edit_plugins install_plugins update_plugins delete_plugins
    list_users edit_users create_users delete_users promote_users remove_users
    edit_files import export edit_dashboard update_core customize unfiltered_upload level_10
    builder_global_classes_update_class
    create_notes_builder-pro edit_notes_builder-pro delete_notes_builder-pro read_notes_builder-pro
    edit_others_notes_builder-pro delete_others_notes_builder-pro read_others_private_notes_builder-pro`),
]

const granting = (capabilities: readonly string[]) => Object.fromEntries(capabilities.map((name) => [name, true]))

/** The usual five. Kept as data in the option `roles`, where a host can change them. */
export const defaultRoles: Roles & Json = {
  administrator: granting(administrator),
  editor: granting(editor),
  author: granting(author),
  contributor: granting(contributor),
  subscriber: granting(subscriber),
}
