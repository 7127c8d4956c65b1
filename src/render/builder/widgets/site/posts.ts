/** Draws the list of posts, and the posts of an archive, in their three skins. */

import { lookupTable } from '../../../../contract/lookup-table.ts'
import type { Post } from '../../../../contract/storage.ts'
import { prefixClass } from '../../controls/classes.ts'
import { type Control, color, size } from '../../controls/control.ts'
import { typography } from '../../controls/typography.ts'
import { limits } from '../../document/limits.ts'
import { imageOf } from '../../elements/image.ts'
import { contentForExcerpt, drawContent } from '../../elements/post-content.ts'
import { filtered } from '../../html/markup.ts'
import { type Child, filled, h } from '../../html/nodes.ts'
import { listPosts } from '../../queries/list.ts'
import { drawPaging, readPaging } from '../../queries/pagination.ts'
import { isFiltered } from '../../queries/reader-filters.ts'
import { readList, sizeOf } from '../../queries/settings.ts'
import {
  authorOf,
  cutToWords,
  isLocked,
  plainOf,
  postClasses,
  titleOf,
  visiblePost,
} from '../../template-context/current-post.ts'
import { formatDate, siteFormat } from '../../template-context/dates.ts'
import type { WidgetContext } from '../context.ts'
import { type WidgetTable, widget } from '../widget.ts'
import { columnClasses } from './columns.ts'
import { pagingControls, pagingDefaults, pagingRules } from './paging.ts'

const SKINS = ['classic', 'cards', 'full_content']
/** The list of an archive stores its skins under names that begin with this. */
const ARCHIVE = 'archive_'
const ALL_SKINS = [...SKINS, ...SKINS.map((skin) => ARCHIVE + skin)]

const isArchive = ({ element }: WidgetContext): boolean => element.widgetType === 'archive-posts'
const skinOf = (element: WidgetContext): string =>
  element.settings.choice('_skin', ALL_SKINS, isArchive(element) ? `${ARCHIVE}classic` : 'classic')

/** Reads settings of a skin. Their names start with the name of the skin; settings without it apply to all skins. */
class Skin {
  readonly element: WidgetContext
  /** The start of the names of its settings. */
  readonly name: string
  readonly look: string
  constructor(element: WidgetContext) {
    this.element = element
    this.name = skinOf(element)
    this.look = this.name.replace(ARCHIVE, '')
  }

  named(setting: string): string {
    const own = `${this.name}_${setting}`
    return this.element.settings.has(own) ? own : setting
  }

  text(setting: string, byDefault = ''): string {
    return this.element.settings.text(this.named(setting), byDefault)
  }

  isOn(setting: string, byDefault = ''): boolean {
    return this.element.settings.isOn(this.named(setting), byDefault)
  }

  number(setting: string, byDefault: number): number {
    return this.element.settings.number(this.named(setting), byDefault)
  }

  value(setting: string): unknown {
    return this.element.settings.value(this.named(setting))
  }
}

interface Card {
  readonly post: Post
  readonly href: string
  readonly title: string
  readonly skin: Skin
}

function thumbnail({ post, href, title, skin }: Card): Child {
  if (skin.text('thumbnail', 'top') === 'none') return undefined
  const { settings, pass } = skin.element
  const image = imageOf(
    { id: post.featuredMedia },
    { sizeName: skin.named('thumbnail_size_size').replace(/_size$/, ''), settings, pass, byDefault: 'medium' },
  )
  if (!image) return undefined
  return h(
    'a',
    { class: ['builder-post__thumbnail__link'], href, tabindex: '-1', 'aria-label': plainOf(title), ...target(skin) },
    h('div', { class: ['builder-post__thumbnail'] }, image),
  )
}

const target = (skin: Skin) => (skin.isOn('open_new_tab') ? { target: '_blank', rel: 'noopener' } : {})

function heading({ href, title, skin }: Card): Child {
  if (!skin.isOn('show_title', 'yes')) return undefined
  const tag = skin.element.tag(skin.named('title_tag'), 'h3')
  return h(tag, { class: ['builder-post__title'] }, h('a', { href, ...target(skin) }, filtered(title)))
}

const META: { readonly [name: string]: (card: Card) => Child } = lookupTable({
  date: ({ post, skin }) => {
    const { pass } = skin.element
    return h('span', { class: ['builder-post-date'] }, formatDate(post.date, siteFormat('date_format', pass), pass))
  },
  time: ({ post, skin }) => {
    const { pass } = skin.element
    return h('span', { class: ['builder-post-time'] }, formatDate(post.date, siteFormat('time_format', pass), pass))
  },
  modified: ({ post, skin }) => {
    const { pass } = skin.element
    const text = formatDate(post.modified, siteFormat('date_format', pass), pass)
    return h('span', { class: ['builder-post-date'] }, text)
  },
  author: ({ post, skin }) =>
    filled('span', { class: ['builder-post-author'] }, authorOf(post, skin.element.pass)?.displayName),
  // A render does not count comments.
  comments: () => h('span', { class: ['builder-post-avatar'] }, 'No Comments'),
})

function metaData(card: Card): Child {
  const stored = card.skin.value('meta_data')
  const names: readonly unknown[] = Array.isArray(stored) ? stored : stored === undefined ? ['date', 'comments'] : []
  const parts = names.flatMap((name) =>
    typeof name === 'string' && Object.hasOwn(META, name) ? [META[name]?.(card)] : [],
  )
  return filled('div', { class: ['builder-post__meta-data'] }, parts)
}

