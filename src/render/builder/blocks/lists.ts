/** Blocks that list the posts, comments, archives, terms and pages of the site. */

import type { Post } from '../../../contract/storage.ts'
import { escapeHtml } from '../../../core/runtime/escape-html.ts'
import { linkAddress } from '../document/addresses.ts'
import { limits } from '../document/limits.ts'
import { numberOf, ownValue } from '../document/values.ts'
import { drawContent } from '../elements/post-content.ts'
import { trusted } from '../html/markup.ts'
import { type Child, h } from '../html/nodes.ts'
import { type ArchiveUnit, listArchives } from '../lists/archives.ts'
import { calendarTable } from '../lists/calendar.ts'
import { avatarOf, commentAddress, commentAuthor, latestComments, linkedAuthor } from '../lists/comments.ts'
import { listPages, pageItems } from '../lists/pages.ts'
import { publishedPosts, shownTitle } from '../lists/posts.ts'
import { cloudLinks, listTerms, queryNameOf, termItems, termOptions } from '../lists/terms.ts'
import type { Block, BlockCall, BlockTable, Pass } from '../pass/pass.ts'
import type { FeedEntry } from '../records/host-services.ts'
import { options, termsBelow } from '../records/kinds.ts'
import { feeds } from '../records/service-answers.ts'
import { cutToWords, isLocked } from '../template-context/current-post.ts'
import { choice, ids, integer, isOn, text } from './attributes.ts'
import { menuPages } from './navigation.ts'
import { dateOf, excerptOf, lockedText, pictureOf } from './pieces.ts'
import { wrapper } from './wrapper.ts'

// ---------------------------------------------------------------- archives

const UNITS: readonly ArchiveUnit[] = ['monthly', 'yearly', 'weekly', 'daily', 'postbypost']
const UNIT_LABELS = { monthly: 'month', yearly: 'year', weekly: 'week', daily: 'day', postbypost: 'post' } as const

const archives: Block = (call) => {
  const { pass } = call
  const unit = choice(call, 'type', UNITS, 'monthly')
  const entries = listArchives({ unit }, pass)
  const isMenu = isOn(call, 'displayAsDropdown')
  const classes = [isMenu ? 'cms-block-archives-dropdown' : 'cms-block-archives-list']
  if (entries.length === 0) return wrapper(call, { classes }, 'There are no archives yet.')
  const count = (shown: number | undefined) => isOn(call, 'showPostCounts') && shown !== undefined && ` (${shown})`
  if (!isMenu) {
    const item = (entry: (typeof entries)[number]) =>
      h('li', {}, h('a', { href: entry.address }, entry.label), count(entry.count))
    return wrapper(call, { tag: 'ul', classes }, entries.map(item))
  }
  const items = entries.map(({ label, value, count: shown }) => h('option', { value }, label, count(shown)))
  const name = unit === 'postbypost' ? 'p' : 'm'
  return wrapper(
    call,
    { classes },
    selectForm(call, { label: 'Archives', prompt: `Choose a ${UNIT_LABELS[unit]}`, name, items }),
  )
}

interface Select {
  readonly label: string
  readonly prompt: string
  /** The value of the query by which the front page finds the archive. */
  readonly name: string
  readonly items: Child
}

/** Documents run no scripts, so a button leads to the chosen archive. */
function selectForm(call: BlockCall, { label, prompt, name, items }: Select): Child {
  const { pass } = call
  const labelClass = isOn(call, 'showLabel', true) ? `cms-block-${call.name}__label` : 'screen-reader-text'
  pass.depend('option:url')
  return h(
    'form',
    { action: `${pass.site.home}/`, method: 'get' },
    h(
      'label',
      {},
      h('span', { class: [labelClass] }, label),
      ' ',
      h('select', { name, required: true }, h('option', { value: '' }, prompt), items),
    ),
    ' ',
    h('button', { type: 'submit' }, 'Show'),
  )
}

// ---------------------------------------------------------------- terms

const TAXONOMY = /^[a-z][\w-]{0,63}$/

