/** Who may read and write users. Everybody reads those who have published something, and oneself. */

import type { Storage, User } from '../../../contract/storage.ts'
import type { Actor } from '../../../core/declare/actor.ts'
import type { Context } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { forbidden, permission } from '../../../core/declare/permissions.ts'
import { findUserById } from '../../../core/pipeline/authentication.ts'
import { recordTag } from '../../../core/pipeline/etag.ts'
import { publicTypesOf } from '../../shared/declared-types.ts'
import type { ListArgs, UpdateArgs } from './args.ts'
import { readableKeysOf } from './view.ts'

const noUser = () => new ApiError('rest_user_invalid_id', 'There is no such user.', 404)

const notSignedIn = () => new ApiError('rest_not_logged_in', 'Nobody is signed in.', 401)

/** The resource of the routes of one user. Throws 404. */
export async function findUser({ args, storage }: { args: { readonly id?: number }; storage: Storage }): Promise<User> {
  const user = await findUserById(storage, args.id ?? 0)
  if (!user) throw noUser()
  return user
}

/** The resource of the routes of the signed-in user. Also the host's own calls are refused: they have no user. */
export function ownUser({ user }: { readonly user: Actor }): User {
  if (!user.user) throw notSignedIn()
  return user.user
}

const isSelf = (actor: Actor, { id }: Pick<User, 'id'>) => actor.user?.id === id

const mayEditUser = (actor: Actor, user: Pick<User, 'id'>) => isSelf(actor, user) || actor.can('edit_users')

/** Interface: what counts as published work of a user. */
export const publicTypes = (context: Pick<Context, 'app'>): readonly string[] =>
  publicTypesOf(context.app)
    .filter(({ published }) => published.isViewable ?? true)
    .map(({ name }) => name)

async function hasPublished(context: Pick<Context, 'app' | 'storage'>, { id }: User): Promise<boolean> {
  const query = { ids: [id], authorsOf: { types: publicTypes(context), statuses: ['publish'] } }
  const order = { by: 'id', descending: false } as const
  const { rows } = await context.storage.users.query({ ...query, order, offset: 0, limit: 1 })
  return rows.length > 0
}

export const mayReadUser = permission<{ readonly context?: string }, User>(
  'anyone, users with published posts; all users with list_users, or oneself',
  async (context) => {
    const { args, user, resource } = context
    if (isSelf(user, resource)) return undefined
    if (args.context === 'edit' && !user.can('edit_users')) {
      return forbidden(user, 'rest_forbidden_context', 'You may not edit this user.')
    }
    if (user.can('list_users') || user.can('edit_users') || (await hasPublished(context, resource))) return undefined
    return forbidden(user, 'rest_user_cannot_view', 'You may not see this user.')
  },
)

export const mayListUsers = permission<Partial<ListArgs>, undefined>(
  'anyone, users with published posts; all users with list_users',
  ({ args, user }) => {
    const isLister = user.can('list_users')
    if (!isLister && (args.roles?.length || args.capabilities?.length)) {
      return forbidden(user, 'rest_user_cannot_view', 'You may not filter users by roles and capabilities.')
    }
    if (args.context === 'edit' && !(isLister && user.can('edit_users'))) {
      return forbidden(user, 'rest_forbidden_context', 'You may not list users for editing.')
    }
    if (!isLister && (args.orderby === 'email' || args.orderby === 'registered_date')) {
      return forbidden(user, 'rest_forbidden_orderby', 'You may not order users by this.')
    }
    if (args.who !== undefined && !user.can('edit_posts')) {
      return forbidden(user, 'rest_forbidden_who', 'You may not list authors.')
    }
    return undefined
  },
)

/** Roles beyond the default are for those who may give them. */
export const mayCreateUser = permission<Partial<UpdateArgs>, undefined>('create_users', ({ args, user }) => {
  if (!user.can('create_users')) {
    return forbidden(user, 'rest_cannot_create_user', 'You may not create users.')
  }
  return rolesProblem(user, args)
})

const rolesProblem = (user: Actor, { roles }: Partial<UpdateArgs>) =>
  roles === undefined || user.can('promote_users')
    ? undefined
    : forbidden(user, 'rest_cannot_edit_roles', 'You may not change roles.')

export const mayUpdateUser = permission<Partial<UpdateArgs>, User>(
  'edit_users, or oneself; promote_users for roles',
  ({ args, user, resource }) =>
    mayEditUser(user, resource)
      ? rolesProblem(user, args)
      : forbidden(user, 'rest_cannot_edit', 'You may not edit this user.'),
)

export const mayDeleteUser = permission<unknown, User>('delete_users', ({ user }) =>
  user.can('delete_users') ? undefined : forbidden(user, 'rest_user_cannot_delete', 'You may not delete users.'),
)

/** For the routes of oneself: the resource has refused visitors already. */
export const mayReadOneself = permission<unknown, User>('signed in', () => undefined)

/**
 * The members that a write can change. For other readers the tag leaves out hidden members: a digest of an address would
 * let anybody test guesses of it.
 */
export async function userTag({
  storage,
  user,
  app,
  resource,
}: Pick<Context<unknown, User>, 'storage' | 'user' | 'app' | 'resource'>) {
  const { password: _, ...row } = resource
  if (!mayEditUser(user, resource)) {
    const { id, slug, displayName, url } = row
    return recordTag(
      { id, slug, displayName, url },
      await storage.meta.read('user', [id], readableKeysOf({ app, user }, 'view')),
    )
  }
  return recordTag(row, await storage.meta.read('user', [row.id], readableKeysOf({ app, user }, 'edit')))
}
