/** Draws icons, and boxes of an icon or an image with a title and a description. */

import { lookupTable } from '../../../../contract/lookup-table.ts'
import { border, radius } from '../../controls/border.ts'
import { prefixClass } from '../../controls/classes.ts'
import { type Control, choice, color, type RuleParts, sides, size } from '../../controls/control.ts'
import { typography } from '../../controls/typography.ts'
import { imageOf } from '../../elements/image.ts'
import { linkName } from '../../elements/link.ts'
import { type Attributes, type Child, filled, h, isNothing } from '../../html/nodes.ts'
import { paragraph } from '../../html/paragraph.ts'
import type { WidgetDefault } from '../../pass/host.ts'
import type { WidgetContext } from '../context.ts'
import type { Icon } from '../icon.ts'
import { type WidgetTable, widget } from '../widget.ts'
import { ALIGN } from './text.ts'

const STAR: Icon = { value: 'fas fa-star', library: 'fa-solid' }

const VIEWS = ['default', 'stacked', 'framed']
const SHAPES = ['circle', 'square', 'rounded']

/** An icon with a frame has a class for the shape of the frame. */
function iconClasses({ settings }: WidgetContext): string[] {
  const view = settings.choice('view', VIEWS, 'default')
  const shape = settings.choice('shape', SHAPES, 'circle')
  return [`builder-view-${view}`, ...(view === 'default' ? [] : [`builder-shape-${shape}`])]
}

const plainIcon = (selector: string): string => `&.builder-view-default ${selector}, &.builder-view-framed ${selector}`
const ICON = '.builder-icon'

/** The colour applies to the sign, or to the area behind it when the icon is stacked. */
const iconColor = (setting: string, stackedSetting: string, state = ''): readonly Control[] => [
  color(setting, `${plainIcon(ICON + state)}`, ['fill', 'color', 'border-color']),
  color(setting, `&.builder-view-stacked ${ICON}${state}`, 'background-color'),
  color(stackedSetting, `&.builder-view-framed ${ICON}${state}`, 'background-color'),
  color(stackedSetting, `&.builder-view-stacked ${ICON}${state}`, ['fill', 'color']),
]

const rotation = (values: {
  size(name: string, unit: string): string | undefined
}): readonly RuleParts[] | undefined => {
  const angle = values.size('rotate', 'deg')
  return angle === undefined
    ? undefined
    : [['& .builder-icon i, & .builder-icon svg', [['transform', `rotate(${angle})`]]]]
}

const iconControls = (sizeSetting: string): readonly Control[] => [
  ...iconColor('primary_color', 'secondary_color'),
  ...iconColor('hover_primary_color', 'hover_secondary_color', ':hover'),
  size(sizeSetting, `& ${ICON}`, 'font-size'),
  size('icon_padding', `& ${ICON}`, 'padding'),
  sides('border_width', `& ${ICON}`, ({ top = '0', right = '0', bottom = '0', left = '0' }) => [
    ['border-width', `${top} ${right} ${bottom} ${left}`],
  ]),
  radius('border_radius', `& ${ICON}`),
  { settings: ['rotate'], isResponsive: true, write: rotation },
]

const iconDefaults: readonly WidgetDefault[] = [{ selector: '', color: 'primary', properties: ['--e-icon-color'] }]

