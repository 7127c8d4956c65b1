/** What the errors of a PostgreSQL server mean here. They are told apart by their SQLSTATE. */
import { StorageConflict } from '../../contract.ts'

interface ServerError {
  readonly code?: unknown
  readonly constraint?: unknown
  readonly severity?: unknown
}

/** The unique indexes are named after the field that a conflict is named after. */
export function postgresConflict(error: unknown): StorageConflict | undefined {
  const { code, constraint } = error as ServerError
  if (code !== '23505' || typeof constraint !== 'string') return undefined
  const [, field] =
    /^records_unique:[^:]*:([^,]+)/.exec(constraint) ?? /^(?:posts|terms|users)_unique_(\w+)$/.exec(constraint) ?? []
  return field === undefined ? undefined : new StorageConflict(field)
}

/** A deadlock or a failed serialisation: nothing is wrong, and the transaction may well succeed when it is run again. */
export function isRetryable(error: unknown): boolean {
  const { code } = error as ServerError
  return code === '40001' || code === '40P01'
}

/** The role may not change the schema. */
export function isForbidden(error: unknown): boolean {
  return (error as ServerError).code === '42501'
}

/** True when the connection can't be used any more: the server ended it, or the error does not come from a server at all. */
export function breaksConnection(error: unknown): boolean {
  const { severity } = error as ServerError
  return severity === undefined || severity === 'FATAL' || severity === 'PANIC'
}
