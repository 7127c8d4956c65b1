/** Why a request that was to go out brought no answer. */

/** Recognise it by `code`. What it says is for the host's log: callers must not learn what is reachable from here. */
export class HttpClientError extends Error {
  readonly code: HttpClientErrorCode
  constructor(code: HttpClientErrorCode, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'OutboundError'
    this.code = code
  }
}

/** `refused`: against the rules, nothing was sent there; `failed`: no connection, or an answer that makes no sense. */
export type HttpClientErrorCode = 'refused' | 'timeout' | 'too_large' | 'failed'
