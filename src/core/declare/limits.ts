/** Limits on requests; a host can change each. */

export interface Limits {
  readonly bodyBytes: number
  /** For routes with small bodies, such as events and feedback. */
  readonly smallBodyBytes: number
  readonly queryBytes: number
  readonly searchCharacters: number
  /** How many revisions of a post are kept; undefined: all. */
  readonly revisions?: number
}

export const defaultLimits: Limits = {
  bodyBytes: 10 * 1024 * 1024,
  smallBodyBytes: 64 * 1024,
  queryBytes: 32 * 1024,
  searchCharacters: 1000,
}
