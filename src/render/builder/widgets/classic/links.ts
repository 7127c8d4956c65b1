/** Draws classic widgets that lead elsewhere: the search form, menus, the links of the site, feeds of other sites. */
import { linkAddress } from '../../document/addresses.ts'
import { type Child, filled, h } from '../../html/nodes.ts'
import type { MenuItem } from '../../records/host-services.ts'
import { menus } from '../../records/service-answers.ts'
import { archiveOf, searchText } from '../../template-context/page.ts'
import type { WidgetContext } from '../context.ts'
import type { WidgetTable } from '../widget.ts'
import { classicWidget } from './instance.ts'

function search({ id, pass }: WidgetContext): Child {
  pass.depend('option:url')
  const field = `cms-search-${id}`
  const current = archiveOf(pass)?.archive === 'search' ? searchText(pass) : ''
  return h(
    'form',
    { class: ['search-form'], role: 'search', method: 'get', action: pass.site.home },
    h('label', { class: ['builder-screen-only'], for: field }, 'Search'),
    h('input', {
      id: field,
      class: ['search-field'],
      type: 'search',
      name: 's',
      value: current,
      placeholder: 'Search this site',
    }),
    h('button', { class: ['search-submit'], type: 'submit' }, 'Search'),
  )
}

/** A menu that refers to itself ends at this depth. */
const maxDepth = 10

const menuList = (items: readonly MenuItem[], className: string, depth = 0): Child =>
  filled(
    'ul',
    { class: [className] },
    items.map(({ title, url, children = [] }) => {
      const href = linkAddress(url)
      return h(
        'li',
        { class: ['menu-item', children.length > 0 && 'menu-item-has-children'] },
        h('a', { href: href === '' ? undefined : href }, title),
        depth < maxDepth && menuList(children, 'sub-menu', depth + 1),
      )
    }),
  )

function menu({ settings, pass }: WidgetContext): Child {
  const name = settings.text('nav_menu')
  if (name === '') return undefined
  pass.depend(`menu:${name}`)
  pass.depend('query:nav_menu_item')
  const list = menuList(pass.get(menus, name) ?? [], 'menu')
  const title = settings.text('title')
  return filled('nav', { 'aria-label': title === '' ? 'Menu' : title }, list)
}

/** The entries of a feed are not read, because a render makes no request: readers get a link to it. */
function feed({ settings, pass, element }: WidgetContext): Child {
  const href = linkAddress(settings.text('url').trim())
  if (href === '') return undefined
  pass.warnings.add('not_drawn', element.id, 'The entries of a feed are not drawn: a render makes no request.')
  return h('p', {}, h('a', { href }, settings.text('title') === '' ? href : 'Open the feed'))
}

export const linkWidgets: WidgetTable = {
  'wp-widget-search': classicWidget(search, {
    rules: `.builder-widget .search-form{display:flex;gap:8px}.builder-widget .search-field{flex:1;min-width:0;font:inherit;padding:.5em .75em}
.builder-widget .search-submit{font:inherit;padding:.5em 1em;cursor:pointer}`,
    isUnread: true,
  }),
  'wp-widget-nav_menu': classicWidget(menu, { isUnread: true }),
  'wp-widget-rss': classicWidget(feed, { isUnread: true }),
}
