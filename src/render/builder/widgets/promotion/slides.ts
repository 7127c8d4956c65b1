/** Draws slides: pictures with a heading, a text and a button, shown in turn. */
import { borders } from '../../controls/border.ts'
import { prefixClass } from '../../controls/classes.ts'
import {
  type Control,
  type ControlValues,
  choice,
  color,
  perItem,
  type RuleParts,
  sides,
  size,
} from '../../controls/control.ts'
import { typography } from '../../controls/typography.ts'
import { nameOf } from '../../document/values.ts'
import { type Child, filled, h } from '../../html/nodes.ts'
import { arrowsOf, hasArrows, hasDots, slideLabel } from '../content/slider.ts'
import { ALIGN } from '../content/text.ts'
import type { WidgetContext } from '../context.ts'
import { type WidgetTable, widget } from '../widget.ts'

const SIZES = ['xs', 'sm', 'md', 'lg', 'xl']

interface Tags {
  readonly heading: string
  readonly description: string
  readonly buttonSize: string
}

function slide(item: WidgetContext, { heading, description, buttonSize }: Tags): Child {
  const link = item.linkAttributes('link')
  const isWhole = link !== undefined && item.settings.text('link_click', 'slide') === 'slide'
  const text = item.html('button_text')
  const content = filled(
    'div',
    { class: ['swiper-slide-contents'] },
    filled(heading, { class: ['builder-slide-heading'] }, item.html('heading')),
    filled(description, { class: ['builder-slide-description'] }, item.html('description')),
    filled(
      link && !isWhole ? 'a' : 'div',
      {
        class: ['builder-button', 'builder-slide-button', `builder-size-${buttonSize}`],
        ...(link && !isWhole ? link : {}),
      },
      text,
    ),
  )
  return [
    h('div', { class: ['swiper-slide-bg'] }),
    item.settings.isOn('background_overlay') && h('div', { class: ['builder-background-overlay'] }),
    h(isWhole ? 'a' : 'div', { class: ['swiper-slide-inner'], ...(isWhole ? link : {}) }, content),
  ]
}

const POSITION: ReadonlySet<string> = new Set(['cover', 'contain', 'auto'])

const slideColors = (values: ControlValues, selector: string): readonly RuleParts[] => {
  const background = values.color('background_color')
  const image = values.image('background_image')
  const overlay = values.color('background_overlay_color')
  const content = values.color('content_color')
  const fit = values.keyword('background_size', POSITION) ?? 'cover'
  const bg = `${selector} .swiper-slide-bg`
  return [
    ...(background === undefined ? [] : [[bg, [['background-color', background]]] as const]),
    ...(image === undefined
      ? []
      : [
          [
            bg,
            [
              ['background-image', image],
              ['background-size', fit],
            ],
          ] as const,
        ]),
    ...(overlay === undefined
      ? []
      : [[`${selector} .builder-background-overlay`, [['background-color', overlay]]] as const]),
    ...(content === undefined ? [] : [[`${selector} .swiper-slide-contents`, [['color', content]]] as const]),
  ]
}

const HEADING = '& .builder-slide-heading'
const TEXT = '& .builder-slide-description'
const BUTTON = '& .builder-slide-button'

const buttonControls: readonly Control[] = [
  color('button_color', BUTTON, ['color', 'border-color']),
  color('button_text_color', BUTTON, 'color'),
  color('button_background_color', BUTTON, 'background-color'),
  ...typography('button_typography', BUTTON),
  ...borders('button', BUTTON),
]

const slides = widget({
  html: (element) => {
    const { settings, pass } = element
    const items = element.items('slides')
    if (items.length === 0) return undefined
    const isSingle = items.length === 1
    if (!isSingle) pass.behaviours.add('carousel')
    const tags = {
      heading: element.tag('slides_title_tag', 'div'),
      description: element.tag('slides_description_tag', 'div'),
      buttonSize: settings.choice('button_size', SIZES, 'sm'),
    }
    const drawn = items.map((item, at) =>
      h(
        'div',
        {
          class: [`builder-repeater-item-${nameOf(item.settings.raw['_id'])}`, 'swiper-slide'],
          ...slideLabel(at, items.length),
        },
        slide(item, tags),
      ),
    )
    return h(
      'div',
      {
        class: ['builder-slides-wrapper', 'swiper'],
        role: 'region',
        'aria-roledescription': 'carousel',
        'aria-label': settings.text('slides_name', 'Slides'),
      },
      h(
        'div',
        {
          class: ['builder-slides', 'swiper-wrapper'],
          'aria-live': settings.isOn('autoplay', 'yes') ? 'off' : 'polite',
        },
        drawn,
      ),
      !isSingle && hasArrows(settings) && arrowsOf(element),
      !isSingle && hasDots(settings) && h('div', { class: ['swiper-pagination'] }),
    )
  },
  scriptSettings:
    'navigation autoplay autoplay_speed pause_on_hover pause_on_interaction infinite transition transition_speed'.split(
      ' ',
    ),
  classes: [
    prefixClass('slides_horizontal_position', 'builder--h-position-', { byDefault: 'center' }),
    prefixClass('slides_vertical_position', 'builder--v-position-', { byDefault: 'middle' }),
  ],
  controls: [
    size('slides_height', '& .swiper-slide', 'height'),
    size('content_max_width', '& .swiper-slide-contents', 'max-width', { unit: '%' }),
    sides('slides_padding', '& .swiper-slide-inner', 'padding'),
    choice('slides_text_align', ALIGN, '& .swiper-slide-inner', 'text-align'),
    size('heading_spacing', `${HEADING}:not(:last-child)`, 'margin-block-end'),
    color('heading_color', HEADING, 'color'),
    ...typography('heading_typography', HEADING),
    size('description_spacing', `${TEXT}:not(:last-child)`, 'margin-block-end'),
    color('description_color', TEXT, 'color'),
    ...typography('description_typography', TEXT),
    ...buttonControls,
    perItem('slides', slideColors),
  ],
  defaults: [
    { selector: '.builder-slide-heading', typography: 'primary' },
    { selector: '.builder-slide-description', typography: 'secondary' },
    { selector: '.builder-slide-button', typography: 'accent' },
  ],
  rules: `.builder-widget-slides{width:var(--container-widget-width);flex-grow:var(--container-widget-flex-grow);min-width:0;--e-slide-gap:0px}
.builder-slides .swiper-slide{position:relative;height:400px}
.swiper-slide-bg{position:absolute;inset:0;background-color:#833ca3;background-position:50%;background-repeat:no-repeat}
.builder-slides .swiper-slide-inner{position:absolute;inset:0;display:flex;align-items:center;justify-content:center;padding:50px;
color:#fff;text-align:center;text-decoration:none}
.swiper-slide-contents{width:100%;max-width:66%}
.builder-slide-heading{margin:0;font-size:35px;line-height:1}.builder-slide-heading:not(:last-child){margin-block-end:30px}
.builder-slide-description{font-size:17px;line-height:1.4}.builder-slide-description:not(:last-child){margin-block-end:30px}
.builder-slide-button{border:2px solid #fff;background-color:transparent;color:#fff}
.builder--h-position-left .swiper-slide-inner{justify-content:flex-start}
.builder--h-position-right .swiper-slide-inner{justify-content:flex-end}
.builder--v-position-top .swiper-slide-inner{align-items:flex-start}
.builder--v-position-bottom .swiper-slide-inner{align-items:flex-end}`,
})

export const slideWidgets: WidgetTable = { slides }
