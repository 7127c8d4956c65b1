/** Draws a map of the pages and terms of the site. */
import { color, number, size } from '../../controls/control.ts'
import { typography } from '../../controls/typography.ts'
import { numberText } from '../../css/values.ts'
import { limits } from '../../document/limits.ts'
import { type Child, filled, h, isNothing } from '../../html/nodes.ts'
import { listPages, pageItems } from '../../lists/pages.ts'
import { publishedPosts, shownTitle } from '../../lists/posts.ts'
import { listTerms, termItems } from '../../lists/terms.ts'
import type { WidgetContext } from '../context.ts'
import { type WidgetTable, widget } from '../widget.ts'

const ITEM = 'builder-sitemap-item'

function typeList(item: WidgetContext): Child {
  const { settings, pass, scope } = item
  const type = settings.choice('sitemap_source_post_type', ['post', 'page'], 'page')
  if (type === 'page' && settings.isOn('sitemap_hierarchical_post_type', 'yes')) {
    const names = { item: ITEM, hasBelow: 'has-children', list: 'builder-sitemap-list' }
    return pageItems(listPages({}, pass), names, scope.post, pass)
  }
  const by = settings.text('sitemap_orderby_post_type', 'post_title') === 'post_date' ? 'date' : 'title'
  const order = { by, descending: settings.text('sitemap_order_post_type') === 'desc' } as const
  const { posts } = publishedPosts({ types: [type], order, offset: 0, limit: limits.listed }, pass)
  return posts.map((post) =>
    h('li', { class: [ITEM] }, h('a', { href: pass.addressOf(post.id) }, shownTitle(post, pass))),
  )
}

function section(item: WidgetContext, element: WidgetContext): Child {
  const { settings, pass } = item
  const isTaxonomy = settings.text('sitemap_type_selector', 'post_type') === 'taxonomy'
  const taxonomy = settings.text('sitemap_source_taxonomy', 'category')
  const hidesEmpty = settings.isOn('sitemap_hide_empty', 'yes')
  const items = isTaxonomy
    ? termItems(listTerms({ taxonomy, hidesEmpty }, pass), { isHierarchical: true })
    : typeList(item)
  if (isNothing(items)) return undefined
  const title = item.html('sitemap_title', isTaxonomy ? 'Categories' : 'Pages')
  return h(
    'div',
    { class: ['builder-sitemap-section'] },
    filled(element.tag('sitemap_title_tag', 'h2'), { class: ['builder-sitemap-title'] }, title),
    h('ul', { class: ['builder-sitemap-list'] }, items),
  )
}

const sitemap = widget({
  html: (element) =>
    filled(
      'div',
      { class: ['builder-sitemap-wrap'] },
      element.items('sitemap_items').map((item) => section(item, element)),
    ),
  controls: [
    number(
      'sitemap_columns',
      '&',
      (count) => [['--e-columns', numberText(Math.min(Math.max(Math.round(count), 1), 6))]],
      {
        isResponsive: true,
      },
    ),
    color('sitemap_title_color', '& .builder-sitemap-title', 'color'),
    ...typography('sitemap_title_typography', '& .builder-sitemap-title'),
    color('sitemap_list_item_color', '& .builder-sitemap-list a', 'color'),
    ...typography('sitemap_list_typography', '& .builder-sitemap-list a'),
    size('sitemap_list_indent', '& .builder-sitemap-list', 'padding-inline-start'),
  ],
  defaults: [
    { selector: '.builder-sitemap-title', color: 'primary', typography: 'primary' },
    { selector: '.builder-sitemap-list a', color: 'text', typography: 'text' },
  ],
  rules: `.builder-sitemap-wrap{display:grid;gap:30px;grid-template-columns:repeat(auto-fit,minmax(min(100%,max(200px,100%/(var(--e-columns,4) + 1))),1fr))}
.builder-sitemap-title{margin:0 0 10px}.builder-sitemap-list{margin:0;padding-inline-start:1.2em}`,
  isUnread: true,
})

export const sitemapWidgets: WidgetTable = { sitemap }
