/** Lists the classic widgets of sidebars. Add a family here. */
import type { WidgetTable } from '../widget.ts'
import { linkWidgets } from './links.ts'
import { classicListWidgets } from './lists.ts'
import { mediaWidgets } from './media.ts'
import { textWidgets } from './texts.ts'

export const classicWidgets: WidgetTable = { ...textWidgets, ...mediaWidgets, ...linkWidgets, ...classicListWidgets }
