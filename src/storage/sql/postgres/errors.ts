/** The meaning of a PostgreSQL server's errors, by SQLSTATE. */
import { StorageConflict, StorageUnavailable } from '../../../contract/storage.ts'

interface ServerError {
  readonly code?: unknown
  readonly constraint?: unknown
  readonly severity?: unknown
}

/** The name of a unique index contains the field of the conflict. */
export function postgresConflict(error: unknown): StorageConflict | undefined {
  const { code, constraint } = error as ServerError
  if (code !== '23505' || typeof constraint !== 'string') return undefined
  if (/^(?:posts|terms|users|records)_pkey$/.test(constraint)) return new StorageConflict('id')
  const [, field] =
    /^records_unique:[^:]*:([^,]+)/.exec(constraint) ?? /^(?:posts|terms|users)_unique_(\w+)$/.exec(constraint) ?? []
  return field === undefined ? undefined : new StorageConflict(field)
}

/** True for a deadlock or a serialization failure: a retry of the transaction may succeed. */
export function isRetryable(error: unknown): boolean {
  const { code } = error as ServerError
  return code === '40001' || code === '40P01'
}

/** True when the role lacks the privilege. */
export function isForbidden(error: unknown): boolean {
  return (error as ServerError).code === '42501'
}

/** True when the connection is no longer usable: the server closed it, or the error did not come from the server. */
export function breaksConnection(error: unknown): boolean {
  const { severity } = error as ServerError
  return severity === undefined || severity === 'FATAL' || severity === 'PANIC'
}

/** Errors of a server that works, and may answer otherwise later, by the class or the code of SQLSTATE. */
const temporary = /^(?:08|40003|53|57P|57014|55P03|25006|25P03|58030)/

/** Errors that a proxy sends when it has lost the server, and those that name an unknown outcome themselves. */
const unknownOutcome = /^(?:08|40003)/

/**
 * A StorageUnavailable where a later attempt may succeed; any other error unchanged. Once the commit was sent, only an error of the
 * server itself proves that nothing was written, whichever statement of the transaction it refuses.
 */
export function postgresFailure(error: unknown, { isCommitSent = false } = {}): unknown {
  if (error instanceof StorageUnavailable) return error
  const { code: sent } = error as ServerError
  const code = typeof sent === 'string' ? sent : ''
  const isLost = breaksConnection(error)
  if (!isLost && !temporary.test(code)) return error
  const message =
    error instanceof AggregateError ? error.errors.map(String).join(', ') : String((error as Error).message)
  const isUnknown = isCommitSent && (isLost || unknownOutcome.test(code))
  return new StorageUnavailable(`PostgreSQL is not available: ${message}`, {
    written: isUnknown ? 'perhaps' : 'no',
    cause: error,
  })
}

/** True when another transaction has held a lock for as long as this one was ready to wait. */
export function isLockTimeout(error: unknown): boolean {
  const { cause = error } = error as { readonly cause?: unknown }
  return (cause as ServerError).code === '55P03'
}

/** The error of a standby, and of a server whose administrator or provider has set `default_transaction_read_only`. */
export const onlyReads = (): StorageUnavailable =>
  new StorageUnavailable('PostgreSQL only reads: it is a standby, or default_transaction_read_only is on', {
    written: 'no',
  })
