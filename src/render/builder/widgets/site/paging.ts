/** The styles of links to other pages, which lists of posts share. */
import { type Control, choice, color, size } from '../../controls/control.ts'
import { typography } from '../../controls/typography.ts'
import type { WidgetDefault } from '../../pass/host.ts'
import { buttonControls, buttonDefault } from '../content/button.ts'

const LINKS = '& .builder-pagination'
/** Entries of a loop have buttons, too. */
const MORE = '.builder-button-wrapper .builder-button'
const NUMBERS = `${LINKS} .page-numbers`

export const pagingControls: readonly Control[] = [
  color('pagination_color', NUMBERS, 'color'),
  color('pagination_hover_color', `${LINKS} a.page-numbers:hover`, 'color'),
  color('pagination_active_color', `${NUMBERS}.current`, 'color'),
  ...typography('pagination_typography', LINKS),
  size('pagination_spacing', LINKS, 'gap'),
  choice(
    'pagination_align',
    { left: 'start', start: 'start', center: 'center', right: 'end', end: 'end' },
    LINKS,
    'justify-content',
  ),
  ...buttonControls(`& > ${MORE}`),
]

export const pagingDefaults: readonly WidgetDefault[] = [
  { selector: '.builder-pagination', typography: 'text' },
  buttonDefault(`> ${MORE}`),
]

export const pagingRules = `.builder-pagination{display:flex;flex-wrap:wrap;gap:4px;justify-content:center;margin-block-start:20px}
.page-numbers{min-width:28px;padding:4px 8px;text-align:center}.page-numbers.current{font-weight:700}
.e-load-more-anchor~.builder-button-wrapper{margin-block-start:20px;text-align:center}.e-load-more-message{text-align:center}
.builder-widget[aria-busy=true]>*{opacity:.6}`