const categories: Block = (call) => {
  const { pass } = call
  const taxonomy = text(call, 'taxonomy', 'category')
  if (!isListed(taxonomy, pass)) return undefined
  const shown = { isHierarchical: isOn(call, 'showHierarchy'), hasCounts: isOn(call, 'showPostCounts') }
  const terms = listTerms(
    { taxonomy, isTopLevel: isOn(call, 'showOnlyTopLevel'), hidesEmpty: !isOn(call, 'showEmpty') },
    pass,
  )
  const isMenu = isOn(call, 'displayAsDropdown')
  const label = text(call, 'label') || (taxonomy === 'category' ? 'Categories' : 'Terms')
  const classes = [
    isMenu ? 'cms-block-categories-dropdown' : 'cms-block-categories-list',
    `cms-block-categories-taxonomy-${taxonomy}`,
  ]
  if (isMenu) {
    const items = termOptions(terms, shown)
    const prompt = taxonomy === 'category' ? 'Choose a category' : 'Choose a term'
    return wrapper(call, { classes }, selectForm(call, { label, prompt, name: queryNameOf(taxonomy), items }))
  }
  const items =
    terms.length === 0 ? h('li', { class: ['is-empty'] }, 'There are no categories yet.') : termItems(terms, shown)
  return wrapper(call, { tag: 'ul', classes }, items)
}

const tagCloud: Block = (call) => {
  const { pass } = call
  const taxonomy = text(call, 'taxonomy', 'post_tag')
  if (!isListed(taxonomy, pass)) return undefined
  const limit = integer(call, 'numberOfTags', 45, [1, 100])
  const most = listTerms({ taxonomy, orderBy: 'count', isDescending: true, limit }, pass).filter(
    ({ count }) => count > 0,
  )
  const terms = most.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id - b.id))
  const [smallest, largest] = [text(call, 'smallestFontSize', '8pt'), text(call, 'largestFontSize', '22pt')]
  const links = cloudLinks(terms, { hasCounts: isOn(call, 'showTagCounts'), smallest, largest })
  return wrapper(call, { tag: 'p' }, terms.length === 0 ? 'There are no tags yet.' : links)
}

/** Blocks list the terms that visitors see on pages. */
const isListed = (taxonomy: string, { records }: Pass): boolean =>
  TAXONOMY.test(taxonomy) && records.source.isPublicTaxonomy(taxonomy)

// ---------------------------------------------------------------- pages

const pageList: Block = (call) => {
  const { pass, scope } = call
  const nodes = listPages({ below: integer(call, 'parentPageID', 0, [0, Number.MAX_SAFE_INTEGER]) }, pass)
  if (scope.around?.navigation) return menuPages(nodes, scope.around.navigation, pass)
  const names = {
    item: 'cms-block-pages-list__item',
    hasBelow: 'has-child',
    link: 'cms-block-pages-list__item__link',
    list: 'cms-block-page-list__submenu-container',
  }
  return wrapper(call, { tag: 'ul' }, pageItems(nodes, names, scope.post, pass))
}

// ---------------------------------------------------------------- posts

const ORDERS = ['date', 'title', 'modified', 'id', 'menuOrder'] as const
const SIDES = ['left', 'right', 'center'] as const

const latestPosts: Block = (call) => {
  const { pass } = call
  const isGrid = text(call, 'postLayout') === 'grid'
  const terms = ids(call, 'categories')
  const below = terms.flatMap((id) => pass.get(termsBelow, id) ?? [])
  const author = integer(call, 'selectedAuthor', 0, [0, Number.MAX_SAFE_INTEGER])
  const { posts } = publishedPosts(
    {
      types: ['post'],
      ...(terms.length > 0 ? { terms: { terms: [...new Set([...terms, ...below])], has: 'any' as const } } : {}),
      ...(author > 0 ? { authors: [author] } : {}),
      order: {
        by: choice(call, 'orderBy', ORDERS, 'date'),
        descending: text(call, 'order', 'desc').toLowerCase() !== 'asc',
      },
      offset: 0,
      limit: integer(call, 'postsToShow', 5, [1, limits.listed]),
    },
    pass,
  )
  const columns = integer(call, 'columns', 3, [1, 6])
  const classes = [
    isGrid && 'is-grid',
    isGrid && `columns-${columns}`,
    isOn(call, 'displayPostDate') && 'has-dates',
    isOn(call, 'displayAuthor') && 'has-author',
    'cms-block-latest-posts__list',
  ]
  if (posts.length === 0) return wrapper(call, {}, 'There are no posts yet.')
  return wrapper(
    call,
    { tag: 'ul', classes },
    posts.map((post) => latestPost(post, call)),
  )
}

