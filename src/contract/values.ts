/** The types that all parts of the storage contract share. */

export type MaybePromise<T> = T | Promise<T>
/** A value that JSON can hold. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** The requested part of a list: says how many rows to skip, and how many to return at most. */
export interface Paging {
  readonly offset: number
  readonly limit: number
  /** True: counts all matching rows. */
  readonly total?: boolean
}
