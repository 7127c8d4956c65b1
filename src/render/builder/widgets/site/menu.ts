/** Draws the navigation menu: the items that the host returns, or those of the stored menu. */

import { prefixClass } from '../../controls/classes.ts'
import { choice, color, size } from '../../controls/control.ts'
import { typography } from '../../controls/typography.ts'
import { linkAddress } from '../../document/addresses.ts'
import { type Child, h, isNothing } from '../../html/nodes.ts'
import type { MenuItem } from '../../records/host-services.ts'
import { menus } from '../../records/service-answers.ts'
import { plainOf } from '../../template-context/current-post.ts'
import type { WidgetContext } from '../context.ts'
import type { Icon } from '../icon.ts'
import { type WidgetTable, widget } from '../widget.ts'

const LAYOUTS = ['horizontal', 'vertical', 'dropdown']
const POINTERS = ['underline', 'overline', 'double-line', 'framed', 'background', 'text', 'none']
/** A menu that refers to itself ends at this depth. */
const maxDepth = 10

interface Listed {
  readonly current: string
  /** True: the hidden copy for small screens, whose links the tab key skips. */
  readonly isCopy: boolean
  readonly icon: Child
}

function drawItem(item: MenuItem, depth: number, listed: Listed): Child {
  const children = depth < maxDepth ? (item.children ?? []) : []
  const href = linkAddress(item.url)
  const isCurrent = href !== '' && withoutEnd(href) === withoutEnd(listed.current)
  return h(
    'li',
    {
      class: ['menu-item', children.length > 0 && 'menu-item-has-children', isCurrent && 'current-menu-item'],
    },
    h(
      'a',
      {
        class: [depth === 0 ? 'builder-item' : 'builder-sub-item', isCurrent && 'builder-item-active'],
        href: href === '' ? undefined : href,
        'aria-current': isCurrent ? 'page' : undefined,
        tabindex: listed.isCopy ? '-1' : undefined,
      },
      item.title,
      children.length > 0 && listed.icon,
    ),
    children.length > 0 &&
      h(
        'ul',
        { class: ['sub-menu', 'builder-nav-menu--dropdown'] },
        children.map((child) => drawItem(child, depth + 1, listed)),
      ),
  )
}

