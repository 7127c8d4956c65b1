/** Draws calls to action and flip boxes: a picture, a title, a text and a button in one box. */

import { background } from '../../controls/background.ts'
import { border, radius } from '../../controls/border.ts'
import { prefixClass } from '../../controls/classes.ts'
import { type Control, choice, color, sides, size } from '../../controls/control.ts'
import { typography } from '../../controls/typography.ts'
import { urlText } from '../../css/values.ts'
import { mediaAddress, mediaLabel, mediumOf } from '../../elements/image.ts'
import { type Attributes, type Child, filled, h, isNothing } from '../../html/nodes.ts'
import { ALIGN } from '../content/text.ts'
import type { WidgetContext } from '../context.ts'
import type { Icon } from '../icon.ts'
import { type WidgetTable, widget } from '../widget.ts'
import { ribbon, ribbonControls, ribbonRules } from './ribbon.ts'

const STAR: Icon = { value: 'fas fa-star', library: 'fa-solid' }
const LOREM = 'Say in a sentence or two what visitors get, and why now.'
const SIZES = ['xs', 'sm', 'md', 'lg', 'xl']
const CONTENT_ITEM = ['builder-content-item']
const CTA_ITEM = ['builder-cta__content-item', ...CONTENT_ITEM]

function backgroundOf({ settings, pass }: WidgetContext): Child {
  const value = settings.value('bg_image')
  const sized = mediumOf(value, pass)?.sizes.get(settings.text('bg_image_size', 'large'))
  const address = sized?.address ?? mediaAddress(value, pass)
  if (address === '') return undefined
  const label = mediaLabel(value, pass)
  return h(
    'div',
    { class: ['builder-cta__bg-wrapper'] },
    h('div', {
      class: ['builder-cta__bg', 'builder-bg'],
      style: `background-image: ${urlText(address)};`,
      role: 'img',
      'aria-label': label === '' ? undefined : label,
    }),
    h('div', { class: ['builder-cta__bg-overlay'] }),
  )
}

/** Draws an image or an icon above the title; its class names start with the prefix. */
function graphic(element: WidgetContext, prefix: string, classes: readonly string[]): Child {
  const { settings } = element
  const kind = settings.choice('graphic_element', ['image', 'icon'], prefix === 'builder-flip-box' ? 'icon' : 'none')
  if (kind === 'image') {
    const name = prefix === 'builder-flip-box' ? 'image' : 'graphic_image'
    return filled('div', { class: [`${prefix}__image`, ...classes] }, element.image(name, name))
  }
  const sign = kind === 'icon' ? element.icon('selected_icon', STAR, 'icon') : undefined
  if (isNothing(sign)) return undefined
  const view = settings.choice('icon_view', ['stacked', 'framed'], 'default')
  const shape = settings.choice('icon_shape', ['square'], 'circle')
  return h(
    'div',
    {
      class: [`${prefix}__icon`, 'builder-icon-wrapper', `builder-view-${view}`, `builder-shape-${shape}`, ...classes],
    },
    h('div', { class: ['builder-icon'] }, sign),
  )
}

interface Button {
  readonly prefix: string
  readonly text: Child
  readonly link: Attributes | undefined
  /** True: the link encloses the whole box. */
  readonly isInLink: boolean
}

function button({ settings }: WidgetContext, { prefix, text, link, isInLink }: Button): Child {
  const looks = settings.choice('button_size', SIZES, 'sm')
  const classes = { class: [`${prefix}__button`, 'builder-button', `builder-size-${looks}`] }
  const target = isInLink ? {} : (link ?? { role: 'button' })
  return filled(isInLink || !link ? 'span' : 'a', { ...classes, ...(isInLink || link ? target : {}) }, text)
}

const C = '& .builder-cta'
const BUTTON = `${C}__button`

