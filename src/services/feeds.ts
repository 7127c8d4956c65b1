/** What the host has to tell the people who run the site: notifications, news and promotions. By default nothing. */
import type { Eventually } from '../core/eventually.ts'
import type { Site } from '../core/site.ts'
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

export interface Feeds {
  notifications(asked: {
    readonly appName: string
    readonly appVersion: string
  }): Eventually<readonly FeedNotification[]>
  news(): Eventually<readonly FeedNotification[]>
  promotions(): Eventually<readonly FeedPromotion[]>
  /** What conditions on the version of the service itself are compared with. */
  readonly version: string
}

/** The one that a site uses. */
export const feedsOf = ({ services }: Pick<Site, 'services'>): Feeds => services['feeds'] as Feeds

export const createFeeds = (given: Partial<Feeds> = {}): Feeds => ({
  notifications: () => [],
  news: () => [],
  promotions: () => [],
  version: '',
  ...given,
})
