/** Application passwords of a user: finding them, and who may see and change them. */

import type { Storage, StoredRecord } from '../../../contract/storage.ts'
import type { Actor } from '../../../core/declare/actor.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { forbidden, permission } from '../../../core/declare/permissions.ts'
import { uuidOf } from '../../../core/pipeline/application-passwords.ts'
import { applicationPasswords, findUserById } from '../../../core/pipeline/authentication.ts'
import { storedState } from '../../../core/pipeline/etag.ts'

interface Path {
  readonly user_id?: string
  readonly uuid?: string
}

/**
 * Interface: `me` is 401 without a signed-in user; an unknown id is 404. Returns
 * the id of the user.
 */
export async function findOwner({ args, user, storage }: OwnerContext): Promise<number> {
  if (args.user_id === 'me') {
    if (user.user) return user.user.id
    throw new ApiError('rest_not_logged_in', 'Nobody is signed in.', 401)
  }
  const id = Number(args.user_id)
  const found = await findUserById(storage, Number.isSafeInteger(id) ? id : 0)
  if (!found) throw new ApiError('rest_user_invalid_id', 'There is no such user.', 404)
  return found.id
}

interface OwnerContext {
  readonly args: Path
  readonly user: Actor
  readonly storage: Storage
}

/** Interface: the permission of the owner comes before the look-up of the password. */
const isRefused = (user: Actor, owner: number) => user.user?.id !== owner && !user.can('edit_users')

export const mayManage = (code: string) =>
  permission<unknown, number>('oneself, or edit_users', ({ user, resource }) =>
    isRefused(user, resource) ? forbidden(user, code, 'You may not manage the passwords of this user.') : undefined,
  )

export const mayIntrospect = permission<unknown, number>('oneself', ({ user, resource }) =>
  user.user?.id === resource
    ? undefined
    : forbidden(
        user,
        'rest_cannot_introspect_app_password_for_non_authenticated_user',
        'Only the user who signed in may ask for the password in use.',
      ),
)

const notFound = () =>
  new ApiError('rest_application_password_not_found', 'There is no such application password.', 404)

export async function passwordsOf(storage: Storage, owner: number): Promise<StoredRecord[]> {
  const order = [{ by: 'id' }]
  const { rows } = await storage.records.query(applicationPasswords, { where: { field: 'user', is: owner }, order })
  return rows
}

/** A user has few passwords. */
async function findPassword(storage: Storage, owner: number, uuid: string): Promise<StoredRecord | undefined> {
  return (await passwordsOf(storage, owner)).find((row) => uuidOf(row) === uuid.toLowerCase())
}

/** Throws 404. */
export async function passwordOf(storage: Storage, owner: number, uuid: string): Promise<StoredRecord> {
  const found = await findPassword(storage, owner, uuid)
  if (!found) throw notFound()
  return found
}

/** Without when and from where it was last used, which the request of the condition itself changes. */
const writableMembers = (row: StoredRecord) => [uuidOf(row), row['app_id'], row['name'], row['created']]

interface PasswordContext<A = unknown> {
  readonly args: A
  readonly storage: Storage
  /** The owner. */
  readonly resource: number
}

export const storedPasswords = async ({ storage, resource }: PasswordContext) =>
  storedState((await passwordsOf(storage, resource)).map(writableMembers))

export async function storedPassword({ args, storage, resource }: PasswordContext<{ readonly uuid: string }>) {
  const row = await findPassword(storage, resource, args.uuid)
  return storedState(row && writableMembers(row))
}

/** A user may have many: one look-up finds it. */
export async function passwordWithId(storage: Storage, id: number): Promise<StoredRecord | undefined> {
  const { rows } = await storage.records.query(applicationPasswords, { where: { field: 'id', is: id }, limit: 1 })
  return rows[0]
}

/** The password that this request signed in with. Throws 404 for a user who signed in otherwise. */
export async function passwordInUse(storage: Storage, { applicationPassword: id = 0 }: Actor): Promise<StoredRecord> {
  const found = await passwordWithId(storage, id)
  if (found) return found
  throw new ApiError(
    'rest_no_authenticated_app_password',
    'This request did not sign in with an application password.',
    404,
  )
}
