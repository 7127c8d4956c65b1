/** The types of icons, and of the function that draws them: sets draw icons that documents name. */
import type { MaybePromise } from '../contract/maybe-promise.ts'

/** An icon as documents store it: `{ library: 'fa-solid', value: 'fas fa-star' }`. */
export interface IconName {
  readonly library: string
  readonly value: string
}

/** Draws icons of fonts, as `createIcons()` returns it. */
export interface Icons {
  /** Returns the svg of an icon, after a comment with its licence; undefined for an icon that no set has. */
  (icon: IconName): MaybePromise<string | undefined>
  /** Returns the package that has the sets of such an icon and is not installed. */
  packageFor?(icon: IconName): MaybePromise<string | undefined>
}