const withoutEnd = (address: string): string => address.replace(/[?#].*$/, '').replace(/\/+$/, '')

function subIcon(element: WidgetContext): Child {
  const icon = element.icon('submenu_icon', CARET)
  return isNothing(icon) ? undefined : h('span', { class: ['sub-arrow'] }, icon)
}

const CARET: Icon = { value: 'fas fa-caret-down', library: 'fa-solid' }
const sign = (name: string): Icon => ({ value: `eicon-${name}`, library: 'eicons' })

/** Draws a sign for the closed menu, and one for the open menu. */
const toggleSigns = (element: WidgetContext): Child =>
  h(
    'span',
    { class: ['builder-menu-toggle__icon'], 'aria-hidden': 'true' },
    h('span', { class: ['builder-menu-toggle__icon--open'] }, element.icon('toggle_icon_normal', sign('menu-bar'))),
    h('span', { class: ['builder-menu-toggle__icon--close'] }, element.icon('toggle_icon_active', sign('close'))),
  )

const ITEM = '& .builder-nav-menu--main .builder-item'

const navMenu = widget({
  html: (element) => {
    const { settings, pass } = element
    const name = settings.text('menu')
    if (name === '') return undefined
    pass.depend(`menu:${name}`)
    pass.depend('query:nav_menu_item')
    const items = pass.get(menus, name) ?? []
    if (items.length === 0) return undefined
    const layout = settings.choice('layout', LAYOUTS, 'horizontal')
    const label = plainOf(settings.text('menu_name', 'Menu'))
    // The menu marks the page that the request shows.
    pass.depend('vary:request')
    const current = pass.context.url ?? ''
    const list = (isCopy: boolean) =>
      h(
        'ul',
        { class: ['builder-nav-menu'] },
        items.map((item) => drawItem(item, 0, { current, isCopy, icon: subIcon(element) })),
      )
    const hasToggle = settings.text('toggle', 'burger') !== '' && settings.text('dropdown', 'tablet') !== 'none'
    return [
      layout !== 'dropdown' &&
        h(
          'nav',
          {
            class: [
              'builder-nav-menu--main',
              'builder-nav-menu__container',
              `builder-nav-menu--layout-${layout}`,
              `e--pointer-${settings.choice('pointer', POINTERS, 'underline')}`,
            ],
            'aria-label': label === '' ? undefined : label,
          },
          list(false),
        ),
      (hasToggle || layout === 'dropdown') && [
        h(
          'div',
          {
            class: ['builder-menu-toggle'],
            role: 'button',
            tabindex: '0',
            'aria-label': 'Menu Toggle',
            'aria-expanded': 'false',
          },
          toggleSigns(element),
        ),
        h(
          'nav',
          { class: ['builder-nav-menu--dropdown', 'builder-nav-menu__container'], 'aria-hidden': 'true' },
          list(true),
        ),
      ],
    ]
  },
  classes: [
    prefixClass('dropdown', 'builder-nav-menu--dropdown-', { byDefault: 'tablet' }),
    prefixClass('align_items', 'builder-nav-menu__align-'),
  ],
  controls: [
    ...typography('menu_typography', '& .builder-nav-menu .builder-item'),
    color('color_menu_item', ITEM, (value) => [
      ['color', value],
      ['fill', value],
    ]),
    color('color_menu_item_hover', `${ITEM}:hover, ${ITEM}:focus`, 'color'),
    color('color_menu_item_active', `${ITEM}.builder-item-active`, 'color'),
    size('padding_horizontal_menu_item', ITEM, ['padding-left', 'padding-right']),
    size('padding_vertical_menu_item', ITEM, ['padding-top', 'padding-bottom']),
    size('menu_space_between', '&', '--menu-gap'),
    color('color_dropdown_item', '& .builder-sub-item', 'color'),
    color('background_color_dropdown_item', '& .sub-menu', 'background-color'),
    choice(
      'align_items',
      {
        left: 'flex-start',
        start: 'flex-start',
        center: 'center',
        right: 'flex-end',
        end: 'flex-end',
        justify: 'space-between',
      },
      '& .builder-nav-menu--main > .builder-nav-menu',
      'justify-content',
      { isResponsive: false },
    ),
  ],
  defaults: [
    { selector: '.builder-nav-menu .builder-item', color: 'text', typography: 'primary' },
    { selector: '.builder-sub-item', typography: 'accent' },
  ],
  // Without a script the main list stays visible on small screens, because the toggle could not open the other one.
  rules: `.builder-nav-menu,.builder-nav-menu ul{list-style:none;margin:0;padding:0}
.builder-nav-menu li{position:relative}.builder-nav-menu a{display:block;padding:13px 20px;text-decoration:none}
.builder-nav-menu--layout-horizontal>.builder-nav-menu{display:flex;flex-wrap:wrap;gap:var(--menu-gap,0)}
.builder-nav-menu--main .sub-menu{position:absolute;inset-block-start:100%;min-width:12em;z-index:999;background-color:#fff;display:none}
.builder-nav-menu--main .sub-menu .sub-menu{inset-block-start:0;inset-inline-start:100%}
.builder-nav-menu--main li:hover>.sub-menu,.builder-nav-menu--main li:focus-within>.sub-menu{display:block}
.builder-nav-menu--layout-vertical .sub-menu{position:static}
.sub-arrow{display:inline-flex;margin-inline-start:.6em;font-size:.8em;vertical-align:middle}
.builder-menu-toggle__icon{display:flex}.builder-menu-toggle[aria-expanded=true] .builder-menu-toggle__icon--open,
.builder-menu-toggle:not([aria-expanded=true]) .builder-menu-toggle__icon--close{display:none}
.builder-menu-toggle,nav.builder-nav-menu--dropdown{display:none}
.builder-js .builder-menu-toggle[aria-expanded=true]~nav.builder-nav-menu--dropdown{display:block}`,
  isUnread: true,
})

export const menuWidgets: WidgetTable = { 'nav-menu': navMenu }
