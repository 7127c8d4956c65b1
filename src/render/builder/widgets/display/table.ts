/** Lists the display widgets: quotes, headlines, price lists, galleries, testimonials, share links. */
import type { WidgetTable } from '../widget.ts'
import { galleryWidgets } from './gallery.ts'
import { headlineWidgets } from './headline.ts'
import { priceListWidgets } from './price-list.ts'
import { quoteWidgets } from './quote.ts'
import { shareWidgets } from './share.ts'
import { testimonialWidgets } from './testimonials.ts'

export const displayWidgets: WidgetTable = {
  ...quoteWidgets,
  ...headlineWidgets,
  ...priceListWidgets,
  ...galleryWidgets,
  ...testimonialWidgets,
  ...shareWidgets,
}
