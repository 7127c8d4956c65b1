/** Lists the promotion widgets: price tables, calls to action, flip boxes, slides, countdowns, payments, contacts, links. */
import type { WidgetTable } from '../widget.ts'
import { callToActionWidgets } from './call-to-action.ts'
import { countdownWidgets } from './countdown.ts'
import { floatingWidgets } from './floating.ts'
import { linkPageWidgets } from './link-page.ts'
import { paymentWidgets } from './payments.ts'
import { priceTableWidgets } from './price-table.ts'
import { slideWidgets } from './slides.ts'
import { socialPageWidgets } from './social-pages.ts'

export const promotionWidgets: WidgetTable = {
  ...priceTableWidgets,
  ...callToActionWidgets,
  ...slideWidgets,
  ...countdownWidgets,
  ...paymentWidgets,
  ...socialPageWidgets,
  ...linkPageWidgets,
  ...floatingWidgets,
}
