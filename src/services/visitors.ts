/** Tells the network addresses of visitors who write, such as the authors of comments, and limits how much they may write. */
import { networkOf, type RateLimit, tokenBuckets } from './rate-limit.ts'

/** The parts of a request that a host looks at. */
interface Sender {
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
