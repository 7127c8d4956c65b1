/** Draws widgets about the current post: its date, terms and author, and its neighbours. */

import { lookupTable } from '../../../../contract/lookup-table.ts'
import type { Post } from '../../../../contract/storage.ts'
import { color, size } from '../../controls/control.ts'
import { typography } from '../../controls/typography.ts'
import { nameOf } from '../../document/values.ts'
import { filtered } from '../../html/markup.ts'
import { type Child, filled, h, isNothing } from '../../html/nodes.ts'
import type { Pass } from '../../pass/pass.ts'
import { postListKey, postLists } from '../../records/kinds.ts'
import {
  authorAddress,
  authorOf,
  currentPost,
  plainOf,
  termsOf,
  titleOf,
  visiblePost,
} from '../../template-context/current-post.ts'
import { formatDate, siteFormat } from '../../template-context/dates.ts'
import { profileField } from '../../template-context/fields.ts'
import type { WidgetContext } from '../context.ts'
import { iconOf } from '../icon.ts'
import { type WidgetTable, widget } from '../widget.ts'

interface PostInfo {
  readonly text: Child
  readonly href?: string
  readonly type: string
}

const FORMATS: readonly string[] = ['F j, Y', 'Y-m-d', 'm/d/Y', 'd/m/Y', 'g:i a', 'g:i A', 'H:i']

function formatOf({ settings, pass }: WidgetContext, name: 'date_format' | 'time_format'): string {
  const wanted = settings.text(name, 'default')
  if (wanted === 'custom') return settings.text(`custom_${name}`) || siteFormat(name, pass)
  const listed = { '0': 'F j, Y', '1': 'Y-m-d', '2': 'm/d/Y', '3': 'd/m/Y' }[wanted] ?? wanted
  return FORMATS.includes(listed) ? listed : siteFormat(name, pass)
}

const INFO: { readonly [type: string]: (post: Post, item: WidgetContext) => PostInfo | undefined } = lookupTable({
  author: (post, { pass }) => {
    const author = authorOf(post, pass)
    return author && { type: 'author', text: author.displayName, href: authorAddress(author, pass) }
  },
  date: (post, item) => ({ type: 'date', text: formatDate(post.date, formatOf(item, 'date_format'), item.pass) }),
  time: (post, item) => ({ type: 'time', text: formatDate(post.date, formatOf(item, 'time_format'), item.pass) }),
  comments: (post, { settings, pass }) => ({
    type: 'comments',
    text: filtered(settings.text('string_no_comments', 'No Comments')),
    href: `${pass.addressOf(post.id)}#comments`,
  }),
  terms: (post, { settings, pass }) => {
    const found = termsOf(post, pass, settings.text('taxonomy', 'category'))
    const isLinked = settings.isOn('link', 'yes')
    const names = found.flatMap((term, index) => [
      index > 0 && ', ',
      isLinked
        ? h('a', { href: term.address, class: ['builder-post-info__terms-list-item'] }, term.name)
        : h('span', { class: ['builder-post-info__terms-list-item'] }, term.name),
    ])
    return found.length === 0 ? undefined : { type: 'terms', text: names }
  },
  custom: (_post, item) => ({ type: 'custom', text: item.html('custom_text') }),
})

const INFO_ICONS: { readonly [type: string]: string } = lookupTable({
  ...{ author: 'far fa-user-circle', date: 'fas fa-calendar', time: 'far fa-clock', comments: 'far fa-comment-dots' },
  terms: 'fas fa-tags',
})

/** The switch decides between the icon of the type, an icon of the entry, and none. Older documents store only an icon. */
function infoIcon(item: WidgetContext, type: string): Child {
  const shown = item.settings.choice(
    'show_icon',
    ['default', 'custom', 'none'],
    item.settings.has('show_icon') ? 'none' : '',
  )
  if (shown === 'none') return undefined
  const value = INFO_ICONS[type]
  const ofType =
    value === undefined ? undefined : { value, library: value.startsWith('far') ? 'fa-regular' : 'fa-solid' }
  return shown === 'default' ? iconOf(ofType, item.pass) : item.icon('selected_icon', ofType, 'icon')
}

function drawInfo(item: WidgetContext, post: Post): Child {
  const { settings } = item
  const type = settings.text('type', 'date')
  const info = Object.hasOwn(INFO, type) ? INFO[type]?.(post, item) : undefined
  if (!info || isNothing(info.text)) return undefined
  const before = settings.text('text_prefix')
  const content = [
    filled('span', { class: ['builder-icon-list-icon'] }, infoIcon(item, info.type)),
    h(
      'span',
      { class: ['builder-icon-list-text', 'builder-post-info__item', `builder-post-info__item--type-${info.type}`] },
      before !== '' && h('span', { class: ['builder-post-info__item-prefix'] }, filtered(before)),
      info.text,
    ),
  ]
  const isLinked = info.href !== undefined && settings.isOn('link', 'yes')
  const own = type === 'custom' ? item.linkAttributes('custom_url') : undefined
  const link = own ?? (isLinked ? { href: info.href } : undefined)
  return h(
    'li',
    {
      class: ['builder-icon-list-item', `builder-repeater-item-${nameOf(settings.text('_id'))}`, 'builder-inline-item'],
    },
    link ? h('a', link, content) : content,
  )
}

