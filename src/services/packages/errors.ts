/** The errors of package changes. */
import type { PackageName } from './declaration.ts'

export type PackageErrorCode =
  | 'undeclared'
  | 'installed_already'
  | 'not_installed'
  | 'not_active'
  | 'no_update'
  | 'own_connection'
  | 'no_account_use'
  /** Another change of the package is in progress. */
  | 'busy'
  | 'hook_failed'

/** Recognise it by `code`. */
export class PackageError extends Error {
  readonly code: PackageErrorCode
  /** The id of the log entry of a failed hook. */
  readonly id: string | undefined
  /** The hook took too long, and may still run. */
  readonly isUnfinished: boolean
  constructor(code: PackageErrorCode, message: string, id?: string, isUnfinished = false) {
    super(message)
    this.name = 'PackageError'
    this.code = code
    this.id = id
    this.isUnfinished = isUnfinished
  }
}

export const isBusy = ({ kind, slug }: PackageName) =>
  new PackageError('busy', `Somebody else changes the ${kind} ${slug} at this moment.`)

export const notInstalled = ({ kind, slug }: PackageName) =>
  new PackageError('not_installed', `The ${kind} ${slug} is not installed.`)
