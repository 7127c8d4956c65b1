/** The outside services of a site, by name. Types only. */
import type { Hub } from '../features/add-ons/hub-connector/model.ts'
import type { Render } from '../render/index.ts'
import type { Feeds } from '../services/feeds.ts'
import type { HttpClient } from '../services/http-client/index.ts'
import type { Images } from '../services/images.ts'
import type { Mail } from '../services/mail.ts'
import type { Media } from '../services/media.ts'
import type { OAuthService } from '../services/oauth/index.ts'
import type { Packages } from '../services/packages/index.ts'
import type { Templates } from '../services/templates.ts'
import type { Visitors } from '../services/visitors.ts'

/**
 * What the service reaches outside for. A host whose features have services of their own adds them by merging:
 *
 * ```ts
 * declare module 'site-api' {
 *   interface SiteServices {
 *     readonly weather: Weather
 *   }
 * }
 * ```
 */
export interface SiteServices {
  /** Titles, content and excerpts as HTML. */
  readonly render: Render
  /** Requests to addresses that others name. */
  readonly outbound: HttpClient
  /** Files that the service makes or fetches. */
  readonly media: Media
  /** Sends mail; without it none is sent, and the events tell what happened. */
  readonly mail: Mail
  /** The network addresses of visitors, and how much they may write. */
  readonly visitors: Visitors
  /** Measures and changes pictures. */
  readonly images: Images
  /** Plugins and themes. */
  readonly packages: Packages
  /** An account elsewhere, by OAuth. */
  readonly connect: OAuthService
  /** Notifications, news, promotions and website kits. */
  readonly feeds: Feeds
  /** Templates that are not on the site. */
  readonly templates: Templates
  /** The hub of the profile D2, which a site reports its state to. */
  readonly hub: Hub
}
