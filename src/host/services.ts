/** The outside services of a site, by name. Types only. */
import type { AccessibilityChecks } from '../features/add-ons/accessibility/scan/index.ts'
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
import type { Icons } from '../site/icons.ts'

/**
 * The services that reach outside the site. A host whose features have further services adds them by merging:
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
  /** Turns titles, contents and excerpts into HTML. Default: `createRender()`. */
  readonly render: Render
  /** Sends requests to addresses that others name. Default: `createHttpClient()`. */
  readonly outbound: HttpClient
  /** Keeps uploaded files. Default: `createMedia()`. */
  readonly media: Media
  /** Sends mail. Default: no mail is sent; the events have what happened. */
  readonly mail: Mail
  /** Reads the network addresses of visitors, and bounds how much they may write. Default: `createVisitors()`. */
  readonly visitors: Visitors
  /** Measures and changes pictures. Default: `createImages()`. */
  readonly images: Images
  /** Draws icons of fonts. Default: `createIcons()`. */
  readonly icons: Icons
  /** Lists and installs plugins and themes. Default: `createPackages()`. */
  readonly packages: Packages
  /** Connects the site with an account elsewhere, by OAuth. Default: `createOAuth()`. */
  readonly connect: OAuthService
  /** Lists notifications, news, promotions and website kits. Default: `createFeeds()`. */
  readonly feeds: Feeds
  /** A catalogue of templates outside the site. Default: none. */
  readonly templates: Templates
  /** Says how often pages are scanned for problems of accessibility, and with which engine. Default: none are scanned by themselves. */
  readonly accessibility: AccessibilityChecks
  /** The hub of the profile D2, which receives the state of the site. Default: none. */
  readonly hub: Hub
}
