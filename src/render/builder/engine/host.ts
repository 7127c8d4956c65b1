/** What a host adds to the engine: `createSiteApi({ render: { … } })`. */

import type { WidgetTable } from '../widgets/widget.ts'
import type { ConditionTable, ShortcodeTable, TagTable } from './pass.ts'
import type { HostServices } from './services.ts'

/** What a host adds to the engine: widgets, dynamic tags, shortcodes, conditions and outside answers. */
export interface RenderOptions {
  /** Widgets by type. One with the name of a built-in widget replaces it. */
  readonly widgets?: WidgetTable
  /** Dynamic tags by name. */
  readonly tags?: TagTable
  /** Shortcodes by name. */
  readonly shortcodes?: ShortcodeTable
  /** Display conditions by name. */
  readonly conditions?: ConditionTable
  readonly services?: HostServices
  /**
   * False: every call draws anew, for widgets and tags of the host that read more than the records of the site. Default: a result is
   * answered again while everything that it was made of is the same.
   */
  readonly cache?: boolean
}
