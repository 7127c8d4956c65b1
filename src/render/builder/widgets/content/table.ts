/** Content widgets: texts, media, buttons and so on. Add a family here. */
import type { WidgetTable } from '../widget.ts'
import { buttonWidgets } from './button.ts'
import { mediaWidgets } from './media.ts'
import { spaceWidgets } from './space.ts'
import { textWidgets } from './text.ts'

export const contentWidgets: WidgetTable = { ...textWidgets, ...mediaWidgets, ...buttonWidgets, ...spaceWidgets }
