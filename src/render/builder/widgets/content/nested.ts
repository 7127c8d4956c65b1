/** Draws tabs and accordions whose panels are elements: the n-th child is the panel of the n-th entry. */
import { type Control, choice, color, sides, size } from '../../controls/control.ts'
import { typography } from '../../controls/typography.ts'
import { nameOf } from '../../document/values.ts'
import { jsonLd } from '../../html/markup.ts'
import {
  type Attributes,
  type Child,
  filled,
  h,
  isNothing,
  Written,
  withAttributes,
  written,
} from '../../html/nodes.ts'
import { plainText } from '../../html/plain-text.ts'
import type { WidgetContext } from '../context.ts'
import type { Icon } from '../icon.ts'
import { type WidgetTable, widget } from '../widget.ts'
import { elementNumber, shortNumber } from './derived-ids.ts'
import { faqSchema } from './faq-schema.ts'

type Id = string | Written

/** Returns the id that the user set, else the derived one. */
const idOf = (item: WidgetContext, setting: string, derived: string): Id => {
  const own = nameOf(item.settings.text(setting))
  return own === '' ? derived : written(own)
}

interface Panel {
  /** The panel with its attributes; undefined when the entry has none or a hidden one. */
  readonly node: Child
  readonly id: Id | undefined
}

/** Keeps the id that the user set on the child, because sheets and links may use it. */
function panelOf(element: WidgetContext, index: number, derived: string, attributes: Attributes): Panel {
  const child = element.child(index)
  const own = withAttributes(child, {})?.attributes['id']
  const id = typeof own === 'string' || own instanceof Written ? own : derived
  const node = withAttributes(child, { ...attributes, id })
  return { node, id: node ? id : undefined }
}

function tabIcon(item: WidgetContext): Child {
  const sign = item.icon('tab_icon')
  const active = item.icon('tab_icon_active')
  return filled(
    'span',
    { class: ['e-n-tab-icon'] },
    sign,
    isNothing(active) ? undefined : h('span', { class: ['e-active-icon'] }, active),
  )
}

const nestedTabs = widget({
  html: (element) => {
    const number = elementNumber(element.element)
    const entries = element.items('tabs')
    if (entries.length === 0) return undefined
    element.pass.behaviours.add('tabs')
    const drawn = entries.map((item, index) => {
      const at = index + 1
      const isSelected = index === 0
      const id = idOf(item, 'element_id', `e-n-tab-title-${number}${at}`)
      const panel = panelOf(element, index, `e-n-tab-content-${number}${at}`, {
        role: 'tabpanel',
        'aria-labelledby': id,
        'data-tab-index': at,
        ...(isSelected ? { class: ['e-active'] } : {}),
      })
      const title = h(
        'button',
        {
          id,
          class: ['e-n-tab-title'],
          type: 'button',
          'aria-selected': String(isSelected),
          'data-tab-index': at,
          role: 'tab',
          tabindex: isSelected ? '0' : '-1',
          'aria-controls': panel.id,
          style: `--n-tabs-title-order: ${at};`,
        },
        tabIcon(item),
        filled('span', { class: ['e-n-tab-title-text'] }, item.html('tab_title')),
      )
      return { title, panel: panel.node }
    })
    return h(
      'div',
      { class: ['e-n-tabs'], 'data-widget-number': number, 'aria-label': 'Tabs' },
      h(
        'div',
        { class: ['e-n-tabs-heading'], role: 'tablist' },
        drawn.map(({ title }) => title),
      ),
      h(
        'div',
        { class: ['e-n-tabs-content'] },
        drawn.map(({ panel }) => panel),
      ),
    )
  },
  controls: [
    choice(
      'tabs_direction',
      { 'block-start': 'column', 'block-end': 'column-reverse', 'inline-start': 'row', 'inline-end': 'row-reverse' },
      '&',
      (value) => [
        ['--n-tabs-direction', value],
        ['--n-tabs-heading-direction', value.startsWith('row') ? 'column' : 'row'],
      ],
    ),
    choice('tabs_justify_horizontal', ['start', 'center', 'end', 'stretch'], '&', (value) => [
      ['--n-tabs-heading-justify-content', value === 'stretch' ? 'initial' : value],
      ['--n-tabs-title-flex-grow', value === 'stretch' ? '1' : '0'],
    ]),
    size('tabs_width', '&', '--n-tabs-heading-width', { unit: '%' }),
    size('tabs_title_spacing', '&', '--n-tabs-gap'),
    size('tabs_title_space_between', '&', '--n-tabs-title-gap'),
    color('tabs_title_background_color_color', '& .e-n-tab-title', 'background-color'),
    color('title_text_color', '&', '--n-tabs-title-color'),
    color('title_text_color_active', '&', '--n-tabs-title-color-active'),
    ...typography('title_typography', '& .e-n-tab-title'),
    sides('padding', '& .e-n-tab-title', 'padding'),
  ],
  defaults: [{ selector: '.e-n-tab-title', typography: 'accent' }],
  rules: `.builder-widget-nested-tabs{width:var(--container-widget-width);flex-grow:var(--container-widget-flex-grow);min-width:0}
.e-n-tabs{display:flex;flex-direction:var(--n-tabs-direction,column);gap:var(--n-tabs-gap,10px);min-width:0;text-align:start}
.e-n-tabs-heading{display:flex;flex-wrap:wrap;flex-direction:var(--n-tabs-heading-direction,row);
justify-content:var(--n-tabs-heading-justify-content,center);width:var(--n-tabs-heading-width,auto);gap:var(--n-tabs-title-gap,10px)}
.e-n-tab-title{display:flex;align-items:center;justify-content:center;gap:10px;padding:15px 35px;border:0;order:var(--n-tabs-title-order);
flex-grow:var(--n-tabs-title-flex-grow,0);background-color:#f1f2f3;color:var(--n-tabs-title-color,#1f2124);font:inherit;cursor:pointer}
.e-n-tab-title[aria-selected="true"]{background-color:#0c0d0e;color:var(--n-tabs-title-color-active,#fff)}
.e-n-tab-title[aria-selected="true"] .e-n-tab-icon:has(.e-active-icon)>:not(.e-active-icon),.e-n-tab-title[aria-selected="false"] .e-active-icon{display:none}
.e-n-tabs-content{flex-grow:1;min-width:0}
.builder-js .e-n-tabs-content>.builder-element:not(.e-active){display:none}`,
})

