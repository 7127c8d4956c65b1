/** Draws counters and progress bars with their end value; a script may count up to it. */
import { borders, radius, textShadow, textStroke } from '../../controls/border.ts'
import { prefixClass } from '../../controls/classes.ts'
import { choice, color, size } from '../../controls/control.ts'
import { typography } from '../../controls/typography.ts'
import { numberText } from '../../css/values.ts'
import { numberOf } from '../../document/values.ts'
import { type Child, filled, h, isNothing } from '../../html/nodes.ts'
import type { WidgetContext } from '../context.ts'
import { type WidgetTable, widget } from '../widget.ts'

/** Groups digits: `12500.50` becomes `12,500.50`. */
export function grouped(number: string, delimiter: string): string {
  const [, sign = '', whole = '', rest = ''] = /^([+-]?)(\d*)(.*)$/.exec(number) ?? []
  return sign + whole.replace(/\B(?=(?:\d{3})+$)/g, () => delimiter) + rest
}

/** Returns the number as the user wrote it, so that `0.10` keeps its last digit. */
function numberSetting({ settings }: WidgetContext, name: string, byDefault: number): string {
  const text = settings.text(name).trim()
  return numberOf(text) === undefined ? numberText(settings.number(name, byDefault)) : text
}

const NUMBER = '& .builder-counter-number-wrapper'
const COUNTER_TITLE = '& .builder-counter-title'

const counter = widget({
  html: (element) => {
    const { settings, pass } = element
    pass.behaviours.add('counter')
    const end = numberSetting(element, 'ending_number', 100)
    const delimiter = settings.isOn('thousand_separator', 'yes') ? settings.text('thousand_separator_char') || ',' : ''
    const title = element.html('title', 'Cool Number')
    return h(
      'div',
      { class: ['builder-counter'] },
      filled(element.tag('title_tag', 'div'), { class: ['builder-counter-title'] }, title),
      h(
        'div',
        { class: ['builder-counter-number-wrapper'] },
        filled('span', { class: ['builder-counter-number-prefix'] }, element.html('prefix')),
        h(
          'span',
          {
            class: ['builder-counter-number'],
            'data-duration': numberText(Math.max(0, settings.number('duration', 2000))),
            'data-to-value': end,
            'data-from-value': numberSetting(element, 'starting_number', 0),
            'data-delimiter': delimiter === '' ? undefined : delimiter,
          },
          grouped(end, delimiter),
        ),
        filled('span', { class: ['builder-counter-number-suffix'] }, element.html('suffix')),
      ),
    )
  },
  controls: [
    color('number_color', NUMBER, 'color'),
    ...typography('typography_number', NUMBER),
    ...textStroke('number_stroke', NUMBER),
    textShadow('number_shadow', NUMBER),
    color('title_color', COUNTER_TITLE, 'color'),
    ...typography('typography_title', COUNTER_TITLE),
    ...textStroke('title_stroke', COUNTER_TITLE),
    textShadow('title_shadow', COUNTER_TITLE),
    size('title_gap', '& .builder-counter', 'gap'),
    choice('number_alignment', ['start', 'center', 'end'], NUMBER, 'justify-content'),
  ],
  defaults: [
    { selector: '.builder-counter-number-wrapper', color: 'primary', typography: 'primary' },
    { selector: '.builder-counter-title', color: 'secondary', typography: 'secondary' },
  ],
  rules: `.builder-widget-counter{width:var(--container-widget-width);flex-grow:var(--container-widget-flex-grow)}
.builder-counter{display:flex;flex-direction:column-reverse;align-items:stretch}
.builder-counter-number-wrapper{display:flex;justify-content:center;font-size:69px;font-weight:600;line-height:1}
.builder-counter-number-prefix,.builder-counter-number-suffix{white-space:pre-wrap}
.builder-counter-title{margin:0;padding:0;font-size:19px;line-height:2.5;text-align:center}`,
})

