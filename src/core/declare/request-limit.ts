/** The limit on requests that a host may set, and what it decides by. Types only. */
import type { MaybePromise } from '../../contract/storage.ts'

/** The members of a request that a limiter knows before it runs. */
export interface LimitedRequest {
  /** `request`: before each request runs. `credentials`: an application password was wrong; the response would be 401. */
  readonly kind: 'request' | 'credentials'
  readonly method: string
  /** The path below the root, percent-encoded. */
  readonly path: string
  /** The pattern of the route as the index publishes it; undefined where no route serves the path, and for credentials. */
  readonly route: string | undefined
  /** The id of the user is null for a visitor, and for credentials. */
  readonly user: number | null
  /** The login that was sent with wrong credentials. */
  readonly login?: string
  header(name: string): string | undefined
  /** The host's own request object: a Request, an IncomingMessage, ... */
  readonly native: unknown
}

/** Returns 0, or the seconds to wait: the response is then 429 with `Retry-After`. */
export type RequestLimit = (request: LimitedRequest) => MaybePromise<number>
