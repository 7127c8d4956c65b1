/** The types of services with which a host supplies data to the engine. */
import type { MaybePromise } from '../../../contract/storage.ts'
import type { IconName } from '../../../site/icons.ts'

/** An entry of a menu. */
export interface MenuItem {
  readonly title: string
  readonly url: string
  readonly children?: readonly MenuItem[]
}

/** An entry of a feed, as plain text. */
export interface FeedEntry {
  readonly title: string
  readonly url: string
  readonly author?: string
  /** `YYYY-MM-DDTHH:MM:SS`, in GMT. */
  readonly date?: string
  readonly excerpt?: string
}

/**
 * Services of the host, all optional. Their HTML is trusted and written unchanged. A service returns a value or a promise; the
 * engine calls it once per render for the same arguments. Without a result the engine writes nothing, or its default.
 */
export interface HostServices {
  /**
   * Returns the svg of an icon of a font, e.g. `{ library: 'fa-solid', value: 'fas fa-star' }`. Default, also for undefined:
   * `services.icons` of the api.
   */
  readonly icon?: (icon: IconName) => MaybePromise<string | undefined>
  /** Returns the items of a menu, by its slug, id or name. Default: the published items of the stored menu. */
  readonly menu?: (menu: string) => MaybePromise<readonly MenuItem[] | undefined>
  /** Returns the HTML of a sidebar, by its id. */
  readonly sidebar?: (id: string) => MaybePromise<string | undefined>
  /** Returns the HTML of a shortcode that the option `render.shortcodes` does not define. */
  readonly shortcode?: (
    name: string,
    attributes: { readonly [name: string]: string },
    inner: string | undefined,
  ) => MaybePromise<string | undefined>
  /** Returns the HTML of a video, a sound or another address of a provider. */
  readonly embed?: (url: string) => MaybePromise<string | undefined>
  /** Returns the newest entries of a feed at an address that a text names. Default: the text shows a link to the feed. */
  readonly feed?: (url: string) => MaybePromise<readonly FeedEntry[] | undefined>
  /**
   * Returns the addresses where readers sign in and out; `back` is the page to which they return. Default: `/login/` and `/logout/` of
   * the site, with `redirect_to`.
   */
  readonly account?: (back: string) => { readonly login: string; readonly logout: string }
  /** Returns a custom field of a post. Default: its public meta value. */
  readonly field?: (post: number, key: string) => MaybePromise<string | undefined>
}
