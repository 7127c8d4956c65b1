/** Creates application passwords, for the host and for the consent page. */
import type { Storage } from '../../storage/contract.ts'
import { digestOf, newApplicationPassword } from '../runtime/crypto.ts'
import { andThen, type MaybePromise } from '../runtime/maybe-promise.ts'
import { applicationPasswords, lookupKey } from './authentication.ts'

/** Events. */
export interface PasswordEvents {
  'password.created': { readonly id: number; readonly user: number; readonly name: string; readonly appId: string }
  'password.revoked': { readonly id: number; readonly user: number }
}

interface Granted {
  readonly user: number
  /** The application. */
  readonly name: string
  /** A UUID chosen by the application, or empty. */
  readonly appId?: string
  /** GMT. */
  readonly created: string
  /** The consent that created it: a second password for the same grant is a conflict. */
  readonly grant?: string | null
}

interface StoredPassword extends Granted {
  readonly digest: string
  readonly lastUsed: string | null
}

export const passwordRow = ({ user, name, appId = '', digest, created, lastUsed, grant = null }: StoredPassword) => ({
  user,
  name,
  app_id: appId,
  digest,
  lookup: lookupKey(digest),
  created,
  last_used: lastUsed,
  grant,
})

/**
 * Returns the secret once: only its digest is stored. A second password for the same `grant` throws a storage conflict.
 */
export function createApplicationPassword(
  storage: Storage,
  granted: Granted,
): MaybePromise<{ readonly id: number; readonly secret: string }> {
  const secret = newApplicationPassword()
  const row = passwordRow({ ...granted, digest: digestOf(secret), lastUsed: null })
  return andThen(storage.records.insert(applicationPasswords, [row]), ([id = 0]) => ({ id, secret }))
}
