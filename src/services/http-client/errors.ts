/** The errors of the HTTP client. */

/** Recognise it by `code`. The message is for the host's log only: it could disclose which addresses are reachable. */
export class HttpClientError extends Error {
  readonly code: HttpClientErrorCode
  constructor(code: HttpClientErrorCode, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'HttpClientError'
    this.code = code
  }
}

/**
 * `refused`: the rules forbid the address, nothing was sent; `failed`: no connection, or an invalid response; `unsupported`: the
 * runtime has no sockets.
 */
type HttpClientErrorCode = 'unsupported' | 'refused' | 'timeout' | 'too_large' | 'failed'