function excerpt({ post, skin }: Card): Child {
  const { pass, scope } = skin.element
  if (!skin.isOn('show_excerpt', 'yes') || isLocked(post, pass)) return undefined
  const source = post.excerpt.trim() === '' ? contentForExcerpt(post, scope, pass) : ''
  const words = Math.max(0, Math.floor(skin.number('excerpt_length', 25)))
  const write = () => cutToWords(pass.text.excerpt({ excerpt: post.excerpt, content: source }), words)
  // The text of a document depends on those around it.
  const text = source === '' || source === post.content ? pass.once(`excerpt ${post.id} ${words}`, write) : write()
  return filled('div', { class: ['builder-post__excerpt'] }, text !== '' && h('p', {}, filtered(text)))
}

function readMore({ href, title, skin }: Card): Child {
  if (!skin.isOn('show_read_more', 'yes')) return undefined
  const text = filtered(skin.text('read_more_text', 'Read More »'))
  const label = `Read more about ${plainOf(title)}`
  const attributes = { class: ['builder-post__read-more'], href, 'aria-label': label, tabindex: '-1', ...target(skin) }
  return filled('a', attributes, text)
}

function content({ post, skin }: Card): Child {
  const { pass, scope } = skin.element
  if (isLocked(post, pass) || scope.loops >= limits.loops) return undefined
  const around = { ...scope, loops: scope.loops + 1 }
  return filled('div', { class: ['builder-post__content'] }, drawContent(post, around, pass))
}

function drawCard(id: number, skin: Skin): Child {
  const { pass } = skin.element
  const post = visiblePost(id, pass)
  if (!post) return undefined
  const card: Card = { post, skin, href: pass.addressOf(id), title: titleOf(post, pass) }
  const isFull = skin.look === 'full_content'
  const parts = [
    thumbnail(card),
    h(
      'div',
      { class: ['builder-post__text'] },
      heading(card),
      metaData(card),
      isFull ? content(card) : excerpt(card),
      !isFull && readMore(card),
    ),
  ]
  return h(
    'article',
    { class: ['builder-post', 'builder-grid-item', ...postClasses(id, pass)], role: 'listitem' },
    skin.look === 'cards' ? h('div', { class: ['builder-post__card'] }, parts) : parts,
  )
}

/** Creates the same controls for the settings of each skin. */
const bySkin = (controls: (name: (setting: string) => string) => readonly Control[]): Control[] =>
  ['', ...ALL_SKINS.map((skin) => `${skin}_`)].flatMap((prefix) => [...controls((setting) => prefix + setting)])

export const nothingFound = (element: WidgetContext): Child =>
  filled('div', { class: ['builder-posts-nothing-found'] }, element.html('nothing_found_message', NOTHING_FOUND))

const NOTHING_FOUND = 'Nothing was found here.'

const posts = widget({
  html: (element) => {
    const { settings, pass, scope, id } = element
    const skin = new Skin(element)
    const stored = readList(settings, 'posts_')
    const list = isArchive(element) ? { ...stored, source: 'current_query' } : stored
    const perPage = sizeOf(skin.number('posts_per_page', 6))
    const isCurrentQuery = list.source === 'current_query'
    const paging = readPaging({ settings, element: id, scope, pass, isCurrentQuery })
    const { ids, total } = listPosts({ element: id, list, size: perPage, page: paging.page, pass, scope })
    if (ids.length === 0) return isArchive(element) || isFiltered(id, scope, pass) ? nothingFound(element) : undefined
    const classes = ['builder-posts-container', 'builder-posts', `builder-posts--skin-${skin.look}`, 'builder-grid']
    return [
      h(
        'div',
        { class: classes, role: 'list' },
        ids.map((one) => drawCard(one, skin)),
      ),
      drawPaging(paging, Math.ceil(total / perPage), settings),
    ]
  },
  wrapperClasses: (element) => [
    ...columnClasses(element.settings, `${skinOf(element)}_`),
    `builder-posts--thumbnail-${new Skin(element).text('thumbnail', 'top').replace(/[^\w-]+/g, '')}`,
  ],
  classes: [prefixClass('align', 'builder-posts--align-')],
  controls: [
    ...bySkin((name) => [
      size(name('column_gap'), '&', '--grid-column-gap'),
      size(name('row_gap'), '&', '--grid-row-gap'),
      color(name('title_color'), '& .builder-post__title a', 'color'),
      ...typography(name('title_typography'), '& .builder-post__title a'),
      color(name('meta_color'), '& .builder-post__meta-data', 'color'),
      color(name('excerpt_color'), '& .builder-post__excerpt p', 'color'),
      ...typography(name('excerpt_typography'), '& .builder-post__excerpt p'),
      color(name('read_more_color'), '& .builder-post__read-more', 'color'),
    ]),
    ...pagingControls,
  ],
  defaults: [
    { selector: '.builder-post__title a', color: 'secondary', typography: 'primary' },
    { selector: '.builder-post__excerpt p', color: 'text', typography: 'text' },
    { selector: '.builder-post__read-more', color: 'accent', typography: 'accent' },
    { selector: '.builder-post__meta-data', typography: 'text' },
    ...pagingDefaults,
  ],
  rules: `.builder-widget-posts,.builder-widget-archive-posts{--grid-column-gap:30px;--grid-row-gap:35px}
.builder-post{display:flex;flex-direction:column}.builder-post__title{margin:0 0 .5em}.builder-post__excerpt p{margin:0 0 1em}
.builder-post__thumbnail img{display:block;width:100%}
.builder-posts--thumbnail-left .builder-post{flex-direction:row;gap:20px}
.builder-posts--thumbnail-right .builder-post{flex-direction:row-reverse;gap:20px}
.builder-post__meta-data{display:flex;flex-wrap:wrap;gap:.75em}
${pagingRules}`,
  isUnread: true,
})

export const postsWidgets: WidgetTable = { posts, 'archive-posts': posts }
