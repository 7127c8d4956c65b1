/** Lists the content widgets: texts, media, buttons and so on. Add a family here. */
import type { WidgetTable } from '../widget.ts'
import { buttonWidgets } from './button.ts'
import { counterWidgets } from './counters.ts'
import { embedWidgets } from './embeds.ts'
import { iconWidgets } from './icons.ts'
import { listWidgets } from './lists.ts'
import { mediaWidgets } from './media.ts'
import { nestedWidgets } from './nested.ts'
import { noticeWidgets } from './notices.ts'
import { pictureWidgets } from './pictures.ts'
import { ratingWidgets } from './ratings.ts'
import { spaceWidgets } from './space.ts'
import { tabWidgets } from './tabs.ts'
import { textWidgets } from './text.ts'
import { videoWidgets } from './video.ts'

export const contentWidgets: WidgetTable = {
  ...textWidgets,
  ...mediaWidgets,
  ...buttonWidgets,
  ...spaceWidgets,
  ...videoWidgets,
  ...embedWidgets,
  ...iconWidgets,
  ...pictureWidgets,
  ...listWidgets,
  ...counterWidgets,
  ...ratingWidgets,
  ...noticeWidgets,
  ...tabWidgets,
  ...nestedWidgets,
}