const icon = widget({
  html: (element) => {
    const sign = element.icon('selected_icon', STAR, 'icon')
    if (isNothing(sign)) return undefined
    const link = element.linkAttributes('link')
    const attributes: Attributes = { ...link, ...(link && linkName(link)), class: ['builder-icon'] }
    return h('div', { class: ['builder-icon-wrapper'] }, h(link ? 'a' : 'div', attributes, sign))
  },
  wrapperClasses: iconClasses,
  controls: [
    choice('align', ALIGN, '& .builder-icon-wrapper', 'text-align'),
    ...iconControls('size'),
    color('icon_color', `& ${ICON}`, ['fill', 'color']),
  ],
  defaults: iconDefaults,
  rules: `.builder-icon{display:inline-block;line-height:1;text-align:center;font-size:50px;text-decoration:none}
.builder-widget-icon .builder-icon,.builder-widget-icon-box .builder-icon{color:var(--e-icon-color,#69727d);fill:var(--e-icon-color,#69727d)}
.builder-icon svg,.builder-icon i{width:1em;height:1em;display:block;position:relative}
.builder-icon svg{fill:currentColor}.builder-icon i::before{position:absolute;inset-inline-start:50%;transform:translateX(-50%)}
.builder-icon-wrapper{text-align:center}
.builder-view-stacked .builder-icon{padding:.5em;background-color:var(--e-icon-color,#69727d);color:#fff;fill:#fff}
.builder-view-framed .builder-icon{padding:.5em;border:3px solid var(--e-icon-color,#69727d)}
.builder-view-stacked.builder-widget .builder-icon{color:#fff;fill:#fff}
.builder-shape-circle .builder-icon{border-radius:50%}.builder-shape-rounded .builder-icon{border-radius:5px}`,
})

interface BoxText {
  readonly title: Child
  readonly description: Child
}

/** Draws the title and description of a box, whose class names start with `builder-<box>`. */
function boxContent(element: WidgetContext, box: string, { title, description }: BoxText): Child {
  const link = element.linkAttributes('link')
  const heading = h(link ? 'a' : 'span', link ?? {}, title)
  return filled(
    'div',
    { class: [`builder-${box}-content`] },
    isNothing(title) ? undefined : h(element.tag('title_size', 'h3'), { class: [`builder-${box}-title`] }, heading),
    paragraph({ class: [`builder-${box}-description`] }, description),
  )
}

const LOREM = 'Describe this in a sentence or two. Say what it is and why it matters.'
const boxText = (element: WidgetContext): BoxText => ({
  title: element.html('title_text', 'This is the heading'),
  description: element.html('description_text', LOREM),
})

/** The image repeats the link of the title, so the tab key skips it. */
function secondLink(element: WidgetContext, { title }: BoxText): Attributes {
  return isNothing(title) ? {} : { tabindex: '-1', 'aria-label': element.label('title_text', 'This is the heading') }
}

const OLD_POSITIONS: { readonly [name: string]: string } = lookupTable({
  top: 'block-start',
  bottom: 'block-end',
  left: 'inline-start',
  right: 'inline-end',
})
const VERTICAL = { top: 'flex-start', middle: 'center', bottom: 'flex-end' }

const boxControls = (box: string): readonly Control[] => [
  color('title_color', `& .builder-${box}-title`, 'color'),
  ...typography('title_typography', `& .builder-${box}-title`),
  color('title_hover_color', `&:hover .builder-${box}-title`, 'color'),
  size('title_bottom_space', `& .builder-${box}-title`, 'margin-block-end'),
  color('description_color', `& .builder-${box}-description`, 'color'),
  ...typography('description_typography', `& .builder-${box}-description`),
  choice('text_align', ALIGN, `& .builder-${box}-wrapper`, 'text-align'),
]

const boxDefaults = (box: string): readonly WidgetDefault[] => [
  { selector: `.builder-${box}-title`, color: 'primary', typography: 'primary' },
  { selector: `.builder-${box}-description`, color: 'text', typography: 'text' },
]

const boxRules = (box: string): string => `.builder-${box}-title{margin:0}.builder-${box}-title a{color:inherit}
.builder-${box}-description{margin:0}.builder-${box}-content{flex-grow:1}`

