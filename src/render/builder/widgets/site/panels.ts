/** Draws panels that open: menus whose entries have panels, and panels over the page. They open without a script. */
import { color, size } from '../../controls/control.ts'
import { typography } from '../../controls/typography.ts'
import { nameOf } from '../../document/values.ts'
import { type Child, h, isNothing } from '../../html/nodes.ts'
import type { WidgetContext } from '../context.ts'
import { type WidgetTable, widget } from '../widget.ts'

const CARET = { value: 'eicon-caret-down', library: 'eicons' }

/** An entry with a panel is a disclosure, or a link beside one. */
function menuItem(item: WidgetContext, index: number, element: WidgetContext): Child {
  const title = [item.icon('item_icon'), h('span', { class: ['e-n-menu-title-text'] }, item.html('item_title'))]
  const link = item.linkAttributes('item_link')
  const panel = item.settings.isOn('item_dropdown_content') ? element.child(index) : undefined
  const label = link
    ? h('a', { class: ['e-n-menu-title-container', 'e-link'], ...link }, title)
    : h('span', { class: ['e-n-menu-title-container'] }, title)
  if (isNothing(panel)) return h('li', { class: ['e-n-menu-item'] }, label)
  const sign = h('span', { class: ['e-n-menu-dropdown-icon'] }, element.icon('menu_item_icon', CARET))
  const name = item.label('item_title')
  const opener = link
    ? h('summary', { class: ['e-n-menu-opener'], 'aria-label': `Open ${name}` }, sign)
    : h('summary', { class: ['e-n-menu-title-container'] }, title, sign)
  const details = h(
    'details',
    { class: ['e-n-menu-details'], name: `e-n-menu-${element.id}` },
    opener,
    h('div', { class: ['e-n-menu-content'] }, panel),
  )
  return h('li', { class: ['e-n-menu-item'] }, link && label, details)
}

const megaMenu = widget({
  html: (element) => {
    const items = element.items('menu_items')
    if (items.length === 0) return undefined
    const label = element.label('menu_name') || 'Menu'
    return h(
      'nav',
      { class: ['e-n-menu'], 'aria-label': label },
      h(
        'ul',
        { class: ['e-n-menu-heading'] },
        items.map((item, index) => menuItem(item, index, element)),
      ),
    )
  },
  controls: [
    size('menu_item_title_space_between', '& .e-n-menu-heading', 'gap'),
    color('menu_item_color', '& .e-n-menu-title-container', ['color', 'fill']),
    color('menu_item_color_hover', '& .e-n-menu-title-container:hover', ['color', 'fill']),
    ...typography('menu_item_typography', '& .e-n-menu-title-container'),
  ],
  defaults: [{ selector: '.e-n-menu-title-container', color: 'secondary', typography: 'accent' }],
  rules: `.builder-widget-mega-menu{width:var(--container-widget-width);flex-grow:var(--container-widget-flex-grow);min-width:0}
.e-n-menu{position:relative}.e-n-menu-heading{display:flex;flex-wrap:wrap;gap:10px;list-style:none;margin:0;padding:0}
.e-n-menu-item{display:flex;align-items:center}.e-n-menu-title-container{display:flex;align-items:center;gap:8px;padding:10px;
list-style:none;text-decoration:none;cursor:pointer}.e-n-menu-opener{display:flex;padding:10px;list-style:none;cursor:pointer}
.e-n-menu-details>summary::-webkit-details-marker{display:none}.e-n-menu-dropdown-icon{display:flex}
.e-n-menu-details[open] .e-n-menu-dropdown-icon{transform:rotate(180deg)}
.e-n-menu-content{position:absolute;inset-inline:0;inset-block-start:100%;z-index:999;background-color:#fff;box-shadow:0 8px 20px rgba(0,0,0,.15)}`,
  isUnread: true,
})

/** The link of the dynamic tag `off-canvas` leads to the panel; the target of an address opens it without a script. */
const offCanvas = widget({
  html: (element) => {
    const content = element.children()
    if (isNothing(content)) return undefined
    return h(
      'div',
      {
        ...{ id: `off-canvas-${nameOf(element.id)}`, class: ['e-off-canvas'], role: 'dialog' },
        'aria-label': element.label('off_canvas_name') || 'Panel',
      },
      h('a', { class: ['e-off-canvas__overlay'], href: '#', 'aria-label': 'Close' }),
      h(
        'div',
        { class: ['e-off-canvas__main'] },
        h('a', { class: ['e-off-canvas__close'], href: '#', 'aria-label': 'Close' }, element.icon('close_icon', CLOSE)),
        h('div', { class: ['e-off-canvas__content'] }, content),
      ),
    )
  },
  controls: [
    size('width', '& .e-off-canvas__main', 'width'),
    size('off_canvas_width', '& .e-off-canvas__main', 'width'),
    color('background_color', '& .e-off-canvas__main', 'background-color'),
    color('overlay_background_color', '& .e-off-canvas__overlay', 'background-color'),
  ],
  rules: `.e-off-canvas{display:none;position:fixed;inset:0;z-index:9999}.e-off-canvas:target{display:block}
.e-off-canvas__overlay{position:absolute;inset:0;background-color:rgba(0,0,0,.8)}
.e-off-canvas__main{position:absolute;inset-block:0;inset-inline-end:0;width:400px;max-width:100%;overflow:auto;background-color:#fff}
.e-off-canvas__close{display:flex;justify-content:flex-end;padding:15px;font-size:20px;color:inherit}`,
  isUnread: true,
})

const CLOSE = { value: 'eicon-close', library: 'eicons' }

export const panelWidgets: WidgetTable = { 'mega-menu': megaMenu, 'off-canvas': offCanvas }
