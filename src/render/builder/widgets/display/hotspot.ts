/** Draws a picture with marks. The text of a mark opens by click, key or touch, without a script. */
import { type ControlValues, color, perItem, type RuleParts, size } from '../../controls/control.ts'
import { typography } from '../../controls/typography.ts'
import { nameOf } from '../../document/values.ts'
import { linkName } from '../../elements/link.ts'
import { type Child, filled, h, isNothing } from '../../html/nodes.ts'
import type { WidgetContext } from '../context.ts'
import { type WidgetTable, widget } from '../widget.ts'

function mark(item: WidgetContext): Child {
  const label = filled('span', { class: ['e-hotspot__label'] }, item.html('hotspot_label'))
  const sign = filled('span', { class: ['e-hotspot__icon'] }, item.icon('hotspot_icon'))
  const text = item.html('hotspot_tooltip_content')
  const inside = isNothing([label, sign]) ? h('span', { class: ['e-hotspot__dot'] }) : [sign, label]
  const own = ['e-hotspot', `builder-repeater-item-${nameOf(item.settings.raw['_id'])}`]
  const link = item.linkAttributes('hotspot_link')
  if (isNothing(text)) {
    if (!link) return h('span', { class: own }, h('span', { class: ['e-hotspot__button'] }, inside))
    const name = isNothing(label) ? linkName(link) : {}
    return h('a', { class: own, ...link, ...name }, h('span', { class: ['e-hotspot__button'] }, inside))
  }
  const name = isNothing(label) ? { 'aria-label': 'Show details' } : {}
  return h(
    'details',
    { class: own, name: `e-hotspot-${item.id}` },
    h('summary', { class: ['e-hotspot__button'], ...name }, inside),
    h('div', { class: ['e-hotspot__tooltip'] }, text, link && h('a', { ...link }, 'Read more')),
  )
}

const place = (values: ControlValues, selector: string): readonly RuleParts[] => {
  const isRight = values.raw('hotspot_horizontal') === 'right'
  const isBottom = values.raw('hotspot_vertical') === 'bottom'
  return [
    [
      selector,
      [
        [isRight ? 'right' : 'left', values.size('hotspot_offset_x', '%') ?? '50%'],
        [isBottom ? 'bottom' : 'top', values.size('hotspot_offset_y', '%') ?? '50%'],
      ],
    ],
  ]
}

const hotspot = widget({
  html: (element) => {
    const image = element.image('image', 'image')
    if (isNothing(image)) return undefined
    return h('div', { class: ['e-hotspots'] }, image, element.items('hotspot').map(mark))
  },
  controls: [
    perItem('hotspot', place),
    color('style_hotspot_color', '&', '--e-hotspot-color'),
    color('style_hotspot_box_color', '&', '--e-hotspot-background'),
    size('style_hotspot_size', '&', '--e-hotspot-size'),
    ...typography('style_hotspot_typography', '& .e-hotspot__label'),
    color('style_tooltip_text_color', '& .e-hotspot__tooltip', 'color'),
    color('style_tooltip_color', '& .e-hotspot__tooltip', 'background-color'),
    ...typography('style_tooltip_typography', '& .e-hotspot__tooltip'),
    size('style_tooltip_width', '& .e-hotspot__tooltip', 'width'),
  ],
  defaults: [
    { selector: '.e-hotspot__button', color: 'primary', properties: ['background-color'], typography: 'primary' },
    { selector: '.e-hotspot__tooltip', typography: 'secondary' },
  ],
  rules: `.e-hotspots{position:relative;display:inline-block;max-width:100%}.e-hotspots>img{display:block}
.e-hotspot{position:absolute;z-index:1;text-decoration:none}.e-hotspot[open]{z-index:2}
.e-hotspot__button{display:flex;align-items:center;justify-content:center;gap:8px;min-width:var(--e-hotspot-size,24px);
min-height:var(--e-hotspot-size,24px);padding:4px;border-radius:12px;list-style:none;background-color:var(--e-hotspot-background,#0c0d0e);
color:var(--e-hotspot-color,#fff);fill:currentColor}summary.e-hotspot__button{cursor:pointer}
.e-hotspot__button::-webkit-details-marker{display:none}.e-hotspot__label{padding-inline:6px}
.e-hotspot__dot{width:10px;height:10px;border-radius:50%;background-color:currentColor}
.e-hotspot__tooltip{position:absolute;inset-inline-start:0;inset-block-start:calc(100% + 8px);width:220px;max-width:60vw;padding:10px 15px;
background-color:#fff;color:#1f2124;box-shadow:0 2px 12px rgba(0,0,0,.2)}`,
})

export const hotspotWidgets: WidgetTable = { hotspot }
