/**
 * Limits rates with one token bucket per key. The default counts in this process only; a host with several processes passes
 * another limit.
 */
import ipaddr from 'ipaddr.js'

/** Limits a rate per key, such as a login or a network. */
export interface RateLimit {
  /** Takes a token. Returns 0, or the seconds until the next token. */
  take(key: string): number | Promise<number>
}

interface TokenBucketOptions {
  /** The tokens of a full bucket. */
  readonly capacity: number
  /** The tokens that a bucket gains in a minute. */
  readonly perMinute: number
  /** The number of buckets; the least recently used ones are dropped first. Default: 10 000. */
  readonly maxKeys?: number
  /** Milliseconds since 1970; for tests. Default: `Date.now`. */
  readonly clock?: () => number
}

/** A limit that says how long the next token takes, without taking it. */
export interface TokenBuckets extends RateLimit {
  take(key: string): number
  /** Returns 0, or the seconds until the next token. */
  peek(key: string): number
}

/**
 * Creates a limit in the memory of the process: a burst of `capacity`, then `perMinute`.
 *
 * ```ts
 * import { tokenBuckets } from 'site-api'
 *
 * const limit = tokenBuckets({ capacity: 10, perMinute: 5 })
 * export const seconds = await limit.take('ada')
 * ```
 */
export function tokenBuckets({
  capacity,
  perMinute,
  maxKeys = 10_000,
  clock = Date.now,
}: TokenBucketOptions): TokenBuckets {
  const buckets = new Map<string, { readonly tokens: number; readonly at: number }>()
  const msPerToken = 60_000 / perMinute
  const tokensOf = (key: string, now: number) => {
    const bucket = buckets.get(key) ?? { tokens: capacity, at: now }
    return Math.min(capacity, bucket.tokens + Math.max(0, now - bucket.at) / msPerToken)
  }
  const secondsOf = (tokens: number) => (tokens >= 1 ? 0 : Math.ceil(((1 - tokens) * msPerToken) / 1000))
  return {
    peek: (key) => secondsOf(tokensOf(key, clock())),
    take(key) {
      const now = clock()
      const tokens = tokensOf(key, now)
      const isGranted = tokens >= 1
      // Moved to the end of the map, so that it begins with the least recently used bucket.
      buckets.delete(key)
      buckets.set(key, { tokens: isGranted ? tokens - 1 : tokens, at: now })
      for (const oldest of buckets.keys()) {
        if (buckets.size <= maxKeys) break
        buckets.delete(oldest)
      }
      return secondsOf(tokens)
    },
  }
}

/**
 * The key of a client address: an IPv4 address, or the /64 network of an IPv6 address, which one client usually has.
 *
 * ```ts
 * import { networkOf, tokenBuckets } from 'site-api'
 *
 * const limit = tokenBuckets({ capacity: 100, perMinute: 60 })
 * export const seconds = await limit.take(networkOf('2001:db8::7'))
 * ```
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address.slice(0, 64)
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return `${parsed.toNormalizedString().split(':').slice(0, 4).join(':')}::/64`
}
