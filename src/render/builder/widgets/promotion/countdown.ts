/** Draws countdowns to a date: the time left at the time of the render, which a script may continue. */
import { borders } from '../../controls/border.ts'
import { color, sides, size } from '../../controls/control.ts'
import { typography } from '../../controls/typography.ts'
import { type Child, filled, h } from '../../html/nodes.ts'
import type { WidgetContext } from '../context.ts'
import { type WidgetTable, widget } from '../widget.ts'

const UNITS = [
  { name: 'days', label: 'Days', seconds: 86_400 },
  { name: 'hours', label: 'Hours', seconds: 3600 },
  { name: 'minutes', label: 'Minutes', seconds: 60 },
  { name: 'seconds', label: 'Seconds', seconds: 1 },
] as const

/** Reads `2026-05-01 12:30` in the time zone of the site, as milliseconds since 1970. */
function dueDate({ settings, pass }: WidgetContext): number | undefined {
  const [, day, time = '00:00'] =
    /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d)(?::\d\d)?)?$/.exec(settings.text('due_date').trim()) ?? []
  if (day === undefined || Number.isNaN(Date.parse(`${day}T${time}:00Z`))) return undefined
  pass.depend('option:timezone_string')
  const due = Date.parse(`${pass.site.time.toGmt(`${day}T${time}:00`)}Z`)
  return Number.isNaN(due) ? undefined : due
}

function digits(element: WidgetContext, left: number): Child {
  const { settings } = element
  let rest = Math.floor(left / 1000)
  return UNITS.map(({ name, label, seconds }) => {
    if (!settings.isOn(`show_${name}`, 'yes')) return undefined
    const count = Math.floor(rest / seconds)
    rest -= count * seconds
    const own = settings.isOn('custom_labels') ? element.html(`label_${name}`, label) : label
    return h(
      'div',
      { class: ['builder-countdown-item'] },
      h('span', { class: ['builder-countdown-digits', `builder-countdown-${name}`] }, String(count).padStart(2, '0')),
      settings.isOn('show_labels', 'yes') && filled('span', { class: ['builder-countdown-label'] }, own),
    )
  })
}

function message(element: WidgetContext): Child {
  const actions = element.settings.value('expire_actions')
  if (!Array.isArray(actions) || !actions.includes('message')) return undefined
  return filled('div', { class: ['builder-countdown-expire--message'] }, element.html('message_after_expire'))
}

const countdown = widget({
  html: (element) => {
    const due = dueDate(element)
    if (due === undefined) return undefined
    const { pass } = element
    pass.depend('vary:time')
    pass.behaviours.add('countdown')
    const left = Math.max(0, due - pass.now)
    const wrapper = { class: ['builder-countdown-wrapper'], 'data-date': Math.floor(due / 1000) }
    return [filled('div', wrapper, digits(element, left)), left === 0 && message(element)]
  },
  controls: [
    size('container_width', '& .builder-countdown-wrapper', 'max-width'),
    color('box_background_color', '& .builder-countdown-item', 'background-color'),
    sides('box_padding', '& .builder-countdown-item', 'padding'),
    size('box_spacing', '& .builder-countdown-wrapper', 'gap'),
    ...borders('box', '& .builder-countdown-item'),
    color('digits_color', '& .builder-countdown-digits', 'color'),
    ...typography('digits_typography', '& .builder-countdown-digits'),
    color('label_color', '& .builder-countdown-label', 'color'),
    ...typography('label_typography', '& .builder-countdown-label'),
  ],
  defaults: [
    { selector: '.builder-countdown-item', color: 'primary', properties: ['background-color'] },
    { selector: '.builder-countdown-digits', typography: 'text' },
    { selector: '.builder-countdown-label', typography: 'secondary' },
  ],
  rules: `.builder-widget-countdown{width:var(--container-widget-width);flex-grow:var(--container-widget-flex-grow)}
.builder-countdown-wrapper{display:flex;flex-wrap:wrap;gap:10px;margin-inline:auto;text-align:center}
.builder-countdown-item{flex:1 1 0;padding:20px 0;background-color:#69727d;color:#fff}
.builder-countdown-digits{display:block;font-size:69px;line-height:1}.builder-countdown-label{display:block;font-size:19px;line-height:1}`,
})

export const countdownWidgets: WidgetTable = { countdown }