function latestPost(post: Post, call: BlockCall): Child {
  const { pass } = call
  const address = pass.addressOf(post.id)
  const author = isOn(call, 'displayAuthor') ? pass.user(post.author)?.displayName : undefined
  return h(
    'li',
    {},
    isOn(call, 'displayFeaturedImage') && latestPicture(post, address, call),
    h('a', { class: ['cms-block-latest-posts__post-title'], href: address }, shownTitle(post, pass)),
    author !== undefined &&
      author !== '' &&
      h('div', { class: ['cms-block-latest-posts__post-author'] }, `by ${author}`),
    isOn(call, 'displayPostDate') && dateOf(post.date, 'cms-block-latest-posts__post-date', pass),
    isOn(call, 'displayPostContent') && latestText(post, address, call),
  )
}

function latestPicture(post: Post, address: string, call: BlockCall): Child {
  const image = isLocked(post, call.pass)
    ? undefined
    : pictureOf(post.featuredMedia, text(call, 'featuredImageSizeSlug', 'thumbnail'), call.pass)
  if (!image) return undefined
  const side = choice(call, 'featuredImageAlign', SIDES, 'center')
  const hasSide = text(call, 'featuredImageAlign') !== ''
  const linked = isOn(call, 'addLinkToFeaturedImage') ? h('a', { href: address }, image) : image
  return h('div', { class: ['cms-block-latest-posts__featured-image', hasSide && `align${side}`] }, linked)
}

function latestText(post: Post, address: string, call: BlockCall): Child {
  const { pass, scope } = call
  if (isLocked(post, pass)) return h('div', { class: ['cms-block-latest-posts__post-excerpt'] }, lockedText)
  if (text(call, 'displayPostContentRadio', 'excerpt') === 'full_post') {
    return h('div', { class: ['cms-block-latest-posts__post-full-content'] }, drawContent(post, scope, pass))
  }
  const words = integer(call, 'excerptLength', 55, [1, 100])
  const { html, isCut } = excerptOf(post, words, scope, pass)
  const more = isCut && [
    ' … ',
    h(
      'a',
      { class: ['cms-block-latest-posts__read-more'], href: address, rel: 'noopener noreferrer' },
      'Read more',
      h('span', { class: ['screen-reader-text'] }, ': ', shownTitle(post, pass)),
    ),
  ]
  return h('div', { class: ['cms-block-latest-posts__post-excerpt'] }, trusted(html), more)
}

// ---------------------------------------------------------------- comments

