/** The stored fields of users. `id` is set by the storage. */
import type { StoredFields } from './stored-field.ts'

/**
 * The fields of `storage.users`. Each row has `id` besides.
 *
 * ```ts
 * import { userFields } from 'site-api/storage'
 *
 * export const columns = Object.values(userFields).map(({ column }) => column)
 * ```
 */
export const userFields = {
  /** Unique by `identityFold`. */
  login: { kind: 'text', column: 'login', isFolded: true, hasIdentity: true },
  /** The public name in URLs; unique. */
  slug: { kind: 'text', column: 'slug', isFolded: true },
  displayName: { kind: 'text', column: 'display_name', isFolded: true },
  /** Unique by `identityFold` unless empty. */
  email: { kind: 'text', column: 'email', default: '', isFolded: true, hasIdentity: true },
  url: { kind: 'text', column: 'url', default: '', inDocuments: true },
  roles: { kind: 'texts', column: 'roles', default: [] },
  /** Granted (true) or revoked (false) in addition to the roles. */
  capabilities: { kind: 'flags', column: 'capabilities', default: {}, inDocuments: true },
  /** A digest with its method; empty: this user cannot sign in with a password. */
  password: { kind: 'text', column: 'password', default: '' },
  blocked: { kind: 'boolean', column: 'blocked', default: false, inDocuments: true },
  /** GMT, `YYYY-MM-DDTHH:MM:SS`. */
  registered: { kind: 'text', column: 'registered' },
} as const satisfies StoredFields
