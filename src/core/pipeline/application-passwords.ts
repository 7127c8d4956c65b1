/** Creates application passwords, for the routes, the host and the consent page. */

import type { Storage } from '../../contract/storage.ts'
import { digestOf, newApplicationPassword, sha256Of } from '../runtime/crypto.ts'
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
  readonly lastIp?: string | null
}

export const passwordRow = ({
  user,
  name,
  appId = '',
  digest,
  created,
  lastUsed,
  lastIp = null,
  grant = null,
}: StoredPassword) => ({
  user,
  name,
  app_id: appId,
  digest,
  lookup: lookupKey(digest),
  created,
  last_used: lastUsed,
  last_ip: lastIp,
  grant,
})

/**
 * Returns the secret once: only its digest is stored. A second password for the same `grant` throws a storage conflict.
 */
export async function createApplicationPassword(
  storage: Storage,
  granted: Granted,
): Promise<{ readonly id: number; readonly secret: string; readonly uuid: string }> {
  const secret = newApplicationPassword()
  const row = passwordRow({ ...granted, digest: digestOf(secret), lastUsed: null })
  const [id = 0] = await storage.records.insert(applicationPasswords, [row])
  return { id, secret, uuid: uuidOf(row) }
}

/**
 * The id of an application password for clients. It follows from the digest of the secret, so that it stays the same
 * through an export and a seed; of a secret with 142 random bits it reveals nothing. Version 8 of RFC 9562 leaves its
 * form to applications.
 */
export function uuidOf({ digest }: { readonly [field: string]: unknown }): string {
  const hex = sha256Of(`application password ${String(digest)}`)
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(15), 16) % 4)
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(12, 15)}`, `${variant}${hex.slice(16, 19)}`]
  return [...parts, hex.slice(20, 32)].join('-')
}
