/** The options of `createIcons`. */

/**
 * The exports of a package of icons, such as `import * as solid from '@fortawesome/free-solid-svg-icons'`, or a part of them: an
 * object whose values are icons.
 */
export type IconSet = object

/** The options of `createIcons`. */
export interface CreateIcons {
  /**
   * The icons, for hosts whose bundler has to see them, or functions that load them. Default: each icon is read from the packages
   * `@fortawesome/free-solid-svg-icons`, `-regular-` and `-brands-`, where they are installed.
   */
  readonly sets?: readonly (IconSet | (() => Promise<IconSet>))[]
  /** True: an icon that no set has is written as `<i class="…">`, for pages that load the font of the icons. Default: false. */
  readonly font?: boolean
}
