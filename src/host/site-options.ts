/** The type of the options of `createSiteApi`; host/options.ts checks them. */
import type { Storage } from '../contract/storage.ts'
import type { Logger } from '../core/declare/app-context.ts'
import type { RequestReport } from '../core/declare/events.ts'
import type { Limits } from '../core/declare/limits.ts'
import type { Profile } from '../core/declare/profile.ts'
import type { RequestLimit } from '../core/declare/request-limit.ts'
import type { Authenticate, BasicLogins } from '../core/pipeline/authentication.ts'
import type { CorsOptions } from '../core/pipeline/cors.ts'
import type { CacheTagOptions } from '../core/pipeline/response/cache-tags.ts'
import type { PublishingOptions } from '../features/integration/checks/model.ts'
import type { HistoryRetention } from '../features/integration/history/record.ts'
import type { Retention, WebhookOptions } from '../features/integration/outbox/index.ts'
import type { ReleaseOptions } from '../features/integration/releases/access.ts'
import type { NameMap } from '../names/word-map.ts'
import type { RenderOptions } from '../render/builder/pass/host.ts'
import type { RateLimit } from '../services/rate-limit.ts'
import type { DocumentLinks } from '../site/document-links.ts'
import type { SiteHooks } from './hooks.ts'
import type { SiteServices } from './services.ts'

/** The options of `createSiteApi`. Wrong ones are an OptionsError that lists all problems. */
export interface SiteApiOptions<P extends Profile = Profile> {
  /** `sqliteStorage(file)`, `postgresStorage(pool)`, `memoryStorage()` or your own (docs/storage.md). */
  readonly storage: Storage
  /** `d1`, `d2`, `content`, `full` or your own `profile({ ... })` (docs/add-a-route.md). */
  readonly profile: P
  /**
   * The address of the site. All links are built from it, never from a request. Default: the site's stored option `url`.
   */
  readonly url?: string
  /** The path of the API below the url. Default: `/api`. */
  readonly root?: string
  /**
   * Your own sign-in: returns the id of the user who sent the request, or null. It is called for requests without Basic credentials,
   * or with those of `basic` that are not the site's. A write with a cookie must come from a page of the site, or of an origin in `cors.origins`. Default: application passwords only.
   */
  readonly authenticate?: Authenticate
  /**
   * Which Basic credentials are for the site, where a proxy in front of it has a password too. `ignore-unknown`: those whose login names a
   * user; a function: those for whose login it returns true. All others are ignored: their senders are visitors. Default: all are, and
   * wrong ones are 401.
   */
  readonly basic?: BasicLogins
  /** The consent page, on which users create application passwords for applications (docs/sign-in.md). Default: the options below. */
  readonly consent?: {
    /**
     * URL schemes of native applications that may receive a password: `com.example.app`. https addresses and loopback
     * addresses are always allowed. Default: none.
     */
    readonly appSchemes?: readonly string[]
    /**
     * Your own sign-in page, for users whom `authenticate` does not know yet; it receives the address to return to.
     * Default: the consent page asks for login and password.
     */
    readonly signInUrl?: (returnTo: string) => string
    /** Limits attempts on the password of one login. Default: a burst of ten, then five a minute, counted in the storage. */
    readonly limit?: RateLimit
  }
  /** The services that reach outside the site (docs/services.md). Default: the services below, which work offline. */
  readonly services?: Partial<SiteServices>
  /** Adds widgets, dynamic tags, shortcodes and outside data to `api.render` (docs/rendering.md). */
  readonly render?: RenderOptions
  /** Renames public identifiers: pairs of a neutral word and yours (docs/names.md). Default: the neutral words. */
  readonly names?: NameMap
  /** Which pages of other origins may send cookies. False: your application adds the CORS headers. Default: no origin is listed. */
  readonly cors?: CorsOptions | false
  /** Bounds of requests, values and stored data. Default: the limits below. */
  readonly limits?: Partial<Limits>
  /** Your editor has these addresses: `edit_url`, `export_link` and their like. Default: addresses of the site. */
  readonly documentLinks?: DocumentLinks
  /** `required`: a write to a single record without If-Match is 428. Default: `offered`. */
  readonly conditionalWrites?: 'offered' | 'required'
  /**
   * The right of users who may upload svg files: a capability, or false for none of them. The files are cleaned before they are stored.
   * Default: `unfiltered_html`, so authors may not.
   */
  readonly svgUploads?: string | false
  /** `refuse`: a member of a body that the route does not declare is 400, with the name that was meant. Default: `ignore`. */
  readonly unknownArguments?: 'ignore' | 'refuse'
  /** A digest of a password (scrypt) takes 2 to this power rounds, from 10 to 20; stored ones keep their cost. Default: 15 (32 MB). */
  readonly passwordCost?: number
  /**
   * Functions that run inside the transaction of a change: `post.saving` before it is written, where it may be changed or
   * refused, `post.created` and all other events after it (docs/observability.md).
   */
  readonly hooks?: SiteHooks
  /** Addresses that receive the events, signed by the Standard Webhooks scheme (docs/events.md). `api.site.webhooks` manages others. */
  readonly webhooks?: readonly WebhookOptions[]
  /**
   * Answers to visitors name what they are made from in a header, for caches in front of the site that end them by the event
   * `tags.changed`, which is durable then (docs/certainty.md). Default: no header.
   */
  readonly cacheTags?: CacheTagOptions
  /** How many durable events are kept, and for how long. Default: the values below. */
  readonly events?: Partial<Retention>
  /** How many changes the history keeps, and for how long, in profiles that have it (docs/certainty.md). Default: the values below. */
  readonly history?: Partial<HistoryRetention>
  /** The rules of releases, in profiles that have them (docs/together.md). Default: whoever may publish their records publishes them. */
  readonly releases?: ReleaseOptions
  /**
   * Decides about writes that publish a record with findings, in profiles that have checks (docs/together.md). Default: nothing is
   * checked unless somebody asks.
   */
  readonly publishing?: PublishingOptions
  /** Called after each request over HTTP with route, status, time and user; for metrics and tracing. */
  readonly onRequest?: (report: RequestReport) => unknown
  /**
   * Decides how many requests are too many: it is asked before each request, and after each wrong application password.
   * Default: wrong passwords of one login, a burst of 300, then one a second, per process.
   */
  readonly limit?: RequestLimit
  /**
   * A file to which each request is recorded, without secrets, for `site-api replay` (docs/certainty.md). Requests run one after the
   * other meanwhile. Default: none is.
   */
  readonly record?: string
  /** True: serves the docs page at `docs` below the root, and its `openapi.json`. */
  readonly docs?: boolean
  /** True: answers `GET /site-api/v1/health` below the root, 200 or 503, as `health()` does. It is in no index. */
  readonly health?: boolean
  /** True: a result that does not match its declared response becomes a logged 500. For tests: it is slow. */
  readonly checkResponses?: boolean
  /** Returns milliseconds since 1970; all dates come from it. Default: `Date.now`. */
  readonly clock?: () => number
  /** Receives failures. Default: `console`. */
  readonly log?: Logger
}

/** The options that decide what pages show. What comes from services is read anew for each page. */
export const shownWith = ({ render, names, limits, documentLinks, hooks, profile }: SiteApiOptions): object => ({
  ...{ render, names, limits, documentLinks, hooks },
  features: profile.features.map(({ name, contributes, declaration }) => ({ name, contributes, declaration })),
})
