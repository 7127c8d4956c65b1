/** Draws lists of offers with prices, such as the menu of a restaurant. */
import { color, size } from '../../controls/control.ts'
import { typography } from '../../controls/typography.ts'
import { nameOf } from '../../document/values.ts'
import { type Child, filled, h, isNothing } from '../../html/nodes.ts'
import type { WidgetContext } from '../context.ts'
import { type WidgetTable, widget } from '../widget.ts'

const CLASS = 'builder-price-list'
const part = (name: string) => ({ class: [`${CLASS}-${name}`] })

function entry(item: WidgetContext, element: WidgetContext): Child {
  const title = filled(element.tag('title_tag', 'span'), part('title'), item.html('title'))
  const price = filled('span', part('price'), item.html('price'))
  const text = filled('p', part('description'), item.html('item_description'))
  const image = item.image('image', 'image_size')
  if (isNothing([title, price, text, image])) return undefined
  const line = !isNothing(title) && !isNothing(price)
  const content = [
    filled('div', { class: [`${CLASS}-image`] }, image),
    h(
      'div',
      { class: [`${CLASS}-text`] },
      h('div', { class: [`${CLASS}-header`] }, title, line && h('span', part('separator')), price),
      text,
    ),
  ]
  const inner = { class: [`${CLASS}-item`] }
  const link = item.linkAttributes('link')
  return h(
    'li',
    { class: [`builder-repeater-item-${nameOf(item.settings.raw['_id'])}`] },
    link ? h('a', { ...inner, ...link }, content) : h('div', inner, content),
  )
}

const P = `& .${CLASS}`

const priceList = widget({
  html: (element) =>
    filled(
      'ul',
      { class: [CLASS] },
      element.items('price_list').map((item) => entry(item, element)),
    ),
  controls: [
    color('heading_color', `${P}-title`, 'color'),
    ...typography('heading_typography', `${P}-title`),
    color('price_color', `${P}-price`, 'color'),
    ...typography('price_typography', `${P}-price`),
    color('description_color', `${P}-description`, 'color'),
    ...typography('description_typography', `${P}-description`),
    color('separator_color', `${P}-separator`, 'border-bottom-color'),
    size('separator_weight', `${P}-separator`, 'border-bottom-width'),
    size('separator_spacing', `${P}-separator`, 'margin-inline'),
    size('row_gap', P, 'row-gap'),
    size('image_spacing', `${P}-item`, 'gap'),
  ],
  defaults: [
    { selector: `.${CLASS}-header`, color: 'primary', typography: 'primary' },
    { selector: `.${CLASS}-description`, color: 'text', typography: 'text' },
    { selector: `.${CLASS}-separator`, color: 'secondary', properties: ['border-bottom-color'] },
  ],
  rules: `.builder-widget-price-list{width:var(--container-widget-width);flex-grow:var(--container-widget-flex-grow)}
.${CLASS}{display:grid;row-gap:20px;list-style:none;margin:0;padding:0}
.${CLASS}-item{display:flex;gap:20px;color:inherit;text-decoration:none}.${CLASS}-text{flex:1 1 0;min-width:0}
.${CLASS}-image{flex:0 0 auto;max-width:50%}.${CLASS}-image img{max-width:100%;height:auto}
.${CLASS}-header{display:flex;align-items:baseline;justify-content:space-between;font-size:19px}
.${CLASS}-title{margin:0;font:inherit}.${CLASS}-separator{flex:1 1 20px;margin-inline:10px;border-bottom:2px dotted}
.${CLASS}-price{white-space:nowrap}.${CLASS}-description{margin:.25em 0 0;font-size:14px}`,
})

export const priceListWidgets: WidgetTable = { 'price-list': priceList }
