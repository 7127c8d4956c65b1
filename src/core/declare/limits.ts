/** Limits on requests; a host can change each. */

export interface Limits {
  readonly bodyBytes: number
  /** The body of a visitor, on routes that visitors may call. On all others, callers without the right have `smallBodyBytes`. */
  readonly visitorBodyBytes: number
  /** Values and keys of a JSON body. A visitor may send a tenth of them. */
  readonly bodyValues: number
  /** For routes with small bodies, such as events and feedback. */
  readonly smallBodyBytes: number
  readonly queryBytes: number
  readonly searchCharacters: number
  /** For an uploaded file. */
  readonly uploadBytes: number
  /** For an uploaded picture. */
  readonly imageBytes: number
  /** For a picture, all frames together, once it is decoded. */
  readonly imagePixels: number
  /** For the answers to visitors that are kept in memory, all together; 0 keeps none. */
  readonly answerBytes: number
  /** How many revisions of a post are kept; undefined: all. */
  readonly revisions?: number
}

export const defaultLimits: Limits = {
  bodyBytes: 10 * 1024 * 1024,
  visitorBodyBytes: 256 * 1024,
  bodyValues: 100_000,
  smallBodyBytes: 64 * 1024,
  queryBytes: 32 * 1024,
  searchCharacters: 1000,
  uploadBytes: 256 * 1024 * 1024,
  imageBytes: 64 * 1024 * 1024,
  imagePixels: 100_000_000,
  answerBytes: 16 * 1024 * 1024,
}
