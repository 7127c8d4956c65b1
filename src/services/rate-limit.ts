/**
 * How often somebody may do something: one bucket of tokens for each who asks, filled again with time. The default counts
 * in this process alone; a host with several processes puts its own in place.
 */
import ipaddr from 'ipaddr.js'

export interface RateLimit {
  /** Takes a token. Answers 0, or how many seconds there are until the next one. */
  take(key: string): number | Promise<number>
}

export interface TokenBuckets {
  /** How many may come at once. */
  readonly capacity: number
  readonly perMinute: number
  /** Buckets that are kept; those that were not used for the longest time are forgotten first. Default: 10 000. */
  readonly maxKeys?: number
  /** Milliseconds since 1970. */
  readonly clock?: () => number
}

export function tokenBuckets({ capacity, perMinute, maxKeys = 10_000, clock = Date.now }: TokenBuckets): RateLimit {
  const buckets = new Map<string, { readonly tokens: number; readonly at: number }>()
  const msPerToken = 60_000 / perMinute
  return {
    take(key) {
      const now = clock()
      const bucket = buckets.get(key) ?? { tokens: capacity, at: now }
      const tokens = Math.min(capacity, bucket.tokens + Math.max(0, now - bucket.at) / msPerToken)
      const isGranted = tokens >= 1
      // Anew at the end of the map: its beginning is what was not used for the longest time.
      buckets.delete(key)
      buckets.set(key, { tokens: isGranted ? tokens - 1 : tokens, at: now })
      for (const oldest of buckets.keys()) {
        if (buckets.size <= maxKeys) break
        buckets.delete(oldest)
      }
      return isGranted ? 0 : Math.ceil(((1 - tokens) * msPerToken) / 1000)
    },
  }
}

/** Who shares a bucket: one address, or one network where a single household has more addresses than can be counted. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address.slice(0, 64)
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return `${parsed.toNormalizedString().split(':').slice(0, 4).join(':')}::/64`
}