const postInfo = widget({
  html: (element) => {
    const post = currentPost(element.scope, element.pass)
    if (!post) return undefined
    const items = element.items('icon_list').map((item) => drawInfo(item, post))
    return filled('ul', { class: ['builder-inline-items', 'builder-icon-list-items', 'builder-post-info'] }, items)
  },
  controls: [
    color('text_color', '& .builder-icon-list-text, & .builder-icon-list-text a', 'color'),
    color('icon_color', '& .builder-icon-list-icon', ['color', 'fill']),
    ...typography('icon_typography', '& .builder-icon-list-item'),
    size('space_between', '& .builder-post-info', 'column-gap'),
  ],
  defaults: [{ selector: '.builder-icon-list-item', color: 'text', typography: 'text' }],
  rules: `.builder-post-info{display:flex;flex-wrap:wrap;gap:5px 16px;list-style:none;margin:0;padding:0}
.builder-post-info .builder-icon-list-item,.builder-post-info .builder-icon-list-item>a{display:flex;gap:5px;align-items:center}`,
  isUnread: true,
})

// ---------------------------------------------------------------- author

const authorBox = widget({
  html: (element) => {
    const { settings, scope, pass } = element
    const isCustom = settings.text('source', 'current') === 'custom'
    const post = currentPost(scope, pass)
    const author = !isCustom && post ? authorOf(post, pass) : undefined
    const name = isCustom ? element.html('author_name') : author?.displayName
    const biography = isCustom
      ? element.html('author_bio')
      : author && filtered(profileField(author.id, 'description', pass))
    const href = author && authorAddress(author, pass)
    const text = settings.isOn('show_link') ? element.html('link_text', 'All Posts') : undefined
    const parts: Child[] = [
      settings.isOn('show_name', 'yes') &&
        filled('div', {}, filled(element.tag('author_name_tag', 'h4'), { class: ['builder-author-box__name'] }, name)),
      settings.isOn('show_biography', 'yes') && filled('div', { class: ['builder-author-box__bio'] }, biography),
      href !== undefined &&
        filled('a', { class: ['builder-author-box__button', 'builder-button', 'builder-size-xs'], href }, text),
    ]
    if (isNothing(parts)) return undefined
    return h('div', { class: ['builder-author-box'] }, h('div', { class: ['builder-author-box__text'] }, parts))
  },
  controls: [
    color('name_color', '& .builder-author-box__name', 'color'),
    ...typography('name_typography', '& .builder-author-box__name'),
    color('bio_color', '& .builder-author-box__bio', 'color'),
    ...typography('bio_typography', '& .builder-author-box__bio'),
  ],
  defaults: [
    { selector: '.builder-author-box__name', color: 'secondary', typography: 'primary' },
    { selector: '.builder-author-box__bio', color: 'text', typography: 'text' },
  ],
  rules: '.builder-author-box{display:flex;gap:20px}.builder-author-box__name{margin:0 0 5px}',
})

// ---------------------------------------------------------------- neighbours

/** Returns the published post of the same type right before or after this one. */
function neighbour(post: Post, isNext: boolean, pass: Pass): Post | undefined {
  pass.depend(`query:${post.type}`)
  const query = {
    types: [post.type],
    statuses: [{ status: 'publish' }],
    notIds: [post.id],
    dates: [{ field: 'date', ...(isNext ? { after: post.date } : { before: post.date }) }],
    order: { by: 'date', descending: !isNext },
    offset: 0,
    limit: 1,
  } as const
  const id = pass.get(postLists, postListKey(query))?.ids[0]
  return id === undefined ? undefined : visiblePost(id, pass)
}

function neighbourLink(element: WidgetContext, post: Post | undefined, direction: 'prev' | 'next'): Child {
  if (!post) return h('div', { class: [`builder-post-navigation__${direction}`, 'builder-post-navigation__link'] })
  const { settings, pass } = element
  const label = direction === 'prev' ? 'Previous' : 'Next'
  return h(
    'div',
    { class: [`builder-post-navigation__${direction}`, 'builder-post-navigation__link'] },
    h(
      'a',
      { href: pass.addressOf(post.id), rel: direction },
      settings.isOn('show_label', 'yes') &&
        h(
          'span',
          { class: [`post-navigation__${direction}--label`] },
          filtered(settings.text(`${direction}_label`, label)),
        ),
      settings.isOn('show_title', 'yes') &&
        h('span', { class: [`post-navigation__${direction}--title`] }, plainOf(titleOf(post, pass))),
    ),
  )
}

const postNavigation = widget({
  html: (element) => {
    const { scope, pass } = element
    const post = currentPost(scope, pass)
    const [before, after] = post ? [neighbour(post, false, pass), neighbour(post, true, pass)] : []
    if (!before && !after) return undefined
    return h(
      'div',
      { class: ['builder-post-navigation'], role: 'navigation', 'aria-label': 'Post Navigation' },
      neighbourLink(element, before, 'prev'),
      neighbourLink(element, after, 'next'),
    )
  },
  rules: `.builder-post-navigation{display:flex;justify-content:space-between;gap:20px}
.builder-post-navigation__link>a{display:flex;flex-direction:column}.builder-post-navigation__next{text-align:end}`,
  isUnread: true,
})

export const postInfoWidgets: WidgetTable = {
  'post-info': postInfo,
  'author-box': authorBox,
  'post-navigation': postNavigation,
}
