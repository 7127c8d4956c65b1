/** Draws ratings as a number of icons, of which the last may be filled in part. */
import { prefixClass } from '../../controls/classes.ts'
import { choice, color, size } from '../../controls/control.ts'
import { typography } from '../../controls/typography.ts'
import { numberText } from '../../css/values.ts'
import { type Child, filled, h, unread } from '../../html/nodes.ts'
import type { WidgetContext } from '../context.ts'
import type { Icon } from '../icon.ts'
import { type WidgetTable, widget } from '../widget.ts'

const maxScale = 20

interface Rating {
  readonly scale: number
  readonly value: number
  /** The text for screen readers. */
  readonly label: string
}

function ratingOf({ settings }: WidgetContext, valueSetting: string): Rating {
  const scale = Math.min(Math.max(Math.round(settings.number('rating_scale', 5)), 1), maxScale)
  const value = Math.min(Math.max(settings.number(valueSetting, 5), 0), scale)
  return { scale, value, label: `Rated ${numberText(value)} out of ${scale}` }
}

const positions = ({ scale }: Rating): number[] => Array.from({ length: scale }, (_, at) => at)
/** Returns which part of the icon at an index is filled, from 0 to 1. */
const filledPart = ({ value }: Rating, at: number): number => Math.min(Math.max(value - at, 0), 1)
/** Rounds off the errors of binary fractions. */
const rounded = (value: number): number => Math.round(value * 10_000) / 10_000

const RATING_ICON: Icon = { value: 'eicon-star', library: 'eicons' }

const rating = widget({
  html: (element) => {
    const rated = ratingOf(element, 'rating_value')
    const sign = element.icon('rating_icon', RATING_ICON)
    const one = (at: number): Child => {
      const part = rounded(filledPart(rated, at) * 100)
      const style = part === 100 ? undefined : `--e-rating-icon-marked-width: ${part}%;`
      return h(
        'div',
        { class: ['e-icon'] },
        h('div', { class: ['e-icon-wrapper', 'e-icon-marked'], style }, sign),
        h('div', { class: ['e-icon-wrapper', 'e-icon-unmarked'] }, sign),
      )
    }
    return h(
      'div',
      { class: ['e-rating'], itemtype: 'https://schema.org/Rating', itemscope: true, itemprop: 'reviewRating' },
      h('meta', { itemprop: 'worstRating', content: '0' }),
      h('meta', { itemprop: 'bestRating', content: String(rated.scale) }),
      h(
        'div',
        {
          class: ['e-rating-wrapper'],
          itemprop: 'ratingValue',
          content: numberText(rated.value),
          role: 'img',
          'aria-label': rated.label,
        },
        positions(rated).map(one),
      ),
    )
  },
  controls: [
    choice('icon_alignment', ['start', 'center', 'end'], '&', '--e-rating-justify-content'),
    size('icon_size', '&', '--e-rating-icon-font-size'),
    size('icon_gap', '&', '--e-rating-gap'),
    color('icon_color', '&', '--e-rating-icon-marked-color'),
    color('icon_unmarked_color', '&', '--e-rating-icon-color'),
  ],
  rules: `.builder-widget-rating{width:var(--container-widget-width);flex-grow:var(--container-widget-flex-grow)}
.e-rating{display:flex;justify-content:var(--e-rating-justify-content,flex-start)}
.e-rating-wrapper{display:flex;flex-wrap:wrap;gap:var(--e-rating-gap,0)}
.e-rating .e-icon{position:relative;font-size:var(--e-rating-icon-font-size,16px)}
.e-rating .e-icon-wrapper{line-height:1}.e-rating .e-icon-wrapper svg{display:block;width:1em;height:1em}
.e-rating .e-icon-wrapper i{display:block}
.e-rating .e-icon-marked{position:absolute;inset-block-start:0;inset-inline-start:0;overflow:hidden;
width:var(--e-rating-icon-marked-width,100%);color:var(--e-rating-icon-marked-color,#f0ad4e);
fill:var(--e-rating-icon-marked-color,#f0ad4e)}
.e-rating .e-icon-unmarked{color:var(--e-rating-icon-color,#ccd6df);fill:var(--e-rating-icon-color,#ccd6df)}`,
})

const STYLES = ['star_fontawesome', 'star_unicode']

/** Returns `full`, `empty`, or the number of filled tenths. */
function starClass(part: number): string {
  const tenths = Math.round(part * 10)
  return tenths >= 10 ? 'full' : tenths === 0 ? 'empty' : String(tenths)
}

const starRating = widget({
  html: (element) => {
    const { settings } = element
    const rated = ratingOf(element, 'rating')
    const sign = settings.text('unmarked_star_style') === 'outline' ? '☆' : '★'
    return h(
      'div',
      { class: ['builder-star-rating__wrapper'] },
      filled('div', { class: ['builder-star-rating__title'] }, settings.text('title')),
      unread(
        h(
          'div',
          {
            class: ['builder-star-rating'],
            itemtype: 'https://schema.org/Rating',
            itemscope: true,
            itemprop: 'reviewRating',
          },
          positions(rated).map((at) =>
            h('i', { class: [`builder-star-${starClass(filledPart(rated, at))}`], 'aria-hidden': 'true' }, sign),
          ),
          h('span', { itemprop: 'ratingValue', class: ['builder-screen-only'] }, rated.label),
        ),
      ),
    )
  },
  classes: [
    prefixClass('star_style', 'builder--star-style-', {
      byDefault: 'star_fontawesome',
      map: (value) => (STYLES.includes(value) ? value : undefined),
    }),
    prefixClass('align', 'builder-star-rating%s--align-', { isResponsive: true }),
  ],
  controls: [
    color('title_color', '& .builder-star-rating__title', 'color'),
    ...typography('title_typography', '& .builder-star-rating__title'),
    size('title_gap', '& .builder-star-rating__wrapper', 'gap'),
    size('icon_size', '& .builder-star-rating', 'font-size'),
    size('icon_space', '& .builder-star-rating', 'gap'),
    color('stars_color', '& .builder-star-rating i::before', 'color'),
    color('stars_unmarked_color', '& .builder-star-rating i', 'color'),
    choice(
      'align',
      { left: 'start', center: 'center', right: 'end' },
      '& .builder-star-rating__wrapper',
      'justify-content',
    ),
  ],
  defaults: [{ selector: '.builder-star-rating__title', color: 'text', typography: 'text' }],
  rules: `.builder-widget-star-rating{width:var(--container-widget-width);flex-grow:var(--container-widget-flex-grow)}
.builder-star-rating__wrapper{display:flex;flex-wrap:wrap;align-items:center;gap:10px}
.builder-star-rating{display:inline-flex;color:#ccd6df}
.builder-star-rating i{position:relative;font-style:normal;line-height:1}
.builder-star-rating i::before{content:'★';position:absolute;inset-block-start:0;inset-inline-start:0;width:0;overflow:hidden;
color:#f0ad4e}.builder-star-rating .builder-star-full::before{width:100%}
${Array.from({ length: 9 }, (_, at) => `.builder-star-rating .builder-star-${at + 1}::before{width:${at + 1}0%}`).join('')}`,
})

export const ratingWidgets: WidgetTable = { rating, 'star-rating': starRating }
