/** Draws classic widgets that list records of the site: posts, pages, terms, months. */
import { limits } from '../../document/limits.ts'
import { idOf } from '../../document/values.ts'
import { type Child, filled, h, isNothing } from '../../html/nodes.ts'
import { listArchives } from '../../lists/archives.ts'
import { calendarTable } from '../../lists/calendar.ts'
import { commentAddress, latestComments, linkedAuthor } from '../../lists/comments.ts'
import { listPages, pageItems } from '../../lists/pages.ts'
import { publishedPosts, shownTitle } from '../../lists/posts.ts'
import { cloudLinks, listTerms, termItems } from '../../lists/terms.ts'
import { formatDate, siteFormat } from '../../template-context/dates.ts'
import type { WidgetContext } from '../context.ts'
import type { WidgetTable } from '../widget.ts'
import { classicWidget, isChecked } from './instance.ts'

/** A menu that leads to its entries needs a script; a disclosure takes as little room, and its links work without one. */
const listed = (instance: WidgetContext, items: Child, label: string): Child => {
  const list = filled('ul', {}, items)
  if (isNothing(list) || !isChecked(instance, 'dropdown')) return list
  return h('details', {}, h('summary', {}, label), list)
}

function categories(instance: WidgetContext): Child {
  const isHierarchical = isChecked(instance, 'hierarchical')
  const terms = listTerms({ taxonomy: 'category' }, instance.pass)
  const items = termItems(terms, { isHierarchical, hasCounts: isChecked(instance, 'count') })
  return listed(instance, items, 'Choose a category')
}

function archives(instance: WidgetContext): Child {
  const hasCounts = isChecked(instance, 'count')
  const items = listArchives({ unit: 'monthly' }, instance.pass).map(({ label, address, count }) =>
    h('li', {}, h('a', { href: address }, label), hasCounts && count !== undefined && ` (${count})`),
  )
  return listed(instance, items, 'Choose a month')
}

function recentPosts(instance: WidgetContext): Child {
  const { settings, pass } = instance
  const limit = Math.min(Math.max(Math.floor(settings.number('number', 5)), 1), limits.listed)
  const order = { by: 'date', descending: true } as const
  const { posts } = publishedPosts({ types: ['post'], order, offset: 0, limit }, pass)
  const items = posts.map((post) => {
    const date = isChecked(instance, 'show_date') && formatDate(post.date, siteFormat('date_format', pass), pass)
    return h(
      'li',
      {},
      h('a', { href: pass.addressOf(post.id) }, shownTitle(post, pass)),
      date !== false && [' ', h('span', { class: ['post-date'] }, date)],
    )
  })
  return filled('ul', {}, items)
}

function recentComments({ settings, pass }: WidgetContext): Child {
  const items = latestComments(Math.floor(settings.number('number', 5)), pass).map(({ comment, post }) =>
    h(
      'li',
      { class: ['recentcomments'] },
      linkedAuthor(comment, ['comment-author-link'], pass),
      ' on ',
      h('a', { href: commentAddress(comment, pass) }, shownTitle(post, pass)),
    ),
  )
  return filled('ul', {}, items)
}

const ORDERS = { post_title: 'title', ID: 'id', menu_order: 'menuOrder' } as const
const SORTS = ['post_title', 'ID', 'menu_order'] as const

function pages({ settings, pass, scope }: WidgetContext): Child {
  const sort = SORTS.find((name) => name === settings.text('sortby')) ?? 'post_title'
  const notIds = settings
    .text('exclude')
    .split(',')
    .flatMap((text) => idOf(text.trim()) ?? [])
  const nodes = listPages({ order: ORDERS[sort], notIds: notIds.slice(0, limits.items) }, pass)
  const names = { item: 'page_item', hasBelow: 'page_item_has_children', list: 'children' }
  return filled('ul', {}, pageItems(nodes, names, scope.post, pass))
}

/** The largest number of links in a cloud. */
const cloudSize = 45

function tagCloud(instance: WidgetContext): Child {
  const { settings, pass } = instance
  const taxonomy = settings.text('taxonomy', 'post_tag') || 'post_tag'
  const all = listTerms({ taxonomy, orderBy: 'count', isDescending: true, limit: cloudSize }, pass)
  const terms = all.filter(({ count }) => count > 0).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  if (terms.length === 0) return undefined
  const links = cloudLinks(terms, { hasCounts: isChecked(instance, 'count') })
  return h('div', { class: ['tagcloud'] }, links)
}

function siteLinks({ pass }: WidgetContext): Child {
  pass.depend('option:url')
  const { home } = pass.site
  const links = [
    [`${home}/login/`, 'Log in'],
    [`${home}/feed/`, 'Entries feed'],
  ] as const
  return h(
    'ul',
    {},
    links.map(([href, text]) => h('li', {}, h('a', { href }, text))),
  )
}

export const classicListWidgets: WidgetTable = {
  'wp-widget-categories': classicWidget(categories, { title: 'Categories', isUnread: true }),
  'wp-widget-archives': classicWidget(archives, { title: 'Archives', isUnread: true }),
  'wp-widget-recent-posts': classicWidget(recentPosts, { title: 'Recent Posts', isUnread: true }),
  'wp-widget-recent-comments': classicWidget(recentComments, { title: 'Recent Comments', isUnread: true }),
  'wp-widget-pages': classicWidget(pages, { title: 'Pages', isUnread: true }),
  'wp-widget-tag_cloud': classicWidget(tagCloud, { title: 'Tags', isUnread: true }),
  'wp-widget-calendar': classicWidget(({ pass }) => calendarTable({}, pass), {
    rules: `.builder-widget-wp-widget-calendar table{width:100%;border-collapse:collapse;text-align:center}
.builder-widget-wp-widget-calendar nav{display:flex;justify-content:space-between}`,
    isUnread: true,
  }),
  'wp-widget-meta': classicWidget(siteLinks, { title: 'Meta', isUnread: true }),
}
