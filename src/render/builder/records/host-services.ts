/** Outside answers that a host gives to the engine. Types only. */
import type { MaybePromise } from '../../../contract/storage.ts'

/** An entry of a menu. */
export interface MenuItem {
  readonly title: string
  readonly url: string
  readonly children?: readonly MenuItem[]
}

/**
 * Outside answers, all optional. They are trusted: HTML is written as it is. Each may answer at once or later; the engine asks
 * once per render for the same arguments. Without an answer the engine writes nothing, or its own default.
 */
export interface HostServices {
  /** The svg of an icon of a font, e.g. `{ library: 'fa-solid', value: 'fas fa-star' }`. Default: an `<i>` with its classes. */
  readonly icon?: (icon: { readonly library: string; readonly value: string }) => MaybePromise<string | undefined>
  /** The items of a menu, by its name. */
  readonly menu?: (menu: string) => MaybePromise<readonly MenuItem[] | undefined>
  /** The HTML of a sidebar, by its id. */
  readonly sidebar?: (id: string) => MaybePromise<string | undefined>
  /** The HTML of a shortcode that the option `render.shortcodes` does not define. */
  readonly shortcode?: (
    name: string,
    attributes: { readonly [name: string]: string },
    inner: string | undefined,
  ) => MaybePromise<string | undefined>
  /** The HTML of a video, a sound or another address of a provider. */
  readonly embed?: (url: string) => MaybePromise<string | undefined>
  /** A custom field of a post. Default: its public meta value. */
  readonly field?: (post: number, key: string) => MaybePromise<string | undefined>
}
