/** Notifications, news, promotions and website kits that the host shows to administrators. Default: none. */

import type { Json, MaybePromise } from '../contract/storage.ts'
import type { AppContext } from '../core/declare/app-context.ts'

/** A notification in the administration. The host writes all texts. */
export interface FeedNotification {
  readonly id: string
  readonly title: string
  readonly description?: string
  readonly topic?: string
  readonly date?: string
  readonly imageSrc?: string
  readonly link?: string
  readonly readMoreText?: string
  readonly cta?: string
  readonly ctaLink?: string
  readonly chipPlan?: string
  readonly chipTags?: readonly string[]
  /** Groups of conditions; at least one group has to match. */
  readonly conditions?: readonly ConditionGroup[]
}

/** All conditions of a group have to match; with `{ relation: 'OR' }` as a member or property, one of them. */
export type ConditionGroup = readonly Json[] | { readonly [member: string]: Json }

/** An advertisement of the product. */
export interface FeedPromotion {
  /** `go-pro`, `go-image-optimizer`, `go-send` and `go-ai` are left out where they offer nothing new. */
  readonly type: string
  readonly image: string
  readonly url: string
  readonly alt: string
  readonly title: string
  readonly messages: readonly string[]
  readonly button: string
  readonly upgrade?: boolean
  readonly features?: readonly string[]
  readonly width?: number | 'auto'
  readonly height?: number | 'auto'
  readonly target?: string
  readonly backgroundImage?: string
  readonly backgroundColor?: string
  readonly buttonBgColor?: string
}

/** A ready-made website that can be imported. */
export interface FeedKit {
  readonly _id: string
  readonly title: string
  readonly taxonomies?: readonly { readonly name: string; readonly type: string }[]
  /** ISO 8601, or any text that `Date.parse` accepts. */
  readonly updated_at: string
  readonly manifest: { readonly name: string; readonly [member: string]: Json }
}

/** The outside lists that a site shows. Each may be a promise. */
export interface Feeds {
  notifications(query: {
    readonly appName: string
    readonly appVersion: string
  }): MaybePromise<readonly FeedNotification[]>
  news(): MaybePromise<readonly FeedNotification[]>
  promotions(): MaybePromise<readonly FeedPromotion[]>
  /** The kits for a theme. */
  kits(query: { readonly theme: string }): MaybePromise<readonly FeedKit[]>
  /** The version of the service, for conditions on it. */
  readonly version: string
}

/** The feeds of a site. */
export const feedsOf = ({ services }: Pick<AppContext, 'services'>): Feeds => services['feeds'] as Feeds

/**
 * Creates the default of `services.feeds` from the lists that you have; the others are empty.
 *
 * ```ts
 * import { createFeeds } from 'site-api'
 *
 * export const feeds = createFeeds({ news: () => [] })
 * ```
 */
export const createFeeds = (
  { kits = () => [], ...feeds }: Partial<Feeds> = {},
  {
    clock = Date.now,
  }: {
    /** Milliseconds since 1970; for tests. Default: `Date.now`. */
    readonly clock?: () => number
  } = {},
): Feeds => ({
  notifications: () => [],
  news: () => [],
  promotions: () => [],
  version: '',
  kits: cachedForAnHour(kits, clock),
  ...feeds,
})

const hourMs = 60 * 60 * 1000

/** A list of kits is long and changes rarely. Failures are not cached. */
function cachedForAnHour(read: Feeds['kits'], clock: () => number): Feeds['kits'] {
  const cache = new Map<string, { readonly until: number; readonly kits: readonly FeedKit[] }>()
  return async (query) => {
    const cached = cache.get(query.theme)
    if (cached && clock() < cached.until) return cached.kits
    const kits = await read(query)
    cache.set(query.theme, { until: clock() + hourMs, kits })
    return kits
  }
}
