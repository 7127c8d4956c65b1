/** Why a request that was to go out brought no answer. */

/** Recognise it by `code`. What it says is for the host's log: callers must not learn what is reachable from here. */
export class OutboundError extends Error {
  readonly code: OutboundErrorCode
  constructor(code: OutboundErrorCode, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'OutboundError'
    this.code = code
  }
}

/** `refused`: against the rules, nothing was sent there; `failed`: no connection, or an answer that makes no sense. */
export type OutboundErrorCode = 'refused' | 'timeout' | 'too_large' | 'failed'
