/** Tells the network addresses of visitors who write, such as the authors of comments, and limits how much they write and guess. */
import type { Actor } from '../core/declare/actor.ts'
import { ApiError } from '../core/declare/errors.ts'
import { sameDigest, sha256Of } from '../core/runtime/crypto.ts'
import { networkOf, type RateLimit, type TokenBuckets, tokenBuckets } from './rate-limit.ts'

/** The parts of a request that a host looks at. */
export interface Sender {
  header(name: string): string | undefined
  /** The host's own request object: a Request, an IncomingMessage, ... */
  readonly native?: unknown
}

/** Reads addresses of visitors, and counts their writes. */
export interface Visitors {
  /** Undefined where the address is not known. */
  addressOf(sender: Sender): string | undefined
  /** Counts a write. Returns 0, or the seconds to wait. `user` is 0 for a visitor. */
  take(sender: Sender, user: number): number | Promise<number>
}

interface VisitorOptions {
  /** The address that your proxy or your server vouches for. Default: none is known, and visitors share one limit. */
  readonly addressOf?: (sender: Sender) => string | undefined
  /** How much a visitor may write. Default: a burst of 60 and 60 a minute; with `addressOf` a burst of 10 and 10 a minute for each network. */
  readonly limit?: RateLimit
  /** Milliseconds since 1970; for tests. Default: `Date.now`. */
  readonly clock?: () => number
}

/**
 * Creates the default of `services.visitors`.
 *
 * ```ts
 * createSiteApi({ ..., services: { visitors: createVisitors({ addressOf: ({ header }) => header('x-real-ip') }) } })
 * ```
 */
export function createVisitors({ addressOf = () => undefined, limit, clock }: VisitorOptions = {}): Visitors {
  const withClock = clock ? { clock } : {}
  const forAll = tokenBuckets({ capacity: 60, perMinute: 60, ...withClock })
  const forEach = tokenBuckets({ capacity: 10, perMinute: 10, ...withClock })
  return {
    addressOf,
    take(sender, user) {
      if (user !== 0) return (limit ?? forAll).take(`user ${user}`)
      const address = addressOf(sender)
      if (address === undefined) return (limit ?? forAll).take('all')
      return (limit ?? forEach).take(networkOf(address))
    },
  }
}

export const visitorsOf = ({ services }: { readonly services: { readonly [name: string]: unknown } }): Visitors =>
  services['visitors'] as Visitors

/** A post that a password opens. */
interface Locked {
  readonly id: number
  readonly password: string
}

/**
 * Compares passwords of posts, and counts the wrong ones for each post and client: the API, the pages and the forms share one count.
 * A client that has not guessed is never refused, whatever others have tried.
 */
export class PasswordAttempts {
  readonly #ofOne: TokenBuckets
  /** All clients share it whose addresses are not known. */
  readonly #ofAll: TokenBuckets

  constructor(clock: () => number) {
    this.#ofOne = tokenBuckets({ capacity: 10, perMinute: 5, clock })
    this.#ofAll = tokenBuckets({ capacity: 60, perMinute: 30, clock })
  }

  /** Whether the password opens the post. Throws 429 for a client that has guessed too often. */
  opens({ id, password }: Locked, entered: string, client: string | undefined): boolean {
    if (password === '') return false
    const buckets = client === undefined ? this.#ofAll : this.#ofOne
    const key = `${id} ${client ?? ''}`
    const seconds = buckets.peek(key)
    if (seconds > 0) throw tooManyGuesses(seconds)
    // Digests of one length are compared in constant time.
    if (sameDigest(sha256Of(entered), sha256Of(password))) return true
    buckets.take(key)
    return false
  }
}

const tooManyGuesses = (seconds: number): ApiError =>
  new ApiError('rest_too_many_requests', `Too many wrong passwords: wait ${seconds} seconds.`, 429, {
    retry_after: seconds,
  })

type Known = { readonly services: { readonly [name: string]: unknown } }

export const passwordAttemptsOf = ({ services }: Known): PasswordAttempts =>
  services['passwordAttempts'] as PasswordAttempts

/** Names the client of a request: the user who is signed in, else the network of its address; undefined where neither is known. */
export function clientOf(app: Known, sender: Sender, user?: Actor): string | undefined {
  if (user && user.id !== 0) return `user ${user.id}`
  const address = visitorsOf(app).addressOf(sender)
  return address === undefined ? undefined : networkOf(address)
}
