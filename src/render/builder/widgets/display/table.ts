/** Lists the display widgets: quotes, headlines, price lists, galleries, carousels, testimonials, share links, code. */
import type { WidgetTable } from '../widget.ts'
import { carouselWidgets } from './carousels.ts'
import { codeWidgets } from './code.ts'
import { galleryWidgets } from './gallery.ts'
import { headlineWidgets } from './headline.ts'
import { hotspotWidgets } from './hotspot.ts'
import { priceListWidgets } from './price-list.ts'
import { quoteWidgets } from './quote.ts'
import { shareWidgets } from './share.ts'
import { testimonialWidgets } from './testimonials.ts'
import { textPathWidgets } from './text-path.ts'

export const displayWidgets: WidgetTable = {
  ...quoteWidgets,
  ...headlineWidgets,
  ...priceListWidgets,
  ...galleryWidgets,
  ...testimonialWidgets,
  ...shareWidgets,
  ...carouselWidgets,
  ...hotspotWidgets,
  ...textPathWidgets,
  ...codeWidgets,
}
