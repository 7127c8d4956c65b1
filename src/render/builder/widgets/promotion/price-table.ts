/** Draws price tables. */

import { background } from '../../controls/background.ts'
import { border, borders, radius } from '../../controls/border.ts'
import { choice, color, sides, size } from '../../controls/control.ts'
import { typography } from '../../controls/typography.ts'
import { nameOf } from '../../document/values.ts'
import { type Child, filled, h, isNothing, written } from '../../html/nodes.ts'
import { ALIGN } from '../content/text.ts'
import type { WidgetContext } from '../context.ts'
import { type WidgetTable, widget } from '../widget.ts'
import { ribbon, ribbonControls, ribbonRules } from './ribbon.ts'

const SYMBOLS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    dollar: '$',
    euro: '€',
    baht: '฿',
    franc: '₣',
    guilder: 'ƒ',
    krona: 'kr',
    lira: '₤',
    peseta: '₧',
    peso: '₱',
    pound: '£',
    real: 'R$',
    ruble: '₽',
    rupee: '₨',
    indian_rupee: '₹',
    shekel: '₪',
    yen: '¥',
    won: '₩',
  }),
)

const CLASS = 'builder-price-table'
const part = (name: string) => ({ class: [`${CLASS}__${name}`] })
const SIZES = ['xs', 'sm', 'md', 'lg', 'xl']

const symbolOf = ({ settings }: WidgetContext): string => {
  const name = settings.text('currency_symbol', 'dollar')
  return name === 'custom' ? settings.text('currency_symbol_custom') : (SYMBOLS.get(name) ?? '')
}

function header(element: WidgetContext): Child {
  return filled(
    'div',
    part('header'),
    filled(element.tag('heading_tag', 'h3'), part('heading'), element.html('heading', 'Enter your title')),
    filled('span', part('subheading'), element.html('sub_heading', 'Enter your description')),
  )
}

/** Splits a price at the last point or comma that precedes digits. */
function priceParts(price: string, separator: string): readonly [whole: string, fraction: string] {
  const at = price.lastIndexOf(separator)
  return at === -1 ? [price, ''] : [price.slice(0, at), price.slice(at + 1)]
}

function price(element: WidgetContext): Child {
  const { settings } = element
  const stored = settings.text('price', '39.99')
  if (stored === '') return undefined
  const [whole, fraction] = priceParts(stored, settings.text('currency_format') === ',' ? ',' : '.')
  const symbol = filled('span', part('currency'), symbolOf(element))
  const isAfter = settings.text('currency_position') === 'after'
  const period = filled('span', part('period'), element.html('period', 'Monthly'))
  const isBeside = settings.text('period_position') === 'beside'
  const original = settings.text('original_price', '59')
  return h(
    'div',
    part('price'),
    settings.isOn('sale') && filled('div', part('original-price'), original === '' ? '' : symbolOf(element) + original),
    !isAfter && symbol,
    h('span', part('integer-part'), whole),
    filled('div', part('after-price'), filled('span', part('fractional-part'), fraction), isBeside && period),
    isAfter && symbol,
    !isBeside && period,
  )
}

function feature(item: WidgetContext): Child {
  const content = [item.icon('selected_item_icon', undefined, 'item_icon'), filled('span', {}, item.html('item_text'))]
  if (isNothing(content)) return undefined
  return h(
    'li',
    { class: [`builder-repeater-item-${nameOf(item.settings.raw['_id'])}`] },
    h('div', part('feature-inner'), content),
  )
}

function footer(element: WidgetContext): Child {
  const { settings } = element
  const id = nameOf(settings.text('button_css_id'))
  const button = filled(
    'a',
    {
      class: [`${CLASS}__button`, 'builder-button', `builder-size-${settings.choice('button_size', SIZES, 'md')}`],
      ...(element.linkAttributes('link') ?? { role: 'button' }),
      id: id === '' ? undefined : written(id),
    },
    element.html('button_text', 'Click Here'),
  )
  const info = filled('div', part('additional_info'), element.html('footer_additional_info'))
  return filled('div', part('footer'), button, info)
}

const P = `& .${CLASS}`
const BUTTON = `${P}__button`