const latestCommentsBlock: Block = (call) => {
  const { pass } = call
  const found = latestComments(integer(call, 'commentsToShow', 5, [1, 100]), pass)
  const [hasAvatars, hasDates, hasTexts] = [
    isOn(call, 'displayAvatar', true),
    isOn(call, 'displayDate', true),
    isOn(call, 'displayExcerpt', true),
  ]
  const classes = [hasAvatars && 'has-avatars', hasDates && 'has-dates', hasTexts && 'has-excerpts']
  if (found.length === 0) return wrapper(call, { classes: [...classes, 'no-comments'] }, 'There are no comments yet.')
  const item = ({ comment, post }: (typeof found)[number]) =>
    h(
      'li',
      { class: ['cms-block-latest-comments__comment'] },
      hasAvatars && avatarOf(commentAuthor(comment, pass), 48, pass, ['cms-block-latest-comments__comment-avatar']),
      h(
        'article',
        {},
        h(
          'footer',
          { class: ['cms-block-latest-comments__comment-meta'] },
          linkedAuthor(comment, ['cms-block-latest-comments__comment-author'], pass),
          ' on ',
          h(
            'a',
            { class: ['cms-block-latest-comments__comment-link'], href: commentAddress(comment, pass) },
            shownTitle(post, pass),
          ),
          hasDates && dateOf(pass.site.time.toLocal(comment.date), 'cms-block-latest-comments__comment-date', pass),
        ),
        hasTexts &&
          h(
            'div',
            { class: ['cms-block-latest-comments__comment-excerpt'] },
            h('p', {}, trusted(cutToWords(comment.content, commentWords))),
          ),
      ),
    )
  return wrapper(call, { tag: 'ol', classes }, found.map(item))
}

const commentWords = 20

// ---------------------------------------------------------------- calendar and feeds

const calendar: Block = (call) => {
  const { pass } = call
  const number = (name: string) => numberOf(ownValue(call.attributes, name))
  pass.depend('option:start_of_week')
  const firstDay = numberOf(pass.get(options, 'start_of_week'))
  return wrapper(
    call,
    {},
    calendarTable(
      { year: number('year'), month: number('month'), ...(firstDay === undefined ? {} : { firstDay: firstDay % 7 }) },
      pass,
    ),
  )
}

/** Choice: a text makes no request. The service `feed` reads feeds; without it a link leads to the feed. */
const rss: Block = (call) => {
  const { pass } = call
  const address = linkAddress(text(call, 'feedURL'))
  if (!/^https?:\/\//i.test(address)) return undefined
  const hasService = pass.records.source.services.feed !== undefined
  if (hasService) pass.depend(`feed:${address}`)
  const entries = hasService ? (pass.get(feeds, address) ?? []) : []
  if (entries.length === 0) return wrapper(call, {}, h('a', { href: address, rel: 'noopener nofollow' }, address))
  const isGrid = text(call, 'blockLayout') === 'grid'
  const classes = [
    isGrid && 'is-grid',
    isGrid && `columns-${integer(call, 'columns', 2, [1, 6])}`,
    isOn(call, 'displayDate') && 'has-dates',
    isOn(call, 'displayAuthor') && 'has-authors',
    isOn(call, 'displayExcerpt') && 'has-excerpts',
  ]
  const shown = entries.slice(0, integer(call, 'itemsToShow', 5, [1, 20])).filter(() => pass.admit())
  return wrapper(
    call,
    { tag: 'ul', classes },
    shown.map((entry) => feedItem(entry, call)),
  )
}

function feedItem({ title, url, author = '', date = '', excerpt = '' }: FeedEntry, call: BlockCall): Child {
  const { pass } = call
  const href = linkAddress(url)
  const name = title === '' ? '(no title)' : title
  const words = integer(call, 'excerptLength', 55, [1, 100])
  return h(
    'li',
    { class: ['cms-block-rss__item'] },
    h('div', { class: ['cms-block-rss__item-title'] }, href === '' ? name : h('a', { href }, name)),
    isOn(call, 'displayDate') &&
      date !== '' &&
      dateOf(pass.site.time.toLocal(date), 'cms-block-rss__item-publish-date', pass),
    isOn(call, 'displayAuthor') &&
      author !== '' &&
      h('span', { class: ['cms-block-rss__item-author'] }, `by ${author}`),
    isOn(call, 'displayExcerpt') &&
      excerpt !== '' &&
      h('div', { class: ['cms-block-rss__item-excerpt'] }, trusted(cutToWords(escapeHtml(excerpt), words))),
  )
}

export const listBlocks: BlockTable = {
  archives,
  calendar,
  categories,
  'latest-comments': latestCommentsBlock,
  'latest-posts': latestPosts,
  'page-list': pageList,
  rss,
  'tag-cloud': tagCloud,
}