const callToAction = widget({
  html: (element) => {
    const { settings } = element
    const link = element.linkAttributes('link')
    const isBox = settings.text('link_click', 'button') === 'box' && link !== undefined
    const text = element.html('button', 'Click Here')
    const content = [
      graphic(element, 'builder-cta', CTA_ITEM),
      filled(
        element.tag('title_tag', 'h2'),
        { class: ['builder-cta__title', ...CTA_ITEM] },
        element.html('title', 'This is the heading'),
      ),
      filled(
        element.tag('description_tag', 'div'),
        { class: ['builder-cta__description', ...CTA_ITEM] },
        element.html('description', LOREM),
      ),
      filled(
        'div',
        { class: ['builder-cta__button-wrapper', ...CTA_ITEM] },
        button(element, { prefix: 'builder-cta', text, link, isInLink: isBox }),
      ),
    ]
    const picture = backgroundOf(element)
    const band = ribbon(element, element.html('ribbon_title'))
    if (isNothing([picture, content, band])) return undefined
    return h(
      isBox ? 'a' : 'div',
      { ...(isBox ? link : {}), class: ['builder-cta'] },
      picture,
      filled('div', { class: ['builder-cta__content'] }, content),
      band,
    )
  },
  classes: [
    prefixClass('skin', 'builder-cta--skin-', {
      byDefault: 'classic',
      map: (value) => (value === 'cover' ? value : 'classic'),
    }),
    prefixClass('layout', 'builder-cta%s-layout-image-', { isResponsive: true }),
    prefixClass('alignment', 'builder-cta--alignment-'),
    prefixClass('vertical_position', 'builder-cta--valign-'),
  ],
  controls: [
    size('min-height', `${C}__content`, 'min-height'),
    choice('alignment', ALIGN, `${C}__content`, 'text-align'),
    sides('padding', `${C}__content`, 'padding'),
    choice(
      'vertical_position',
      { top: 'flex-start', middle: 'center', bottom: 'flex-end' },
      `${C}__content`,
      'justify-content',
    ),
    size('image_min_width', `${C}__bg-wrapper`, 'min-width'),
    size('image_min_height', `${C}__bg-wrapper`, 'min-height'),
    color('overlay_color', `${C}:not(:hover) .builder-cta__bg-overlay`, 'background-color'),
    color('overlay_color_hover', `${C}:hover .builder-cta__bg-overlay`, 'background-color'),
    color('content_bg_color', `${C}__content`, 'background-color'),
    color('title_color', `${C}__title`, 'color'),
    ...typography('title_typography', `${C}__title`),
    size('title_spacing', `${C}__title:not(:last-child)`, 'margin-block-end'),
    color('description_color', `${C}__description`, 'color'),
    ...typography('description_typography', `${C}__description`),
    size('description_spacing', `${C}__description:not(:last-child)`, 'margin-block-end'),
    ...typography('button_typography', BUTTON),
    color('button_text_color', BUTTON, 'color'),
    color('button_background_color', BUTTON, 'background-color'),
    color('button_border_color', BUTTON, 'border-color'),
    size('button_border_width', BUTTON, 'border-width'),
    size('button_border_radius', BUTTON, 'border-radius'),
    color('button_hover_text_color', `${BUTTON}:hover`, 'color'),
    color('button_hover_background_color', `${BUTTON}:hover`, 'background-color'),
    color('icon_primary_color', '& .builder-icon', ['color', 'fill', 'border-color']),
    size('icon_size', '& .builder-icon', 'font-size'),
    ...ribbonControls,
  ],
  defaults: [
    { selector: '.builder-cta__title', typography: 'primary' },
    { selector: '.builder-cta__description', typography: 'text' },
    { selector: '.builder-cta__button', typography: 'accent' },
    { selector: '.builder-ribbon-inner', color: 'accent', properties: ['background-color'], typography: 'accent' },
  ],
  rules: `.builder-widget-call-to-action{width:var(--container-widget-width);flex-grow:var(--container-widget-flex-grow);overflow:hidden}
.builder-cta{display:flex;flex-direction:column;position:relative;overflow:hidden;color:inherit;text-decoration:none}
.builder-cta__bg-wrapper{position:relative;flex-grow:1;min-height:200px;overflow:hidden}
.builder-cta__bg,.builder-cta__bg-overlay{position:absolute;inset:0;background-size:cover;background-position:50%}
.builder-cta__content{position:relative;display:flex;flex-direction:column;flex-grow:1;justify-content:center;width:100%;padding:35px;
text-align:center}
.builder-cta__content-item{width:100%;margin:0}.builder-cta__content-item:not(:last-child){margin-block-end:15px}
.builder-cta__title{font-size:23px}.builder-cta__button{border:2px solid currentcolor;background:transparent;color:inherit}
.builder-cta--skin-cover .builder-cta{min-height:280px;color:#fff}
.builder-cta--skin-cover .builder-cta__bg-wrapper{position:absolute;inset:0}
.builder-cta--skin-cover .builder-cta__content{min-height:280px}
.builder-cta--skin-cover .builder-cta__bg-overlay{background-color:rgba(0,0,0,.5)}
.builder-cta-layout-image-left .builder-cta{flex-direction:row}.builder-cta-layout-image-right .builder-cta{flex-direction:row-reverse}
.builder-cta-layout-image-left .builder-cta__bg-wrapper,.builder-cta-layout-image-right .builder-cta__bg-wrapper{flex-basis:50%}
${ribbonRules}`,
})

