/** The errors of reading a site over REST. */

/** The site can not be read. The message says why, in one line. */
export class RestImportError extends Error {
  readonly code = 'import_rest'
  /** The status of the response; undefined where none came. */
  readonly status: number | undefined
  constructor(message: string, status?: number) {
    super(message)
    this.name = 'RestImportError'
    this.status = status
  }
}
