/** Why a call of the authorization server failed. */

/**
 * `refused`: the server rejected the request; `failed`: no connection or an invalid response. Recognise it by `code`.
 *
 * ```ts
 * import { OAuthError } from 'site-api'
 *
 * export const wasRefused = (error: unknown) => error instanceof OAuthError && error.code === 'refused'
 * ```
 */
export class OAuthError extends Error {
  readonly code: 'refused' | 'failed'
  constructor(code: 'refused' | 'failed', message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'OAuthError'
    this.code = code
  }
}
