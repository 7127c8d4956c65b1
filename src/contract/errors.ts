/** The errors by which a storage tells what a caller can do about them. */

/**
 * Thrown by a write that would violate uniqueness in `field`. Recognised by `code`, not by class.
 *
 * ```ts
 * import { StorageConflict } from 'site-api/storage'
 *
 * export const isTaken = (error: unknown) => error instanceof StorageConflict
 * ```
 */
export class StorageConflict extends Error {
  readonly code = 'storage_conflict'
  readonly field: string
  constructor(field: string) {
    super(`another row has this ${field}`)
    this.field = field
  }
}

/**
 * Thrown by a write of a row that is larger than the database can hold. The request is 413. Recognised by `code`, not by class.
 *
 * ```ts
 * import { StorageTooLarge } from 'site-api/storage'
 *
 * export const refused = (cause: unknown) => new StorageTooLarge(cause)
 * ```
 */
export class StorageTooLarge extends Error {
  readonly code = 'storage_too_large'
  constructor(cause: unknown) {
    super('the row is larger than the database can hold', { cause })
  }
}

/**
 * Thrown by `atomic` after a rollback when a retry may succeed. Recognised by `code`, not by class.
 *
 * ```ts
 * import { StorageRetry } from 'site-api/storage'
 *
 * export const isRetried = (error: unknown) => error instanceof StorageRetry
 * ```
 */
export class StorageRetry extends Error {
  readonly code = 'storage_rerun'
  constructor(cause: unknown) {
    super('the database asks to run this transaction again', { cause })
  }
}

/**
 * Thrown where the storage itself fails and a later attempt may succeed: no connection, a lock that is not released, a full disk.
 * The request is 503. Recognised by `code`, not by class.
 *
 * ```ts
 * import { StorageUnavailable } from 'site-api/storage'
 *
 * export const lostConnection = (cause: unknown) =>
 *   new StorageUnavailable('the connection ended before the commit', { written: 'no', cause })
 * ```
 */
export class StorageUnavailable extends Error {
  readonly code = 'storage_unavailable'
  /** `no`: nothing of the transaction is stored. `perhaps`: the database got the commit, and its answer is missing. */
  readonly written: 'no' | 'perhaps'
  constructor(message: string, { written, cause }: { readonly written: 'no' | 'perhaps'; readonly cause?: unknown }) {
    super(message, cause === undefined ? undefined : { cause })
    this.written = written
  }
}
