/** Draws dividers, spacers and anchors. */
import { prefixClass } from '../../controls/classes.ts'
import { choice, color, size } from '../../controls/control.ts'
import { typography } from '../../controls/typography.ts'
import { nameOf, numberOf, ownValue } from '../../document/values.ts'
import { type Child, filled, h, written } from '../../html/nodes.ts'
import type { WidgetContext } from '../context.ts'
import { type WidgetTable, widget } from '../widget.ts'

const STYLES = ['solid', 'double', 'dotted', 'dashed', 'groove']
const ELEMENT = ['builder-divider__element']

function dividerElement(element: WidgetContext, look: string): Child {
  if (look === 'line_text') {
    return filled(
      element.tag('html_tag', 'span'),
      { class: ['builder-divider__text', ...ELEMENT] },
      element.html('text', 'Divider'),
    )
  }
  return look === 'line_icon' ? filled('div', { class: ['builder-icon', ...ELEMENT] }, element.icon('icon')) : undefined
}

const LOOKS = ['line', 'line_text', 'line_icon']
const TEXT = '& .builder-divider__text'

const divider = widget({
  html: (element) => {
    const look = element.settings.choice('look', LOOKS, 'line')
    return h(
      'div',
      { class: ['builder-divider'] },
      h('span', { class: ['builder-divider-separator'] }, dividerElement(element, look)),
    )
  },
  classes: [
    prefixClass('look', 'builder-widget-divider--view-', { byDefault: 'line' }),
    prefixClass('text_align', 'builder-widget-divider--element-align-', { byDefault: 'center' }),
  ],
  controls: [
    choice('style', STYLES, '&', '--divider-border-style', { isResponsive: false }),
    color('color', '&', '--divider-color'),
    size('weight', '&', '--divider-border-width', { isResponsive: false }),
    size('width', '& .builder-divider-separator', 'width', { unit: '%' }),
    choice(
      'align',
      { left: 'start', center: 'center', right: 'end', start: 'start', end: 'end' },
      '& .builder-divider',
      'text-align',
    ),
    choice(
      'align',
      { left: '0 auto', start: '0 auto', center: 'auto', right: 'auto 0', end: 'auto 0' },
      '& .builder-divider-separator',
      'margin-inline',
    ),
    size('gap', '& .builder-divider', 'padding-block'),
    color('text_color', TEXT, 'color'),
    ...typography('typography', TEXT),
    color('primary_color', '& .builder-icon', 'color'),
    size('icon_size', '&', '--divider-icon-size'),
  ],
  defaults: [
    { selector: '', color: 'secondary', properties: ['--divider-color'] },
    { selector: '.builder-divider__text', color: 'secondary', typography: 'secondary' },
  ],
  rules: `.builder-widget-divider{width:var(--container-widget-width);flex-grow:var(--container-widget-flex-grow)}
.builder-divider{padding-block:15px;line-height:0;font-size:0}
.builder-divider-separator{display:inline-flex;align-items:center;width:100%;margin:0}
.builder-divider-separator::before,.builder-divider-separator::after{content:'';display:block;flex-grow:1;
border-block-start:var(--divider-border-width,1px) var(--divider-border-style,solid) var(--divider-color,#000)}
.builder-widget-divider--view-line .builder-divider-separator::after{display:none}
.builder-divider__element{margin:0 10px;line-height:1;font-size:1rem;flex-shrink:0}
.builder-divider .builder-icon{font-size:var(--divider-icon-size,1.5rem)}
.builder-widget-divider--element-align-left .builder-divider-separator::before,
.builder-widget-divider--element-align-right .builder-divider-separator::after{display:none}`,
})

const spacer = widget({
  html: ({ settings }) => {
    const stored = settings.object('space')
    if (numberOf(ownValue(stored, 'size')) === 0) return undefined
    return h('div', { class: ['builder-spacer'] }, h('div', { class: ['builder-spacer-inner'] }))
  },
  controls: [size('space', '&', '--spacer-size')],
  rules: `.builder-widget-spacer{width:var(--container-widget-width);flex-grow:var(--container-widget-flex-grow)}
.builder-spacer-inner{height:var(--spacer-size,50px)}`,
})

const menuAnchor = widget({
  html: ({ settings }) => {
    const anchor = nameOf(settings.text('anchor'))
    return anchor === '' ? undefined : h('div', { class: ['builder-menu-anchor'], id: written(anchor) })
  },
})

export const spaceWidgets: WidgetTable = { divider, spacer, 'menu-anchor': menuAnchor }
