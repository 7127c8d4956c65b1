/** Lists the built-in widgets by type. */
import { classicWidgets } from './classic/table.ts'
import { contentWidgets } from './content/table.ts'
import { displayWidgets } from './display/table.ts'
import { promotionWidgets } from './promotion/table.ts'
import { siteWidgets } from './site/table.ts'
import type { WidgetTable } from './widget.ts'

export const builtInWidgets: WidgetTable = {
  ...contentWidgets,
  ...displayWidgets,
  ...promotionWidgets,
  ...siteWidgets,
  ...classicWidgets,
}
