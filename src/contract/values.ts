/** What all parts of the storage contract share. */

export type MaybePromise<T> = T | Promise<T>
/** A value that JSON can hold. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** The requested part of a list: rows to skip, and rows to return at most. */
export interface Paging {
  readonly offset: number
  readonly limit: number
  /** Whether to count all matching rows. */
  readonly total?: boolean
}
