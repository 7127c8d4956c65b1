/** What the host has to tell the people who run the site: notifications, news and promotions. By default nothing. */

import type { AppContext } from '../core/declare/app-context.ts'
import { andThen, type MaybePromise } from '../core/runtime/maybe-promise.ts'
import type { Json } from '../storage/contract.ts'

/** Shown to somebody in the administration. All texts are the host's own. */
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
  /** Groups of conditions, one of which has to hold. */
  readonly conditions?: readonly ConditionGroup[]
}

/** All conditions of a group have to hold; with `{ relation: 'OR' }` among its members, or beside them, one of them. */
export type ConditionGroup = readonly Json[] | { readonly [member: string]: Json }

export interface FeedPromotion {
  /** `go-pro`, `go-image-optimizer`, `go-send` and `go-ai` leave the list by themselves, once they say nothing new. */
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
  /** ISO, or any text that `Date.parse` reads. */
  readonly updated_at: string
  readonly manifest: { readonly name: string; readonly [member: string]: Json }
}

export interface Feeds {
  notifications(asked: {
    readonly appName: string
    readonly appVersion: string
  }): MaybePromise<readonly FeedNotification[]>
  news(): MaybePromise<readonly FeedNotification[]>
  promotions(): MaybePromise<readonly FeedPromotion[]>
  /** The websites that are made for a theme. */
  kits(asked: { readonly theme: string }): MaybePromise<readonly FeedKit[]>
  /** What conditions on the version of the service itself are compared with. */
  readonly version: string
}

/** The one that a site uses. */
export const feedsOf = ({ services }: Pick<AppContext, 'services'>): Feeds => services['feeds'] as Feeds

/** `clock`: milliseconds since 1970, for tests. */
export const createFeeds = (
  { kits = () => [], ...given }: Partial<Feeds> = {},
  { clock = Date.now }: { readonly clock?: () => number } = {},
): Feeds => ({
  notifications: () => [],
  news: () => [],
  promotions: () => [],
  version: '',
  kits: keptForAnHour(kits, clock),
  ...given,
})

const hourMs = 60 * 60 * 1000

/** A list of kits is long and changes rarely. A failure is not kept: the next one who asks may have more luck. */
function keptForAnHour(read: Feeds['kits'], clock: () => number): Feeds['kits'] {
  const known = new Map<string, { readonly until: number; readonly kits: readonly FeedKit[] }>()
  return (asked) => {
    const found = known.get(asked.theme)
    if (found && clock() < found.until) return found.kits
    return andThen(read(asked), (kits) => {
      known.set(asked.theme, { until: clock() + hourMs, kits })
      return kits
    })
  }
}