const iconBox = widget({
  html: (element) => {
    const sign = element.icon('selected_icon', STAR, 'icon')
    const text = boxText(element)
    if (isNothing([sign, text.title, text.description])) return undefined
    const link = element.linkAttributes('link')
    const name = isNothing(text.title) ? link && linkName(link) : secondLink(element, text)
    const attributes: Attributes = { ...link, ...(link && name), class: ['builder-icon'] }
    return h(
      'div',
      { class: ['builder-icon-box-wrapper'] },
      isNothing(sign)
        ? undefined
        : h('div', { class: ['builder-icon-box-icon'] }, h(link ? 'a' : 'span', attributes, sign)),
      boxContent(element, 'icon-box', text),
    )
  },
  classes: [
    prefixClass('position', 'builder%s-position-', {
      byDefault: 'block-start',
      isResponsive: true,
      map: (value) => OLD_POSITIONS[value] ?? value,
    }),
  ],
  wrapperClasses: iconClasses,
  controls: [
    ...iconControls('icon_size'),
    size('icon_space', '& .builder-icon-box-wrapper', 'gap'),
    choice('content_vertical_alignment', VERTICAL, '& .builder-icon-box-wrapper', 'align-items'),
    ...boxControls('icon-box'),
  ],
  defaults: [...iconDefaults, ...boxDefaults('icon-box')],
  rules: `.builder-widget-icon-box{width:var(--container-widget-width);flex-grow:var(--container-widget-flex-grow)}
.builder-icon-box-wrapper{display:flex;flex-direction:column;gap:15px;text-align:center}
.builder-icon-box-icon{display:inline-block;flex:0 0 auto;line-height:0}
.builder-position-block-end .builder-icon-box-wrapper{flex-direction:column-reverse}
.builder-position-inline-start .builder-icon-box-wrapper{flex-direction:row;text-align:start}
.builder-position-inline-end .builder-icon-box-wrapper{flex-direction:row-reverse;text-align:end}
${boxRules('icon-box')}`,
})

const imageBox = widget({
  html: (element) => {
    const { settings, pass } = element
    const picture = imageOf(settings.value('image'), { sizeName: 'thumbnail', settings, pass })
    const text = boxText(element)
    if (isNothing([picture, text.title, text.description])) return undefined
    const tabindex = isNothing(text.title) ? undefined : '-1'
    return h(
      'div',
      { class: ['builder-image-box-wrapper'] },
      filled('figure', { class: ['builder-image-box-img'] }, element.link('link', picture, { tabindex })),
      boxContent(element, 'image-box', text),
    )
  },
  classes: [
    prefixClass('position', 'builder%s-position-', { byDefault: 'top', isResponsive: true }),
    prefixClass('content_vertical_alignment', 'builder-vertical-align-', { byDefault: 'top' }),
  ],
  controls: [
    size('image_size', '& .builder-image-box-img', 'width', { unit: '%' }),
    size('image_space', '& .builder-image-box-wrapper', 'gap'),
    ...border({ name: 'image_border', selector: '& .builder-image-box-img img' }),
    radius('image_border_radius', '& .builder-image-box-img img'),
    ...boxControls('image-box'),
  ],
  defaults: boxDefaults('image-box'),
  rules: `.builder-widget-image-box{width:var(--container-widget-width);flex-grow:var(--container-widget-flex-grow)}
.builder-image-box-wrapper{display:flex;flex-direction:column;align-items:center;gap:15px;text-align:center}
.builder-image-box-img{display:inline-block;flex:0 0 auto;width:30%;margin:0;line-height:0}
.builder-image-box-content{width:100%}
.builder-position-left>.builder-image-box-wrapper{flex-direction:row;align-items:flex-start;text-align:start}
.builder-position-right>.builder-image-box-wrapper{flex-direction:row-reverse;align-items:flex-start;text-align:end}
.builder-vertical-align-middle>.builder-image-box-wrapper{align-items:center}
.builder-vertical-align-bottom>.builder-image-box-wrapper{align-items:flex-end}
${boxRules('image-box')}`,
})

export const iconWidgets: WidgetTable = { icon, 'icon-box': iconBox, 'image-box': imageBox }
