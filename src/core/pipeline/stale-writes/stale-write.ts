/** A write that names an older version of its record than the stored one. Types only. */
import type { Storage } from '../../../contract/storage.ts'
import type { Context } from '../../declare/context.ts'
import type { ArgumentValues, MergeRule } from '../../declare/endpoint.ts'

/** A rule whose inner types no longer matter. */
export type AnyMergeRule = MergeRule<never, never> | MergeRule<never, unknown>

export interface StaleWrite {
  readonly context: Context
  readonly partial: readonly string[]
  /** Arguments of the request, without those of the path. */
  readonly sent: ArgumentValues
  readonly keepsAbsent: boolean
  /** The revision that the client has named as its base. */
  readonly revision: number | undefined
  /** Reads all that the tag of the record is made of. */
  readonly readTag: (storage: Storage) => Promise<unknown>
  /** Whether the record has the named version in this storage. */
  readonly isNamed: (storage: Storage) => Promise<boolean>
  readonly valuesIn: (storage: Storage) => Promise<ArgumentValues>
  readonly valuesOfRevision: (revision: number) => Promise<ArgumentValues | undefined>
  /** The tag of the record as it is. */
  readonly tag: () => Promise<string | undefined>
}

/** Returns the merged values. Undefined: the version is not known. Throws 409 where both sides have changed the same. */
export type MergeStale = (write: StaleWrite) => Promise<ArgumentValues | undefined>