// ---------------------------------------------------------------- flip box

const sideControls = (side: 'a' | 'b', name: string): readonly Control[] => [
  ...background(`background_${side}`, `& .builder-flip-box__${name}`),
  color(
    `background_overlay_${side}_color`,
    `& .builder-flip-box__${name} .builder-flip-box__layer__overlay`,
    'background-color',
  ),
  sides(`padding_${side}`, `& .builder-flip-box__${name} .builder-flip-box__layer__overlay`, 'padding'),
  choice(`alignment_${side}`, ALIGN, `& .builder-flip-box__${name} .builder-flip-box__layer__overlay`, 'text-align'),
  ...border({ name: `border_${side}`, selector: `& .builder-flip-box__${name}` }),
  color(`title_color_${side}`, `& .builder-flip-box__${name} .builder-flip-box__layer__title`, 'color'),
  ...typography(`title_typography_${side}`, `& .builder-flip-box__${name} .builder-flip-box__layer__title`),
  color(`description_color_${side}`, `& .builder-flip-box__${name} .builder-flip-box__layer__description`, 'color'),
  ...typography(`description_typography_${side}`, `& .builder-flip-box__${name} .builder-flip-box__layer__description`),
]

const layer = (side: string, ...content: readonly Child[]): Child =>
  h(
    'div',
    { class: ['builder-flip-box__layer', `builder-flip-box__${side}`] },
    h(
      'div',
      { class: ['builder-flip-box__layer__overlay'] },
      filled('div', { class: ['builder-flip-box__layer__inner'] }, content),
    ),
  )

function layerText(element: WidgetContext, side: 'a' | 'b', description: string): Child {
  const tag = element.tag('title_tag', 'h3')
  return [
    filled(
      tag,
      { class: ['builder-flip-box__layer__title'] },
      element.html(`title_text_${side}`, 'This is the heading'),
    ),
    filled(
      'div',
      { class: ['builder-flip-box__layer__description'] },
      element.html(`description_text_${side}`, description),
    ),
  ]
}

const flipBox = widget({
  html: (element) => {
    const link = element.linkAttributes('link')
    const isBox = element.settings.text('link_click') === 'box' && link !== undefined
    const text = element.html('button_text', 'Click Here')
    const back = [
      layerText(element, 'b', LOREM),
      button(element, { prefix: 'builder-flip-box', text, link, isInLink: isBox }),
    ]
    const front = [graphic(element, 'builder-flip-box', []), layerText(element, 'a', LOREM)]
    if (isNothing([front, back])) return undefined
    const content = [layer('front', front), layer('back', back)]
    return h(
      isBox ? 'a' : 'div',
      { ...(isBox ? link : {}), class: ['builder-flip-box'], tabindex: isBox ? undefined : '0' },
      content,
    )
  },
  classes: [prefixClass('flip_effect', 'builder-flip-box--effect-', { byDefault: 'flip' })],
  controls: [
    size('height', '& .builder-flip-box', 'height'),
    size('border_radius', '& .builder-flip-box__layer', 'border-radius'),
    radius('border_radius', '& .builder-flip-box__layer'),
    color('icon_primary_color', '& .builder-icon', ['color', 'fill', 'border-color']),
    size('icon_size', '& .builder-icon', 'font-size'),
    ...sideControls('a', 'front'),
    ...sideControls('b', 'back'),
  ],
  rules: `.builder-widget-flip-box{width:var(--container-widget-width);flex-grow:var(--container-widget-flex-grow)}
.builder-flip-box{position:relative;display:block;height:280px;color:inherit;text-decoration:none}
.builder-flip-box__layer{position:absolute;inset:0;overflow:hidden;background-color:#4054b2;color:#fff;transition:opacity .5s}
.builder-flip-box__layer__overlay{display:flex;align-items:center;justify-content:center;height:100%;padding:35px;text-align:center}
.builder-flip-box__layer__title{margin:0 0 10px}.builder-flip-box__back{background-color:#1f2124;opacity:0}
.builder-flip-box:hover .builder-flip-box__back,.builder-flip-box:focus-within .builder-flip-box__back,
.builder-flip-box:focus .builder-flip-box__back{opacity:1}
.builder-flip-box__button{margin-block-start:20px;border:2px solid #fff;background:none;color:#fff}`,
})

export const callToActionWidgets: WidgetTable = { 'call-to-action': callToAction, 'flip-box': flipBox }
