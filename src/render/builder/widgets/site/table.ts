/** Site widgets: theme parts, lists, menus, forms, templates. Add a family here. */
import type { WidgetTable } from '../widget.ts'
import { aboutPostWidgets } from './about-post.ts'
import { formWidgets } from './form.ts'
import { loopWidgets } from './loop.ts'
import { menuWidgets } from './menu.ts'
import { postsWidgets } from './posts.ts'
import { searchWidgets } from './search.ts'
import { templateWidgets } from './templates.ts'
import { themeWidgets } from './theme.ts'

export const siteWidgets: WidgetTable = {
  ...themeWidgets,
  ...templateWidgets,
  ...postsWidgets,
  ...loopWidgets,
  ...formWidgets,
  ...menuWidgets,
  ...searchWidgets,
  ...aboutPostWidgets,
}
