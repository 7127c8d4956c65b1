/** Site widgets: theme parts, lists, menus, forms, templates. Add a family here. */
import type { WidgetTable } from '../widget.ts'
import { themeWidgets } from './theme.ts'

export const siteWidgets: WidgetTable = { ...themeWidgets }
