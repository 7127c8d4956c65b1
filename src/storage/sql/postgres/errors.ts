/** The meaning of a PostgreSQL server's errors, by SQLSTATE. */
import { StorageConflict } from '../../contract.ts'

interface ServerError {
  readonly code?: unknown
  readonly constraint?: unknown
  readonly severity?: unknown
}

/** The name of a unique index contains the field of the conflict. */
export function postgresConflict(error: unknown): StorageConflict | undefined {
  const { code, constraint } = error as ServerError
  if (code !== '23505' || typeof constraint !== 'string') return undefined
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