const priceTable = widget({
  html: (element) => {
    const table = filled(
      'div',
      { class: [CLASS] },
      header(element),
      price(element),
      filled('ul', part('features-list'), element.items('features_list').map(feature)),
      footer(element),
    )
    const hasRibbon = element.settings.isOn('show_ribbon', 'yes')
    return table && [table, hasRibbon && ribbon(element, element.html('ribbon_title', 'Popular'))]
  },
  controls: [
    color('header_bg_color', `${P}__header`, 'background-color'),
    sides('header_padding', `${P}__header`, 'padding'),
    color('heading_color', `${P}__heading`, 'color'),
    ...typography('heading_typography', `${P}__heading`),
    color('sub_heading_color', `${P}__subheading`, 'color'),
    ...typography('sub_heading_typography', `${P}__subheading`),
    color('pricing_element_bg_color', `${P}__price`, 'background-color'),
    sides('pricing_element_padding', `${P}__price`, 'padding'),
    color('price_color', `${P}__currency, ${P}__integer-part, ${P}__fractional-part`, 'color'),
    ...typography('price_typography', `${P}__price`),
    color('original_price_color', `${P}__original-price`, 'color'),
    color('period_color', `${P}__period`, 'color'),
    ...typography('period_typography', `${P}__period`),
    color('features_list_bg_color', `${P}__features-list`, 'background-color'),
    color('features_list_color', `${P}__features-list`, 'color'),
    sides('features_list_padding', `${P}__features-list`, 'padding'),
    ...typography('features_list_typography', `${P}__features-list li`),
    choice('features_list_alignment', ALIGN, `${P}__features-list`, 'text-align', { isResponsive: false }),
    color('footer_bg_color', `${P}__footer`, 'background-color'),
    sides('footer_padding', `${P}__footer`, 'padding'),
    color('button_text_color', BUTTON, 'color'),
    ...typography('button_typography', BUTTON),
    color('button_background_color', BUTTON, 'background-color'),
    ...background('button_background', BUTTON),
    ...border({ name: 'button_border', selector: BUTTON }),
    radius('button_border_radius', BUTTON),
    sides('button_text_padding', BUTTON, 'padding'),
    ...borders('box', `& .${CLASS}`),
    color('additional_info_color', `${P}__additional_info`, 'color'),
    ...typography('additional_info_typography', `${P}__additional_info`),
    size('additional_info_margin', `${P}__additional_info`, 'margin'),
    ...ribbonControls,
  ],
  defaults: [
    { selector: `.${CLASS}__header`, color: 'secondary', properties: ['background-color'] },
    { selector: `.${CLASS}__heading`, typography: 'primary' },
    { selector: `.${CLASS}__subheading`, typography: 'secondary' },
    { selector: `.${CLASS}__price`, typography: 'primary' },
    { selector: `.${CLASS}__features-list`, color: 'text', typography: 'text' },
    { selector: `.${CLASS}__button`, color: 'accent', properties: ['background-color'], typography: 'accent' },
    { selector: '.builder-ribbon-inner', color: 'accent', properties: ['background-color'], typography: 'accent' },
  ],
  rules: `.builder-widget-price-table{width:var(--container-widget-width);flex-grow:var(--container-widget-flex-grow);overflow:hidden}
.${CLASS}{text-align:center}.${CLASS}__header{padding:20px 0;background-color:#555;color:#fff}
.${CLASS}__heading{margin:0;padding:0;font-size:24px;line-height:1.2;color:inherit}.${CLASS}__subheading{display:block;font-size:13px}
.${CLASS}__price{display:flex;flex-wrap:wrap;justify-content:center;padding:40px 0;font-size:65px;font-weight:800;line-height:1}
.${CLASS}__original-price{margin-inline-end:15px;font-size:25px;font-weight:400;text-decoration:line-through;align-self:flex-end}
.${CLASS}__currency{font-size:.4em}.${CLASS}__after-price{display:flex;flex-direction:column;align-items:flex-start;text-align:start}
.${CLASS}__fractional-part{font-size:.4em}.${CLASS}__period{width:100%;font-size:13px;font-weight:400;line-height:1.4}
.${CLASS}__after-price .${CLASS}__period{width:auto;margin-block-start:auto}
.${CLASS}__features-list{list-style:none;margin:0;padding:15px}.${CLASS}__features-list li{padding-block:5px;line-height:1}
.${CLASS}__feature-inner{display:inline-flex;align-items:center;gap:8px;margin-inline:15px}
.${CLASS}__feature-inner svg{width:1em;height:1em}
.${CLASS}__footer{padding:30px 0}.${CLASS}__additional_info{margin:20px 30px 0;font-size:13px;line-height:1.4}${ribbonRules}`,
})

export const priceTableWidgets: WidgetTable = { 'price-table': priceTable }