const TYPES = ['info', 'success', 'warning', 'danger']
const BAR = '& .builder-progress-wrapper .builder-progress-bar'

interface ProgressText {
  readonly percent: string
  readonly inner: Child
  readonly hasPercentage: boolean
}

const progressBar = ({ percent, inner, hasPercentage }: ProgressText): Child =>
  h(
    'div',
    { class: ['builder-progress-bar'], 'data-max': percent, style: `width:${percent}%` },
    filled('span', { class: ['builder-progress-text'] }, inner),
    hasPercentage && h('span', { class: ['builder-progress-percentage'] }, `${percent}%`),
  )

const progress = widget({
  html: (element) => {
    const { settings, pass } = element
    pass.behaviours.add('progress')
    const percent = numberText(Math.min(Math.max(settings.number('percent', 50), 0), 100))
    const title = element.html('title', 'My Skill')
    const isTitled = settings.isOn('title_display', 'yes') && !isNothing(title)
    const id = `builder-progress-bar-${element.id}`
    const innerLabel = element.label('inner_text', 'Web Designer')
    const type = settings.choice('progress_type', TYPES, '')
    return [
      isTitled && h(element.tag('title_tag', 'span'), { class: ['builder-title'], id }, title),
      h(
        'div',
        {
          class: ['builder-progress-wrapper', type !== '' && `progress-${type}`],
          role: 'progressbar',
          'aria-valuemin': '0',
          'aria-valuemax': '100',
          'aria-valuenow': percent,
          'aria-valuetext': innerLabel === '' ? `${percent}%` : `${percent}% (${innerLabel})`,
          'aria-labelledby': isTitled ? id : undefined,
          'aria-label': isTitled ? undefined : element.label('title', 'My Skill') || undefined,
        },
        progressBar({
          percent,
          inner: element.html('inner_text', 'Web Designer'),
          hasPercentage: settings.text('display_percentage', 'show') === 'show',
        }),
      ),
    ]
  },
  classes: [prefixClass('progress_type', 'progress-', { map: (value) => (TYPES.includes(value) ? value : undefined) })],
  controls: [
    color('bar_color', BAR, 'background-color'),
    color('bar_bg_color', '& .builder-progress-wrapper', 'background-color'),
    size('bar_height', '& .builder-progress-bar', ['height', 'line-height']),
    radius('bar_border_radius', '& .builder-progress-wrapper'),
    size('bar_border_radius', '& .builder-progress-wrapper', 'border-radius'),
    color('bar_inline_color', '& .builder-progress-bar', 'color'),
    ...typography('bar_inner_typography', '& .builder-progress-bar'),
    color('title_color', '& .builder-title', 'color'),
    ...typography('typography', '& .builder-title'),
    textShadow('title_shadow', '& .builder-title'),
    ...borders('bar', '& .builder-progress-wrapper'),
  ],
  defaults: [
    { selector: '.builder-title', color: 'primary', typography: 'text' },
    { selector: '.builder-progress-bar', color: 'primary', properties: ['background-color'] },
  ],
  rules: `.builder-widget-progress{width:var(--container-widget-width);flex-grow:var(--container-widget-flex-grow)}
.builder-widget-progress .builder-title{display:block}
.builder-progress-wrapper{position:relative;background-color:#eee;color:#fff;border-radius:2px;overflow:hidden}
.builder-progress-bar{display:flex;height:30px;line-height:30px;background-color:#69727d;font-size:11px;border-radius:2px}
.builder-progress-text{flex-grow:1;padding-inline-start:15px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.builder-progress-percentage{padding-inline:15px;margin-inline-start:auto}
.progress-info .builder-progress-bar{background-color:#5bc0de}.progress-success .builder-progress-bar{background-color:#5cb85c}
.progress-warning .builder-progress-bar{background-color:#f0ad4e}.progress-danger .builder-progress-bar{background-color:#d9534f}`,
})

export const counterWidgets: WidgetTable = { counter, progress }
