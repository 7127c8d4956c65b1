/** How application passwords are made, whoever asks for one: the host, or a user on the consent page. */
import type { Storage } from '../../storage/contract.ts'
import { digestOf, newApplicationPassword } from '../runtime/crypto.ts'
import { andThen, type MaybePromise } from '../runtime/maybe-promise.ts'
import { applicationPasswords, lookupKey } from './authentication.ts'

/** What it tells listeners. */
export interface PasswordEvents {
  'password.created': { readonly id: number; readonly user: number; readonly name: string; readonly appId: string }
  'password.revoked': { readonly id: number; readonly user: number }
}

declare module '../declare/events.ts' {
  interface EventPayloads extends PasswordEvents {}
}

interface Granted {
  readonly user: number
  /** The application that it is made for. */
  readonly name: string
  /** What the application calls itself among others of its name: a UUID, or empty. */
  readonly appId?: string
  /** GMT. */
  readonly created: string
  /** What the user agreed to: makes one password and no second one. */
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

/** The secret is answered here and never again: only its digest is stored. A second one of a grant is a conflict. */
export function createApplicationPassword(
  storage: Storage,
  granted: Granted,
): MaybePromise<{ readonly id: number; readonly secret: string }> {
  const secret = newApplicationPassword()
  const row = passwordRow({ ...granted, digest: digestOf(secret), lastUsed: null })
  return andThen(storage.records.insert(applicationPasswords, [row]), ([id = 0]) => ({ id, secret }))
}