const solid = (name: string): Icon => ({ value: `fas ${name}`, library: 'fa-solid' })

function accordionIcon(element: WidgetContext): Child {
  const closed = element.icon('accordion_item_title_icon', solid('fa-plus'))
  const opened = element.icon('accordion_item_title_icon_active', solid('fa-minus'))
  return filled(
    'span',
    { class: ['e-n-accordion-item-title-icon'] },
    filled('span', { class: ['e-opened'] }, opened),
    filled('span', { class: ['e-closed'] }, closed),
  )
}

const accordionControls: readonly Control[] = [
  size('accordion_item_title_space_between', '& .e-n-accordion', 'gap'),
  size('accordion_item_title_distance_from_content', '& .e-n-accordion-item', 'row-gap'),
  choice('accordion_item_title_position_horizontal', ['start', 'center', 'end', 'stretch'], '&', (value) => [
    ['--n-accordion-title-justify-content', value === 'stretch' ? 'space-between' : value],
  ]),
  choice('accordion_item_title_icon_position', { start: '-1', end: '0' }, '&', '--n-accordion-title-icon-order'),
  color('normal_title_color', '& .e-n-accordion-item-title-text', 'color'),
  ...typography('title_typography', '& .e-n-accordion-item-title-text'),
  color('normal_icon_color', '& .e-n-accordion-item-title-icon', ['color', 'fill']),
  size('icon_size', '& .e-n-accordion-item-title-icon', 'font-size'),
  sides('accordion_padding', '& .e-n-accordion-item-title', 'padding'),
]

const nestedAccordion = widget({
  html: (element) => {
    const { settings, pass } = element
    const short = shortNumber(element.element)
    const entries = element.items('items')
    if (entries.length === 0) return undefined
    pass.behaviours.add('accordion')
    const isFirstOpen = settings.text('default_state', 'expanded') === 'expanded'
    const sign = accordionIcon(element)
    const tag = element.tag('title_tag', 'div')
    const drawn = entries.map((item, index) => {
      const id = idOf(item, 'element_css_id', `e-n-accordion-item-${short}${index}`)
      const isOpen = isFirstOpen && index === 0
      const panel = withAttributes(element.child(index), { role: 'region', 'aria-labelledby': id })
      const summary = h(
        'summary',
        {
          class: ['e-n-accordion-item-title'],
          'data-accordion-index': index + 1,
          tabindex: '0',
          'aria-expanded': String(isOpen),
          'aria-controls': id,
        },
        h(
          'span',
          { class: ['e-n-accordion-item-title-header'] },
          filled(tag, { class: ['e-n-accordion-item-title-text'] }, item.html('item_title')),
        ),
        sign,
      )
      const node = h('details', { id, class: ['e-n-accordion-item'], open: isOpen }, summary, panel)
      return { node, question: item.label('item_title'), answer: panel }
    })
    return h(
      'div',
      { class: ['e-n-accordion'], 'aria-label': 'Accordion' },
      drawn.map(({ node }) => node),
      settings.isOn('faq_schema') &&
        jsonLd(faqSchema(drawn.map(({ question, answer }) => ({ question, answer: plainText(answer).trim() })))),
    )
  },
  controls: accordionControls,
  defaults: [{ selector: '.e-n-accordion-item-title-text', typography: 'primary' }],
  rules: `.builder-widget-nested-accordion{width:var(--container-widget-width);flex-grow:var(--container-widget-flex-grow);min-width:0}
.e-n-accordion{display:flex;flex-direction:column;text-align:start}.e-n-accordion-item{display:flex;flex-direction:column}
.e-n-accordion-item-title{display:flex;align-items:center;gap:10px;padding:10px;border:1px solid #d5d8dc;list-style:none;cursor:pointer;
justify-content:var(--n-accordion-title-justify-content,normal)}
.e-n-accordion-item-title::-webkit-details-marker{display:none}
.e-n-accordion-item-title-text{margin:0;font-size:20px}
.e-n-accordion-item-title-icon{display:flex;order:var(--n-accordion-title-icon-order,0)}
.e-n-accordion-item-title-icon svg{width:1em;height:1em}.e-n-accordion-item-title-icon span{display:flex}
.e-n-accordion-item:not([open]) .e-opened,.e-n-accordion-item[open]>.e-n-accordion-item-title .e-closed{display:none}`,
})

export const nestedWidgets: WidgetTable = { 'nested-tabs': nestedTabs, 'nested-accordion': nestedAccordion }
