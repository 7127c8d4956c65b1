/** Lists the promotion widgets: price tables, calls to action, flip boxes, slides, countdowns. */
import type { WidgetTable } from '../widget.ts'
import { callToActionWidgets } from './call-to-action.ts'
import { countdownWidgets } from './countdown.ts'
import { priceTableWidgets } from './price-table.ts'
import { slideWidgets } from './slides.ts'

export const promotionWidgets: WidgetTable = {
  ...priceTableWidgets,
  ...callToActionWidgets,
  ...slideWidgets,
  ...countdownWidgets,
}
