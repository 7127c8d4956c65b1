/** Limits on requests; a host can change each. */

export interface Limits {
  /** The largest body of a signed-in user. Default: 10 MiB. */
  readonly bodyBytes: number
  /** The largest body of a visitor, on routes that visitors may call; on other routes it is `smallBodyBytes`. Default: 256 KiB. */
  readonly visitorBodyBytes: number
  /** The most values and keys in a JSON body. A visitor may send a tenth of them. Default: 100,000. */
  readonly bodyValues: number
  /** The largest body for routes such as events and feedback. Default: 64 KiB. */
  readonly smallBodyBytes: number
  /** The longest query of an address. Default: 32 KiB. */
  readonly queryBytes: number
  /** The longest search text. Default: 1000. */
  readonly searchCharacters: number
  /** The largest uploaded file. Default: 256 MiB. */
  readonly uploadBytes: number
  /** The largest uploaded picture. Default: 64 MiB. */
  readonly imageBytes: number
  /** Pictures with more pixels are not decoded; all frames of one count together. Default: 100,000,000. */
  readonly imagePixels: number
  /** The largest file of a form that its mails have attached; a larger one is linked; 0: none is attached. Default: 10 MiB. */
  readonly attachmentBytes: number
  /** All files that one mail of a form has attached; the others are linked. Default: 20 MiB. */
  readonly attachmentsBytes: number
  /** The memory for cached responses, all together; 0: none are cached. Default: 16 MiB. */
  readonly responseBytes: number
  /**
   * The work of one request in units: an element of a builder document, a quarter of a listed post, or 200 characters of text. One record
   * may take a third; the rest is shown as plain text or left out. Default: 30,000.
   */
  readonly requestWork: number
  /** How many revisions of a post are kept. Default: all. */
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
  attachmentBytes: 10 * 1024 * 1024,
  attachmentsBytes: 20 * 1024 * 1024,
  responseBytes: 16 * 1024 * 1024,
  requestWork: 30_000,
}
