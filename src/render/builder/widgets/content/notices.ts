/** Draws testimonials and alerts. */
import { borders, textShadow } from '../../controls/border.ts'
import { prefixClass } from '../../controls/classes.ts'
import { choice, color, size } from '../../controls/control.ts'
import { typography } from '../../controls/typography.ts'
import { type Child, filled, h, isNothing, unread } from '../../html/nodes.ts'
import type { WidgetContext } from '../context.ts'
import { type WidgetTable, widget } from '../widget.ts'
import { ALIGN } from './text.ts'

function author(element: WidgetContext, part: string, byDefault: string): Child {
  const link = element.linkAttributes('link')
  const classes = { class: [`builder-testimonial-${part}`] }
  return filled(link ? 'a' : 'div', { ...link, ...classes }, element.html(`testimonial_${part}`, byDefault))
}

const PART = '& .builder-testimonial-'

const testimonial = widget({
  html: (element) => {
    const { settings } = element
    const content = element.html('testimonial_content', 'Say in a few words what was good about it.')
    const picture = element.link('link', element.image('testimonial_image', 'testimonial_image'))
    const details = [author(element, 'name', 'John Doe'), author(element, 'job', 'Designer')]
    if (isNothing([content, picture, details])) return undefined
    const position = settings.choice('testimonial_image_position', ['top'], 'aside')
    const meta = {
      class: [
        'builder-testimonial-meta',
        !isNothing(picture) && 'builder-has-image',
        `builder-testimonial-image-position-${position}`,
      ],
    }
    const inner = filled(
      'div',
      { class: ['builder-testimonial-meta-inner'] },
      filled('div', { class: ['builder-testimonial-image'] }, picture),
      filled('div', { class: ['builder-testimonial-details'] }, details),
    )
    return h(
      'div',
      { class: ['builder-testimonial-wrapper'] },
      filled('div', { class: ['builder-testimonial-content'] }, content),
      filled('div', meta, inner),
    )
  },
  controls: [
    choice('testimonial_alignment', ALIGN, '& .builder-testimonial-wrapper', 'text-align'),
    color('content_content_color', `${PART}content`, 'color'),
    ...typography('content_typography', `${PART}content`),
    textShadow('content_shadow', `${PART}content`),
    size('image_size', `${PART}image img`, ['width', 'height']),
    ...borders('image', `${PART}image img`),
    color('name_text_color', `${PART}name`, 'color'),
    ...typography('name_typography', `${PART}name`),
    textShadow('name_shadow', `${PART}name`),
    color('job_text_color', `${PART}job`, 'color'),
    ...typography('job_typography', `${PART}job`),
    textShadow('job_shadow', `${PART}job`),
  ],
  defaults: [
    { selector: '.builder-testimonial-content', color: 'text', typography: 'text' },
    { selector: '.builder-testimonial-name', color: 'primary', typography: 'primary' },
    { selector: '.builder-testimonial-job', color: 'secondary', typography: 'secondary' },
  ],
  rules: `.builder-widget-testimonial{width:var(--container-widget-width);flex-grow:var(--container-widget-flex-grow)}
.builder-testimonial-wrapper{overflow:hidden;text-align:center}
.builder-testimonial-content{font-size:1.3em;margin-block-end:20px}
.builder-testimonial-meta-inner{display:inline-block}.builder-testimonial-meta a{text-decoration:none}
.builder-testimonial-image img{width:60px;height:60px;border-radius:50%;object-fit:cover}
.builder-testimonial-name,.builder-testimonial-job{display:block}
.builder-testimonial-image-position-aside .builder-testimonial-image,
.builder-testimonial-image-position-aside .builder-testimonial-details{display:table-cell;vertical-align:middle;text-align:start}
.builder-testimonial-image-position-aside .builder-testimonial-image{padding-inline-end:15px}`,
})

const TYPES = ['info', 'success', 'warning', 'danger']

/** The sign of the button is decoration, so it does not belong to the plain text. */
function dismissButton(element: WidgetContext): Child {
  if (element.settings.text('show_dismiss', 'show') !== 'show') return undefined
  element.pass.behaviours.add('alert')
  const sign = element.icon('dismiss_icon')
  return unread(
    h(
      'button',
      { type: 'button', class: ['builder-alert-dismiss'], 'aria-label': 'Dismiss this alert.' },
      isNothing(sign) ? h('span', { 'aria-hidden': 'true' }, '×') : sign,
    ),
  )
}

const alert = widget({
  html: (element) => {
    const title = element.html('alert_title', 'This is an Alert')
    const description = element.html('alert_description', 'Say here what a visitor should know.')
    if (isNothing([title, description])) return undefined
    return h(
      'div',
      { class: ['builder-alert'], role: 'alert' },
      filled('span', { class: ['builder-alert-title'] }, title),
      filled('span', { class: ['builder-alert-description'] }, description),
      dismissButton(element),
    )
  },
  classes: [
    prefixClass('alert_type', 'builder-alert-', {
      byDefault: 'info',
      map: (value) => (TYPES.includes(value) ? value : 'info'),
    }),
  ],
  controls: [
    color('background', '& .builder-alert', 'background-color'),
    color('border_color', '& .builder-alert', 'border-color'),
    size('border_left-width', '& .builder-alert', 'border-inline-start-width'),
    color('title_color', '& .builder-alert-title', 'color'),
    ...typography('alert_title', '& .builder-alert-title'),
    color('description_color', '& .builder-alert-description', 'color'),
    ...typography('alert_description', '& .builder-alert-description'),
    size('dismiss_icon_size', '& .builder-alert-dismiss', 'font-size'),
    color('dismiss_icon_normal_color', '& .builder-alert-dismiss', ['color', 'fill']),
    color('dismiss_icon_hover_color', '& .builder-alert-dismiss:hover', ['color', 'fill']),
  ],
  defaults: [
    { selector: '.builder-alert-title', typography: 'primary' },
    { selector: '.builder-alert-description', typography: 'text' },
  ],
  rules: `.builder-widget-alert{width:var(--container-widget-width);flex-grow:var(--container-widget-flex-grow)}
.builder-alert{position:relative;padding:15px;border-inline-start:5px solid transparent;text-align:start}
.builder-alert-title{display:block;font-weight:700}.builder-alert-description{display:block;font-size:13px}
.builder-alert-dismiss{position:absolute;inset-block-start:10px;inset-inline-end:10px;padding:3px;border:0;background:none;
color:inherit;font-size:20px;line-height:1;cursor:pointer}.builder-alert-dismiss svg{width:1em;height:1em}
.builder-alert-info .builder-alert{background-color:#d9edf7;border-color:#bcdff1;color:#31708f}
.builder-alert-success .builder-alert{background-color:#dff0d8;border-color:#cae6be;color:#3c763d}
.builder-alert-warning .builder-alert{background-color:#fcf8e3;border-color:#f9f0c3;color:#8a6d3b}
.builder-alert-danger .builder-alert{background-color:#f2dede;border-color:#e8c4c4;color:#a94442}`,
})

export const noticeWidgets: WidgetTable = { testimonial, alert }
